"""How far a screening has come: what the marks of a query or an interest found, and what may be left."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from satchel.collection.file import CollectionFile
from satchel.collection.filters import allowed_numbers
from satchel.collection.interests import read_interest
from satchel.collection.marks import marks_in_force

if TYPE_CHECKING:
    from satchel.evaluation.stopping import Remaining

RECALL = 0.95
"""The share of the relevant documents whose chance is told."""


class Screening(NamedTuple):
    """Relevant and maybe both count as finds: each must be read.

    finds: how many there were after each mark, in the order in which documents were first marked. remaining: relevant
    documents among those not marked; chance: that 95 % are found; both None before the first mark.
    """

    n_documents: int
    n_marked: int
    n_relevant: int
    finds: list[int]
    remaining: Remaining | None
    chance: float | None


def screening(file: CollectionFile, query: str | None, interest: str | None) -> Screening:
    """The estimate believes that the documents were marked in the order in which they were ranked, best first."""
    from satchel.evaluation.stopping import estimate_remaining, recall_chances

    filters = None if interest is None else read_interest(file, interest).filters
    allowed = allowed_numbers(file, filters)
    n_documents = int(file.value("SELECT count(*) FROM documents")) if allowed is None else len(allowed)
    there = {id_ for (id_,) in file.rows("SELECT id FROM documents WHERE id IN (SELECT id FROM marks)")}
    marks = [mark for mark in marks_in_force(file, query=query, interest=interest) if mark.id in there]
    found = np.array([mark.value != "irrelevant" for mark in marks], np.bool_)
    finds = np.cumsum(found).tolist()
    n_records = max(n_documents, len(found))
    if not len(found):
        return Screening(n_records, 0, 0, [], None, None)
    chance = float(recall_chances(found, n_records, RECALL)[-1])
    return Screening(n_records, len(found), finds[-1], finds, estimate_remaining(found, n_records), chance)
