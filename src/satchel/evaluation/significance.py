"""Significance: paired tests of two systems on their values per query."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from satchel.errors import InputError, seed, whole_number
from satchel.evaluation.measures import Values

_BLOCK_VALUES = 1 << 22


@dataclass(frozen=True)
class Significance:
    """A paired comparison of a with b over the same queries; all p-values are two-sided.

    difference: the mean of a - b. interval: its bootstrap percentile interval. wins: the number of queries where a is
    better.
    """

    mean_a: float
    mean_b: float
    difference: float
    interval: tuple[float, float]
    confidence: float
    p_t_test: float
    p_randomisation: float
    wins: int
    ties: int
    losses: int

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.mean_a:.4f} against {self.mean_b:.4f}: difference {self.difference:+.4f}, "
            f"{100 * self.confidence:g} % interval [{low:+.4f}, {high:+.4f}]\n"
            f"p = {self.p_t_test:.4g} (paired t-test), {self.p_randomisation:.4g} (randomisation)\n"
            f"{self.wins} wins, {self.ties} ties, {self.losses} losses"
        )


def compare(
    a: ArrayLike,
    b: ArrayLike,
    *,
    n_samples: int = 10_000,
    confidence: float = 0.95,
    random_state: int = 0,
) -> Significance:
    """Compares two systems by their values on the same queries, (n_queries,) each, in the same order.

    n_samples: the number of random sign flips of the randomisation test, and of resamples of the bootstrap. The same
    seed gives the same numbers.
    """
    first, second = _checked(a, "a"), _checked(b, "b")
    if len(first) != len(second):
        raise InputError(
            f"a has {len(first)} values and b has {len(second)}; a paired test needs the same queries in both"
        )
    n_samples = whole_number("n_samples", n_samples)
    if not isinstance(confidence, int | float) or not 0 < confidence < 1:
        raise InputError(f"confidence is {confidence!r}; expected a number between 0 and 1")
    differences = first - second
    rng = np.random.default_rng(seed(random_state))
    return Significance(
        mean_a=float(first.mean()),
        mean_b=float(second.mean()),
        difference=float(differences.mean()),
        p_t_test=paired_t_test(differences),
        p_randomisation=randomisation_test(differences, n_samples, rng),
        interval=bootstrap_interval(differences, n_samples, confidence, rng),
        confidence=confidence,
        wins=int((differences > 0).sum()),
        ties=int((differences == 0).sum()),
        losses=int((differences < 0).sum()),
    )


def paired_t_test(differences: Values) -> float:
    """Two-sided p of t = mean / (s / √n) with n - 1 degrees of freedom.

    If there is no difference, p is 1. If every query differs by the same amount, t is infinite and p is 0. With a
    single query the spread is unknown, and p is 1.
    """
    from scipy.special import stdtr

    n, mean = len(differences), float(differences.mean())
    if n < 2 or not differences.any():
        return 1.0
    deviation = float(differences.std(ddof=1))
    if deviation <= 1e-12 * abs(mean):
        return 0.0
    return float(2 * stdtr(n - 1, -abs(mean) / (deviation / math.sqrt(n))))


def randomisation_test(differences: Values, n_samples: int, rng: np.random.Generator) -> float:
    """Two-sided p: the share of random signs that give a mean at least as far from 0; (1 + hits) / (1 + n_samples)."""
    observed = abs(float(differences.sum()))
    reach = observed - 1e-9 * float(np.abs(differences).sum())  # sums in another order still count as equal
    hits = 0
    for size in _block_sizes(n_samples, len(differences)):
        signs = rng.integers(0, 2, (size, len(differences)), dtype=np.int8)
        sums = 2 * (signs @ differences) - differences.sum()
        hits += int((np.abs(sums) >= reach).sum())
    return (1 + hits) / (1 + n_samples)


def bootstrap_interval(
    differences: Values, n_samples: int, confidence: float, rng: np.random.Generator
) -> tuple[float, float]:
    """Percentile interval of the mean over queries that are drawn with replacement."""
    n = len(differences)
    means = [differences[rng.integers(0, n, (size, n))].mean(axis=1) for size in _block_sizes(n_samples, n)]
    low, high = np.quantile(np.concatenate(means), [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def _block_sizes(n_samples: int, n_queries: int) -> Iterator[int]:
    step = max(1, _BLOCK_VALUES // n_queries)
    for start in range(0, n_samples, step):
        yield min(step, n_samples - start)


def _checked(values: ArrayLike, name: str) -> Values:
    try:
        array = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be a list of numbers, one for each query") from None
    if array.ndim != 1 or not len(array):
        raise InputError(f"{name} must be a list of values, one for each query; got shape {array.shape}")
    if not np.isfinite(array).all():
        raise InputError(f"{name} holds a NaN or infinite value at query {int(np.argmin(np.isfinite(array)))}")
    return array
