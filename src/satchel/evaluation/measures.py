"""The measures of a full ranking, one function per equation, and the table of their names.

A ranking enters as the positions of its relevant documents, (n_queries, n_relevant), from 1 and ascending, because everything
follows from them: rel(q, k) is the number of positions up to k. All values are fractions in [0, 1]; printing multiplies by 100.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from satchel.types import IntArray

Values = NDArray[np.float64]

MAP_11: Final = "mAP (11-point)"
RECALL_POINTS: Final = tuple(point / 10 for point in range(11))

MEASURE_NAMES: Final = {
    MAP_11: "mean over queries of the interpolated precision averaged over the recalls 0, 0.1, ..., 1 [PT18 4.3]",
    "P@k": "raw precision of the first k documents [PT18 Eq. 15]",
    "interpolated P@k": "largest precision at k or any later rank [PT18 4.3]; the papers' \"top-k prec.\"",
    "R@k": "recall of the first k documents [PT18 Eq. 16]",
    "MAP (top 20)": "mean over queries of the average precision over the first 20 documents [MW 4.1]",
    "success rate": "share of queries with a relevant document among those retrieved [MW 5.1]",
    "mean rank": "mean rank of the best relevant document of the successful queries [MW 4.3]",
    "MCC": "multi-class Matthews correlation of query topic and retrieved topic [MW 4.2]",
    "ARI": "adjusted Rand index of clusters and classes [CP13 4.1]",
    "NMI": "mutual information of clusters and classes over the mean of their entropies [CP13 4.1]",
}
"""Every name that Satchel prints, with what it means. Measures of runs keep the names of ir-measures: nDCG@10, AP, P@10, R@100."""


def precision_name(k: int) -> str:
    """The name of raw precision at k."""
    return f"P@{k}"


def interpolated_precision_name(k: int) -> str:
    """The name of interpolated precision at k."""
    return f"interpolated P@{k}"


def n_found(positions: IntArray, k: int) -> IntArray:
    """rel(q, k): how many relevant documents stand among the first k; positions (n_queries, n_relevant) -> (n_queries,)."""
    found: IntArray = np.count_nonzero(positions[:, :k] <= k, axis=1)  # the i-th relevant one cannot stand before rank i
    return found


def precision(positions: IntArray, k: int) -> Values:
    """Pr(q, k) = rel(q, k) / k, [PT18] Eq. (15); positions (n_queries, n_relevant) -> (n_queries,).

    Beyond the end of the ranking nothing more is found, so a k larger than the database still divides by k.
    """
    return n_found(positions, k) / k


def recall(positions: IntArray, k: int) -> Values:
    """Rec(q, k) = rel(q, k) / nclass(q), [PT18] Eq. (16); positions (n_queries, n_relevant) -> (n_queries,)."""
    return n_found(positions, k) / positions.shape[1]


def best_precision_from(positions: IntArray) -> Values:
    """Largest precision at the i-th relevant document or later, (n_queries, n_relevant) -> same shape.

    Between relevant documents precision only falls, so the largest one stands at a relevant document.
    """
    at_relevant = np.arange(1, positions.shape[1] + 1) / positions
    best: Values = np.maximum.accumulate(at_relevant[:, ::-1], axis=1)[:, ::-1]
    return best


def interpolated_precision(positions: IntArray, k: int, best: Values | None = None) -> Values:
    """Pr_interp(q, k) = max over k' >= k of Pr(q, k'), [PT18] section 4.3; positions (n_queries, n_relevant) -> (n_queries,).

    best: the result of `best_precision_from`, where it is at hand.
    """
    best = best_precision_from(positions) if best is None else best
    found = n_found(positions, k)
    later = np.minimum(found, positions.shape[1] - 1)  # the next relevant document; where there is none, P@k is the maximum
    after = np.where(found < positions.shape[1], best[np.arange(len(best)), later], 0.0)
    return np.maximum(found / k, after)


def precision_at_recalls(positions: IntArray, best: Values | None = None) -> Values:
    """Interpolated precision at the recalls 0, 0.1, ..., 1, (n_queries, n_relevant) -> (n_queries, 11), [PT18] section 4.3.

    Recall j/10 is first reached at relevant document ceil(j·nclass/10), in whole numbers: no rounding of 0.3.
    """
    best = best_precision_from(positions) if best is None else best
    n_relevant = positions.shape[1]
    first = [max(1, -(-point * n_relevant // 10)) - 1 for point in range(11)]
    return best[:, first]


def average_precision_11(positions: IntArray) -> Values:
    """AP of each query: the mean of `precision_at_recalls`, [PT18] section 4.3; its mean over queries is the mAP (11-point)."""
    average: Values = precision_at_recalls(positions).mean(axis=1)
    return average
