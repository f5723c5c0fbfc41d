"""Conditions: a tree that says which documents may be found. Each store translates it for itself.

`condition_of` turns filters, as people and programs write them, into such a tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from satchel.errors import InputError

T = TypeVar("T")
Value: TypeAlias = str | int | float | bool
Filters: TypeAlias = Mapping[str, Value | Sequence[Value] | Mapping[str, Value]]
"""Field -> a value, a list of values of which the document has one, or a span {"from": …, "to": …}, ends included.

"id", "title" and "source" are fields of every document. All filters must hold. A year, a month or a day as an end
matches dates written as 2024-05-31: the span runs from the start of the first to the end of the last.
"""
ENDS = ("from", "to")
_PARTS = re.compile(r",(?!\s)")
_WRITTEN = re.compile(r"\s*([^<>=]+?)\s*(<=|>=|=)\s*(.*?)\s*", flags=re.DOTALL)


@dataclass(frozen=True)
class Is:
    """A field has one of these values. "id", "title" and "source" are fields of every document."""

    field: str
    values: tuple[Value, ...]


@dataclass(frozen=True)
class Between:
    """A field has a value from `least` to `most`, ends included; None: no end on that side.

    A year, a month or a day as an end works on dates written as 2024-05-31: the span runs from the start of the first
    to the end of the last.
    """

    field: str
    least: Value | None = None
    most: Value | None = None


@dataclass(frozen=True)
class Contains:
    """A value of a field contains this text; case makes no difference."""

    field: str
    text: str


@dataclass(frozen=True)
class Since:
    """The document was added or changed after this change of the collection."""

    change: int


@dataclass(frozen=True)
class Marked:
    """The document now has one of these marks, for a project or, without one, for a query."""

    values: tuple[str, ...] = ("relevant", "maybe", "irrelevant")
    project: str | None = None
    query: str = ""


@dataclass(frozen=True)
class Within:
    """The document lies in this part of the map; each end is from 0 to 1."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class Word:
    """The document contains a word with the stem of this one: anywhere, or in one of these fields.

    In this leaf and the three that follow, "title", "text", "id", "source" and "file" are fields of every document,
    and words are as `satchel.text.folded` gives them: in lower case, without accents.
    """

    word: str
    fields: tuple[str, ...] = ()


@dataclass(frozen=True)
class Phrase:
    """One value of a field contains these words one after the other, each as it is typed and not by its stem.

    Hyphens and punctuation separate words and make no other difference.
    """

    words: tuple[str, ...]
    fields: tuple[str, ...] = ()


@dataclass(frozen=True)
class Prefix:
    """The document contains a word that begins so."""

    prefix: str
    fields: tuple[str, ...] = ()


@dataclass(frozen=True)
class Near:
    """One value of a field contains all of these words, by stem and in any order, near to each other.

    From the first to the last of them stand at most `distance` other words.
    """

    words: tuple[str, ...]
    distance: int
    fields: tuple[str, ...] = ()


@dataclass(frozen=True)
class And:
    """All parts hold."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True)
class Or:
    """One of the parts holds."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True)
class Not:
    """The part does not hold."""

    part: Condition


Leaf: TypeAlias = Is | Between | Contains | Since | Marked | Within | Word | Phrase | Prefix | Near
Condition: TypeAlias = Leaf | And | Or | Not
_KINDS = (And, Between, Contains, Is, Marked, Near, Not, Or, Phrase, Prefix, Since, Within, Word)


def all_of(*conditions: Condition | None) -> Condition | None:
    """Joins the given conditions by and; None if there are none."""
    given: list[Condition] = []
    for one in conditions:
        given += one.parts if isinstance(one, And) else [] if one is None else [one]
    return None if not given else given[0] if len(given) == 1 else And(tuple(given))


def evaluate(
    condition: Condition,
    leaf: Callable[[Leaf], T],
    every: Callable[[Sequence[T]], T],
    some: Callable[[Sequence[T]], T],
    none: Callable[[T], T],
) -> T:
    """Computes the value of a tree from the values of its leaves; `every`, `some` and `none` are And, Or and Not.

    The nesting may be as deep as you like.
    """
    done: list[T] = []
    for one in _children_first(condition):
        if isinstance(one, And | Or):
            start = len(done) - len(one.parts)
            values = done[start:]
            del done[start:]
            done.append(every(values) if isinstance(one, And) else some(values))
        elif isinstance(one, Not):
            done.append(none(done.pop()))
        else:
            done.append(leaf(one))
    return done[0]


def leaves_of(condition: Condition | None) -> Iterator[Leaf]:
    """The leaves of a tree, from left to right."""
    for one in () if condition is None else _children_first(condition):
        if not isinstance(one, And | Or | Not):
            yield one


def wanted_leaves(condition: Condition | None) -> list[Leaf]:
    """The leaves of a tree that do not stand under NOT (or stand under an even number of them), each once."""
    if condition is None:
        return []
    wanted, _ = evaluate(
        condition,
        lambda leaf: ([leaf], []),
        _joined,
        _joined,
        lambda part: (part[1], part[0]),
    )
    return list(dict.fromkeys(wanted))


def _joined(parts: Sequence[tuple[list[Leaf], list[Leaf]]]) -> tuple[list[Leaf], list[Leaf]]:
    return [leaf for part in parts for leaf in part[0]], [leaf for part in parts for leaf in part[1]]


def key_of(condition: Condition | None) -> tuple[str, ...]:
    """A key for caches: trees that are written alike have the same key. The nesting may be as deep as you like.

    The tree itself cannot be the key: Python treats 1, 1.0 and True as equal, and cannot hash a deep tree.
    """
    nodes = () if condition is None else _children_first(condition)
    return tuple(type(one).__name__ + str(_n_parts(one) or one) for one in nodes)


def _n_parts(one: Condition) -> str:
    """The number of parts of a node, as text; empty for a leaf."""
    return str(len(one.parts)) if isinstance(one, And | Or) else "1" if isinstance(one, Not) else ""


def _children_first(condition: Condition) -> Iterator[Condition]:
    waiting: list[tuple[Condition, bool]] = [(condition, False)]
    while waiting:
        one, children_are_done = waiting.pop()
        parts = one.parts if isinstance(one, And | Or) else (one.part,) if isinstance(one, Not) else ()
        if children_are_done or not parts:
            yield one
        else:
            waiting.append((one, True))
            waiting += [(part, False) for part in reversed(parts)]


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
    """The parts between commas. Where a space follows a comma, the text around the comma is also kept as one value."""
    apart = _PARTS.split(written)
    return list(dict.fromkeys((*apart, *(part.strip() for part in written.split(",")))))
