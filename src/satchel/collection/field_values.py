"""What values a field has, to choose from: the frequent ones, and from where to where numbers go."""

from __future__ import annotations

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
        there = [one for (one,) in file.rows("SELECT DISTINCT name FROM fields ORDER BY name")]
        known = f"choose from {', '.join(there)}" if there else "the documents have none"
        raise InputError(f"no document has a field {name[:200]!r}; {known}")
    counted = "SELECT value, count(*) FROM fields WHERE name = ? GROUP BY value ORDER BY 2 DESC, 1 LIMIT ?"
    values = tuple(ValueCount(*row) for row in file.rows(counted, name, MOST_VALUES))
    numeric = n_amounts == n_rows
    return FieldValues(name, values, n_distinct, numeric, *((least, most) if numeric else (None, None)))
