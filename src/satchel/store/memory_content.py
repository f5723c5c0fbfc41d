"""The content of a store in memory, and conditions on it: value by value, with the same results as SQLite."""

from __future__ import annotations

import json
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

from satchel.query import Between, Contains, Is, Value
from satchel.store.amounts import FieldRow, forms_of, span_of
from satchel.store.fields import OF_DOCUMENT
from satchel.store.index import MOST_FIELDS, Block, Segment, SegmentBuilder, Stream
from satchel.store.index.coding import Numbers
from satchel.store.indexed import FieldNumbers, of_documents
from satchel.store.rows import Prepared, StoredDocument
from satchel.text import without_accents
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

    def stored(self, part: tuple[int, int | None]) -> StoredDocument:
        """The document with a part of its text."""
        own = self.prepared
        return StoredDocument(own.id, own.text[slice(*part)], own.title, json.loads(own.fields), own.source, self.added)


@dataclass
class Content:
    """All content of a store; copied when a change begins, so that a failed change leaves nothing behind."""

    documents: dict[int, Kept] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    vectors: dict[int, FloatArray] = field(default_factory=dict)
    passage_vectors: dict[int, FloatArray] = field(default_factory=dict)
    segments: dict[int, tuple[Segment, dict[str, Block]]] = field(default_factory=dict)
    streams: dict[int, Stream] = field(default_factory=dict)
    rows: dict[type[Any], dict[Any, Any]] = field(default_factory=dict)
    files: dict[str, dict[str, bytes]] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)
    last_mark: int = 0
    n_changes: int = 0

    def copied(self) -> Content:
        other = copy(self)
        for name in ("documents", "numbers", "vectors", "passage_vectors", "segments", "streams", "files", "notes"):
            setattr(other, name, dict(getattr(self, name)))
        other.rows = {kind: dict(rows) for kind, rows in self.rows.items()}
        return other


def rows_of_field(content: Content, name: str) -> Iterator[tuple[int, Value]]:
    """Document and value of a field, or of what every document has."""
    every = sorted(content.documents.items())
    if name not in OF_DOCUMENT:
        return ((number, row.value) for number, kept in every for row in kept.fields if row.name == name)
    if name == "added":
        return of_documents(name, ((number, kept.added) for number, kept in every))
    column = "source" if name == "file" else name
    return of_documents(name, ((number, getattr(kept.prepared, column)) for number, kept in every))


class WordList:
    """All words by number, with their stems; words are only added, so a failed change does no harm."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._stems: list[str] = []
        self._numbers: dict[str, int] = {}
        self._by_folded: defaultdict[str, list[int]] = defaultdict(list)
        self._by_stem: defaultdict[str, list[int]] = defaultdict(list)

    def __call__(self, words: list[str], stems: list[str]) -> Numbers:
        """The number of each word; a new word gets a new one."""
        for word, stem in zip(words, stems, strict=True):
            if word not in self._numbers:
                number = self._numbers[word] = len(self.words) + MOST_FIELDS
                self.words.append(word)
                self._stems.append(stem)
                self._by_folded[word if word.isascii() else without_accents(word)].append(number)
                self._by_stem[stem].append(number)
        return np.fromiter(map(self._numbers.__getitem__, words), np.int32, len(words))

    def meeting(self, word: str | None = None, stems: Sequence[str] = (), prefix: str | None = None) -> dict[int, str]:
        """Number -> stem of the words that meet a test; accents make no difference."""
        groups = [self._by_stem.get(stem, []) for stem in stems]
        if word is not None:
            groups = [self._by_folded.get(word, [])]
        elif prefix is not None:
            groups = [own for one, own in self._by_folded.items() if one.startswith(prefix)]
        return {number: self._stems[number - MOST_FIELDS] for own in groups for number in own}

    def beginning(self, prefix: str, most: int) -> dict[str, str]:
        """Word -> stem of the first words that begin so."""
        found = islice(self.meeting(prefix=prefix).items(), most)
        return {self.words[number - MOST_FIELDS]: stem for number, stem in found}


class Held:
    """The memory that all connections to one store share."""

    def __init__(self) -> None:
        self.content = Content()
        self.turn = threading.RLock()
        self.is_changing = False
        self.new_words = SegmentBuilder()
        self.words = WordList()
        self.fields = FieldNumbers([])
