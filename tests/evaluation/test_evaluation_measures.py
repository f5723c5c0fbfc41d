"""The measures of a full ranking, against a ranking worked by hand and against the equations as they read."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.evaluation import measures
from satchel.evaluation.relevant_ranks import PositionFinder

rankings = st.lists(st.booleans(), min_size=1, max_size=40).filter(any)


def positions_of(ranking):
    return (np.flatnonzero(ranking) + 1)[None, :]


def slow_precision(ranking, k):
    return sum(ranking[:k]) / k


def slow_interpolated(ranking, k):
    return max(slow_precision(ranking, later) for later in range(k, max(k, len(ranking)) + 1))


def slow_points(ranking):
    """Largest precision at any rank whose recall is at least j/10."""
    n = sum(ranking)
    ranks = range(1, len(ranking) + 1)
    return [max(slow_precision(ranking, k) for k in ranks if 10 * sum(ranking[:k]) >= j * n) for j in range(11)]


def interpolated(positions, k):
    return measures.interpolated_precision(
        measures.n_found(positions, k), k, measures.best_precision_from(positions)
    ).item()


def test_a_ranking_worked_by_hand():
    positions = np.array([[1, 3, 6]])  # relevant at ranks 1, 3 and 6 of a longer ranking
    found = measures.n_found(positions, 4)
    assert found.tolist() == [2]
    assert measures.precision(found, 4).tolist() == [0.5]
    assert measures.recall(found, 3).tolist() == [2 / 3]
    assert interpolated(positions, 2) == 2 / 3  # 1/2 at rank 2, 2/3 at rank 3
    assert interpolated(positions, 4) == 0.5  # 1/2 at rank 4, 2/5, 3/6 at rank 6
    points = measures.precision_at_recalls(measures.best_precision_from(positions))[0]
    assert points.tolist() == [1.0] * 4 + [2 / 3] * 3 + [0.5] * 4
    assert measures.average_precision_11(points[None, :]).item() == pytest.approx((4 + 2 + 2) / 11)


@given(rankings, st.integers(1, 60))
def test_precision_and_recall_are_their_equations(ranking, k):
    found = measures.n_found(positions_of(ranking), k)
    assert measures.precision(found, k).item() == slow_precision(ranking, k)
    assert measures.recall(found, sum(ranking)).item() == sum(ranking[:k]) / sum(ranking)


@given(rankings, st.integers(1, 60))
def test_interpolated_precision_is_the_largest_from_here_on(ranking, k):
    assert interpolated(positions_of(ranking), k) == pytest.approx(slow_interpolated(ranking, k), abs=1e-15)


@given(rankings)
def test_eleven_points_are_the_slow_double_loop(ranking):
    points = measures.precision_at_recalls(measures.best_precision_from(positions_of(ranking)))[0]
    np.testing.assert_allclose(points, slow_points(ranking), atol=1e-15)


@given(rankings)
def test_interpolated_precision_never_rises_and_never_lies_below_the_raw_one(ranking):
    positions = positions_of(ranking)
    curve = [interpolated(positions, k) for k in range(1, 50)]
    raw = [measures.precision(measures.n_found(positions, k), k).item() for k in range(1, 50)]
    assert all(0 <= later <= earlier <= 1 for earlier, later in pairwise(curve))
    assert all(upper >= lower for upper, lower in zip(curve, raw, strict=True))


@given(st.integers(1, 30))
def test_a_perfect_ranking_scores_one(n_relevant):
    positions = np.arange(1, n_relevant + 1)[None, :]
    points = measures.precision_at_recalls(measures.best_precision_from(positions))
    assert measures.average_precision_11(points).item() == 1
    assert measures.precision(measures.n_found(positions, n_relevant), n_relevant).item() == 1


finite = st.sampled_from([0.0, -0.0, 0.25, 0.5, 1.0, -1.0, -0.5, 1e-38, -1e-38, 3e38, -3e38, float("-inf")])


@given(st.data(), st.integers(1, 12), st.integers(1, 3))
def test_positions_are_those_of_a_stable_sort_whatever_ties(data, n_documents, n_queries):
    scores = np.array(
        data.draw(st.lists(finite, min_size=n_documents * n_queries, max_size=n_documents * n_queries)), np.float32
    ).reshape(n_queries, n_documents)
    start = data.draw(st.integers(0, n_documents - 1))
    stop = data.draw(st.integers(start + 1, n_documents))
    documents = np.array(data.draw(st.permutations(range(n_documents))))
    found = PositionFinder(documents).find(scores, start, stop)
    for row, values in zip(found, scores, strict=True):
        order = sorted(range(n_documents), key=lambda column: (-values[column], documents[column]))
        assert row.tolist() == [rank for rank, column in enumerate(order, 1) if start <= column < stop]


@pytest.mark.parametrize("decimals", [1, 2, 8])
def test_positions_of_many_documents_are_those_of_a_stable_sort(decimals):
    rng = np.random.default_rng(decimals)
    scores = np.round(rng.standard_normal((70, 3000)), decimals).astype(np.float32)
    scores[:, ::7] = -np.inf
    found = PositionFinder(np.arange(3000)).find(scores, 1000, 1400)
    for row, values in zip(found, scores, strict=True):
        order = np.argsort(-values, kind="stable")
        np.testing.assert_array_equal(row, np.flatnonzero((order >= 1000) & (order < 1400)) + 1)


def test_one_far_outlier_among_the_relevant_costs_time_but_no_exactness():
    rng = np.random.default_rng(0)
    scores = rng.standard_normal((3, 500)).astype(np.float32)
    scores[:, 10] = -1e30
    found = PositionFinder(np.arange(500)).find(scores, 5, 60)
    order = np.argsort(-scores[1], kind="stable")
    np.testing.assert_array_equal(found[1], np.flatnonzero((order >= 5) & (order < 60)) + 1)
