"""Interests: a query with its marks, filters and weights of themes, kept under a name."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import NamedTuple

from satchel.collection.documents import writable
from satchel.collection.file import CollectionFile, Row
from satchel.collection.filters import Filters, check_filters
from satchel.collection.hits import Verdict
from satchel.collection.marks import marks_in_force, verdicts, write_marks
from satchel.collection.model_files import model_number
from satchel.errors import InputError, unknown_name

_COLUMNS = "name, query, filters, weights, model, created, seen"


class Interest(NamedTuple):
    """weights: codeword -> weight, set by hand; those of a model that is gone are left out. new: how many documents
    were added or changed since it was last looked at."""

    name: str
    query: str
    filters: Filters
    weights: Mapping[int, float]
    marks: Mapping[str, Verdict]
    created: float
    seen: int
    new: int


def save_interest(
    file: CollectionFile, name: str, query: str, filters: Filters | None, weights: Mapping[int, float] | None
) -> Interest:
    """A new interest takes the marks of its query with it; one of that name gets the query and filters given now."""
    if not isinstance(name, str) or not name.strip():
        raise InputError(f"the name of an interest is {name!r}; give a word or more")
    if not isinstance(query, str):
        raise InputError(f"the query of an interest is of type {type(query).__name__}; expected a string")
    check_filters(filters)
    plain, query = json.dumps(plain_weights(weights or {})), writable(query)
    conditions = json.dumps(dict(filters or {}), ensure_ascii=False)
    is_new = file.value("SELECT 1 FROM interests WHERE name = ?", name) is None
    if is_new:
        values = (name, query, conditions, plain, model_number(file), time.time(), file.change)
        file.run(f"INSERT INTO interests ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", *values)
        write_marks(file, [mark._replace(interest=name) for mark in marks_in_force(file, query=query)])
    else:
        update = "UPDATE interests SET query = ?, filters = ?, weights = ?, model = ? WHERE name = ?"
        file.run(update, query, conditions, plain, model_number(file), name)
    return read_interest(file, name)


def plain_weights(weights: Mapping[int, float]) -> dict[int, float]:
    """Weights of themes as they are kept; the error for what are none."""
    try:
        return {int(theme): float(weight) for theme, weight in weights.items()}
    except (AttributeError, TypeError, ValueError) as error:
        raise InputError(f"weights are {weights!r}; expected theme -> weight, such as {{12: 0.5}}") from error


def read_interest(file: CollectionFile, name: str) -> Interest:
    """The interest of that name, or an error that lists those there are."""
    rows = file.rows(f"SELECT {_COLUMNS} FROM interests WHERE name = ?", name)
    if not rows:
        names = [row[0] for row in file.rows("SELECT name FROM interests ORDER BY name")]
        if not names:
            raise InputError(f"there is no interest {name!r} in {file.path}, nor any other; save one first")
        raise unknown_name("interest", name, names)
    return _interest(file, rows[0])


def read_interests(file: CollectionFile) -> list[Interest]:
    """All interests by name."""
    return [_interest(file, row) for row in file.rows(f"SELECT {_COLUMNS} FROM interests ORDER BY name")]


def remove_interest(file: CollectionFile, name: str) -> None:
    """Takes an interest out, and its marks."""
    read_interest(file, name)
    file.run("DELETE FROM marks WHERE interest = ?", name)
    file.run("DELETE FROM interests WHERE name = ?", name)
    file.run("DELETE FROM mark_texts WHERE id NOT IN (SELECT id FROM marks)")


def catch_up(file: CollectionFile, name: str) -> None:
    """All that is here now has been looked at for this interest."""
    read_interest(file, name)
    file.run("UPDATE interests SET seen = ? WHERE name = ?", file.change, name)


def _interest(file: CollectionFile, row: Row) -> Interest:
    name, query, filters, weights, model, created, seen = row
    is_current = model == model_number(file)
    by_hand = {int(codeword): weight for codeword, weight in json.loads(weights).items()} if is_current else {}
    new = int(file.value("SELECT count(*) FROM documents WHERE change > ?", seen))
    marks = verdicts(marks_in_force(file, interest=name))
    return Interest(name, query, json.loads(filters), by_hand, marks, created, seen, new)
