"""Filters: which documents may be found, by their fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from satchel.collection.documents import amount_of
from satchel.collection.file import CollectionFile
from satchel.errors import InputError
from satchel.types import IntArray

Value: TypeAlias = str | int | float | bool
Filters: TypeAlias = Mapping[str, Value | Sequence[Value] | Mapping[str, Value]]
"""Field -> a value, a list of values of which the document has one, or a span {"from": …, "to": …}, ends included.

"id", "title" and "source" are fields of every document. All filters must hold.
"""
COLUMNS = ("id", "title", "source")
ENDS = {"from": ">=", "to": "<="}
_WRITTEN = re.compile(r"\s*([^<>=]+?)\s*(<=|>=|=)\s*(.*?)\s*", flags=re.DOTALL)


def read_filters(written: Iterable[str]) -> Filters:
    """Filters as a person writes them: "year>=2019", "lang=en", "topic=a,b" (one of them)."""
    filters: dict[str, Value | Sequence[Value] | Mapping[str, Value]] = {}
    for one in written:
        match = _WRITTEN.fullmatch(one)
        if match is None:
            raise InputError(f"{one!r} is not a filter; write FIELD=VALUE, FIELD>=VALUE or FIELD<=VALUE")
        name, sign, value = match.groups()
        if sign == "=":
            several = value.split(",")
            filters[name] = several if len(several) > 1 else value
        else:
            before = filters.get(name)
            span = dict(before) if isinstance(before, Mapping) else {}
            filters[name] = span | {"from" if sign == ">=" else "to": value}
    return filters


def allowed_numbers(file: CollectionFile, filters: Filters | None) -> IntArray | None:
    """The numbers of the documents that pass all filters, rising; None where there are no filters."""
    if not filters:
        return None
    allowed: IntArray | None = None
    for name, wanted in filters.items():
        condition, values = _condition(name, wanted)
        found = np.array(file.rows(condition, *values), np.int64).reshape(-1)
        allowed = np.unique(found) if allowed is None else np.intersect1d(allowed, found)
    return allowed


def check_filters(filters: Filters | None) -> None:
    """The error for what is no filter."""
    if filters is not None and not isinstance(filters, Mapping):
        raise InputError(f"filters must be a mapping of fields to values, not {type(filters).__name__}")
    for name, wanted in (filters or {}).items():
        _condition(name, wanted)


def _condition(name: str, wanted: object) -> tuple[str, list[object]]:
    """A question whose answer is the numbers of the documents."""
    if isinstance(wanted, Mapping):
        return _span(name, wanted)
    several = [wanted] if isinstance(wanted, str | int | float) else wanted
    if not isinstance(several, Sequence) or not all(isinstance(one, str | int | float) for one in several):
        raise InputError(f"the filter on {name!r} is {wanted!r}; expected a value, a list of values or a span")
    values = list(dict.fromkeys(form for one in several for form in _forms(one)))
    marks = ", ".join("?" for _ in values)
    if name in COLUMNS:
        return f"SELECT number FROM documents WHERE {name} IN ({marks})", list(map(str, values))
    return f"SELECT number FROM fields WHERE name = ? AND value IN ({marks})", [name, *values]


def _forms(value: Value) -> list[Value]:
    """The value, and the same as a number or as text: files that hold only text have years, too."""
    amount = amount_of(value)
    if amount is None or isinstance(value, bool):
        return [value, *([int(value)] if isinstance(value, bool) else [])]
    if abs(amount) >= 2**63:  # more than SQLite holds as a whole number
        return [amount, str(value)]
    whole = int(amount) if amount == int(amount) else amount
    return [value, whole, str(whole)] if isinstance(value, str) else [value, str(value), str(whole)]


def _span(name: str, ends: Mapping[str, object]) -> tuple[str, list[object]]:
    if (
        not ends
        or not ends.keys() <= ENDS.keys()
        or not all(isinstance(end, str | int | float) for end in ends.values())
    ):
        raise InputError(f'the filter on {name!r} is {dict(ends)!r}; a span is {{"from": VALUE, "to": VALUE}}')
    if name in COLUMNS:
        tests = " AND ".join(f"{name} {ENDS[end]} ?" for end in ends)
        return f"SELECT number FROM documents WHERE {tests}", [str(value) for value in ends.values()]
    amounts = [amount_of(value) for value in ends.values()]  # type: ignore[arg-type]
    by_amount = all(amount is not None for amount in amounts)
    column = "amount" if by_amount else "value"
    tests = " AND ".join(f"{column} {ENDS[end]} ?" for end in ends)
    kind = "" if by_amount else " AND typeof(value) = 'text'"
    values = amounts if by_amount else list(map(str, ends.values()))
    return f"SELECT number FROM fields WHERE name = ? AND {tests}{kind}", [name, *values]
