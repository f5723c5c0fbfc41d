"""The exact index against a float64 brute force, and at its edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.metrics.pairwise import cosine_similarity

from satchel.errors import InputError
from satchel.ranking import ExactIndex
from satchel.ranking.selection import best_positions

METRICS = ["cosine", "euclidean"]


def brute_force(vectors, query, metric, mask=None):
    """Every score by its definition in float64, rounded; a zero document has cosine 0, and stands last by distance."""
    z, q = vectors.astype(np.float64), query.astype(np.float64)
    r = np.ones(len(q)) if mask is None else mask / np.abs(mask).max()
    norms = np.sqrt((z * z * (r * r)).sum(axis=1))
    if metric == "euclidean":
        scores = np.where(norms > 0, -np.sqrt(((z - q) ** 2).sum(axis=1)), -np.inf)
    else:
        a = r * (r * q / np.sqrt((r * q * (r * q)).sum()))
        scores = np.divide((z * a).sum(axis=1), norms, out=np.zeros(len(z)), where=norms > 0)
    scores = scores.astype(np.float32)
    order = np.array(sorted(range(len(z)), key=lambda i: (-scores[i], i)), dtype=int)
    return order, scores[order]


@st.composite
def collections(draw):
    """Few distinct small-integer rows, repeated, some zero, some scaled to big and tiny norms; any n, d, k."""
    n, d = draw(st.integers(1, 60)), draw(st.integers(1, 9))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    pool = rng.integers(-2, 3, size=(max(1, n // 2), d)).astype(np.float32)
    pool += draw(st.sampled_from([0.0, 1e-3])) * rng.standard_normal(pool.shape).astype(np.float32)
    scales = np.array(
        draw(st.sampled_from([[1.0], [1.0, 3.0, 5.0, 7.0, 11.0], [1e-30, 1.0, 1e30], [1e-6, 1e6], [1e-44, 1e37]]))
    )
    vectors = (pool[rng.integers(0, len(pool), n)] * rng.choice(scales, (n, 1))).astype(np.float32)
    vectors[rng.random(n) < draw(st.sampled_from([0.0, 0.2]))] = 0
    queries = (rng.integers(-2, 3, size=(3, d)) * rng.choice(scales, (3, 1))).astype(np.float32)
    return vectors, queries, draw(st.integers(1, n + 2)), rng


def assert_is_brute_force(index, vectors, queries, k, metric, mask=None):
    ranking = index.search(queries, k, mask)
    for row, query in enumerate(queries):
        masked = query if mask is None else query * mask
        order, scores = brute_force(vectors, query, metric, mask) if masked.any() else (np.empty(0, int), np.empty(0))
        padding = max(0, k - len(order))
        assert ranking.ids[row].tolist() == order[:k].tolist() + [-1] * padding
        np.testing.assert_array_equal(ranking.scores[row], np.append(scores[:k], [-np.inf] * padding))


@pytest.mark.parametrize("metric", METRICS)
@given(case=collections())
def test_dense_search_equals_a_float64_brute_force_bit_for_bit(metric, case) -> None:
    vectors, queries, k, _ = case
    assert_is_brute_force(ExactIndex(vectors, metric), vectors, queries, k, metric)


@given(case=collections(), zeros=st.sampled_from([0.0, 0.4]))
def test_masked_search_equals_a_float64_brute_force_bit_for_bit(case, zeros) -> None:
    vectors, queries, k, rng = case
    mask = rng.random(vectors.shape[1]) * rng.choice([1.0, 1e-12, 5.0], vectors.shape[1])
    mask[rng.random(len(mask)) < zeros] = 0
    mask[0] = 1.0
    assert_is_brute_force(ExactIndex(vectors), vectors, queries, k, "cosine", mask)


@pytest.mark.parametrize("metric", METRICS)
@given(case=collections())
def test_one_query_alone_equals_the_same_query_in_a_batch(metric, case) -> None:
    vectors, queries, k, _ = case
    for form in (vectors, csr_array(vectors)):
        index = ExactIndex(form, metric)
        batch = index.search(queries, k)
        for row in range(len(queries)):
            alone = index.search(queries[row : row + 1], k)
            np.testing.assert_array_equal(alone.ids[0], batch.ids[row])
            np.testing.assert_array_equal(alone.scores[0], batch.scores[row])


@pytest.mark.parametrize("metric", METRICS)
@given(case=collections())
def test_equal_documents_tie_and_stand_in_document_order(metric, case) -> None:
    vectors, queries, _, _ = case
    vectors = np.concatenate([vectors, vectors[::-1]])
    for form in (vectors, csr_array(vectors)):
        ranking = ExactIndex(form, metric).search(queries, len(vectors))
        for ids, scores in zip(ranking.ids, ranking.scores, strict=True):
            place = {int(id_): rank for rank, id_ in enumerate(ids)}
            for i in range(len(vectors) // 2 if ids[0] >= 0 else 0):
                twin = len(vectors) - 1 - i
                assert place[i] < place[twin]
                assert scores[place[i]] == scores[place[twin]]


@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_scaled_copies_of_a_document_tie_under_cosine_and_stand_in_document_order(form) -> None:
    vectors = np.outer([1, 3, 5, 7, 9, 11, 13], [1, 2, 3]).astype(np.float32)
    query = np.ones((1, 3), np.float32)
    for mask in (None, np.array([1.0, 0.5, 0.3])):
        for k in (3, 7):
            ranking = ExactIndex(form(vectors)).search(query, k, mask)
            assert ranking.ids[0].tolist() == list(range(k))
            assert len(set(ranking.scores[0].tolist())) == 1


@pytest.mark.parametrize("metric", METRICS)
@given(case=collections())
def test_returned_scores_and_then_ids_decide_the_order(metric, case) -> None:
    vectors, queries, k, rng = case
    vectors = np.concatenate([vectors, vectors * rng.integers(1, 8, (len(vectors), 1))]).astype(np.float32)
    for form in (vectors, csr_array(vectors)):
        for ids, scores in zip(*ExactIndex(form, metric).search(queries, k), strict=True):
            found = [(-score, id_) for score, id_ in zip(scores, ids, strict=True) if id_ >= 0]
            assert found == sorted(found)


def test_a_distance_beyond_float32_is_still_evidence() -> None:
    vectors = np.array([[-3e38, 0], [0, 0], [3e38, 0]], np.float32)
    for form in (vectors, csr_array(vectors)):
        ids, scores = ExactIndex(form, "euclidean").search(vectors[2:], 3)
        assert ids.tolist() == [[2, 0, 1]]
        assert scores[0, 1] == np.finfo(np.float32).min


@pytest.fixture(scope="module")
def cloud():
    """Random directions in which near ties are rare but rounding matters, with some exact copies and zeros."""
    rng = np.random.default_rng(3)
    vectors = rng.standard_normal((3000, 48)).astype(np.float32)
    vectors[1000:1200] = vectors[:200]
    vectors[2000:2100:2] = 0
    return vectors, rng.standard_normal((7, 48)).astype(np.float32), rng.random(48)


@pytest.mark.parametrize("k", [1, 10, 1500, 2999, 3000, 3001])
@pytest.mark.parametrize("metric", METRICS)
def test_every_k_gives_the_head_of_the_full_ranking(cloud, metric, k) -> None:
    vectors, queries, _ = cloud
    assert_is_brute_force(ExactIndex(vectors, metric), vectors, queries, k, metric)


@pytest.mark.parametrize("metric", METRICS)
def test_sparse_search_ranks_as_dense_search_does(cloud, metric) -> None:
    vectors, queries, mask = cloud
    vectors = np.where(vectors > 0.8, vectors, 0)
    for weights in [None, mask] if metric == "cosine" else [None]:
        dense = ExactIndex(vectors, metric).search(queries, 50, weights)
        sparse = ExactIndex(csr_array(vectors), metric).search(csr_array(queries), 50, weights)
        np.testing.assert_array_equal(dense.ids, sparse.ids)
        np.testing.assert_allclose(dense.scores, sparse.scores, rtol=1e-6)


def test_masked_cosine_is_the_cosine_of_masked_vectors(cloud) -> None:
    vectors, queries, mask = cloud
    masked = ExactIndex((vectors * mask).astype(np.float32)).search((queries * mask).astype(np.float32), 20)
    found = ExactIndex(vectors).search(queries, 20, mask)
    np.testing.assert_array_equal(found.ids, masked.ids)
    np.testing.assert_allclose(found.scores, masked.scores, atol=1e-6)


@pytest.mark.parametrize("value", [1.0, -2.0])
def test_a_constant_mask_changes_nothing(cloud, value) -> None:
    vectors, queries, _ = cloud
    for form in (vectors, csr_array(vectors)):
        index = ExactIndex(form)
        plain, masked = index.search(queries, 20), index.search(queries, 20, np.full(48, value))
        np.testing.assert_array_equal(plain.ids, masked.ids)
        np.testing.assert_array_equal(plain.scores, masked.scores)


def test_one_mask_per_query_is_that_mask_for_that_query(cloud) -> None:
    vectors, queries, _ = cloud
    masks = np.random.default_rng(0).random(queries.shape)
    index = ExactIndex(vectors)
    found, scores = index.search(queries, 5, masks), index.scores(queries, masks)
    for row in range(len(queries)):
        np.testing.assert_array_equal(found.ids[row], index.search(queries[row : row + 1], 5, masks[row]).ids[0])
        np.testing.assert_allclose(scores[row], index.scores(queries[row : row + 1], masks[row])[0], rtol=1e-6)


@pytest.mark.parametrize("form", [np.asarray, csr_array])
@pytest.mark.parametrize("metric", METRICS)
def test_scores_are_those_of_search_for_every_document(cloud, metric, form) -> None:
    vectors, queries, mask = cloud
    vectors, queries = vectors.copy(), queries.copy()
    vectors[5], queries[2] = 0, 0
    index = ExactIndex(form(vectors), metric)
    for weights in [None, mask] if metric == "cosine" else [None]:
        found, scores = index.search(queries, len(index), weights), index.scores(form(queries), weights)
        assert scores.dtype == np.float32
        assert (scores[2] == -np.inf).all()
        assert set(scores[[0, 1, 3], 5]) == {0 if metric == "cosine" else -np.inf}
        for row in (0, 1, 3):
            np.testing.assert_allclose(scores[row, found.ids[row]], found.scores[row], rtol=1e-5, atol=1e-7)


def test_scores_of_equal_documents_are_equal(cloud) -> None:
    vectors, queries, _ = cloud
    scores = ExactIndex(vectors).scores(queries)
    np.testing.assert_array_equal(scores[:, 1000:1200], scores[:, :200])


@pytest.mark.parametrize("metric", METRICS)
def test_many_queries_in_small_blocks_give_the_same_ranking(cloud, metric, monkeypatch) -> None:
    vectors, queries, _ = cloud
    index = ExactIndex(vectors, metric)
    whole, scores = index.search(queries, 9), index.scores(queries)
    monkeypatch.setattr("satchel.ranking.index.SCORE_BYTES", 2 * 4 * len(vectors))
    monkeypatch.setattr("satchel.ranking.dense.BLOCK_BYTES", 1000)
    monkeypatch.setattr("satchel.ranking.dense.PART_BYTES", 5000)
    np.testing.assert_array_equal(index.search(queries, 9).ids, whole.ids)
    np.testing.assert_allclose(index.scores(queries), scores, rtol=1e-6, atol=1e-7)


def test_sparse_queries_of_many_words_are_never_made_dense() -> None:
    vectors = csr_array((np.ones(3, np.float32), np.array([0, 5, 10**7]), np.arange(4)), shape=(3, 10**7 + 1))
    queries = csr_array((np.ones(500, np.float32), np.arange(500) % 6, np.arange(501)), shape=(500, 10**7 + 1))
    scores = ExactIndex(vectors).scores(queries)  # 500 dense queries would be 40 GB
    assert scores[:6].argmax(axis=1).tolist() == [0, 0, 0, 0, 0, 1]


AGAINST, EMPTY, FOR, ACROSS = [-3, 0], [0, 0], [2, 0], [0, 1]
EAST = np.array([[1, 0]], np.float32)


@pytest.mark.parametrize("form", [np.asarray, csr_array])
@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 7])
def test_a_zero_document_has_cosine_0_and_ties_with_documents_across_the_query(form, k) -> None:
    vectors = np.array([EMPTY, AGAINST, ACROSS, FOR, EMPTY], np.float32)
    ids, scores = ExactIndex(form(vectors)).search(EAST, k)
    assert ids[0].tolist() == [3, 0, 2, 4, 1, -1, -1][:k]
    assert scores[0].tolist() == [1, 0, 0, 0, -1, -np.inf, -np.inf][:k]


@pytest.mark.parametrize("form", [np.asarray, csr_array])
@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_a_document_that_the_mask_makes_zero_has_cosine_0(form, k) -> None:
    vectors = np.array([[-1, 5], [0, 5], [1, 5], EMPTY], np.float32)
    ids, scores = ExactIndex(form(vectors)).search(np.ones((1, 2), np.float32), k, np.array([1.0, 0.0]))
    assert ids[0].tolist() == [2, 1, 3, 0, -1][:k]
    assert scores[0].tolist() == [1, 0, 0, -1, -np.inf][:k]


@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_by_distance_a_zero_document_stands_last(form) -> None:
    vectors = np.array([EMPTY, AGAINST, FOR], np.float32)
    ids, scores = ExactIndex(form(vectors), "euclidean").search(EAST, 4)
    assert ids.tolist() == [[2, 1, 0, -1]]
    assert scores.tolist() == [[-1, -4, -np.inf, -np.inf]]


@pytest.mark.parametrize("form", [np.asarray, csr_array])
@pytest.mark.parametrize("metric", METRICS)
def test_a_zero_query_finds_nothing_not_even_zero_documents(form, metric) -> None:
    vectors = np.array([EMPTY, AGAINST, FOR], np.float32)
    ids, scores = ExactIndex(form(vectors), metric).search(0 * EAST, 4)
    assert ids.tolist() == [[-1] * 4]
    assert scores.tolist() == [[-np.inf] * 4]


@pytest.mark.parametrize("query", [EAST, np.array([ACROSS], np.float32)])
def test_a_query_that_the_mask_makes_zero_finds_nothing(query) -> None:
    vectors, mask = np.array([EMPTY, AGAINST, FOR], np.float32), np.array([0.0, query[0, 0]])
    for form in (vectors, csr_array(vectors)):
        assert ExactIndex(form).search(query, 3, mask).ids.tolist() == [[-1] * 3]


@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_cosines_are_scikit_learns_also_those_of_zero_documents(cloud, form) -> None:
    vectors, queries, mask = cloud
    plain, masked = ExactIndex(form(vectors)).scores(queries), ExactIndex(form(vectors)).scores(queries, mask)
    np.testing.assert_allclose(plain, cosine_similarity(queries, vectors), atol=1e-6)
    np.testing.assert_allclose(masked, cosine_similarity(queries * mask, vectors * mask), atol=1e-6)


def test_scores_by_hand() -> None:
    vectors = np.array([[3, 4], [0, 2]], dtype=np.float32)
    query = np.array([[0, 1]], dtype=np.float32)
    np.testing.assert_allclose(ExactIndex(vectors).search(query, 2).scores, [[1.0, 0.8]])
    np.testing.assert_allclose(ExactIndex(vectors, "euclidean").search(query, 2).scores, [[-1.0, -np.sqrt(18)]])


def test_empty_collection_and_no_queries() -> None:
    index = ExactIndex(np.empty((0, 3), np.float32))
    assert len(index) == 0
    assert index.search(np.ones((1, 3), np.float32), 2).ids.tolist() == [[-1, -1]]
    assert index.scores(np.ones((1, 3), np.float32)).shape == (1, 0)
    assert ExactIndex(np.ones((2, 3), np.float32)).search(np.empty((0, 3), np.float32), 2).ids.shape == (0, 2)


def test_inputs_are_not_changed(cloud) -> None:
    vectors, queries, mask = (array.copy() for array in cloud)
    unsorted = csr_array((np.ones(3, np.float32), np.array([2, 0, 2]), np.array([0, 3])), shape=(1, 48))
    ExactIndex(vectors).search(queries, 3, mask)
    assert ExactIndex(unsorted).search(unsorted, 1).scores[0, 0] == pytest.approx(1)
    assert unsorted.indices.tolist() == [2, 0, 2]
    for now, then in zip((vectors, queries, mask), cloud, strict=True):
        np.testing.assert_array_equal(now, then)


@pytest.mark.parametrize("k", [10**15, 10**30])
def test_more_results_than_memory_holds_are_refused(k) -> None:
    with pytest.raises(InputError, match="do not fit in memory; lower k"):
        ExactIndex(np.ones((2, 2), np.float32)).search(np.ones((1, 2), np.float32), k)


@pytest.mark.parametrize(
    "bad",
    [None, "abc", [[1.0], [1.0, 2.0]], 5, object(), csr_array(np.ones(3)), 1j * np.ones((2, 3))],
    ids=lambda bad: type(bad).__name__,
)
def test_vectors_and_masks_that_are_no_matrix_get_one_clear_sentence(bad) -> None:
    good = np.ones((2, 3), np.float32)
    with pytest.raises(InputError, match="vectors must be"):
        ExactIndex(bad)
    with pytest.raises(InputError, match="queries must be"):
        ExactIndex(good).search(bad, 1)
    if bad is not None:
        with pytest.raises(InputError, match="mask"):
            ExactIndex(good).search(good, 1, bad)


@pytest.mark.parametrize(
    ("k", "words"),
    [(0, "k is 0; expected a whole number of at least 1"), (-3, "k is -3"), (2.5, "k is 2.5"), (None, "k is None")],
)
def test_k_that_is_no_positive_whole_number_is_refused(k, words) -> None:
    with pytest.raises(InputError, match=words):
        ExactIndex(np.ones((2, 2), np.float32)).search(np.ones((1, 2), np.float32), k)


def test_wrong_shapes_are_refused_with_both_numbers() -> None:
    index = ExactIndex(np.ones((2, 3), np.float32))
    with pytest.raises(InputError, match="4 features, the index has 3"):
        index.search(np.ones((1, 4), np.float32), 1)
    with pytest.raises(InputError, match=r"two-dimensional.*\(3,\)"):
        index.search(np.ones(3, np.float32), 1)
    with pytest.raises(InputError, match=r"mask has shape \(2,\); expected \(3,\)"):
        index.search(np.ones((1, 3), np.float32), 1, np.ones(2))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_numbers_that_are_not_finite_are_refused_by_row(bad, form) -> None:
    good, broken = np.ones((3, 2), np.float32), np.ones((3, 2), np.float32)
    broken[1, 0] = bad
    with pytest.raises(InputError, match="document 1 holds a NaN"):
        ExactIndex(form(broken))
    with pytest.raises(InputError, match="query 1 holds a NaN"):
        ExactIndex(good).search(form(broken), 1)
    with pytest.raises(InputError, match="mask holds a NaN"):
        ExactIndex(good).search(good, 1, np.array([1, bad]))


def test_unknown_metric_lists_those_there_are_and_a_mask_needs_cosine() -> None:
    with pytest.raises(InputError, match="unknown metric 'dot'; choose from cosine, euclidean"):
        ExactIndex(np.ones((1, 1), np.float32), "dot")
    with pytest.raises(InputError, match="a mask needs the metric 'cosine'"):
        ExactIndex(np.ones((1, 1), np.float32), "euclidean").search(np.ones((1, 1), np.float32), 1, np.ones(1))


@given(scores=st.lists(st.sampled_from([-np.inf, -1.0, 0.0, 0.5, 2.0])), k=st.integers(1, 20))
def test_best_positions_is_the_head_of_a_stable_sort(scores, k) -> None:
    expected = sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:k]
    assert best_positions(np.array(scores, dtype=np.float64), k).tolist() == expected


def test_mask_on_numbers_too_small_to_square_in_float32_still_ranks_exactly() -> None:
    vectors = np.random.default_rng(0).standard_normal((500, 3)).astype(np.float32) * np.float32(5e-23)
    vectors[:, 0] = 1
    assert_is_brute_force(
        ExactIndex(vectors), vectors, np.eye(3, dtype=np.float32)[1:], 5, "cosine", np.array([0, 1, 1])
    )


def test_distances_that_drown_in_a_far_query_tie_as_in_float64() -> None:
    vectors = np.random.default_rng(0).standard_normal((2000, 4)).astype(np.float32) * np.float32(1e-7)
    queries = np.full((1, 4), 1e7, dtype=np.float32)
    assert_is_brute_force(ExactIndex(vectors, "euclidean"), vectors, queries, 100, "euclidean")
