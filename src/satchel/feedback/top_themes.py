"""What the best documents of a ranking speak of: the mean of each theme over the top."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from satchel.feedback.background import Background, Sampled, read_background
from satchel.feedback.refined import Refined
from satchel.ranking.probes import DoubleArray, masked_direction, quotient, row_norms
from satchel.types import FloatArray, Vectors

TOP_SHARE, SMALLEST_TOP = 0.02, 30
"""The best fiftieth of the documents is the top of a ranking, or the best thirty."""


def top_themes(rankings: Sequence[Refined], background: Vectors | Sampled | None) -> DoubleArray:
    """How much of each theme the top of each ranking has, in deviations of a theme, (n_rankings, n_features).

    Over the documents of the background, of length 1: the mean of the theme at the top, over the root of the mean
    variance of all themes. So a theme that hardly varies, however much it weighs, hardly differs from ranking to
    ranking. Without a background: that of documents which lie where the ranking points, if all themes vary alike.
    """
    queries = np.array([ranking.query for ranking in rankings], np.float64)
    masks = np.array([ranking.mask for ranking in rankings], np.float64)
    directions = masked_direction(queries, masks)
    seen = read_background(background, queries.shape[1])
    if seen is None:
        return quotient(directions, row_norms(directions)[:, None]) * float(np.sqrt(queries.shape[1]))
    means = [_top_mean(seen.units, scores) for scores in _scores(seen.units, directions, masks)]
    return np.array(means) / max(_deviation(seen), TINY)


def _scores(units: Vectors, directions: DoubleArray, masks: DoubleArray) -> FloatArray:
    """⟨a, z⟩ / √⟨w, z²⟩ of every document under every ranking, (n_rankings, n_documents): see `masked_direction`."""
    products: FloatArray = np.asarray(units @ directions.astype(np.float32).T)
    if not (masks == 1).all():
        norms = np.sqrt(np.asarray((units * units) @ (masks * masks).astype(np.float32).T))
        products = np.divide(products, norms, out=np.zeros_like(products), where=norms > 0)
    return np.ascontiguousarray(products.T)


def _top_mean(units: Vectors, scores: FloatArray) -> DoubleArray:
    """The mean of the best documents, (n_features,); of all where a ranking tells none apart, as that of no query."""
    n_top = min(len(scores), max(SMALLEST_TOP, round(TOP_SHARE * len(scores))))
    best = np.argsort(-scores, kind="stable")[:n_top]
    rows = units[np.sort(best)] if np.ptp(scores) > 0 else units
    return np.asarray(rows.mean(axis=0), np.float64).ravel()


def _deviation(seen: Background) -> float:
    """√ of the mean over the features of their variances."""
    square = float((seen.units * seen.units).sum()) / max(1, seen.units.shape[0])
    return float(np.sqrt(max(square - seen.mean @ seen.mean, 0) / len(seen.mean)))


TINY = 1e-12
"""Divides the differences of documents that are all the same: 0."""
