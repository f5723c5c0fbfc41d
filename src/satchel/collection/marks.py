"""Marks: a diary of verdicts on documents, from which any can be taken back."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from satchel.collection.documents import writable
from satchel.collection.file import CollectionFile
from satchel.collection.hits import Verdict
from satchel.errors import InputError, one_of

VALUES = ("relevant", "maybe", "irrelevant", "none")
"""What can be written into the diary; "none" takes a document's mark away, and can be undone like any other."""
_COLUMNS = "id, value, query, interest, time"
_OF_QUERY = "interest IS NULL AND query = ?"


class Mark(NamedTuple):
    """A verdict on a document, for a query or for an interest (whose query then stands beside it)."""

    id: str
    value: str
    query: str
    interest: str | None
    time: float


def plain_query(query: str) -> str:
    """Queries that differ in case and spaces alone share their marks."""
    if not isinstance(query, str):
        raise InputError(f"the query of a mark is of type {type(query).__name__}; expected a string")
    return " ".join(writable(query).casefold().split())


def mark_documents(
    file: CollectionFile, ids: Iterable[str], value: str, query: str, interest: str | None
) -> list[Mark]:
    """Adds a verdict on some documents to the diary, as one step; none of them where one is not there.

    One that is in force already is left as it is, so that saying it twice is once.
    """
    one_of("mark", value, VALUES)
    made, new = list[Mark](), list[Mark]()
    for id_ in dict.fromkeys(ids):
        if file.value("SELECT 1 FROM documents WHERE id = ?", id_) is None:
            raise InputError(f"no document {id_!r} is in {file.path}; give the id of a hit")
        mark = Mark(id_, value, plain_query(query), interest, time.time())
        last = _last_verdict(file, mark)
        is_new = value != ("none" if last is None else last.value)
        new += [mark] if is_new else []
        made.append(mark if is_new or last is None else last)
    step = int(file.value("SELECT coalesce(max(mark), 0) + 1 FROM marks")) if len(new) > 1 else 0
    write_marks(file, new, step)
    return made


def _last_verdict(file: CollectionFile, mark: Mark) -> Mark | None:
    """What the diary says last of the same document, for the same query or interest."""
    context, values = _context(mark.query, mark.interest)
    question = f"SELECT {_COLUMNS} FROM marks WHERE {context} AND id = ? AND undone = 0 ORDER BY mark DESC LIMIT 1"
    rows = file.rows(question, *values, mark.id)
    return Mark(*rows[0]) if rows else None


def write_marks(file: CollectionFile, marks: Iterable[Mark], step: int = 0) -> None:
    """step: above 0 for marks that are undone together."""
    file.run_many(f"INSERT INTO marks ({_COLUMNS}, step) VALUES (?, ?, ?, ?, ?, ?)", ((*mark, step) for mark in marks))


def undo_step(file: CollectionFile, *, query: str | None = None, interest: str | None = None) -> list[Mark]:
    """Takes the last verdicts that were made together back, so that those before count again; none are left: []."""
    condition, values = _context(query, interest)
    question = f"SELECT mark, step FROM marks WHERE undone = 0 AND {condition} ORDER BY mark DESC LIMIT 1"
    last = file.rows(question, *values)
    if not last:
        return []
    those = "undone = 0 AND (mark = ? OR (step > 0 AND step = ?))"
    undone = [Mark(*row) for row in file.rows(f"SELECT {_COLUMNS} FROM marks WHERE {those} ORDER BY mark", *last[0])]
    file.run(f"UPDATE marks SET undone = 1 WHERE {those}", *last[0])
    return undone


def marks_in_force(file: CollectionFile, *, query: str | None = None, interest: str | None = None) -> list[Mark]:
    """The last verdict on each document for each query and interest, oldest first; of one of them alone if named."""
    condition, values = _context(query, interest)
    last: dict[tuple[str | None, str, str], Mark] = {}
    question = f"SELECT {_COLUMNS} FROM marks WHERE undone = 0 AND {condition} ORDER BY mark"
    for mark in (Mark(*row) for row in file.run(question, *values)):
        context = (mark.interest, "" if mark.interest is not None else mark.query, mark.id)
        last.pop(context, None)
        last[context] = mark
    return [mark for mark in last.values() if mark.value != "none"]


def _context(query: str | None, interest: str | None) -> tuple[str, list[str]]:
    """Which marks are meant: those of an interest, of a query, or all; as a condition and its values."""
    if interest is not None:
        return "interest = ?", [interest]
    return ("1", []) if query is None else (_OF_QUERY, [plain_query(query)])


def verdicts(marks: Iterable[Mark]) -> dict[str, Verdict]:
    """Document id -> verdict."""
    return {mark.id: mark.value for mark in marks}  # type: ignore[misc]  # VALUES but for "none", which is not in force


def keep_texts(file: CollectionFile, texts: Mapping[str, str]) -> None:
    """Texts of marked documents that are elsewhere, so that their marks teach something here, too."""
    file.run_many("INSERT OR REPLACE INTO mark_texts VALUES (?, ?)", texts.items())


def marked_texts(file: CollectionFile, ids: Iterable[str]) -> dict[str, str]:
    """The texts of marked documents by id: those that are here, and those that came with an interest."""
    wanted = json.dumps(list(ids))
    kept = file.rows("SELECT id, text FROM mark_texts WHERE id IN (SELECT value FROM json_each(?))", wanted)
    here = "SELECT id, title || char(10) || text FROM documents WHERE id IN (SELECT value FROM json_each(?))"
    return dict(kept) | dict(file.rows(here, wanted))
