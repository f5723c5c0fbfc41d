"""When to stop screening: how many relevant records are likely left, from the judgments so far alone.

A screening shows the best first, so finds become rare. How fast is not known: a rate a · (1 + t/(c·n))^-p at the t-th
of n records is assumed, with many c and p at once, the constant rate of a random order among them. Each is weighted by
how well it predicted the finds so far, and their predictions for the rest are mixed by these weights. For one shape the
finds are a Poisson process whose level a has Jeffreys' prior, so the number still to come is negative binomial. The
tails of this family fall as a power; with exponential tails, screening stopped too early.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from satchel.errors import InputError, number_within, whole_number
from satchel.types import DoubleArray

Judged: TypeAlias = NDArray[np.bool_]
"""Whether each record is relevant, in the order in which they were shown."""

SCALES: Final = tuple(np.geomspace(0.003, 0.3, 8).tolist())  # c: the share of records after which the rate falls
POWERS: Final = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)  # p: how steeply
JEFFREYS: Final = 0.5

_SLACK = 1e-9  # absorbs rounding: 0.95 · 20 is 19 records, not 20


class Remaining(NamedTuple):
    """How many relevant records are left: the expected number, and its range with the given confidence."""

    expected: float
    low: int
    high: int


def estimate_remaining(found: ArrayLike, n_records: int, confidence: float = 0.95) -> Remaining:
    """The relevant records among those not shown yet.

    found (n_shown,): whether each record shown was relevant, first shown first; n_records: all there are to show.
    Above `high` there are more with a chance of at most 1 - confidence, and so below `low`.
    """
    judged, level = _checked(found, n_records), number_within("confidence", confidence, 0, 1)
    n_left = n_records - len(judged)
    if not n_left:
        return Remaining(0.0, 0, 0)
    shares, seen = (column[:, -1:] for column in _believed(judged, n_records))
    level_of_finds = np.count_nonzero(judged) + JEFFREYS
    expected = float((shares * level_of_finds * (1 - seen) / seen).sum())
    chances = (shares * _at_most(np.arange(n_left + 1), level_of_finds, seen)).sum(axis=0)
    low, high = (int(np.searchsorted(chances, chance)) for chance in (1 - level, level))
    return Remaining(min(expected, float(n_left)), min(low, n_left), min(high, n_left))


def recall_chances(found: ArrayLike, n_records: int, recall: float = 0.95) -> DoubleArray:
    """The chance, after the first 1, 2, … shown, that this share of the relevant records is found, (n_shown,).

    0 before the first find: nothing is known then. 1 when all records are shown.
    """
    judged, wanted = _checked(found, n_records), number_within("recall", recall, 0, 1)
    n_found: DoubleArray = np.cumsum(judged, dtype=np.float64)
    allowed = np.floor(n_found / wanted + _SLACK) - n_found
    shares, seen = _believed(judged, n_records)
    chances = (shares * _at_most(allowed, n_found + JEFFREYS, seen)).sum(axis=0)
    chances[n_found == 0] = 0.0
    chances[n_records - 1 :] = 1.0
    return np.asarray(chances)


def stopping_point(found: ArrayLike, n_records: int, recall: float = 0.95, confidence: float = 0.95) -> int | None:
    """The number of records after which that recall is reached with that confidence; None if it is not reached yet."""
    reached = recall_chances(found, n_records, recall) >= number_within("confidence", confidence, 0, 1)
    return int(np.argmax(reached)) + 1 if reached.any() else None


def _believed(found: Judged, n_records: int) -> tuple[DoubleArray, DoubleArray]:
    """After each record shown: the share of belief in each shape, and the part of its finds that should have come.

    Both (n_shapes, n_shown). With Λ the sum of a shape's rates so far and r finds at rates λ, the level integrated out,
    its likelihood is proportional to Π λ / Λ^(r + 1/2).
    """
    rates = _shapes(n_records)
    so_far = np.cumsum(rates, axis=1)
    n_shown = len(found)
    logs = np.cumsum(np.where(found, np.log(rates[:, :n_shown]), 0.0), axis=1)
    evidence = logs - (np.cumsum(found) + JEFFREYS) * np.log(so_far[:, :n_shown])
    shares = np.exp(evidence - evidence.max(axis=0))
    return shares / shares.sum(axis=0), so_far[:, :n_shown] / so_far[:, -1:]


def _shapes(n_records: int) -> DoubleArray:
    """Rates of finds over the records, up to their level, (n_shapes, n_records); the last is constant."""
    shares = (np.arange(n_records) + 0.5) / n_records
    falling = [(1 + shares / scale) ** -power for scale in SCALES for power in POWERS]
    return np.array([*falling, np.ones(n_records)])


def _at_most(
    n_more: NDArray[np.floating] | NDArray[np.integer], level_of_finds: DoubleArray | float, seen: DoubleArray
) -> DoubleArray:
    """The chance of at most this many more finds: the negative binomial distribution as an incomplete beta function."""
    from scipy.special import betainc

    return np.asarray(betainc(level_of_finds, n_more + 1, seen))


def _checked(found: ArrayLike, n_records: int) -> Judged:
    judged: NDArray[np.generic] = np.asarray(found)
    if judged.ndim != 1 or not judged.size:
        raise InputError(
            f"found has the shape {judged.shape}; expected one judgment for each record shown, at least one"
        )
    if judged.dtype.kind not in "biuf" or not np.isin(judged, (0, 1)).all():
        raise InputError("found must hold True or False (or 1 and 0) for each record shown, and nothing else")
    whole_number("n_records", n_records, at_least=len(judged))
    return judged.astype(bool)
