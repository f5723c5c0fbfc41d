"""What the conditions of a query do to the ranking: all documents that meet them are found, quotations raise some."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from satchel.search.question import Question
from satchel.store import Scored, Store
from satchel.types import DoubleArray, IntArray

RAISED = 0.1
"""What a quotation in a long text adds to the documents that hold it, as a share of the best score."""
MOST_PREFIXES, MOST_FORMS = 8, 64
"""How many beginnings of words count for the rank, and how many stems of each: the shortest ones."""
MOST_RAISED = 5
"""Of more quotations in one text the first ones count."""


def with_all_that_meet(store: Store, question: Question, found: Scored, also: IntArray) -> Scored:
    """The documents found by words, and those that meet the condition without a word to rank by, with score 0.

    At least `depth` of all, the others in the order of ids, and those of `also`; the total counts all of them.
    """
    meeting = store.listed(question.condition)
    others = meeting[~np.isin(meeting, found.numbers)]
    n_more = max(0, question.request.depth - len(found.numbers))
    more = np.union1d(others[:n_more], others[np.isin(others, also)])
    numbers = np.concatenate([found.numbers, more])
    order = np.argsort(numbers, kind="stable")
    none = np.zeros(len(more), np.int64)
    scores, passages = np.concatenate([found.scores, none]), np.concatenate([found.passages, none])
    return Scored(numbers[order], scores[order], passages[order], len(meeting))


def with_beginnings(store: Store, question: Question, weights: Mapping[str, float]) -> dict[str, float]:
    """The stems to look up, and those of the words that begin as the query asks for, which are ranked as words."""
    wanted = dict(weights)
    for prefix in question.sought.prefixes[:MOST_PREFIXES]:
        for stem in sorted(store.stems_beginning(prefix), key=len)[:MOST_FORMS]:
            wanted.setdefault(stem, 1.0)
    return wanted


def raised(store: Store, question: Question, numbers: IntArray, scores: DoubleArray) -> DoubleArray:
    """What the quotations of a long text add to the scores of documents, (n_documents,)."""
    added = np.zeros(len(numbers))
    for phrase in question.raised[:MOST_RAISED] if len(numbers) else ():
        added[np.isin(numbers, store.listed(phrase))] += RAISED * float(scores.max(initial=0.0))
    return added
