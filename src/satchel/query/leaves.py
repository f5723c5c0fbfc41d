"""The values in a query as conditions: words, phrases, beginnings of words, numbers, dates and spans."""

from __future__ import annotations

import re

from satchel.query.condition import And, Between, Condition, Near, Or, Phrase, Prefix, Value, Word
from satchel.query.fields import WORDED

_NUMBER_OR_DATE = r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?|[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?"
_AMOUNT = re.compile(_NUMBER_OR_DATE)
_SPAN = re.compile(rf"({_NUMBER_OR_DATE})?\.\.({_NUMBER_OR_DATE})?")
_BEGINNING = re.compile(r"([^*]*[^\W_])\*[,.;:!?]*")
_PASTED = re.compile(r"([^*$]*[^\W_])[*$][^\W_]*[,.;:!?]*")
_NEAR = re.compile(r"(.*?)(?:[,，]\s*([0-9]{1,9})\s*)?", flags=re.DOTALL)
NEAR_BY = 10
"""The distance of NEAR(a b) without a number."""


def folded(text: str) -> tuple[str, ...]:
    """As `satchel.text.folded`, which is loaded when it is needed: the help of the command line does without."""
    from satchel.text import folded

    return folded(text)


def word_condition(value: str, fields: tuple[str, ...] = ()) -> Condition | None:
    """The words of a value: one by its stem, several as a phrase; None if there is no word in it."""
    words = _folded(value)
    return None if not words else Word(words[0], fields) if len(words) == 1 else Phrase(words, fields)


def phrase(value: str, fields: tuple[str, ...] = ()) -> Phrase | None:
    """A quotation; None if there is no word in it."""
    words = _folded(value)
    return Phrase(words, fields) if words else None


def beginning(value: str, pasted: bool = False) -> str:
    """What stands before the asterisk that ends a value; empty if none ends it.

    In a search pasted from a medical database the sign may be $ too, and may stand inside: wom*n begins with "wom".
    """
    if "*" not in value and "＊" not in value and not (pasted and "$" in value):
        return ""
    found = (_PASTED if pasted else _BEGINNING).fullmatch(value.replace("＊", "*"))
    return found[1] if found else ""


def prefix_condition(value: str, fields: tuple[str, ...] = ()) -> Condition:
    """Words of which the last is only the beginning of a word."""
    words = _folded(value)
    last = Prefix(words[-1], fields)
    before = word_condition(" ".join(words[:-1]), fields)
    return last if before is None else And((before, last))


def near_condition(value: str, fields: tuple[str, ...] = ()) -> Condition | None:
    """The inside of NEAR(a b, 5)."""
    words, distance = near_parts(value)
    several = tuple(dict.fromkeys(_folded(words)))
    if len(several) < 2:
        return word_condition(words, fields)
    return Near(several, NEAR_BY if distance is None else int(distance), fields)


def near_parts(value: str) -> tuple[str, str | None]:
    """The words and the number in the inside of NEAR(a b, 5)."""
    found = _NEAR.fullmatch(value)
    return (value, None) if found is None else (found[1], found[2])


def span_condition(value: str, fields: tuple[str, ...]) -> Condition | None:
    """A number, a date or a span such as 2019..2024 in fields that hold them; None if the value is no such thing."""
    amounts = tuple(field for field in fields if field.casefold() not in WORDED)
    written = value.rstrip(",;")
    span, one = _SPAN.fullmatch(written), _AMOUNT.fullmatch(written)
    ends = (written, written) if one else span.groups() if span else (None, None)
    if not amounts or ends == (None, None):
        return None
    least, most = (None if end is None else _amount(end) for end in ends)
    if isinstance(least, int | float) and isinstance(most, int | float) and least > most:
        least, most = most, least
    spans = tuple(Between(field, least, most) for field in amounts)
    return spans[0] if len(spans) == 1 else Or(spans)


def _amount(written: str) -> Value:
    try:
        return int(written)
    except ValueError:
        return written if _is_date(written) else float(written)


def _is_date(written: str) -> bool:
    return "-" in written[1:]


def _folded(value: str) -> tuple[str, ...]:
    from satchel.text import folded  # on first use: the help of a command loads no numpy

    return folded(value)
