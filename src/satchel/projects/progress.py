"""The progress of a screening: how many relevant documents were found, and how many may be left."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from satchel.projects.marks import kept_marks
from satchel.projects.project import read_project
from satchel.query import condition_of
from satchel.screening import Remaining, estimate_remaining, recall_chances
from satchel.store import Store

RECALL = 0.95
"""`Screening.chance` is the chance that this share of the relevant documents is found."""


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
