"""Queries made ready for an index: what is multiplied with the documents, in float64."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

DoubleArray: TypeAlias = NDArray[np.float64]


class Probe(NamedTuple):
    """One query as the two dot products see it.

    direction (n_features,): a row of `masked_direction`; for Euclidean distance the query itself.
    weights (n_features,): w = r∘r of the mask r; None where nothing is masked.
    """

    direction: DoubleArray
    weights: DoubleArray | None = None


class Probes(NamedTuple):
    """Queries that come together: directions and weights of all, (n_queries, n_features)."""

    directions: DoubleArray
    weights: DoubleArray | None = None

    @property
    def telling(self) -> NDArray[np.bool_]:
        """Which queries are evidence of anything, (n_queries,): the others find nothing."""
        telling: NDArray[np.bool_] = np.any(self.directions != 0, axis=1)
        return telling

    def one(self, row: int) -> Probe:
        return Probe(self.directions[row], None if self.weights is None else self.weights[row])


def row_norms(vectors: DoubleArray) -> DoubleArray:
    """‖z‖ of each row; a row's norm does not depend on the rows around it."""
    norms: DoubleArray = np.sqrt((vectors * vectors).sum(axis=1))
    return norms


def quotient(products: DoubleArray, norms: DoubleArray) -> DoubleArray:
    """products / norms; -inf where the norm is zero: an empty document is evidence of nothing and stands last."""
    norms = np.broadcast_to(norms, products.shape)
    scores: DoubleArray = np.divide(products, norms, out=np.full(products.shape, -np.inf), where=norms > 0)
    return scores


def masked_direction(queries: DoubleArray, masks: DoubleArray) -> DoubleArray:
    """a = w∘q / ‖r∘q‖ with w = r∘r, so that cos(r∘q, r∘z) = ⟨a, z⟩ / √⟨w, z²⟩; zero where r∘q is zero.

    queries q (n_queries, n_features), masks r the same or (n_features,) -> a (n_queries, n_features). Documents are
    then ranked under the weights of [PT18] Eq. (4) by two dot products with what is stored (z and z²), and nothing is
    encoded or normalised again.
    """
    masked = masks * queries
    norms = row_norms(masked)[:, None]
    return masks * np.divide(masked, norms, out=np.zeros_like(masked), where=norms > 0)


def cosine_probes(queries: DoubleArray, masks: DoubleArray | None) -> Probes:
    """The probes of queries under cosine, with one mask for all or one for each. A mask of ones changes no bit."""
    if masks is None:
        return Probes(masked_direction(queries, np.ones(queries.shape[1])))
    masks = np.broadcast_to(masks, queries.shape)
    scale = np.abs(masks).max(axis=1, keepdims=True, initial=0.0)
    r = masks / np.where(scale > 0, scale, 1.0)  # no cosine depends on the mask's scale; 1 keeps w in float32's range
    return Probes(masked_direction(queries, r), r * r)


def euclidean_probes(queries: DoubleArray) -> Probes:
    """The probes of queries under Euclidean distance: the queries themselves."""
    return Probes(queries)
