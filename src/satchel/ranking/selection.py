"""The best k of many scores without a full sort, ties in document order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from satchel.errors import InputError
from satchel.types import DoubleArray, FloatArray, IntArray

_LOWEST = -np.finfo(np.float32).max
_STRIDE = 16


def rounded(scores: DoubleArray) -> FloatArray:
    """Scores rounded to float32, as they are returned and ordered. Only -inf becomes -inf."""
    return np.where(np.isneginf(scores), -np.inf, np.maximum(scores, _LOWEST)).astype(np.float32)


def best_positions(scores: NDArray[np.floating], k: int) -> IntArray:
    """The positions of the k best scores, best first; equal scores keep their order."""
    if k >= len(scores):
        return np.argsort(-scores, kind="stable")
    kth = _kth_largest(scores.copy(), k)
    above = np.flatnonzero(scores > kth)  # fewer than k; the rest is filled with the first of those that equal it
    above = above[np.argsort(-scores[above], kind="stable")]
    return np.concatenate([above, np.flatnonzero(scores == kth)[: k - len(above)]])


def nothing_found(n_queries: int, k: int) -> tuple[IntArray, FloatArray]:
    """The ids and scores of a ranking before anything is found: -1 and -inf."""
    try:
        return np.full((n_queries, k), -1, dtype=np.int64), np.full((n_queries, k), -np.inf, dtype=np.float32)
    except (MemoryError, OverflowError, ValueError):
        raise InputError(f"{n_queries} queries × k={k} results do not fit in memory; lower k") from None


def best_found(documents: NDArray[np.integer], scores: FloatArray, k: int) -> tuple[IntArray, FloatArray]:
    """The best k of the documents found and their scores, best first; equal scores in document order.

    documents (n_found,), in any order, scores (n_found,). The k-th largest of some scores is never above the k-th
    largest of all. So a comparison with it removes nearly all documents, before the slower partition.
    """
    if len(scores) > k:
        kept = np.flatnonzero(scores >= _kth_largest(_some(scores, k), k))
        kept = kept[scores[kept] >= _kth_largest(scores[kept], k)]
        documents, scores = documents[kept], scores[kept]
    order = np.lexsort((documents, -scores))[:k]
    return documents[order].astype(np.int64), scores[order]


def _some(scores: FloatArray, k: int) -> FloatArray:
    """A copy of √(n·k) of the scores, at least k; about as many are left to partition afterwards."""
    return scores[:: max(1, int(np.sqrt(len(scores) / k)))].copy()


def candidates(approximate: FloatArray, error: FloatArray | float, k: int) -> IntArray | None:
    """Every document that can be among the best k when each approximate score is off by at most its error.

    None where the bound says nothing (fewer than k documents have an approximate score).
    """
    if isinstance(error, float):
        return contenders(approximate, approximate + np.float32(2 * error), k)
    return contenders(approximate - error, approximate + error, k)


def contenders(lower: NDArray[np.floating], upper: NDArray[np.floating], k: int) -> IntArray | None:
    """Every document that can be among the best k when each score is between its bounds, ascending.

    At least k documents score no less than the k-th largest lower bound, so a document whose upper bound is below it is
    not among the best k. None where that is -inf. A guess of it sorts out nearly everything first; if it is too high,
    it is not used.
    """
    guess = _below_kth(lower, k)
    near = np.flatnonzero(upper >= guess)
    kth = _kth_largest(lower[near], k) if len(near) >= k else -np.inf
    if kth < guess:
        near, kth = np.arange(len(lower)), _kth_largest(lower.copy(), k)
    return None if kth == -np.inf else near[upper[near] >= kth]


def _below_kth(scores: NDArray[np.floating], k: int) -> np.floating:
    """A guess that is nearly always below the k-th largest score, but not far: from every 16th, 4 deviations below."""
    some = scores[::_STRIDE].copy()
    share = k / _STRIDE
    return _kth_largest(some, min(len(some), int(share + 4 * np.sqrt(share)) + 2))


def _kth_largest(scores: NDArray[np.floating], k: int) -> np.floating:
    """Partitions the array it is given."""
    place = len(scores) - k
    scores.partition(place)
    kth: np.floating = scores[place]
    return kth
