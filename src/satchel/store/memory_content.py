"""The content of a store in memory, and conditions on it: value by value, with the same results as SQLite."""

from __future__ import annotations

import threading
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from satchel.query import Between, Contains, Is, Value
from satchel.store.amounts import FieldRow, forms_of, span_of
from satchel.store.rows import Prepared
from satchel.store.words import Block, Segment, SegmentBuilder
from satchel.types import FloatArray


def text_meets(leaf: Is | Between | Contains, value: str) -> bool:
    """Whether a value of "id", "title" or "source", which are always text, meets a condition."""
    if isinstance(leaf, Is):
        return value in {str(form) for one in leaf.values for form in forms_of(one)}
    if isinstance(leaf, Contains):
        return leaf.text.casefold() in value.casefold()
    ends = (None if end is None else str(end) for end in (leaf.least, leaf.most))
    return _is_between(value, *ends)


def row_meets(leaf: Is | Between | Contains, row: FieldRow) -> bool:
    if isinstance(leaf, Is):
        return row.value in {form for one in leaf.values for form in forms_of(one)}
    if isinstance(leaf, Contains):
        return leaf.text.casefold() in str(as_kept(row.value)).casefold()
    span = span_of(leaf.least, leaf.most)
    if leaf.least is None and leaf.most is None:
        return True
    if span.amounts is not None and row.amount is not None and _is_between(row.amount, *span.amounts):
        return True
    if span.texts is None or not isinstance(row.value, str) or (span.are_dates and not _is_dated(row.value)):
        return False
    return _is_between(row.value, *span.texts)


def _is_between(value: Any, least: Any, most: Any) -> bool:
    return (least is None or value >= least) and (most is None or value <= most)


def _is_dated(value: str) -> bool:
    return len(value) > 4 and all(sign in "0123456789" for sign in value[:4]) and value[4] == "-"


def as_kept(value: Value) -> str | int | float:
    """The value as stored: true and false become 1 and 0."""
    return int(value) if isinstance(value, bool) else value


@dataclass(frozen=True)
class Kept:
    """A stored document with its checksum and change."""

    prepared: Prepared
    fields: tuple[FieldRow, ...]
    added: float
    change: int


@dataclass
class Content:
    """All content of a store; copied when a change begins, so that a failed change leaves nothing behind."""

    documents: dict[int, Kept] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    vectors: dict[int, FloatArray] = field(default_factory=dict)
    segments: dict[int, tuple[Segment, dict[str, Block]]] = field(default_factory=dict)
    rows: dict[type[Any], dict[Any, Any]] = field(default_factory=dict)
    files: dict[str, dict[str, bytes]] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)
    last_mark: int = 0
    n_changes: int = 0

    def copied(self) -> Content:
        other = copy(self)
        for name in ("documents", "numbers", "vectors", "segments", "files", "notes"):
            setattr(other, name, dict(getattr(self, name)))
        other.rows = {kind: dict(rows) for kind, rows in self.rows.items()}
        return other


class Held:
    """The memory that all connections to one store share."""

    def __init__(self) -> None:
        self.content = Content()
        self.turn = threading.RLock()
        self.is_changing = False
        self.new_words = SegmentBuilder()
