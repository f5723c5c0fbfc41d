"""Scores of different retrievers brought to one scale, one query at a time, so that they can be added.

All take scores (n_documents,) in float64, -inf where a document was not found, and leave these -inf. What a document
that one retriever did not find gets from it is the business of `filled`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from satchel.ranking.fusion import share_of_best
from satchel.ranking.probes import DoubleArray

Scale = Literal["best", "min-max", "z-score", "none"]


def min_max(scores: DoubleArray) -> DoubleArray:
    """(s - lowest) / (highest - lowest) of the scores found: from 0 to 1; 1 for all where they are equal."""
    found = scores[scores > -np.inf]
    if not found.size:
        return scores
    low, high = found.min(), found.max()
    return (scores - low) / (high - low) if high > low else np.where(scores > -np.inf, 1.0, -np.inf)


def standard_scores(scores: DoubleArray) -> DoubleArray:
    """(s - mean) / standard deviation of the scores found; 0 for all where they are equal."""
    found = scores[scores > -np.inf]
    if not found.size:
        return scores
    deviation = found.std() if found.max() > found.min() else 0.0
    return (scores - found.mean()) / deviation if deviation > 0 else np.where(scores > -np.inf, 0.0, -np.inf)


def as_they_are(scores: DoubleArray) -> DoubleArray:
    """The scores themselves, for retrievers that share a scale already."""
    return scores


def filled(scores: DoubleArray) -> DoubleArray:
    """Scores with 0 for what was not found, or the lowest score found where that is below 0, (n_documents,).

    So a document gains nothing by being missed, whatever the scale.
    """
    found = scores > -np.inf
    return np.where(found, scores, min(0.0, float(scores[found].min(initial=0.0))))


SCALES: dict[Scale, Callable[[DoubleArray], DoubleArray]] = {
    "best": share_of_best,
    "min-max": min_max,
    "z-score": standard_scores,
    "none": as_they_are,
}
