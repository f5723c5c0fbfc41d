"""What a store in memory holds."""

from __future__ import annotations

import threading
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from satchel.store.amounts import FieldRow
from satchel.store.rows import Prepared
from satchel.store.words import Block, Segment, SegmentBuilder
from satchel.types import FloatArray


@dataclass(frozen=True)
class Kept:
    """A document with what is known of it."""

    prepared: Prepared
    fields: tuple[FieldRow, ...]
    added: float
    change: int


@dataclass
class Content:
    """All of it; copied when a change begins, so that nothing is half changed."""

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
    """What all ways into a store hold together."""

    def __init__(self) -> None:
        self.content = Content()
        self.turn = threading.RLock()
        self.is_changing = False
        self.new_words = SegmentBuilder()
