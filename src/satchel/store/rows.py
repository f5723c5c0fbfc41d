"""Rows that a store keeps: documents as they are stored, and what people did with them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias

from satchel.grades import MarkValue
from satchel.importing import Fields
from satchel.types import DoubleArray, FloatArray, IntArray


def checksum_of(id_: str, title: str, text: str, fields: str) -> bytes:
    """16 bytes that change when anything of the document does; fields as JSON.

    Not with its source: a folder that was moved, or is called by another path, holds the same documents.
    """
    digest = hashlib.blake2b(digest_size=16)
    for part in (id_, title, text, fields):
        content = part.encode()
        digest.update(len(content).to_bytes(8, "little"))
        digest.update(content)
    return digest.digest()


class StoredDocument(NamedTuple):
    """A document as the collection holds it; `added`: when it first came, in seconds since 1970."""

    id: str
    text: str
    title: str
    fields: Fields
    source: str
    added: float


class Known(NamedTuple):
    """What is there under an id: the number of the document, and what tells whether it changed."""

    number: int
    checksum: bytes
    source: str


class Prepared(NamedTuple):
    """A document that was checked and can be written; fields: as JSON. number: 0 for one that is new."""

    number: int
    id: str
    title: str
    text: str
    fields: str
    source: str
    checksum: bytes


class Scanned(NamedTuple):
    """A document as a scan of all of them gives it; fields: as JSON."""

    number: int
    id: str
    title: str
    text: str
    fields: str
    source: str


class Leg(NamedTuple):
    """What one search found: numbers of documents and their scores, (n_found,) each, higher is better."""

    numbers: IntArray
    scores: DoubleArray


class Sample(NamedTuple):
    """Vectors of every `step`-th document in the order of ids, (n_rows, n_features): always the same ones."""

    vectors: FloatArray
    step: int


class State(NamedTuple):
    """Numbers that tell what has changed: the last change of documents, the model, and how often rows were repaired."""

    change: int = 0
    model: int = 0
    rebuilt: int = 0


class Summary(NamedTuple):
    """A store in numbers. version: of its form. last_added: in seconds since 1970; None where there is nothing."""

    n_bytes: int
    version: int
    n_features: int
    last_added: float | None


class Finding(NamedTuple):
    """What a check found wrong: in which part of the store, and a sentence."""

    part: str
    sentence: str


class ValueCount(NamedTuple):
    """A value of a field, and how many documents have it."""

    value: str | int | float
    n_documents: int


class FieldValues(NamedTuple):
    """The values of a field. values: the frequent ones, most frequent first. n_distinct: how many there are in all.
    numeric: whether all are numbers or read like them; least and most are theirs, None where it is not so."""

    name: str
    values: tuple[ValueCount, ...]
    n_distinct: int
    numeric: bool
    least: float | None
    most: float | None


class DiaryRow(NamedTuple):
    """One line of the diary of marks; value "none" takes a mark away. number: 0 for a new one. step: above 0 for lines
    that were written, and are undone, together."""

    number: int
    id: str
    value: str
    query: str
    project: str | None
    time: float
    undone: int = 0
    step: int = 0


class ProjectRow(NamedTuple):
    """A query kept under a name; filters and weights as JSON. model: whose themes the weights speak of. seen: the last
    change that was looked at."""

    name: str
    query: str
    filters: str
    weights: str
    model: int
    created: float
    seen: int


class MarkText(NamedTuple):
    """The text of a marked document that is in another collection."""

    id: str
    text: str


class TrainingRow(NamedTuple):
    """How a model came to be; details as JSON."""

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
"""The table of each kind of row. Its first column is its key: a row with the same key is replaced."""


def marks_in_force(diary: Iterable[DiaryRow]) -> list[DiaryRow]:
    """The last line on each document for each query and project, oldest first, without those that say "none"."""
    last: dict[tuple[str | None, str, str], DiaryRow] = {}
    for row in diary:
        if not row.undone:
            context = (row.project, "" if row.project is not None else row.query, row.id)
            last.pop(context, None)
            last[context] = row
    return [row for row in last.values() if row.value != "none"]


def values_of(marks: Iterable[DiaryRow]) -> dict[str, MarkValue]:
    """Document id -> what it is marked as."""
    return {row.id: row.value for row in marks}  # type: ignore[misc]  # "none" is not in force
