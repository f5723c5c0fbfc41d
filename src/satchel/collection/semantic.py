"""Search by meaning: the cosine of vectors, after the marks have moved the query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from satchel.collection.space import Space, one_blas_thread
from satchel.feedback import Feedback, Refined
from satchel.ranking import ExactIndex
from satchel.ranking.probes import DoubleArray
from satchel.types import FloatArray, IntArray
from satchel.words.spherical import unit_rows


def query_vector(space: Space, query: str, like: IntArray) -> FloatArray:
    """The direction of a query text and of documents that others shall be like, (n_features,); zero if none is known.

    like: positions of documents. All count alike.
    """
    assert space.encoder is not None
    asked = np.asarray(space.encoder.transform([query] if query else []), np.float32)
    directions = unit_rows(np.vstack([asked, space.vectors[like]]))
    total: FloatArray = unit_rows(directions.sum(axis=0, keepdims=True))[0]
    return total


def refine(
    space: Space, query: FloatArray, marked: FloatArray, grades: Sequence[float], weights: Mapping[int, float]
) -> Refined:
    """The query as the marks move it.

    marked (n_marks, n_features): vectors of documents; grades: above 0 for relevant, below 0 for irrelevant. weights:
    of themes, by hand.
    """
    refined, signs = Refined(query, np.ones_like(query)), np.array(grades)
    if len(signs):
        with one_blas_thread():
            refined = Feedback().refine(
                query,
                marked[signs > 0],
                marked[signs < 0],
                background=space.vectors,
                relevant_grades=signs[signs > 0],
                irrelevant_grades=-signs[signs < 0],
            )
    return refined.with_weights(weights) if weights else refined


def nearest(space: Space, refined: Refined, depth: int, allowed: IntArray | None) -> IntArray:
    """Positions of the best documents whose cosine is above 0, best first, ties in the order of ids.

    allowed: positions that may be found, rising; None for all.
    """
    if not refined.query.any():
        return np.empty(0, np.int64)
    index = space.index if allowed is None else ExactIndex(space.vectors[allowed])
    mask = None if refined.is_plain else refined.mask
    with one_blas_thread():
        ids, scores = (rows[0] for rows in index.search(refined.query[None, :], max(1, min(depth, len(index))), mask))
    found = (ids >= 0) & (scores > 0)
    best: IntArray = ids[found] if allowed is None else allowed[ids[found]]
    return best


def cosines(space: Space, refined: Refined, positions: IntArray) -> DoubleArray:
    """The scores of some documents, (n_positions,), the same to the last bit as `nearest` gives; -inf for no query."""
    if not len(positions):
        return np.empty(0)
    mask = None if refined.is_plain else refined.mask
    ids, found = (
        rows[0] for rows in ExactIndex(space.vectors[positions]).search(refined.query[None, :], len(positions), mask)
    )
    scores = np.full(len(positions), -np.inf)
    scores[ids[ids >= 0]] = found[ids >= 0]
    return scores
