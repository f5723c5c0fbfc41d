"""Filters: which documents may be found, by their fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from satchel.collection.documents import amount_of
from satchel.collection.field_values import field_names, missing_field
from satchel.collection.file import CollectionFile
from satchel.errors import InputError
from satchel.types import IntArray

Value: TypeAlias = str | int | float | bool
Filters: TypeAlias = Mapping[str, Value | Sequence[Value] | Mapping[str, Value]]
"""Field -> a value, a list of values of which the document has one, or a span {"from": …, "to": …}, ends included.

"id", "title" and "source" are fields of every document. All filters must hold. An end that is a year, a month or a day
holds for dates that are written that way round, 2024-05-31: from the beginning of the one to the end of the other.
"""
COLUMNS = ("id", "title", "source")
ENDS = {"from": ">=", "to": "<="}
_TRUTHS = {"false": 0, "true": 1}  # as SQLite keeps them
_DATE = re.compile(r"\d{4}(-\d\d){0,2}")
_DATES = "value GLOB '[0-9][0-9][0-9][0-9]-*'"
_AFTER_DATES = "~"  # behind every sign of a date and a time of day
_PARTS = re.compile(r",(?!\s)")
_WRITTEN = re.compile(r"\s*([^<>=]+?)\s*(<=|>=|=)\s*(.*?)\s*", flags=re.DOTALL)


def read_filters(written: Iterable[str]) -> Filters:
    """Filters as a person writes them: "year>=2019", "lang=en", "topic=a,b" (one of them).

    A comma before a space may belong to a value: "authors=Ant, Ann" finds the author of that name.
    """
    filters: dict[str, Value | Sequence[Value] | Mapping[str, Value]] = {}
    for one in written:
        match = _WRITTEN.fullmatch(one)
        if match is None:
            raise InputError(f"{one!r} is not a filter; write FIELD=VALUE, FIELD>=VALUE or FIELD<=VALUE")
        name, sign, value = match.groups()
        before, end = filters.get(name), "from" if sign == ">=" else "to"
        if before is not None and (sign == "=" or not isinstance(before, Mapping) or end in before):
            raise InputError(f"{one!r} is a second filter on {name!r}; write {name}=A,B for one of several values")
        if sign == "=":
            several = _values(value)
            filters[name] = several if len(several) > 1 else value
        else:
            filters[name] = (dict(before) if isinstance(before, Mapping) else {}) | {end: value}
    return filters


def _values(written: str) -> list[str]:
    """One of these: the parts between commas, and where a space follows one, what stands around it as a whole, too."""
    apart = _PARTS.split(written)
    return list(dict.fromkeys((*apart, *(part.strip() for part in written.split(",")))))


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


def check_fields(file: CollectionFile, names: Iterable[str]) -> None:
    """The error for a field that no document has; a collection without documents has none to compare with."""
    for name in names:
        if name not in COLUMNS and file.value("SELECT 1 FROM fields WHERE name = ? LIMIT 1", name) is None:
            there = field_names(file)
            if there or file.value("SELECT 1 FROM documents LIMIT 1") is not None:
                raise missing_field(name, there)


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
    if str(value).lower() in _TRUTHS:
        return [value, _TRUTHS[str(value).lower()]]
    if amount is None:
        return [value]
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
        return f"SELECT number FROM documents WHERE {_tests(name, ends)}", [str(value) for value in ends.values()]
    amounts = [amount_of(value) for value in ends.values()]  # type: ignore[arg-type]
    by_amount = all(amount is not None for amount in amounts)
    by_date = all(_DATE.fullmatch(str(value)) for value in ends.values())
    texts = [f"{value}{_AFTER_DATES if by_date and end == 'to' else ''}" for end, value in ends.items()]
    conditions, values = list[str](), list[object]()
    if by_amount:
        conditions.append(_tests("amount", ends))
        values += amounts
    if by_date or not by_amount:
        kind = f"typeof(value) = 'text' AND {_DATES if by_amount else '1'}"
        conditions.append(f"{kind} AND {_tests('value', ends)}")
        values += texts
    return f"SELECT number FROM fields WHERE name = ? AND ({' OR '.join(conditions)})", [name, *values]


def _tests(column: str, ends: Mapping[str, object]) -> str:
    return " AND ".join(f"{column} {ENDS[end]} ?" for end in ends)
