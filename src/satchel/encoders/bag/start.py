"""The bag of embedded words before any label: words, codewords, memberships, histograms, and the rows that follow."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from satchel.arrays import spherical_kmeans, unit_rows
from satchel.encoders.bag.recipe import Recipe
from satchel.encoders.regression import WordFeatures, ridge
from satchel.errors import InputError
from satchel.text import Vocabulary, damped, mean_weights, smooth_idf
from satchel.types import BagParts, FloatArray, IntArray, SparseArray
from satchel.words import WordVectors, align, lsi_vectors

CODEBOOK_ITERATIONS = 30
"""The most iterations of spherical k-means; later ones move few words."""
IDF_POWER = 1.25
"""Rare words count a little more than by idf. On train documents 1.25 gave 0.8 mAP more on 20ng without labels and
0.2 with, and no other set lost more than 0.2; 1.5 gave 20ng as much again and cost r8 and webkb 0.2 to 0.3."""
NEIGHBOUR_PENALTY, NEIGHBOUR_ITERATIONS = 3.0, 20
"""For the regression to the neighbourhoods. Penalties from 0.3 to 10 were compared on train documents of 20ng, r8, r52
and webkb: below 1 small collections lose, from 3 on 20ng does; 10 iterations lose up to 0.8 mAP on r8."""
N_REFERENCES = 5000
"""Neighbours are sought among this many documents; 2,000 were as good as all 8,500 on 20ng."""
ROUNDING = 1e-7
"""A deviation below this is that of float32's rounding: the codeword is the same in all documents."""
FEWEST_DOCUMENTS = 20
"""In smaller collections documents do not move towards neighbours."""
_BLOCK_VALUES = 1 << 22  # cosines held at once, 16 MB


def memberships(x: FloatArray, v: FloatArray, sigma: float) -> FloatArray:
    """Soft assignment of each word vector to each codeword, [PT18] Eqs. (1)-(2).

    x (n_words, dim), v (n_codewords, dim) -> u (n_words, n_codewords); rows sum to 1.
    """
    from scipy.special import softmax

    u: FloatArray = softmax(-distances(x, v) / sigma**2, axis=1).astype(np.float32)
    return u


def distances(x: FloatArray, v: FloatArray) -> FloatArray:
    """‖x_i - v_k‖, (n_words, n_codewords), in float64: near distances would lose their digits otherwise."""
    x, v = x.astype(np.float64), v.astype(np.float64)
    squares = (x * x).sum(axis=1)[:, None] + (v * v).sum(axis=1)[None, :] - 2 * (x @ v.T)
    found: FloatArray = np.sqrt(np.maximum(squares, 0))
    return found


def learn_codebook(x: FloatArray, n_codewords: int, random_state: int) -> FloatArray:
    """Centroids of k-means over the vocabulary's vectors, each word once, [PT18] Algorithm 1, line 4.

    x (n_words, dim) -> v (n_codewords, dim). Five starts, as in the authors' code; the best is kept.
    """
    n_distinct = len(np.unique(x, axis=0))
    if not 1 <= n_codewords <= n_distinct:
        raise InputError(
            f"n_codewords is {n_codewords}, but {len(x)} words with {n_distinct} distinct vectors allow from 1 to "
            f"{n_distinct}; choose one of these"
        )
    return _k_means(x, n_codewords, 5, random_state)


def spherical_codebook(x: FloatArray, n_codewords: int, random_state: int) -> FloatArray:
    """Centroids of spherical k-means over the vocabulary's directions; fewer if there are too few distinct words.

    x (n_words, dim) -> v (at most n_codewords, dim), of length 1. Without labels, on train documents, it has 0.2 to 1.5
    mAP less than `learn_codebook` on three sets and 0.7 more on r8; with labels they are within 0.4. It is several
    times faster, and works with few words.
    """
    from threadpoolctl import threadpool_limits

    n_distinct = len(np.unique(x[(x != 0).any(axis=1)], axis=0))
    if not n_distinct:
        raise InputError(f"none of the {len(x)} words has a vector that is not zero; give other word vectors or texts")
    with threadpool_limits(1, "blas"):
        found = spherical_kmeans(x, min(n_codewords, n_distinct), random_state, max_iterations=CODEBOOK_ITERATIONS)
    return found.centres


def softness_of(x: FloatArray, v: FloatArray, softness: float) -> float:
    """σ with σ² = softness · mean distance of words and codewords, so that it fits vectors of any scale."""
    return float(np.sqrt(softness * max(float(distances(x, v).mean()), 1e-12)))


def class_centres(s: FloatArray, belongs: FloatArray, per_class: int, random_state: int) -> tuple[FloatArray, IntArray]:
    """The centres of each class: the mean of its documents, [PT18] Algorithm 1, lines 7-10, or k-means inside it.

    s (n_documents, n_codewords), belongs (n_documents, n_classes) -> centres (at most n_classes × per_class,
    n_codewords), and the class of each.
    """
    centres: list[FloatArray] = []
    for of_class in (s[column > 0] for column in belongs.T):
        n = min(per_class, len(np.unique(of_class, axis=0)))
        centres.append(of_class.mean(axis=0)[None, :] if n <= 1 else _k_means(of_class, n, 1, random_state))
    return np.concatenate(centres), np.repeat(np.arange(len(centres)), [len(of_class) for of_class in centres])


def _k_means(x: FloatArray, n: int, n_init: int, random_state: int) -> FloatArray:
    """Centroids (n, dim). One thread: the sums of several differ in their last bits from run to run."""
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        found = KMeans(n, n_init=n_init, random_state=random_state).fit(x)
    return np.ascontiguousarray(found.cluster_centers_, dtype=np.float32)


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
    """Learns rows that move each document to where its neighbours are.

    rows (n_words, n_codewords), weights (n_documents, n_words) of length 1 -> rows (n_words, n_codewords). The target
    of a document is the mean direction of its nearest documents by cosine; ridge regression finds the rows of words
    that bring all documents there. What neighbours share is kept; what only one document has is lost.
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
    """Scales rows so that the mean square length of the documents is 1."""
    square = float((np.asarray(weights @ rows, np.float64) ** 2).sum(axis=1).mean())
    return rows / np.float32(np.sqrt(square)) if square > 0 else rows


def rectified(vectors: NDArray[Any], slope: float) -> NDArray[Any]:
    """Multiplies values below zero by `slope`: what a document lacks says less than what it has. 1 changes nothing."""
    return vectors if slope == 1 else np.where(vectors > 0, vectors, np.float32(slope) * vectors)


def damped_counts(recipe: Recipe, counts: SparseArray) -> SparseArray:
    """Counts as they are, or log(1 + count)."""
    return counts if recipe.weighting == "counts" else damped(counts, "log(1+count)")


def start_parts(
    recipe: Recipe,
    given: WordVectors | None,
    n_codewords: int,
    vocabulary: Vocabulary,
    counts: SparseArray,
    random_state: int,
) -> BagParts:
    """Word vectors, codewords, softness and weights before any label is seen; given: word vectors, if there are any."""
    if given is None:
        words = lsi_vectors(counts, min(recipe.dim, *counts.shape), random_state=random_state)
    else:
        words = align(given, vocabulary, recipe.unknown_words, random_state).vectors
    find = learn_codebook if recipe.codebook == "k-means" else spherical_codebook
    codebook = find(words, n_codewords, random_state)
    sigma = softness_of(words, codebook, recipe.softness) if recipe.sigma is None else float(recipe.sigma)
    weights = np.ones(len(vocabulary)) if recipe.weighting == "counts" else smooth_idf(counts) ** IDF_POWER
    return BagParts(words, codebook, sigma, np.ones(len(codebook), np.float32), weights.astype(np.float32))


def start_moments(recipe: Recipe, counts: SparseArray, parts: BagParts) -> Moments | None:
    """The moments by which histograms are standardised; None if the recipe does not standardise."""
    if not recipe.standardised:
        return None
    u = memberships(parts.words, parts.codebook, parts.sigma)
    return histogram_moments(u, shares_of(damped_counts(recipe, counts), parts))


def rows_of(parts: BagParts, moments: Moments | None) -> FloatArray:
    """Memberships of the words, (n_words, n_codewords), standardised by the moments if there are any."""
    u = memberships(parts.words, parts.codebook, parts.sigma)
    return u if moments is None else standardised_rows(u, moments)


def shares_of(values: SparseArray, parts: BagParts) -> SparseArray:
    """The share of each word in its document, by value and weight; rows sum to 1."""
    return mean_weights(values, parts.weights.astype(np.float64))
