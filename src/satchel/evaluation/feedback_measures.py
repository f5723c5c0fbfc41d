"""How a ranking is measured after marks: on what is left of the collection, or with the marked documents on top."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from satchel.evaluation.measures import Values
from satchel.evaluation.retrieval_result import values_at_positions
from satchel.types import IntArray

NDCG_10: Final = "nDCG@10"
_DEPTH: Final = 10
_NEVER: Final = 2**62  # the position of a relevant document that is not found: precision there is 0


def residual_order(ranked: IntArray, marked: IntArray) -> IntArray:
    """The ranking without the marked documents; ranked (n_ranked,), best first, marked (n_marks,)."""
    return ranked[~np.isin(ranked, marked)]


def residual_grades(grades: IntArray, marked: IntArray) -> IntArray:
    """The grades without those of the marked documents, which no longer count as relevant; (n_documents,)."""
    left = grades.copy()
    left[marked] = 0
    return left


def frozen_order(ranked: IntArray, marked: IntArray) -> IntArray:
    """The marked documents first, as they were shown, then the rest of the ranking."""
    return np.concatenate([marked, residual_order(ranked, marked)])


def judge_order(ranked: IntArray, grades: IntArray, cutoffs: Sequence[int]) -> dict[str, Values]:
    """The measures of one query's ranking by name, each (1,), the curve (1, 11), as in `evaluate_retrieval`.

    ranked (n_ranked,): document numbers, best first; grades (n_documents,): one above 0 at least. A relevant document
    that is not ranked is never found.
    """
    n_relevant = int((grades > 0).sum())
    positions = np.full((1, n_relevant), _NEVER, np.int64)
    places = np.flatnonzero(grades[ranked] > 0) + 1
    positions[0, : len(places)] = places
    values = values_at_positions(positions, cutoffs)
    if not len(places):
        values = {name: np.zeros_like(column) for name, column in values.items()}
    return values | {NDCG_10: np.array([ndcg(grades[ranked], grades, _DEPTH)])}


def ndcg(gains: IntArray, ideal: IntArray, k: int) -> float:
    """nDCG@k with the grades as gains: Σ g_i / log2(i + 1) over the first k, over the same of the best order there is.

    gains (n_ranked,): the grades of a ranking, best first; ideal (n_documents,): those of all documents, in any order.
    """
    best = np.sort(ideal)[::-1]
    return _discounted(gains[:k]) / _discounted(best[:k])


def _discounted(gains: IntArray) -> float:
    return float((gains / np.log2(np.arange(2, len(gains) + 2))).sum())
