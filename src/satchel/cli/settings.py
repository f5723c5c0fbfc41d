"""`satchel settings`: shows and changes the synonyms, stop words and weights of fields of a collection."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from satchel.cli.arguments import AsJson, File, Quiet, opened
from satchel.cli.console import as_form, print_json, print_pairs
from satchel.errors import InputError

if TYPE_CHECKING:
    from satchel.collection import Collection, SearchSettings

ALWAYS = ("text", "title", "id", "file", "source")
"""The fields that every document has in the index."""
MOST_SHOWN = 10


def settings(
    file: File,
    synonyms: Annotated[
        str | None,
        typer.Option(
            metavar="FILE.txt",
            help="Replace the synonyms: one group a line, as car, automobile; '' removes all.",
        ),
    ] = None,
    stop_words: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS",
            help="Replace the extra stop words: words with commas between, or a file *.txt; '' removes all.",
        ),
    ] = None,
    field_weight: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FIELD=WEIGHT",
            help="Weight words in a field, as title=3: usually the text has 1, the title 2, other fields 0.5; "
            "title= makes it usual again; repeatable.",
        ),
    ] = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Show how a collection searches by words, or change it: synonyms, extra stop words, weights of fields.

    A change holds for all searches from now on; no document is indexed again.

    \b
    Examples:
      satchel settings papers.satchel
      satchel settings papers.satchel --synonyms synonyms.txt --stop-words "study, paper"
      satchel settings papers.satchel --field-weight title=3 --field-weight authors=0
    """
    given: dict[str, Any] = {}
    if synonyms is not None:
        given["synonyms"] = _synonyms(synonyms)
    if stop_words is not None:
        given["stop_words"] = _stop_words(stop_words)
    if field_weight:
        given["field_weights"] = dict(map(_weight, field_weight))
    with opened(file) as collection:
        _check_fields(collection, given.get("field_weights", {}))
        found = collection.settings.change(**given) if given else collection.settings.read()
    if as_json:
        print_json(as_form(found))
    elif not (quiet and given):
        print_pairs(_rows(found))


def _synonyms(written: str) -> list[list[str]]:
    from satchel.collection import read_synonyms

    return read_synonyms(Path(written)) if written else []


def _stop_words(written: str) -> list[str]:
    from satchel.collection import read_stop_words

    return read_stop_words(Path(written)) if written.endswith(".txt") else written.split(",")


def _weight(written: str) -> tuple[str, float | None]:
    field, _, weight = written.rpartition("=")
    try:
        if field:
            return field, float(weight) if weight else None
    except ValueError:
        pass
    raise InputError(f"{written!r} is not the weight of a field; write FIELD=WEIGHT, such as title=3")


def _check_fields(collection: Collection, names: dict[str, float | None]) -> None:
    collection.check_fields(name for name, weight in names.items() if name not in ALWAYS and weight is not None)


def _rows(found: SearchSettings) -> list[tuple[str, str]]:
    groups = "; ".join(", ".join(words) for words in found.synonyms[:MOST_SHOWN])
    words = ", ".join(found.stop_words[:MOST_SHOWN])
    weights = ", ".join(f"{name} {weight:g}" for name, weight in found.field_weights.items())
    return [
        ("synonyms", f"{groups}{_rest(len(found.synonyms))}" or "none"),
        ("stop words", f"{words}{_rest(len(found.stop_words))}" or "only the usual ones"),
        ("weights", weights or "text 1, title 2, other fields 0.5"),
    ]


def _rest(n: int) -> str:
    return f" … {n:,} in all" if n > MOST_SHOWN else ""
