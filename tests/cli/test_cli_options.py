"""The options of all commands: a name that several commands share has one meaning."""

from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.main import get_command

from satchel.cli.app import app

DOCS = Path(__file__).parents[2] / "docs"
SEVERAL_KINDS = {
    "--relevant": "always marks: ids in a search, what `mark` says, how many a simulated user makes",
    "--irrelevant": "as --relevant",
    "--maybe": "as --relevant",
    "--run": "always a TREC run: `search` prints it, `evaluate` reads it",
    "--method": "always how to learn: several kinds of feedback in `simulate`, one of words in `words learn`",
}
"""Options whose values have several kinds, each with the one meaning that all commands share."""


class Option(NamedTuple):
    command: str
    kind: str
    help: str


def _options(command, name=""):
    for inner, below in getattr(command, "commands", {}).items():
        yield from _options(below, f"{name} {inner}".strip())
    for option in command.params:
        if option.param_type_name == "option":
            for flag in option.opts:
                yield flag, Option(name, str(option.bare_type()), option.help or "")


OPTIONS = defaultdict(list)
for flag, found in _options(get_command(app)):
    OPTIONS[flag].append(found)


def test_options_are_found():
    assert {"--json", "--seed", "--where", "-k"} <= OPTIONS.keys()
    assert len(OPTIONS["--json"]) > 10


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_takes_one_kind_of_value_in_all_commands(name):
    kinds = {option.kind for option in OPTIONS[name]}
    assert (len(kinds) > 1) == (name in SEVERAL_KINDS), OPTIONS[name]


@pytest.mark.parametrize(
    ("name", "said"),
    [("--words", "word vectors"), ("--seed", "same seed gives"), ("--json", "JSON"), ("-k", "How many")],
)
def test_a_shared_option_says_the_same_everywhere(name, said):
    assert all(said in option.help for option in OPTIONS[name]), OPTIONS[name]


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_has_help_that_is_a_sentence(name):
    for option in OPTIONS[name]:
        assert option.help.rstrip().endswith("."), option


def test_labels_and_words_are_in_the_glossary():
    glossary = (DOCS / "reference" / "glossary.md").read_text("utf-8")
    for name in ("--label", "--labels", "--with-labels", "--words", "--n-words"):
        assert f"`{name}`" in glossary
