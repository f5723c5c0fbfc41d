"""Rows that a store keeps: documents as they are stored, and what people did with them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias

from satchel.importing import Fields
from satchel.types import DoubleArray, FloatArray, IntArray, MarkValue


def checksum_of(id_: str, title: str, text: str, fields: str) -> bytes:
    """16 bytes that change when any part of the document changes; fields as JSON.

    The source does not count: a folder that was moved, or given by another path, holds the same documents.
    """
    digest = hashlib.blake2b(digest_size=16)
    for part in (id_, title, text, fields):
        content = part.encode()
        digest.update(len(content).to_bytes(8, "little"))
        digest.update(content)
    return digest.digest()


class StoredDocument(NamedTuple):
    """A document as the collection holds it; `added`: when it was first added, in seconds since 1970."""

    id: str
    text: str
    title: str
    fields: Fields
    source: str
    added: float


class Known(NamedTuple):
    """What the store knows of an id: the document's number, and the checksum that shows whether it changed."""

    number: int
    checksum: bytes
    source: str


class Prepared(NamedTuple):
    """A document that was checked and can be written; fields: as JSON. number: 0 for a new document."""

    number: int
    id: str
    title: str
    text: str
    fields: str
    source: str
    checksum: bytes


class Scanned(NamedTuple):
    """A document as `Store.scan` yields it; fields: as JSON."""

    number: int
    id: str
    title: str
    text: str
    fields: str
    source: str


class Scored(NamedTuple):
    """Documents found by words or by meaning: their numbers and scores, (n_found,) each; higher is better."""

    numbers: IntArray
    scores: DoubleArray


class Sample(NamedTuple):
    """The vectors of every `step`-th document in the order of ids, (n_rows, n_features); always the same documents."""

    vectors: FloatArray
    step: int


class State(NamedTuple):
    """Numbers that show what has changed: the last change of documents, the model, and the count of repairs."""

    change: int = 0
    model: int = 0
    rebuilt: int = 0


class Summary(NamedTuple):
    """A store in numbers. version: of its format. last_added: in seconds since 1970; None for an empty store."""

    n_bytes: int
    version: int
    n_features: int
    last_added: float | None


class Finding(NamedTuple):
    """A fault that a check found: the part of the store, and a sentence."""

    part: str
    sentence: str


class ValueCount(NamedTuple):
    """A value of a field, and how many documents have it."""

    value: str | int | float
    n_documents: int


class FieldValues(NamedTuple):
    """The values of a field. values: the frequent ones, most frequent first. n_distinct: how many there are in all.
    numeric: whether all are numbers or read like numbers; least and most are then the ends, otherwise None."""

    name: str
    values: tuple[ValueCount, ...]
    n_distinct: int
    numeric: bool
    least: float | None
    most: float | None


class DiaryRow(NamedTuple):
    """One line of the diary of marks; value "none" removes a mark. number: 0 for a new line. step: lines that were
    written together, and are undone together, share a number above 0."""

    number: int
    id: str
    value: str
    query: str
    project: str | None
    time: float
    undone: int = 0
    step: int = 0


class ProjectRow(NamedTuple):
    """A query kept under a name; filters and weights as JSON. model: the model whose themes the weights are for. seen:
    the last change of the collection that the person has looked at."""

    name: str
    query: str
    filters: str
    weights: str
    model: int
    created: float
    seen: int


class MarkText(NamedTuple):
    """The text of a marked document that is not in this collection but in another."""

    id: str
    text: str


class TrainingRow(NamedTuple):
    """How a model was learned; details as JSON."""

    model: int
    time: float
    learned_from: str
    n_documents: int
    seconds: float
    details: str


Row: TypeAlias = DiaryRow | ProjectRow | MarkText | TrainingRow
TABLES: dict[type[Any], str] = {
    DiaryRow: "marks",
    ProjectRow: "projects",
    MarkText: "mark_texts",
    TrainingRow: "trainings",
}
"""The table of each kind of row. Its first column is the key: writing a row replaces the row with that key."""


def marks_in_force(diary: Iterable[DiaryRow]) -> list[DiaryRow]:
    """The last mark of each document for each query and project, oldest first, without removed marks ("none")."""
    last: dict[tuple[str | None, str, str], DiaryRow] = {}
    for row in diary:
        if not row.undone:
            context = (row.project, "" if row.project is not None else row.query, row.id)
            last.pop(context, None)
            last[context] = row
    return [row for row in last.values() if row.value != "none"]


def values_of(marks: Iterable[DiaryRow]) -> dict[str, MarkValue]:
    """Document id -> its mark."""
    return {row.id: row.value for row in marks}  # type: ignore[misc]  # "none" was left out before
