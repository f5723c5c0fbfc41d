"""Translates conditions on fields and changes into SQL that selects document numbers."""

from __future__ import annotations

from satchel.query import Between, Contains, Is, Leaf, Since
from satchel.store.amounts import COLUMNS, forms_of, span_of

_DATES = "value GLOB '[0-9][0-9][0-9][0-9]-*'"


def question_of(leaf: Leaf) -> tuple[str, list[object]]:
    """The SQL statement for a condition, and its values."""
    if isinstance(leaf, Since):
        return "SELECT number FROM documents WHERE change > ?", [leaf.change]
    if isinstance(leaf, Is):
        return _is(leaf)
    if isinstance(leaf, Between):
        return _between(leaf)
    if isinstance(leaf, Contains):
        if leaf.field in COLUMNS:
            return f"SELECT number FROM documents WHERE instr(casefold({leaf.field}), ?)", [leaf.text.casefold()]
        found = "SELECT number FROM fields WHERE name = ? AND instr(casefold(value), ?)"
        return found, [leaf.field, leaf.text.casefold()]
    raise TypeError(f"{type(leaf).__name__} is not a condition on fields")


def _is(leaf: Is) -> tuple[str, list[object]]:
    values = list(dict.fromkeys(form for one in leaf.values for form in forms_of(one)))
    marks = ", ".join("?" for _ in values)
    if leaf.field in COLUMNS:
        return f"SELECT number FROM documents WHERE {leaf.field} IN ({marks})", list(map(str, values))
    return f"SELECT number FROM fields WHERE name = ? AND value IN ({marks})", [leaf.field, *values]


def _between(leaf: Between) -> tuple[str, list[object]]:
    if leaf.field in COLUMNS:
        tests, values = _ends(leaf.field, (leaf.least, leaf.most))
        return f"SELECT number FROM documents WHERE {tests}", list(map(str, values))
    span = span_of(leaf.least, leaf.most)
    conditions, every = list[str](), list[object]()
    if span.amounts is not None:
        tests, values = _ends("amount", span.amounts)
        conditions.append(tests)
        every += values
    if span.texts is not None:
        tests, values = _ends("value", span.texts)
        conditions.append(f"typeof(value) = 'text' AND {_DATES if span.are_dates else '1'} AND {tests}")
        every += values
    return f"SELECT number FROM fields WHERE name = ? AND ({' OR '.join(conditions)})", [leaf.field, *every]


def _ends(column: str, ends: tuple[object, object]) -> tuple[str, list[object]]:
    given = [(sign, end) for sign, end in zip((">=", "<="), ends, strict=True) if end is not None]
    return " AND ".join(f"{column} {sign} ?" for sign, _ in given) or "1", [end for _, end in given]
