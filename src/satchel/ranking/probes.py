"""Queries made ready for an index: what is multiplied with the documents, in float64."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

DoubleArray: TypeAlias = NDArray[np.float64]


class Probe(NamedTuple):
    """One query as the two dot products see it.

    direction (n_features,): a of `masked_direction`; for Euclidean distance the query itself.
    weights (n_features,): w = r∘r of the mask r; None where nothing is masked.
    """

    direction: DoubleArray
    weights: DoubleArray | None = None


def row_norms(vectors: DoubleArray) -> DoubleArray:
    """‖z‖ of each row; a row's norm does not depend on the rows around it."""
    norms: DoubleArray = np.sqrt((vectors * vectors).sum(axis=1))
    return norms


def masked_direction(query: DoubleArray, mask: DoubleArray) -> DoubleArray | None:
    """a = w∘q / ‖r∘q‖ with w = r∘r, so that cos(r∘q, r∘z) = ⟨a, z⟩ / √⟨w, z²⟩; None where r∘q is zero.

    query q and mask r (n_features,). Documents are then ranked under the weights of [PT18] Eq. (4) by two dot products
    with what is stored (z and z²), and nothing is encoded or normalised again.
    """
    masked = mask * query
    norm = row_norms(masked[None, :])[0]
    return mask * (masked / norm) if norm > 0 else None


def cosine_probe(query: DoubleArray, mask: DoubleArray | None) -> Probe | None:
    """The probe of a query under cosine; None for a query without evidence. A mask of ones changes no bit."""
    if mask is None:
        direction = masked_direction(query, np.ones_like(query))
        return None if direction is None else Probe(direction)
    scale = np.abs(mask).max(
        initial=0.0
    )  # the cosine does not depend on the mask's scale; 1 keeps w in float32's range
    direction = masked_direction(query, mask / scale) if scale > 0 else None
    return None if direction is None else Probe(direction, (mask / scale) ** 2)


def euclidean_probe(query: DoubleArray) -> Probe | None:
    """The probe of a query under Euclidean distance; None for a query without evidence."""
    return Probe(query) if query.any() else None
