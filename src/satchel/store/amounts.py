"""How values of fields are compared: text that reads like a number also counts as a number."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from satchel.importing import Fields, FieldValue
from satchel.query import Value

COLUMNS = ("id", "title", "source")
"""The fields that every document has."""
_TRUTHS = {"false": 0, "true": 1}  # as SQLite stores them
_DATE = re.compile(r"\d{4}(-\d\d){0,2}")
_AFTER_DATES = "~"  # sorts after every character of a date and a time of day


class FieldRow(NamedTuple):
    """One value of a field of one document; amount: the value as a number, if it is one or reads like one."""

    number: int
    name: str
    value: Value
    amount: float | None


class FieldSpan(NamedTuple):
    """A span as it is compared: as numbers, as texts or as both. A pair is (least, most); None: no end on that side."""

    amounts: tuple[float | None, float | None] | None
    texts: tuple[str | None, str | None] | None
    are_dates: bool


def field_rows(number: int, fields: Fields) -> Iterator[FieldRow]:
    """The fields of a document, one row for each value."""
    for name, value in fields.items():
        for one in dict.fromkeys(value) if isinstance(value, list | tuple) else (value,):
            yield FieldRow(number, name, one, amount_of(one))


def amount_of(value: FieldValue | Value) -> float | None:
    """The value as a number, if it is one or reads like one ("2019"); else None."""
    if isinstance(value, list):
        return None
    try:
        amount = float(value)
    except ValueError:
        return None
    return amount if math.isfinite(amount) else None


def forms_of(value: Value) -> list[Value]:
    """The value as it is, and also as a number or as text: in files that hold only text, years are text."""
    amount = amount_of(value)
    if str(value).lower() in _TRUTHS:
        return [value, _TRUTHS[str(value).lower()]]
    if amount is None:
        return [value]
    if abs(amount) >= 2**63:  # too large for an integer in SQLite
        return [amount, str(value)]
    whole = int(amount) if amount == int(amount) else amount
    return [value, whole, str(whole)] if isinstance(value, str) else [value, str(value), str(whole)]


def span_of(least: Value | None, most: Value | None) -> FieldSpan:
    """The span to compare with: text and dates as text, numbers and what reads like one as numbers, a year as both."""
    ends = [end for end in (least, most) if end is not None]
    by_amount = all(amount_of(end) is not None for end in ends)
    by_date = all(_DATE.fullmatch(str(end)) for end in ends)
    amounts = tuple(None if end is None else amount_of(end) for end in (least, most))
    last = None if most is None else f"{most}{_AFTER_DATES if by_date else ''}"
    texts = (None if least is None else str(least), last)
    return FieldSpan(
        amounts if by_amount else None,  # type: ignore[arg-type]
        texts if by_date or not by_amount else None,
        by_amount and by_date,
    )
