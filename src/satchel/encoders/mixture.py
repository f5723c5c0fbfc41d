"""A mixture of Gaussians with diagonal covariances over word occurrences, fitted by expectation-maximisation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from satchel.types import DoubleArray

MAX_ITERATIONS = 100
TOLERANCE = 1e-3
"""In nats of mean log-likelihood; an iteration that gains less is the last."""
VARIANCE_FLOOR = 1e-3
"""The least variance of a component, as a share of that of all occurrences along the same axis."""
DEAD = 1e-9
"""A component with a smaller share of all occurrences is dead and starts again elsewhere."""
DIGITS = 5
"""Standardised rows are compared to this many decimals: words of the same texts differ by rounding alone."""
ROUNDING = 1e-6
"""If an axis has a deviation of a smaller share of its largest value, all words differ by rounding alone."""


class Mixture(NamedTuple):
    """u_λ of [CP13] section 3.1, λ = {θ_i, μ_i, Σ_i}: weights (K,), means (K, dim), diagonal variances (K, dim)."""

    weights: DoubleArray
    means: DoubleArray
    variances: DoubleArray


def log_joint(x: DoubleArray, mixture: Mixture) -> DoubleArray:
    """log θ_i + log N(x_t; μ_i, σ_i²), (n_words, K).

    The square is expanded around the mixture's mean, so that two matrix products compute it and no digits are lost.
    """
    centre = mixture.weights @ mixture.means
    x, means, precisions = x - centre, mixture.means - centre, 1 / mixture.variances
    squares = (x * x) @ precisions.T - 2 * (x @ (means * precisions).T) + (means**2 * precisions).sum(axis=1)
    logs = np.log(mixture.weights) - 0.5 * np.log(2 * np.pi * mixture.variances).sum(axis=1)
    joint: DoubleArray = logs - 0.5 * np.maximum(squares, 0)
    return joint


def assignments(x: DoubleArray, mixture: Mixture) -> DoubleArray:
    """Soft assignments γ_t(i) = p(i | x_t, λ) by Bayes' formula, [CP13] section 3.1; (n_words, K), rows sum to 1."""
    return _assigned(log_joint(x, mixture))[0]


def mean_log_likelihood(x: DoubleArray, occurrences: DoubleArray, mixture: Mixture) -> float:
    """The mean of log u_λ over all occurrences, in nats."""
    from scipy.special import logsumexp

    return float(occurrences @ logsumexp(log_joint(x, mixture), axis=1) / occurrences.sum())


def fit_mixture(
    x: DoubleArray, occurrences: DoubleArray, n_components: int, random_state: int, *, words_each: int = 1
) -> Mixture:
    """The mixture that makes the occurrences of words most likely, [CP13] section 3.1.

    x (n_words, dim): one row a word; occurrences (n_words,): how often each stands in the texts. A word that occurs n
    times is one row of weight n, which gives the same sums as n equal rows. Each component needs `words_each` distinct
    rows; with fewer rows there are fewer components. The same seed gives the same bytes.

    Differs: [CP13] fits to a million occurrences; all of them together cost less than drawing some.
    """
    from threadpoolctl import threadpool_limits

    used = occurrences > 0
    x, shares = x[used], occurrences[used] / occurrences[used].sum()
    centre, scale = _centre_and_scale(x, shares)
    z = (x - centre) / scale  # so that neither start nor floor depends on the scale of an axis
    n_distinct = len(np.unique(np.round(z, DIGITS), axis=0))
    n_components = min(n_components, max(1, n_distinct // words_each))
    with threadpool_limits(1, "blas"):
        found = _climb(z, shares, _start(z, shares, n_components, random_state))
    return Mixture(found.weights, centre + scale * found.means, scale**2 * found.variances)


def _climb(z: DoubleArray, shares: DoubleArray, mixture: Mixture) -> Mixture:
    """Expectation and maximisation in turns, until the likelihood rises no more."""
    before = -np.inf
    for _ in range(MAX_ITERATIONS):
        gamma, logs = _assigned(log_joint(z, mixture))
        now = float(shares @ logs)
        if now - before < TOLERANCE:
            break
        mixture, died = _revived(maximised(z, shares, gamma), z, shares * logs)
        before = -np.inf if died else now
    return mixture


def maximised(z: DoubleArray, shares: DoubleArray, gamma: DoubleArray) -> Mixture:
    """The most likely mixture for given assignments: shares, means and variances of each component's occurrences."""
    owned = shares[:, None] * gamma  # (n_words, K)
    weights = owned.sum(axis=0)
    divisors = np.maximum(weights, np.finfo(np.float64).tiny)[:, None]
    means = owned.T @ z / divisors
    variances = owned.T @ (z * z) / divisors - means**2
    return Mixture(weights, means, np.maximum(variances, VARIANCE_FLOOR))


def _revived(mixture: Mixture, z: DoubleArray, fits: DoubleArray) -> tuple[Mixture, bool]:
    """Restarts each dead component at one of the words that fit worst, as wide as all words together."""
    dead = np.flatnonzero(mixture.weights < DEAD)
    if not len(dead):
        return mixture, False
    weights, means, variances = (array.copy() for array in mixture)
    means[dead] = z[np.argsort(fits, kind="stable")[: len(dead)]]
    variances[dead] = 1
    weights[dead] = 1 / len(weights)
    return Mixture(weights / weights.sum(), means, variances), True


def _start(z: DoubleArray, shares: DoubleArray, n_components: int, random_state: int) -> Mixture:
    """The mixture of the groups of words around the seeds of k-means++."""
    from sklearn.cluster import kmeans_plusplus

    seeds, _ = kmeans_plusplus(z, n_components, sample_weight=shares, random_state=random_state)
    squares = (seeds * seeds).sum(axis=1) - 2 * (z @ seeds.T)  # less the word's own, which is the same for all seeds
    gamma = np.eye(n_components)[squares.argmin(axis=1)]
    return _revived(maximised(z, shares, gamma), z, -shares)[0]


def _centre_and_scale(x: DoubleArray, shares: DoubleArray) -> tuple[DoubleArray, DoubleArray]:
    """Mean and deviation of the occurrences along each axis, (dim,); deviation 1 if all words are equal."""
    centre: DoubleArray = shares @ x
    scale = np.sqrt(shares @ (x - centre) ** 2)
    return centre, np.where(scale > ROUNDING * np.abs(x).max(axis=0), scale, 1.0)


def _assigned(joint: DoubleArray) -> tuple[DoubleArray, DoubleArray]:
    """γ (n_words, K) and log u_λ (n_words,) of log θ_i N(x_t; i)."""
    most = joint.max(axis=1, keepdims=True)
    gamma = np.exp(joint - most)
    total = gamma.sum(axis=1, keepdims=True)
    gamma /= total
    return gamma, (most + np.log(total)).ravel()
