"""Paired tests against scipy and against all sign flips."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from satchel.errors import InputError
from satchel.evaluation import compare

RNG = np.random.default_rng(3)
A = RNG.random(40)
B = A + RNG.normal(-0.02, 0.05, 40)


def test_the_t_test_is_scipys():
    assert compare(A, B).p_t_test == pytest.approx(stats.ttest_rel(A, B).pvalue)


def test_the_randomisation_test_nears_the_share_of_all_sign_flips():
    differences = np.array([0.3, 0.1, 0.2, -0.05, 0.15, 0.02, 0.1, -0.1, 0.25, 0.05])
    sums = [abs(np.dot(signs, differences)) for signs in product([-1, 1], repeat=10)]
    exact = np.mean([value >= differences.sum() - 1e-12 for value in sums])
    assert compare(differences, np.zeros(10)).p_randomisation == pytest.approx(exact, abs=0.01)


def test_the_interval_is_near_scipys_percentile_bootstrap():
    theirs = stats.bootstrap((A - B,), np.mean, method="percentile", n_resamples=10_000, rng=0).confidence_interval
    assert compare(A, B).interval == pytest.approx((theirs.low, theirs.high), abs=1e-3)


def test_wins_ties_losses_and_means():
    found = compare([1, 0, 0.5, 0.5], [0, 0.5, 0.5, 0])
    assert (found.wins, found.ties, found.losses) == (2, 1, 1)
    assert found.mean_a == 0.5
    assert found.difference == pytest.approx(0.25)
    assert "2 wins, 1 ties, 1 losses" in str(found)


def test_swapping_the_systems_turns_the_sign_and_nothing_else():
    forth, back = compare(A, B), compare(B, A)
    assert forth.difference == -back.difference
    assert forth.p_t_test == back.p_t_test
    assert forth.p_randomisation == pytest.approx(back.p_randomisation, abs=0.01)


def test_equal_systems_have_p_one_and_no_warning():
    found = compare(A, A)
    assert (found.p_t_test, found.p_randomisation, found.interval) == (1, 1, (0, 0))


def test_the_same_difference_everywhere_gives_a_p_and_no_warning():
    found = compare(np.zeros(12), np.full(12, 0.1))
    assert found.p_t_test == 0
    assert found.p_randomisation < 0.01


def test_one_query_proves_nothing():
    found = compare([0.7], [0.1])
    assert (found.p_t_test, found.p_randomisation) == (1, 1)


def test_same_seed_same_numbers():
    assert compare(A, B, random_state=4) == compare(A, B, random_state=4)
    assert compare(A, B, random_state=4).interval != compare(A, B, random_state=5).interval


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([1, 2, 3], [1, 2], "a has 3 values and b has 2"),
        ([], [], "one for each query"),
        ([1, np.nan], [1, 2], "NaN or infinite value at query 1"),
        ("abc", [1], "a must be a list of numbers"),
        ([1], [[1], [1, 2]], "b must be a list of numbers"),
    ],
)
def test_values_that_cannot_be_paired_are_refused(a, b, message):
    with pytest.raises(InputError, match=message):
        compare(a, b)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_samples": 0}, "n_samples is 0"),
        ({"n_samples": 2.5}, "n_samples is 2.5"),
        ({"confidence": 2}, "confidence is 2; expected a number between 0 and 1"),
        ({"confidence": "95"}, "confidence is '95'"),
        ({"random_state": -1}, "random_state is -1"),
    ],
)
def test_settings_out_of_range_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        compare(A, B, **settings)
