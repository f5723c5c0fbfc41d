"""Fisher vectors as sums over words: the row that each word adds, computed for the words that are needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from satchel.arrays import unit_rows
from satchel.encoders.linear import ComputedRows, document_runs, over_own_words
from satchel.encoders.mixture import Mixture, assignments
from satchel.errors import InputError
from satchel.types import FloatArray, SparseArray

Gradients = Literal["means", "weights+means", "means+variances", "weights+means+variances"]
"""The gradient is taken by these parameters of the mixture."""

N_REFERENCES = 20_000
"""The directions of a reduction are learned from this many documents."""
ROUNDING = 1e-9
"""A direction whose extent is a smaller share of the largest one comes from float32's rounding alone."""
_BLOCK_VALUES = 1 << 23  # values of rows held at once, 32 MB


def mean_gradients(x: FloatArray, gamma: FloatArray, mixture: Mixture) -> FloatArray:
    """γ_t(i)/√θ_i · (x_t - μ_i)/σ_i, (n_words, K, dim): what a word adds to the gradient by means, [CP13] Eq. (10).

    For one component it is the whitened word vector (x_t - μ)/σ, [CP13] Eq. (11).
    """
    return _owned(gamma, mixture)[:, :, None] * _whitened(x, mixture)


def variance_gradients(x: FloatArray, gamma: FloatArray, mixture: Mixture) -> FloatArray:
    """γ_t(i)/√(2θ_i) · ((x_t - μ_i)²/σ_i² - 1), (n_words, K, dim): the gradient by deviations, [CP13] footnote 1."""
    return _owned(gamma, mixture)[:, :, None] * (_whitened(x, mixture) ** 2 - 1) * np.float32(np.sqrt(0.5))


def weight_gradients(gamma: FloatArray, mixture: Mixture) -> FloatArray:
    """(γ_t(i) - θ_i)/√θ_i, (n_words, K): the gradient by weights, [CP13] footnote 1.

    The weights are θ_i = exp α_i / Σ exp α_j, and the gradient is by α, so that they stay positive and sum to 1.
    """
    return _owned(gamma, mixture) - np.sqrt(mixture.weights).astype(np.float32)


@dataclass(frozen=True)
class FisherRows(ComputedRows):
    """The rows L_λ ∇_λ log u_λ(x_t) of [CP13] Eq. (10), of which a document's Fisher vector is a weighted sum.

    x (n_words, dim), mixture of K components. A row has K · dim numbers for the means, as many for the variances, and
    K for the weights; all that belongs to a component stands together. Rows of a large vocabulary would fill gigabytes,
    so they are computed for the words of some documents at a time; gamma (n_words, K) is kept.
    """

    x: FloatArray
    gamma: FloatArray
    mixture: Mixture
    gradients: Gradients = "means"

    @property
    def n_features(self) -> int:
        n_components, dim = self.mixture.means.shape
        wanted = self.gradients.split("+")
        return int(n_components * (dim * ("means" in wanted) + dim * ("variances" in wanted) + ("weights" in wanted)))

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.x), self.n_features

    def __getitem__(self, ids: NDArray[np.integer]) -> FloatArray:
        x, gamma = self.x[ids], self.gamma[ids]
        parts = {
            "weights": lambda: weight_gradients(gamma, self.mixture)[:, :, None],
            "means": lambda: mean_gradients(x, gamma, self.mixture),
            "variances": lambda: variance_gradients(x, gamma, self.mixture),
        }
        rows = [parts[name]() for name in self.gradients.split("+")]
        joined: FloatArray = rows[0] if len(rows) == 1 else np.concatenate(rows, axis=2)
        return joined.reshape(len(ids), self.n_features)

    def sums(self, weights: SparseArray) -> FloatArray:
        """Σ_t weight · row of t, (n_documents, n_features), for weights (n_documents, n_words): [CP13] Eq. (8)."""
        found = np.empty((weights.shape[0], self.n_features), np.float32)
        for start, stop in document_runs(weights, self.n_features):
            words, part = over_own_words(weights[start:stop])
            found[start:stop] = part @ self[words]
        return found


def reduced_rows(rows: FisherRows, weights: SparseArray, n_features: int, random_state: int) -> FloatArray:
    """Rows along the n_features directions in which documents of length 1 extend most, (n_words, n_features).

    A singular value decomposition of the documents' Fisher vectors (of 20,000 of them, if there are more), without
    centring, so that cosines change least. The directions are linear in the rows, so a document is still a sum over
    words. Directions in which the documents do not extend at all have rows of zeros.
    """
    from threadpoolctl import threadpool_limits

    if n_features > rows.n_features:
        given = f"Fisher vectors of {rows.n_features} numbers allow from 1 to {rows.n_features}"
        raise InputError(f"n_features is {n_features}, but {given}; choose one of these, or None for all")
    chosen = np.random.default_rng([random_state, 2]).permutation(weights.shape[0])[:N_REFERENCES]
    with threadpool_limits(1, "blas"):
        z = unit_rows(rows.sums(weights[np.sort(chosen)])).astype(np.float64)
        extents, directions = np.linalg.eigh(z.T @ z)  # ascending
        directions = np.ascontiguousarray(directions[:, ::-1][:, :n_features])
        directions[:, extents[::-1][:n_features] <= ROUNDING * max(float(extents[-1]), 1e-300)] = 0
        step = max(1, _BLOCK_VALUES // rows.n_features)
        words = np.arange(len(rows.x))
        parts = [rows[words[start : start + step]] @ directions for start in range(0, len(words), step)]
    reduced: FloatArray = np.concatenate(parts).astype(np.float32)
    return reduced


def fisher_rows(x: FloatArray, mixture: Mixture, gradients: Gradients = "means") -> FisherRows:
    """The rows of all words: soft assignments are computed now, rows when they are needed."""
    gamma = assignments(x.astype(np.float64), mixture)
    return FisherRows(x, gamma.astype(np.float32), mixture, gradients)


def _whitened(x: FloatArray, mixture: Mixture) -> FloatArray:
    """(x_t - μ_i)/σ_i, (n_words, K, dim)."""
    whitened: FloatArray = ((x[:, None, :] - mixture.means) / np.sqrt(mixture.variances)).astype(np.float32)
    return whitened


def _owned(gamma: FloatArray, mixture: Mixture) -> FloatArray:
    """γ_t(i)/√θ_i, (n_words, K)."""
    roots: FloatArray = np.sqrt(mixture.weights).astype(np.float32)
    return np.divide(gamma, roots)
