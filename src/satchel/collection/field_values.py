"""What values a field has, to choose from: the frequent ones, and from where to where numbers go."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import NamedTuple

from satchel.collection.file import CollectionFile
from satchel.errors import InputError

MOST_VALUES = 50


class ValueCount(NamedTuple):
    """A value of a field, and how many documents have it."""

    value: str | int | float
    n_documents: int


class FieldValues(NamedTuple):
    """The values of a field. values: the frequent ones, most frequent first. n_distinct: how many there are in all.
    numeric: whether all are numbers or read like them; least and most are theirs, None where it is not so."""

    name: str
    values: tuple[ValueCount, ...]
    n_distinct: int
    numeric: bool
    least: float | None
    most: float | None


def read_field_values(file: CollectionFile, name: str) -> FieldValues:
    """Ties in the order of the values: numbers, then texts."""
    question = (
        "SELECT count(*), count(amount), count(DISTINCT value), min(amount), max(amount) FROM fields WHERE name = ?"
    )
    ((n_rows, n_amounts, n_distinct, least, most),) = file.rows(question, name)
    if not n_rows:
        raise missing_field(name, field_names(file))
    counted = "SELECT value, count(*) FROM fields WHERE name = ? GROUP BY value ORDER BY 2 DESC, 1 LIMIT ?"
    values = tuple(ValueCount(*row) for row in file.rows(counted, name, MOST_VALUES))
    numeric = n_amounts == n_rows
    return FieldValues(name, values, n_distinct, numeric, *((least, most) if numeric else (None, None)))


def field_names(file: CollectionFile) -> list[str]:
    """The fields that documents have, in the order of the names."""
    return [name for (name,) in file.rows("SELECT DISTINCT name FROM fields ORDER BY name")]


def missing_field(name: str, there: Sequence[str]) -> InputError:
    """The error for a field that no document has: with those that are spelt alike, else with all."""
    near = get_close_matches(name, there, n=2)
    meant = f"is it {' or '.join(map(repr, near))}?" if near else f"choose from {', '.join(there)}"
    return InputError(f"no document has a field {name[:200]!r}; {meant if there else 'the documents have none'}")
