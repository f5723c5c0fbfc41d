"""Queries prepared for an index: the float64 arrays that are multiplied with the documents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from satchel.arrays import row_norms
from satchel.types import DoubleArray


class Probe(NamedTuple):
    """One query, prepared for the two dot products.

    direction (n_features,): a row of `masked_direction`; for Euclidean distance the query itself.
    weights (n_features,): w = r∘r of the mask r; None without a mask.
    """

    direction: DoubleArray
    weights: DoubleArray | None = None


class Probes(NamedTuple):
    """Several queries, prepared together.

    directions (n_queries, n_features): float64, a csr array where the documents are sparse.
    weights (n_masks, n_features): one row for all queries or one for each; None without a mask.
    """

    directions: Any
    weights: DoubleArray | None = None

    @property
    def n_queries(self) -> int:
        return int(self.directions.shape[0])

    @property
    def telling(self) -> NDArray[np.bool_]:
        """Whether each query is other than zero, (n_queries,); zero queries find nothing."""
        telling = np.zeros(self.n_queries, np.bool_)
        telling[self.directions.nonzero()[0]] = True
        return telling

    def one(self, row: int) -> Probe:
        """A query of dense directions."""
        return Probe(self.directions[row], None if self.weights is None else self.weights[row % len(self.weights)])

    def parts(self, size: int) -> Iterator[tuple[slice, Probes]]:
        """Yields these queries in parts of at most `size`."""
        for start in range(0, self.n_queries, size):
            rows = slice(start, start + size)
            weights = self.weights if self.weights is None or len(self.weights) == 1 else self.weights[rows]
            yield rows, Probes(self.directions[rows], weights)


def masked_direction(queries: DoubleArray, masks: DoubleArray) -> DoubleArray:
    """a = w∘q / ‖r∘q‖ with w = r∘r, so that cos(r∘q, r∘z) = ⟨a, z⟩ / √⟨w, z²⟩; zero where r∘q is zero.

    queries q (n_queries, n_features), masks r the same or one row -> a (n_queries, n_features). Documents are
    then ranked under the weights of [PT18] Eq. (4) by two dot products with what is stored (z and z²), and nothing is
    encoded or normalised again.
    """
    masked = masks * queries
    norms = row_norms(masked)[:, None]
    return masks * np.divide(masked, norms, out=np.zeros_like(masked), where=norms > 0)


def cosine_probes(queries: DoubleArray, masks: DoubleArray | None) -> Probes:
    """The probes of queries under cosine. A mask of ones changes no bit."""
    if masks is None:
        return Probes(masked_direction(queries, np.ones(queries.shape[1])))
    r = scaled_masks(masks)
    return Probes(masked_direction(queries, r), r * r)


def scaled_masks(masks: DoubleArray) -> DoubleArray:
    """One mask for all or one for each, (n_masks, n_features), with 1 as the largest value of each.

    No cosine depends on the scale of a mask; this one keeps w in float32's range.
    """
    masks = np.atleast_2d(masks)
    scale = np.abs(masks).max(axis=1, keepdims=True, initial=0.0)
    scaled: DoubleArray = masks / np.where(scale > 0, scale, 1.0)
    return scaled
