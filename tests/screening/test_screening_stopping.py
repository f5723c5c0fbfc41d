"""When to stop: against a slow twin, against records in random order, and where the answer is plain."""

import numpy as np
import pytest
from scipy.stats import nbinom

from satchel.errors import InputError
from satchel.evaluation import simulate_screening
from satchel.screening.stopping import POWERS, SCALES, estimate_remaining, recall_chances, stopping_point

EARLY = np.array([True] * 20 + [False] * 180)


def _slow(found, n, allowed):
    """Expected finds to come, and the chance of at most `allowed`, by loops over shapes and records."""
    r, evidence, foretold = sum(found), [], []
    for c, p in [(c, p) for c in SCALES for p in POWERS] + [(1.0, 0.0)]:
        rates = [(1 + (t + 0.5) / n / c) ** -p for t in range(n)]
        so_far, rest = sum(rates[: len(found)]), sum(rates[len(found) :])
        product = sum(np.log(rate) for rate, hit in zip(rates, found, strict=False) if hit)
        evidence.append(product - (r + 0.5) * np.log(so_far))
        share = so_far / (so_far + rest)
        foretold.append(((r + 0.5) * rest / so_far, nbinom.cdf(allowed, r + 0.5, share)))
    weights = np.exp(np.array(evidence) - max(evidence))
    return (weights / weights.sum()) @ np.array(foretold)


def test_the_estimate_is_that_of_loops_over_shapes_and_records():
    found = [True, True, False, True, False, False, False, True, False, False]
    expected, chance = _slow(found, 40, 0)
    assert estimate_remaining(found, 40).expected == pytest.approx(expected)
    assert recall_chances(found, 40)[-1] == pytest.approx(chance)


def test_the_bounds_leave_the_rest_of_the_confidence_outside():
    found, n = [True] * 6 + [False] * 14, 60
    remaining = estimate_remaining(found, n, confidence=0.9)
    assert _slow(found, n, remaining.high)[1] >= 0.9 > _slow(found, n, remaining.high - 1)[1]
    assert remaining.low <= remaining.expected <= remaining.high


def test_in_random_order_most_of_what_is_left_is_expected():
    rng, expected, within = np.random.default_rng(0), [], []
    for _ in range(40):
        found = rng.permutation(np.arange(1000) < 100)
        remaining = estimate_remaining(found[:500], 1000)
        expected.append(remaining.expected)
        within.append(found[500:].sum() <= remaining.high)
    assert 35 < np.mean(expected) < 55  # of 50: one shape of 57 is constant, the others fall
    assert np.mean(within) > 0.7


def test_a_recall_that_is_claimed_with_confidence_is_mostly_reached():
    """Finds drawn from a rate that falls as the family says: an oracle that knows what is left."""
    rng, reached = np.random.default_rng(1), []
    for _ in range(60):
        found = rng.random(1500) < 0.5 * (1 + np.arange(1500) / 45) ** -2.0
        stop = stopping_point(found, 1500, confidence=0.9)
        reached.append(found[:stop].sum() >= 0.95 * found.sum())
    assert np.mean(reached) >= 0.9


def test_after_finds_that_ended_early_it_stops_before_the_end():
    stop = stopping_point(EARLY, 1000)
    assert stop is not None
    assert 20 < stop < 200
    assert stopping_point(EARLY[: stop - 1], 1000) is None


def test_the_stop_depends_on_nothing_that_comes_later():
    other = np.concatenate([EARLY[:150], np.ones(50, bool)])
    assert stopping_point(EARLY, 1000) == stopping_point(other, 1000)
    assert recall_chances(EARLY, 1000)[:150] == pytest.approx(recall_chances(other, 1000)[:150])


def test_more_confidence_takes_more_records():
    stops = [stopping_point(EARLY, 1000, confidence=level) for level in (0.5, 0.8, 0.95)]
    assert stops == sorted(stops)
    assert stops[0] < stops[-1]


def test_nothing_is_claimed_before_the_first_find_nor_left_after_the_last_record():
    nothing = np.zeros(30, bool)
    assert stopping_point(nothing, 40) is None
    assert stopping_point(nothing, 30) == 30
    assert estimate_remaining(EARLY, 200) == (0.0, 0, 0)
    assert recall_chances(EARLY, 200)[-1] == 1


def test_no_more_remain_than_there_are_records():
    assert estimate_remaining([True] * 5, 7).high <= 2
    assert estimate_remaining([True] * 5, 7).expected <= 2


def test_a_screening_knows_where_it_would_have_stopped():
    texts = [f"the cat {i} purrs" for i in range(12)] + [f"ship {i} sails the sea" for i in range(200)]
    result = simulate_screening(texts, np.arange(212) < 12, start=(0, 100), model="lexical")
    assert result.stop == stopping_point(result.found, 210)
    assert result.recall_at_stop == result.found[: result.stop].sum() / 11


@pytest.mark.parametrize(
    ("found", "n_records", "message"),
    [
        ([], 5, "found has the shape"),
        ([[True]], 5, "found has the shape"),
        (["yes"], 5, "True or False"),
        ([True, False, True], 2, "n_records is 2; expected a whole number of at least 3"),
    ],
)
def test_judgments_that_cannot_be_are_refused(found, n_records, message):
    with pytest.raises(InputError, match=message):
        estimate_remaining(found, n_records)


@pytest.mark.parametrize("recall", [0, 1, float("nan"), "most"])
def test_a_recall_lies_between_nothing_and_all(recall):
    with pytest.raises(InputError, match=r"recall is .*; expected a number above 0 and below 1"):
        stopping_point(EARLY, 1000, recall=recall)
