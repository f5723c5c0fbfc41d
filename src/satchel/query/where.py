"""Filters as people and programs write them, read into conditions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from satchel.errors import InputError
from satchel.query.condition import And, Between, Condition, Contains, Is, Marked, Not, Or, Since, Within, all_of

Value: TypeAlias = str | int | float | bool
Filters: TypeAlias = Mapping[str, Value | Sequence[Value] | Mapping[str, Value]]
"""Field -> a value, a list of values of which the document has one, or a span {"from": …, "to": …}, ends included.

"id", "title" and "source" are fields of every document. All filters must hold. An end that is a year, a month or a day
holds for dates that are written that way round, 2024-05-31: from the beginning of the one to the end of the other.
"""
ENDS = ("from", "to")
_KINDS = (And, Between, Contains, Is, Marked, Not, Or, Since, Within)
_PARTS = re.compile(r",(?!\s)")
_WRITTEN = re.compile(r"\s*([^<>=]+?)\s*(<=|>=|=)\s*(.*?)\s*", flags=re.DOTALL)


def condition_of(filters: Filters | Condition | None) -> Condition | None:
    """The condition that filters mean; raises InputError unless these are filters."""
    if filters is None or isinstance(filters, _KINDS):
        return filters
    if not isinstance(filters, Mapping):
        raise InputError(f"filters must be a mapping of fields to values, not {type(filters).__name__}")
    return all_of(*(_of_field(name, wanted) for name, wanted in filters.items()))


def _of_field(name: str, wanted: object) -> Condition:
    if isinstance(wanted, Mapping):
        known = wanted.keys() <= set(ENDS) and all(isinstance(end, str | int | float) for end in wanted.values())
        if not wanted or not known:
            raise InputError(f'the filter on {name!r} is {dict(wanted)!r}; a span is {{"from": VALUE, "to": VALUE}}')
        return Between(name, wanted.get("from"), wanted.get("to"))
    several = [wanted] if isinstance(wanted, str | int | float) else wanted
    if not isinstance(several, Sequence) or not all(isinstance(one, str | int | float) for one in several):
        raise InputError(f"the filter on {name!r} is {wanted!r}; expected a value, a list of values or a span")
    return Is(name, tuple(several))


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
