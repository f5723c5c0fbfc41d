"""The measures of a full ranking, one function per equation, and the table of their names.

A ranking is given by the positions of its relevant documents, (n_queries, n_relevant), ascending from 1. Every measure
follows from them: rel(q, k) is the number of positions up to k. All values are fractions in [0, 1]; only printing
multiplies by 100.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from satchel.types import IntArray

Values = NDArray[np.float64]

MAP_11: Final = "mAP (11-point)"
CURVE: Final = "precision at recalls"
RECALL_POINTS: Final = tuple(point / 10 for point in range(11))

MEASURE_NAMES: Final = {
    MAP_11: "mean over queries of the interpolated precision averaged over the recalls 0, 0.1, ..., 1 [PT18 4.3]",
    "P@k": "raw precision of the first k documents [PT18 Eq. 15]",
    "interpolated P@k": 'largest precision at k or any later rank [PT18 4.3]; the papers\' "top-k prec."',
    "R@k": "recall of the first k documents [PT18 Eq. 16]",
    "MAP (top 20)": "mean over queries of the average precision over the first 20 documents [MW 4.1]",
    "success rate": "share of queries with a relevant document among those retrieved [MW 5.1]",
    "mean rank": "mean rank of the best relevant document of the successful queries [MW 4.3]",
    "MCC": "multi-class Matthews correlation of query topic and retrieved topic [MW 4.2]",
    "ARI": "adjusted Rand index of clusters and classes [CP13 4.1]",
    "NMI": "mutual information of clusters and classes over the mean of their entropies [CP13 4.1]",
}
"""Every name that Satchel prints, and its meaning. Measures of runs keep ir-measures' names: nDCG@10, AP, R@100."""


def precision_name(k: int) -> str:
    """The name of raw precision at k."""
    return f"P@{k}"


def interpolated_precision_name(k: int) -> str:
    """The name of interpolated precision at k."""
    return f"interpolated P@{k}"


def recall_name(k: int) -> str:
    """The name of recall at k."""
    return f"R@{k}"


def n_found(positions: IntArray, k: int) -> IntArray:
    """rel(q, k): counts the relevant documents among the first k; positions (n_queries, n_relevant) -> (n_queries,)."""
    found: IntArray = (positions[:, :k] <= k).sum(axis=1)  # the i-th relevant one cannot stand before rank i
    return found


def precision(found: IntArray, k: int) -> Values:
    """Pr(q, k) = rel(q, k) / k, [PT18] Eq. (15); found: `n_found` at k, (n_queries,).

    If k is larger than the database, the divisor is still k, because nothing is found after the end of the ranking.
    """
    return found / k


def recall(found: IntArray, n_relevant: int) -> Values:
    """Rec(q, k) = rel(q, k) / nclass(q), [PT18] Eq. (16); found: `n_found` at k, (n_queries,)."""
    return found / n_relevant


def best_precision_from(positions: IntArray) -> Values:
    """The largest precision at the i-th relevant document or later, (n_queries, n_relevant) -> same shape.

    Precision falls between relevant documents, so it is largest at one of them.
    """
    at_relevant = np.arange(1, positions.shape[1] + 1) / positions
    best: Values = np.maximum.accumulate(at_relevant[:, ::-1], axis=1)[:, ::-1]
    return best


def interpolated_precision(found: IntArray, k: int, best: Values) -> Values:
    """Pr_interp(q, k) = max over k' >= k of Pr(q, k'), [PT18] section 4.3 -> (n_queries,).

    found: `n_found` at k, (n_queries,); best: `best_precision_from`, (n_queries, n_relevant).
    """
    n_relevant = best.shape[1]
    following = np.minimum(found, n_relevant - 1)  # the next relevant document; after the last one P@k is the maximum
    later = np.where(found < n_relevant, best[np.arange(len(best)), following], 0.0)
    return np.maximum(precision(found, k), later)


def precision_at_recalls(best: Values) -> Values:
    """Interpolated precision at the recalls 0, 0.1, ..., 1, [PT18] section 4.3 -> (n_queries, 11).

    best: `best_precision_from`, (n_queries, n_relevant).
    Recall j/10 is first reached at relevant document ceil(j·nclass/10), in whole numbers: no rounding of 0.3.
    """
    n_relevant = best.shape[1]
    first = [max(1, -(-point * n_relevant // 10)) - 1 for point in range(11)]
    return best[:, first]


def average_precision_11(points: Values) -> Values:
    """AP of each query, [PT18] section 4.3: the mean of its 11 points; the mean over queries is the mAP.

    points: `precision_at_recalls`, (n_queries, 11) -> (n_queries,).
    """
    average: Values = points.mean(axis=1)
    return average
