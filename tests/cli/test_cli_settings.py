"""`satchel settings`, and facets and sorting of `satchel search`, as a shell would ask for them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from command_line import run as run_command
from command_line import sentence as sentence_of
from satchel import Collection
from satchel.importing import Document

Run: TypeAlias = Callable[..., tuple[Any, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return lambda *arguments: run_command(capsys, monkeypatch, *arguments)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Collection.create(tmp_path / "own.satchel") as own:
        for number, year in enumerate([2001, 2003, 2002]):
            own.add(
                [Document(f"d{number}", "a car", f"Title {number}", {"year": year, "author": ["Ann", f"B{number}"]})]
            )
    return tmp_path / "own.satchel"


def test_settings_are_changed_and_shown(path: Path, run: Run) -> None:
    synonyms = path.with_name("synonyms.txt")
    synonyms.write_text("car, automobile\n", "utf-8")
    options = ["--synonyms", synonyms, "--stop-words", "study, paper", "--field-weight", "title=3"]
    code, out, _ = run("settings", path, *options)
    assert code == 0
    assert "car, automobile" in out
    told = json.loads(run("settings", path, "--json")[1])
    assert told == {
        "synonyms": [["car", "automobile"]],
        "stop_words": ["study", "paper"],
        "field_weights": {"title": 3.0},
    }
    assert "d0" in run("search", path, "automobile", "--ids", "--mode", "lexical")[1]
    run("settings", path, "--synonyms", "", "--stop-words", "", "--field-weight", "title=", "--quiet")
    assert json.loads(run("settings", path, "--json")[1]) == {"synonyms": [], "stop_words": [], "field_weights": {}}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--field-weight", "title"], "is not the weight of a field"),
        (["--field-weight", "title=much"], "is not the weight of a field"),
        (["--field-weight", "yeer=2"], "is it 'year'?"),
        (["--synonyms", "none.txt"], "there is no file none.txt"),
    ],
)
def test_a_mistake_in_settings_is_one_sentence(path: Path, run: Run, options: list[str], said: str) -> None:
    assert said in sentence_of(run("settings", path, *options))


def test_facets_and_sorting_on_the_command_line(path: Path, run: Run) -> None:
    told = json.loads(run("search", path, "car", "--facets", "year,author", "--sort=-year", "--json")[1])
    assert [hit["id"] for hit in told["hits"]] == ["d1", "d2", "d0"]
    assert [one["field"] for one in told["facets"]] == ["year", "author"]
    assert told["facets"][0]["values"][0] == {"value": 2003, "n_documents": 1, "to": None}
    assert told["facets"][1]["values"][0] == {"value": "Ann", "n_documents": 3, "to": None}
    assert "author: Ann (3), B0 (1), B1 (1), B2 (1)" in run("search", path, "car", "--facets", "author")[1]
    assert "no document has a field 'yeer' to sort by" in sentence_of(run("search", path, "car", "--sort", "yeer"))
