"""Projects: a query with its marks, filters and weights, kept under a name; and the progress of a screening."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from satchel.errors import AbsentError, InputError, unknown_name
from satchel.projects.marks import kept_marks, plain_query, write_marks
from satchel.query import Filters, Since, condition_of, plain_weights, writable
from satchel.screening import Remaining, estimate_remaining, recall_chances
from satchel.store import DiaryRow, MarkText, ProjectRow, Store, marks_in_force, values_of
from satchel.types import MarkValue

RECALL = 0.95
"""`Screening.chance` is the chance that this share of the relevant documents is found."""


class Project(NamedTuple):
    """weights: codeword -> weight, set by hand; weights for a replaced model are left out. new: how many documents were
    added or changed since the project was last seen."""

    name: str
    query: str
    filters: Filters
    weights: Mapping[int, float]
    marks: Mapping[str, MarkValue]
    created: float
    seen: int
    new: int


def save_project(
    store: Store, name: str, query: str, filters: Filters | None, weights: Mapping[int, float] | None
) -> Project:
    """Creates a project with the marks of its query; an existing project gets the new query and filters."""
    if not isinstance(name, str) or not name.strip():
        raise InputError(f"the name of a project is {name!r}; give a word or more")
    if not isinstance(query, str):
        raise InputError(f"the query of a project is of type {type(query).__name__}; expected a string")
    condition_of(filters)
    before, state, query = _row(store, name), store.state(), writable(query)
    row = ProjectRow(
        name=name,
        query=query,
        filters=json.dumps(dict(filters or {}), ensure_ascii=False),
        weights=json.dumps(plain_weights(weights or {})),
        model=state.model,
        created=time.time() if before is None else before.created,
        seen=state.change if before is None else before.seen,
    )
    store.write_rows([row])
    if before is None:
        of_query = marks_in_force(store.rows(DiaryRow, undone=0, project=None, query=plain_query(query)))
        write_marks(store, (mark._replace(number=0, project=name) for mark in of_query), together=False)
    return read_project(store, name)


def read_project(store: Store, name: str) -> Project:
    """The project of that name; the error for an unknown name lists the existing projects."""
    row = _row(store, name)
    if row is None:
        names = [one.name for one in store.rows(ProjectRow)]
        if not names:
            raise AbsentError(
                f"there is no project {name!r:.200} in {store.path}, which has no projects; save one first"
            )
        raise AbsentError(str(unknown_name("project", name[:200], names[:20])))
    return _project(store, row)


def read_projects(store: Store) -> list[Project]:
    """All projects by name."""
    return [_project(store, row) for row in store.rows(ProjectRow)]


def remove_project(store: Store, name: str) -> None:
    """Removes a project and its marks."""
    read_project(store, name)
    store.delete_rows(DiaryRow, project=name)
    store.delete_rows(ProjectRow, name=name)
    marked = {row.id for row in store.rows(DiaryRow)}
    for text in store.rows(MarkText):
        if text.id not in marked:
            store.delete_rows(MarkText, id=text.id)


def catch_up(store: Store, name: str) -> None:
    """Records that everything added so far has been seen for this project."""
    read_project(store, name)
    row = _row(store, name)
    assert row is not None
    store.write_rows([row._replace(seen=store.state().change)])


def _row(store: Store, name: str) -> ProjectRow | None:
    return store.last_row(ProjectRow, name=name)


def _project(store: Store, row: ProjectRow) -> Project:
    is_current = row.model == store.state().model
    by_hand = {int(theme): weight for theme, weight in json.loads(row.weights).items()} if is_current else {}
    marks = values_of(marks_in_force(store.rows(DiaryRow, undone=0, project=row.name)))
    new = store.count(Since(row.seen)) if row.seen < store.state().change else 0
    return Project(row.name, row.query, json.loads(row.filters), by_hand, marks, row.created, row.seen, new)


class Screening(NamedTuple):
    """The progress of a screening. Documents marked relevant or maybe count as finds: each must be read.

    finds: the count of finds after each mark, in the order of first marking. remaining: the estimate of relevant
    documents not yet marked; chance: that 95 % are found; both None before the first mark.
    """

    n_documents: int
    n_marked: int
    n_relevant: int
    finds: list[int]
    remaining: Remaining | None
    chance: float | None


def screening(store: Store, query: str | None, project: str | None) -> Screening:
    """The progress so far. The estimate assumes that documents were marked in the order of the ranking, best first."""
    filters = None if project is None else condition_of(read_project(store, project).filters)
    n_documents = store.count(filters)
    marks = kept_marks(store, query=query, project=project)
    there = store.known(mark.id for mark in marks)
    marks = [mark for mark in marks if mark.id in there]
    found = np.array([mark.value != "irrelevant" for mark in marks], np.bool_)
    finds = np.cumsum(found).tolist()
    n_records = max(n_documents, len(found))
    if not len(found):
        return Screening(n_records, 0, 0, [], None, None)
    chance = float(recall_chances(found, n_records, RECALL)[-1])
    return Screening(n_records, len(found), finds[-1], finds, estimate_remaining(found, n_records), chance)
