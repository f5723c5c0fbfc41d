"""The measures of [MW] section 4: its worked example, hand-worked rankings and scikit-learn's MCC."""

import math

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import matthews_corrcoef

from satchel.errors import InputError
from satchel.evaluation import evaluate_run, evaluate_topics
from satchel.evaluation.topics import evenness, join_topics, mean_by_topic, skewness, topic_sizes
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


def test_the_precisions_of_figure_8_stand_in_its_average_precision_one_by_one():
    """d4 is the 4th and d5 the 5th: (1/4 + 2/5) / 3; with d6 in front d4 is the 5th: (1/5) / 3."""
    result = evaluate_topics(ranking_of([0, 1, 2, 4, 5, 3], [6, 0, 1, 2, 4, 5, 3]), FIGURE_8, ["t1", "t1"], k=5)
    assert result.per_query["MAP (top 5)"] == pytest.approx([(1 / 4 + 2 / 5) / 3, (1 / 5) / 3])


def test_average_precision_is_trec_evals_times_what_the_cut_off_takes_from_large_topics():
    rng = np.random.default_rng(3)
    labels = [0] * 30 + [1] * 5
    ids = rng.permutation(35)[None, :]
    ours = evaluate_topics(Ranking(ids, np.ones((1, 35), np.float32)), labels, [0]).measures["MAP (top 20)"]
    run = {"q": {str(i): 35.0 - rank for rank, i in enumerate(ids[0, :20].tolist())}}
    theirs = evaluate_run(run, {"q": {str(i): 1 for i in range(30)}}, ["AP"]).measures["AP"]
    assert ours == pytest.approx(theirs * 30 / 20)


def test_every_topic_has_the_mean_of_its_own_queries():
    result = evaluate_topics(ranking_of([3, 0], [0, 6], [0, 1], [1]), FIGURE_8, ["t1", "t2", "t1", "t1"])
    assert result.per_topic("success rate") == pytest.approx([np.nan, 1 / 3, 1], nan_ok=True)
    assert result.per_topic("mean rank") == pytest.approx([np.nan, 1, 2], nan_ok=True)
    values, wanted = np.arange(6.0), np.array([0, 1, 1, 0, 2, 2])
    expected = [values[wanted == topic].mean() for topic in range(3)]
    assert mean_by_topic(values, wanted, 3) == pytest.approx(expected)


def test_parts_join_to_the_result_of_all_queries():
    rng = np.random.default_rng(1)
    labels, wanted = rng.integers(0, 4, 30).tolist(), rng.integers(0, 5, 21).tolist()
    ids = np.array([rng.permutation(30)[:6] for _ in wanted])
    scores = np.where(rng.uniform(size=ids.shape) < 0.3, -np.inf, 1).astype(np.float32)
    whole = evaluate_topics(Ranking(ids, scores), labels, wanted)
    parts = [slice(0, 8), slice(8, 9), slice(9, 21)]
    joined = join_topics([evaluate_topics(Ranking(ids[p], scores[p]), labels, wanted[p]) for p in parts])
    assert joined.measures == pytest.approx(whole.measures)
    assert (joined.contingency == whole.contingency).all()
    assert (joined.evaluated == whole.evaluated).all()
    assert joined.n_excluded == whole.n_excluded > 0
    assert joined.per_topic("success rate") == pytest.approx(whole.per_topic("success rate"), nan_ok=True)


def test_parts_of_other_databases_are_not_joined():
    one, other = (evaluate_topics(ranking_of([0]), labels, ["t0"]) for labels in (FIGURE_8, ["t0"]))
    with pytest.raises(InputError, match="same database labels"):
        join_topics([one, other])


def test_topic_sizes_come_largest_first_and_their_skewness_is_scipys():
    assert list(topic_sizes(["b", "a", "a", "c"]).items()) == [("a", 2), ("b", 1), ("c", 1)]
    assert skewness([1596, 2840, 1, 2, 2]) == pytest.approx(stats.skew([1596, 2840, 1, 2, 2]))
    assert skewness([5, 5, 5]) == 0


def test_evenness_is_the_entropy_of_the_shares_over_the_largest_possible():
    assert evenness([8, 1, 1]) == pytest.approx(stats.entropy([8, 1, 1]) / np.log(3))
    assert evenness([5, 5, 5]) == pytest.approx(1)
    assert evenness([7]) == 1


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
