"""The retrieval protocol against the slow double loop."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from satchel.errors import InputError
from satchel.evaluation import evaluate_retrieval
from satchel.ranking import ExactIndex

RNG = np.random.default_rng(5)
DATABASE = RNG.standard_normal((60, 5)).astype(np.float32)
LABELS = [f"class {i % 4}" for i in range(60)]
QUERIES = RNG.standard_normal((15, 5)).astype(np.float32)
QUERY_LABELS = [f"class {i % 4}" for i in range(15)]


def slow_measures(scores, labels, label, k):
    """AP (11-point), P@k, interpolated P@k and R@k of one query, as the equations read."""
    if np.isneginf(scores).all():
        return 0.0, 0.0, 0.0, 0.0
    order = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
    hits = np.cumsum([labels[i] == label for i in order])
    precision = [hits[i] / (i + 1) for i in range(len(order))]
    points = [max(p for p, h in zip(precision, hits, strict=True) if 10 * h >= j * hits[-1]) for j in range(11)]
    found = hits[min(k, len(hits)) - 1]
    return np.mean(points), found / k, max([found / k, *precision[k - 1 :]]), found / hits[-1]


def assert_equals_the_loop(database, labels, queries, query_labels, metric="cosine", k=3):
    result = evaluate_retrieval(database, labels, queries, query_labels, metric=metric, top=(k,))
    scores = ExactIndex(database, metric).scores(queries)
    expected = [slow_measures(scores[i], labels, query_labels[i], k) for i in result.evaluated]
    names = ["mAP (11-point)", f"P@{k}", f"interpolated P@{k}", f"R@{k}"]
    assert list(result.measures) == names
    for name, values in zip(names, np.transpose(expected), strict=True):
        np.testing.assert_allclose(result.per_query[name], values, atol=1e-12)
        assert result.measures[name] == pytest.approx(values.mean())


coarse = st.sampled_from([0.0, 1.0, -1.0, 2.0])


@given(st.data())
def test_it_equals_the_slow_loop_with_ties_zeros_and_duplicates(data):
    n, m = data.draw(st.integers(2, 12)), data.draw(st.integers(1, 5))
    vectors = st.lists(coarse, min_size=3, max_size=3)
    database = np.array(data.draw(st.lists(vectors, min_size=n, max_size=n)), np.float32)
    queries = np.array(data.draw(st.lists(vectors, min_size=m, max_size=m)), np.float32)
    labels = data.draw(st.lists(st.sampled_from("ab"), min_size=n, max_size=n))
    query_labels = [labels[0], *data.draw(st.lists(st.sampled_from("abc"), min_size=m - 1, max_size=m - 1))]
    metric = data.draw(st.sampled_from(["cosine", "euclidean"]))
    assert_equals_the_loop(database, labels, queries, query_labels, metric, k=data.draw(st.integers(1, 15)))


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_dense_and_sparse_vectors_give_the_same_values(metric):
    assert_equals_the_loop(DATABASE, LABELS, QUERIES, QUERY_LABELS, metric)
    dense = evaluate_retrieval(DATABASE, LABELS, QUERIES, QUERY_LABELS, metric=metric)
    sparse = evaluate_retrieval(csr_array(DATABASE), LABELS, csr_array(QUERIES), QUERY_LABELS, metric=metric)
    assert sparse.measures == pytest.approx(dense.measures)


@pytest.mark.parametrize("scale", [1, 3], ids=["equal", "scaled"])
def test_documents_of_equal_score_stand_in_document_order(scale):
    rng = np.random.default_rng(2)
    half = rng.integers(-9, 10, (100, 64)).astype(np.float32)
    database = np.concatenate([half, scale * half])
    queries = rng.standard_normal((20, 64)).astype(np.float32)
    first = evaluate_retrieval(database, ["a"] * 100 + ["b"] * 100, queries, ["a"] * 20, top=(1,))
    second = evaluate_retrieval(database, ["a"] * 100 + ["b"] * 100, queries, ["b"] * 20, top=(1, 2))
    assert first.measures["P@1"] == 1
    assert (second.measures["P@1"], second.measures["P@2"]) == (0, 0.5)


def test_the_order_of_the_database_changes_nothing_but_ties():
    order = np.random.default_rng(0).permutation(60)
    straight = evaluate_retrieval(DATABASE, LABELS, QUERIES, QUERY_LABELS)
    shuffled = evaluate_retrieval(DATABASE[order], [LABELS[i] for i in order], QUERIES, QUERY_LABELS)
    np.testing.assert_allclose(straight.per_query["mAP (11-point)"], shuffled.per_query["mAP (11-point)"])


def test_irrelevant_documents_below_the_last_relevant_one_may_move_freely():
    database = np.array([[1, 0], [1, 0.1], [1, 1], [0.2, 1], [0.1, 1]], np.float32)
    moved = database[[0, 1, 2, 4, 3]]
    labels = ["a", "a", "b", "b", "b"]
    query = np.array([[1, 0]], np.float32)
    first, second = (evaluate_retrieval(vectors, labels, query, ["a"]) for vectors in (database, moved))
    assert first.measures == second.measures


def test_a_query_without_relevant_documents_is_left_out_and_counted():
    result = evaluate_retrieval(DATABASE, LABELS, QUERIES[:3], ["class 0", "unknown", "class 1"])
    assert result.n_excluded == 1
    assert result.evaluated.tolist() == [0, 2]
    assert len(result.per_query["P@10"]) == 2
    assert "1 without a relevant document left out" in str(result)


@pytest.mark.parametrize("vectors", [DATABASE, csr_array(DATABASE)], ids=["dense", "sparse"])
def test_a_zero_query_scores_zero_everywhere(vectors):
    zero = vectors[:1] * np.float32(0)
    result = evaluate_retrieval(vectors, LABELS, zero, ["class 0"])
    assert set(result.measures.values()) == {0.0}
    assert not result.precision_recall.any()


@pytest.mark.parametrize("form", [np.asarray, csr_array])
@pytest.mark.parametrize(("metric", "place"), [("cosine", 2), ("euclidean", 3)])
def test_zero_documents_stand_before_those_against_the_query_but_last_by_distance(form, metric, place):
    database = np.array([[0, 0], [-1, 0], [1, 0]], np.float32)
    result = evaluate_retrieval(
        form(database), ["a", "b", "b"], np.array([[1, 0]], np.float32), ["a"], metric=metric, top=(3,)
    )
    assert list(result.measures.values()) == pytest.approx([1 / place, 1 / 3, 1 / 3, 1])


@pytest.mark.parametrize("form", [np.asarray, csr_array])
@pytest.mark.parametrize("mask", [None, np.array([1.0, 0.5, 0.0])], ids=["plain", "masked"])
def test_zero_documents_stand_where_the_index_ranks_them(form, mask):
    rng = np.random.default_rng(4)
    database, queries = (rng.standard_normal((n, 3)).astype(np.float32) for n in (80, 30))
    database[rng.random(database.shape) < 0.6] = 0  # about 17 empty documents; others share no feature with a query
    queries[rng.random(queries.shape) < 0.4] = 0
    labels = rng.choice(["a", "b"], 80).tolist()
    ranking = ExactIndex(form(database)).search(queries, 80, mask)
    result = evaluate_retrieval(form(database), labels, form(queries), ["a"] * 30, mask=mask, top=(9,))
    for row, ids in enumerate(ranking.ids):
        falling = -np.argsort(ids) if ids[0] >= 0 else np.full(80, -np.inf)  # the score of a document is its place
        values = slow_measures(falling, labels, "a", 9)
        assert [column[row] for column in result.per_query.values()] == pytest.approx(values)


def test_a_mask_is_handed_to_the_index():
    mask = np.array([1, 1, 0, 0, 0], np.float32)
    masked = evaluate_retrieval(DATABASE, LABELS, QUERIES, QUERY_LABELS, mask=mask)
    cut = evaluate_retrieval(DATABASE[:, :2].copy(), LABELS, QUERIES[:, :2].copy(), QUERY_LABELS)
    assert masked.measures == pytest.approx(cut.measures)


def test_a_mask_for_each_query_follows_its_query():
    masks = np.random.default_rng(1).random((15, 5))
    together = evaluate_retrieval(DATABASE, LABELS, QUERIES, QUERY_LABELS, mask=masks)
    alone = evaluate_retrieval(DATABASE, LABELS, QUERIES[6:7], QUERY_LABELS[6:7], mask=masks[6])
    assert together.per_query["mAP (11-point)"][6] == pytest.approx(alone.measures["mAP (11-point)"])


def test_the_curves_hold_the_measures():
    result = evaluate_retrieval(DATABASE, LABELS, QUERIES, QUERY_LABELS, top=(5,), scopes=(1, 5, 100))
    assert result.precision_recall.mean() == pytest.approx(result.measures["mAP (11-point)"])
    assert result.precision_scope.scopes.tolist() == [1, 5, 100]
    assert result.precision_scope.raw[1] == pytest.approx(result.measures["P@5"])
    assert result.precision_scope.interpolated[1] == pytest.approx(result.measures["interpolated P@5"])


def test_it_prints_percent():
    result = evaluate_retrieval(DATABASE, LABELS, DATABASE[:1], LABELS[:1], top=(1,))
    assert "\nP@1               100.00 %\n" in str(result)


def test_inputs_are_not_changed():
    database, queries = DATABASE.copy(), QUERIES.copy()
    evaluate_retrieval(database, LABELS, queries, QUERY_LABELS)
    np.testing.assert_array_equal(database, DATABASE)
    np.testing.assert_array_equal(queries, QUERIES)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"database_labels": LABELS[:-1]}, "60 vectors but 59 labels"),
        ({"query_labels": QUERY_LABELS[:3]}, "15 vectors but 3 labels"),
        ({"query_labels": ["none"] * 15}, "no query has a relevant document"),
        ({"queries": QUERIES[:, :4]}, "queries have 4 features, the index has 5"),
        ({"queries": np.full_like(QUERIES, np.nan)}, "query 0 holds a NaN"),
        ({"metric": "manhattan"}, "choose from cosine, euclidean"),
        ({"top": (0,)}, "top is 0; expected a whole number of at least 1"),
        ({"top": 5}, "top must be a list of whole numbers, not 5; write \\[5\\]"),
        ({"scopes": (1, 2.5)}, "scopes is 2.5"),
        ({"mask": np.ones(3)}, "mask"),
        ({"mask": np.ones((3, 5))}, "mask has shape \\(3, 5\\); expected \\(5,\\) or \\(15, 5\\)"),
        ({"mask": np.ones((60, 5))}, "mask has shape \\(60, 5\\)"),
        ({"mask": "abc"}, "mask must be an array of 5 numbers"),
        ({"database": None}, "database must be"),
        ({"database": [[1.0], [1.0, 2.0]]}, "all rows of one length"),
        ({"queries": csr_array(np.ones(5))}, "queries must be two-dimensional"),
        ({"query_labels": None}, "labels must be a list, one for each document, not NoneType"),
        ({"query_labels": "abc"}, "labels must be a list"),
        ({"database_labels": [[]] * 60}, "hold a list at 0"),
    ],
)
def test_bad_input_gets_one_clear_sentence(change, message):
    given_ = {"database": DATABASE, "database_labels": LABELS, "queries": QUERIES, "query_labels": QUERY_LABELS}
    with pytest.raises(InputError, match=message):
        evaluate_retrieval(**(given_ | change))


def test_lists_and_generators_are_taken_as_they_are():
    plain = evaluate_retrieval(DATABASE, LABELS, QUERIES, QUERY_LABELS)
    loose = evaluate_retrieval(DATABASE.tolist(), iter(LABELS), QUERIES.tolist(), iter(QUERY_LABELS))
    assert loose.measures == plain.measures
