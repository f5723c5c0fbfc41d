"""A collection as the commands open it: arguments that they share, and ids that are not there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from satchel.errors import InputError

if TYPE_CHECKING:
    from satchel.collection import Collection

MOST_COMPARED = 50_000
"""Ids whose spelling is compared with one that is not there."""


def one_of_these(*choices: str) -> Callable[[str], list[str]]:
    """What a shell completes the value of an option with."""
    return lambda incomplete: [choice for choice in choices if choice.startswith(incomplete)]


File = Annotated[Path, typer.Argument(help="The collection, such as papers.satchel.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing where all goes well.")]


def opened(path: Path) -> Collection:
    """The collection in a file, to be closed by the caller."""
    from satchel.collection import Collection

    return Collection.open(path)


def listed_ids(given: Iterable[str]) -> list[str]:
    """The ids; in place of a single "-" those on standard input, one a line, as `satchel search --ids` prints them."""
    ids = list(given)
    return [line for line in sys.stdin.read().split("\n") if line] if ids == ["-"] else ids


def check_ids(collection: Collection, ids: Iterable[str]) -> None:
    """Before anything is done: the documents are there; the error names ids that may have been meant."""
    for id_ in ids:
        if id_ not in collection:
            near = near_ids(collection, id_)
            meant = (
                f"is it {' or '.join(map(repr, near))}?" if near else f"`satchel search {collection.path}` lists ids"
            )
            raise InputError(f"no document {id_!r} is in {collection.path}; {meant}")


def near_ids(collection: Collection, id_: str) -> list[str]:
    """Three ids at most: those that hold the one given, such as a path that ends in it, else those spelt alike."""
    every, wanted = list(collection), id_.casefold()
    holding = [one for one in every if wanted in one.casefold()]
    return sorted(holding, key=len)[:3] or get_close_matches(id_, every[:MOST_COMPARED], n=3)
