"""Marks: a diary of how people marked documents; every line can be undone."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from satchel.errors import AbsentError, InputError, one_of
from satchel.query import is_unicode, writable
from satchel.store import DiaryRow, MarkText, Store, marks_in_force


def looked_up(store: Store, ids: Iterable[str]) -> tuple[dict[str, int], dict[str, str]]:
    """Id -> number of the documents in this store; and id -> text of these and of documents imported with projects."""
    wanted = list(dict.fromkeys(ids))
    if not wanted:
        return {}, {}
    numbers = {id_: known.number for id_, known in store.known(wanted).items()}
    here = store.documents(list(numbers.values()))
    texts = {one.id: f"{one.title}\n{one.text}" for one in here}
    for id_ in filter(is_unicode, wanted):
        if id_ not in texts and (kept := store.last_row(MarkText, id=id_)) is not None:
            texts[id_] = kept.text
    return numbers, texts


VALUES = ("relevant", "maybe", "irrelevant", "none")
"""The values that the diary can hold; "none" removes a document's mark and can be undone like the others."""


class Mark(NamedTuple):
    """A mark on a document for a query, or for a project together with the project's query."""

    id: str
    value: str
    query: str
    project: str | None
    time: float


def plain_query(query: str) -> str:
    """The query in lower case with single spaces: queries that differ only in these share their marks."""
    if not isinstance(query, str):
        raise InputError(f"the query of a mark is of type {type(query).__name__}; expected a string")
    return " ".join(writable(query).casefold().split())


def mark_documents(store: Store, ids: Iterable[str], value: str, query: str, project: str | None) -> list[Mark]:
    """Marks some documents, as one step of the diary. If one of the documents is missing, none is marked.

    A document that already has this mark is skipped, so marking twice is the same as marking once.
    """
    one_of("mark", value, VALUES)
    wanted, plain, now = list(dict.fromkeys(ids)), plain_query(query), time.time()
    here = store.known(wanted)
    for id_ in wanted:
        if id_ not in here:
            raise AbsentError(f"no document {id_!r:.200} is in {store.path}; give the id of a hit")
    last = {row.id: row for row in store.rows(DiaryRow, undone=0, **_context(plain, project))}
    made, new = list[Mark](), list[DiaryRow]()
    for id_ in wanted:
        before = last.get(id_)
        if value != ("none" if before is None else before.value):
            new.append(DiaryRow(0, id_, value, plain, project, now))
            made.append(_as_mark(new[-1]))
        else:
            made.append(Mark(id_, value, plain, project, now) if before is None else _as_mark(before))
    write_marks(store, new)
    return made


def write_marks(store: Store, rows: Iterable[DiaryRow], together: bool = True) -> None:
    """Writes marks. together: the lines are one step and are undone together."""
    new, newest = list(rows), store.last_row(DiaryRow)
    step = (0 if newest is None else newest.number) + 1 if together and len(new) > 1 else 0
    store.write_rows(row._replace(step=step) for row in new)


def undo_step(store: Store, *, query: str | None = None, project: str | None = None) -> list[Mark]:
    """Undoes the last step, so that earlier marks count again; [] if nothing is left to undo."""
    last = store.last_row(DiaryRow, undone=0, **_any_context(query, project))
    if last is None:
        return []
    those = store.rows(DiaryRow, undone=0, step=last.step) if last.step else [last]
    store.write_rows(row._replace(undone=1) for row in those)
    return [_as_mark(row) for row in those]


def kept_marks(store: Store, *, query: str | None = None, project: str | None = None) -> list[Mark]:
    """The present marks, oldest first: of all queries and projects, or of one of them."""
    rows = store.rows(DiaryRow, undone=0, **_any_context(query, project))
    return [_as_mark(row) for row in marks_in_force(rows)]


def keep_texts(store: Store, texts: Mapping[str, str]) -> None:
    """Keeps texts of marked documents of another collection, so that search here can learn from their marks."""
    store.write_rows(MarkText(*pair) for pair in texts.items())


def _any_context(query: str | None, project: str | None) -> dict[str, object]:
    return {} if query is None and project is None else _context(plain_query(query or ""), project)


def _context(plain: str, project: str | None) -> dict[str, object]:
    """Column -> value that select the marks of a project or, without one, of a query."""
    return {"project": project} if project is not None else {"project": None, "query": plain}


def _as_mark(row: DiaryRow) -> Mark:
    return Mark(row.id, row.value, row.query, row.project, row.time)
