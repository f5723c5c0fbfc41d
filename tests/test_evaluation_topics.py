"""The measures of [MW] section 4: its worked example, hand-worked rankings and scikit-learn's MCC."""

import math

import numpy as np
import pytest
from sklearn.metrics import matthews_corrcoef

from satchel.errors import InputError
from satchel.evaluation import evaluate_topics
from satchel.types import Ranking

FIGURE_8 = ["t0", "t0", "t0", "t1", "t1", "t1", "t2"]  # topics of d0 to d6


def ranking_of(*rows):
    width = max(len(row) for row in rows)
    ids = np.array([list(row) + [-1] * (width - len(row)) for row in rows])
    return Ranking(ids, np.where(ids >= 0, 1.0, -np.inf).astype(np.float32))


@pytest.mark.parametrize(
    ("ranking", "average_precision", "rank"),
    [
        ([0, 1, 2], 0.0, math.nan),
        ([0, 1, 2, 4, 5, 3], 0.22, 4),
        ([6, 0, 1, 2, 4, 5, 3], 0.07, 5),
    ],
)
def test_the_worked_example_of_figure_8(ranking, average_precision, rank):
    result = evaluate_topics(ranking_of(ranking), FIGURE_8, ["t1"], k=5)
    assert round(result.measures["MAP (top 5)"], 2) == average_precision
    assert result.measures["mean rank"] == pytest.approx(rank, nan_ok=True)
    assert result.measures["success rate"] == (average_precision > 0)


def test_a_class_smaller_than_k_can_still_score_one():
    assert evaluate_topics(ranking_of([6, 0]), FIGURE_8, ["t2"]).measures["MAP (top 20)"] == 1


def test_success_looks_at_all_that_was_retrieved_but_map_only_at_the_first_k():
    result = evaluate_topics(ranking_of([0, 1, 2, 6]), FIGURE_8, ["t2"], k=3)
    assert result.measures == {"MAP (top 3)": 0, "success rate": 1, "mean rank": 4, "MCC": 0}


def test_the_mean_rank_goes_over_successful_queries():
    result = evaluate_topics(ranking_of([3, 0], [0, 6], [0, 1]), FIGURE_8, ["t1", "t2", "t1"])
    assert result.measures["mean rank"] == 1.5
    assert result.per_query["mean rank"].tolist()[:2] == [1, 2]
    assert np.isnan(result.per_query["mean rank"][2])


def test_mcc_is_scikit_learns_on_the_topics_that_count_as_retrieved():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 5, 60).tolist()
    wanted = rng.integers(0, 5, 80).tolist()
    ids = np.array([rng.permutation(60)[:3] for _ in wanted])
    result = evaluate_topics(Ranking(ids, np.ones(ids.shape, np.float32)), labels, wanted)
    found = [
        topic if topic in [labels[i] for i in row] else labels[row[0]] for topic, row in zip(wanted, ids, strict=True)
    ]
    assert result.measures["MCC"] == pytest.approx(matthews_corrcoef(wanted, found))
    assert result.contingency.sum() == 80


def test_a_query_that_retrieves_nothing_is_a_failure_with_a_column_of_its_own():
    result = evaluate_topics(ranking_of([3], []), FIGURE_8, ["t1", "t1"])
    assert result.contingency[1].tolist() == [0, 1, 0, 1]
    assert result.measures["success rate"] == 0.5


@pytest.mark.parametrize(("score", "success"), [(0.0, 1), (-0.5, 1), (-np.inf, 0)])
def test_a_document_of_score_0_or_less_is_retrieved_but_not_one_of_minus_infinity(score, success):
    ranking = Ranking(np.array([[3]]), np.array([[score]], np.float32))
    assert evaluate_topics(ranking, FIGURE_8, ["t1"]).measures["success rate"] == success


def test_a_topic_that_no_document_has_is_left_out_and_counted():
    result = evaluate_topics(ranking_of([3], [3]), FIGURE_8, ["t1", "t9"])
    assert (result.n_excluded, result.evaluated.tolist()) == (1, [0])
    assert "1 without a relevant document left out" in str(result)


@pytest.mark.parametrize(
    "ranking",
    [
        None,
        Ranking(np.array([0]), np.array([1.0])),
        Ranking(np.array([[0, 1]]), np.array([[1.0]])),
        Ranking(np.array([[0.5]]), np.array([[1.0]])),
    ],
)
def test_what_is_no_ranking_is_refused(ranking):
    with pytest.raises(InputError, match=r"a Ranking of ids and scores|expected whole numbers and numbers"):
        evaluate_topics(ranking, FIGURE_8, ["t1"])


@pytest.mark.parametrize(
    ("labels", "wanted", "k", "message"),
    [
        (FIGURE_8, ["t1", "t1"], 20, "1 queries but there are 2"),
        (FIGURE_8[:2], ["t0"], 20, "names document 3 but there are only 2"),
        (FIGURE_8, ["t9"], 20, "share no label"),
        (FIGURE_8, ["t1"], 0, "k is 0; expected a whole number of at least 1"),
        (FIGURE_8, ["t1"], 2.5, "k is 2.5"),
        (FIGURE_8, None, 20, "query labels must be a list"),
        ([[]], ["t1"], 20, "database labels hold a list at 0"),
    ],
)
def test_bad_input_gets_one_clear_sentence(labels, wanted, k, message):
    with pytest.raises(InputError, match=message):
        evaluate_topics(ranking_of([3]), labels, wanted, k=k)
