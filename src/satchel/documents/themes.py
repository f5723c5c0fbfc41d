"""Themes without labels: memberships standardised, and documents drawn to their neighbours."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from satchel.documents.regression import WordFeatures, ridge
from satchel.types import FloatArray, SparseArray
from satchel.words.spherical import unit_rows

NEIGHBOUR_PENALTY, NEIGHBOUR_ITERATIONS = 3.0, 20
"""Of the regression to the neighbourhoods. Penalties from 0.3 to 10 were compared on train documents of 20ng, r8, r52
and webkb: below 1 small collections lose, from 3 on 20ng does; 10 iterations lose up to 0.8 mAP on r8."""
N_REFERENCES = 5000
"""Documents among which neighbours are sought: 2,000 were as good as all 8,500 on 20ng."""
ROUNDING = 1e-7
"""A deviation below this is that of float32's rounding: the codeword is the same in all documents."""
FEWEST_DOCUMENTS = 20
"""Fewer have no neighbourhoods to speak of."""
_BLOCK_VALUES = 1 << 22  # cosines held at once, 16 MB


class Moments(NamedTuple):
    """Mean and deviation of each codeword over documents, (n_codewords,), float32."""

    mean: FloatArray
    deviation: FloatArray


def histogram_moments(u: FloatArray, shares: SparseArray) -> Moments:
    """The moments of the histograms z = shares @ u, [PT18] Eq. (3), over all documents that have words.

    u (n_words, n_codewords), shares (n_documents, n_words). A codeword that is the same in all of them has deviation 1.
    """
    z = (shares @ u).astype(np.float64)[np.diff(shares.indptr) > 0]  # (n_documents, n_codewords)
    deviation = z.std(axis=0)
    return Moments(z.mean(axis=0).astype(np.float32), np.where(deviation > ROUNDING, deviation, 1).astype(np.float32))


def standardised_rows(u: FloatArray, moments: Moments) -> FloatArray:
    """Memberships centred and scaled by the moments of the histograms, (n_words, n_codewords).

    As the shares of a document sum to 1, (z - μ)/s = shares @ ((u - μ)/s): the standardisation folds into the rows.
    """
    rows: FloatArray = (u - moments.mean) / moments.deviation
    return rows


def neighbour_rows(rows: FloatArray, weights: SparseArray, n_neighbours: int, random_state: int) -> FloatArray:
    """Rows learned anew so that a document comes to lie where its neighbours lie.

    rows (n_words, n_codewords), weights (n_documents, n_words) of length 1 -> rows (n_words, n_codewords). The target
    of a document is the mean direction of its nearest documents by cosine, and words take the rows that, by ridge
    regression, bring all documents there: what neighbours share is kept, what is one document's own is not.
    """
    n_documents = weights.shape[0]
    if n_documents < FEWEST_DOCUMENTS:
        return rows
    units = unit_rows(weights @ rows)
    chosen = np.random.default_rng([random_state, 2]).permutation(n_documents)[:N_REFERENCES]
    n_neighbours = min(n_neighbours, len(chosen) // 10)
    targets = neighbourhood_means(units, units[np.sort(chosen)], n_neighbours)
    targets -= targets.mean(axis=0)
    return ridge(WordFeatures(weights), targets, NEIGHBOUR_PENALTY, NEIGHBOUR_ITERATIONS)


def neighbourhood_means(units: FloatArray, references: FloatArray, n_neighbours: int) -> FloatArray:
    """The mean direction of the references nearest to each unit vector; (n_documents, n), rows of length 1 or 0."""
    means = np.empty_like(units)
    step = max(1, _BLOCK_VALUES // len(references))
    for start in range(0, len(units), step):
        cosines = units[start : start + step] @ references.T
        nearest = np.argpartition(cosines, -n_neighbours, axis=1)[:, -n_neighbours:]
        near = np.zeros_like(cosines)
        np.put_along_axis(near, nearest, np.float32(1), axis=1)
        means[start : start + step] = near @ references
    return unit_rows(means)


def scaled_to_one(rows: FloatArray, weights: SparseArray) -> FloatArray:
    """Rows on such a scale that the mean square length of the documents is 1."""
    square = float((np.asarray(weights @ rows, np.float64) ** 2).sum(axis=1).mean())
    return rows / np.float32(np.sqrt(square)) if square > 0 else rows


def rectified(vectors: NDArray[Any], slope: float) -> NDArray[Any]:
    """Values below zero times `slope`: what a document has is evidence, what it lacks is less; 1 changes nothing."""
    return vectors if slope == 1 else np.where(vectors > 0, vectors, np.float32(slope) * vectors)
