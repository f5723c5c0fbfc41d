"""Vectors of one byte a number: what the codes are, and that search takes them as it takes the same numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from satchel.errors import InputError
from satchel.evaluation import evaluate_retrieval
from satchel.ranking import ExactIndex, compress
from satchel.ranking.vectors import EXACT_FEATURES


def cosines(a, b):
    a, b = a.astype(np.float64), b.astype(np.float64)
    return (a * b).sum(axis=1) / np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))


def lowest_cosine(n_features):
    return np.sqrt(1 - (n_features - 1) / 254**2)


@pytest.fixture(scope="module")
def cloud():
    """Codes of random directions with copies and zero rows among them, float queries, a mask."""
    rng = np.random.default_rng(5)
    vectors = rng.standard_normal((2000, 24)).astype(np.float32)
    vectors[700:800], vectors[900:910] = vectors[:100], 0
    return compress(vectors), rng.standard_normal((9, 24)).astype(np.float32), rng.random(24)


def test_codes_by_hand():
    vectors = np.array([[0.5, -1.0, 0.25], [0, 0, 0], [3, 0, 0], [-1e-40, 1e-40, 0], [3e38, 1e38, -3e38]], np.float32)
    codes = compress(vectors)
    assert codes.dtype == np.int8
    assert codes.tolist() == [[64, -127, 32], [0, 0, 0], [127, 0, 0], [-127, 127, 0], [127, 42, -127]]
    assert compress(np.array([[-128, 32]], np.int8)).tolist() == [[-127, 32]]  # |-128| is no int8


def twin(row):
    """One row by Python's own numbers."""
    largest = max(abs(float(value)) for value in row)
    return [round(float(value) / largest * 127) if largest else 0 for value in row]


@given(seed=st.integers(0, 2**32 - 1), n_features=st.integers(1, 300), scale=st.sampled_from([1e-30, 1.0, 1e30]))
def test_a_code_has_the_direction_of_its_row_and_minus_128_never_occurs(seed, n_features, scale):
    rng = np.random.default_rng(seed)
    vectors = (rng.standard_normal((20, n_features)) ** 3 * scale).astype(np.float32)
    codes = compress(vectors)
    assert codes.tolist() == [twin(row) for row in vectors]
    assert np.abs(codes.astype(int)).max(axis=1).tolist() == [127] * 20
    assert cosines(vectors, codes).min() >= lowest_cosine(n_features)


def test_the_bound_on_the_angle_is_nearly_reached():
    vectors = np.full((1, 64), 0.4999, np.float32)
    vectors[0, 0] = 127
    lost = 1 - cosines(vectors, compress(vectors))[0]
    assert 0.99 * (1 - lowest_cosine(64)) < lost <= 1 - lowest_cosine(64)


def test_rows_compressed_one_at_a_time_are_those_compressed_together(monkeypatch):
    vectors = np.random.default_rng(1).standard_normal((50, 24)).astype(np.float32)
    together = compress(vectors)
    monkeypatch.setattr("satchel.ranking.vectors._BLOCK_BYTES", 8 * 24 * 7)
    for parts in (vectors[None], vectors[:, None]):
        np.testing.assert_array_equal(np.concatenate([compress(part) for part in parts]), together)


def test_codes_do_not_depend_on_lengths_and_compressing_them_again_changes_nothing(cloud):
    codes, queries, _ = cloud
    np.testing.assert_array_equal(compress(codes), codes)
    np.testing.assert_array_equal(compress(queries * np.float32(0.125)), compress(queries))


@pytest.mark.parametrize("shape", [(0, 5), (3, 0), (0, 0)])
def test_no_rows_and_no_features_are_codes_too(shape):
    codes = compress(np.empty(shape, np.float32))
    assert (codes.shape, codes.dtype) == (shape, np.int8)


def test_dot_products_of_codes_are_exact_in_float32():
    codes = np.random.default_rng(2).integers(-127, 128, (40, EXACT_FEATURES)).astype(np.int8)
    codes[0], codes[1], codes[2, ::2] = 127, -127, 127
    whole, floats = codes.astype(np.int64), codes.astype(np.float32)
    np.testing.assert_array_equal(floats @ floats.T, whole @ whole.T)
    assert (EXACT_FEATURES + 1) * 127**2 >= 2**24


@pytest.mark.parametrize("k", [1, 10, 1990, 2001])
@pytest.mark.parametrize("masked", [False, True])
def test_codes_are_ranked_as_the_same_numbers_in_float32(cloud, k, masked):
    codes, queries, weights = cloud
    mask = weights if masked else None
    for asked in (queries, compress(queries)):
        found = ExactIndex(codes).search(asked, k, mask)
        expected = ExactIndex(codes.astype(np.float32)).search(asked.astype(np.float32), k, mask)
        np.testing.assert_array_equal(found.ids, expected.ids)
        np.testing.assert_array_equal(found.scores, expected.scores)


@pytest.mark.parametrize("masked", [False, True])
def test_evaluation_takes_codes_as_the_same_numbers_in_float32(cloud, masked):
    codes, queries, weights = cloud
    labels, mask = [row % 3 for row in range(len(codes))], weights if masked else None
    found = evaluate_retrieval(codes, labels, compress(queries), labels[:9], mask=mask)
    floats = codes.astype(np.float32), compress(queries).astype(np.float32)
    expected = evaluate_retrieval(floats[0], labels, floats[1], labels[:9], mask=mask)
    assert found.measures == expected.measures


def test_a_ranking_of_codes_is_nearly_that_of_the_vectors():
    rng = np.random.default_rng(4)
    vectors, queries = (rng.standard_normal((n, 64)).astype(np.float32) for n in (3000, 20))
    exact, small = ExactIndex(vectors).search(queries, 10), ExactIndex(compress(vectors)).search(queries, 10)
    shared = [len({*a} & {*b}) for a, b in zip(exact.ids.tolist(), small.ids.tolist(), strict=True)]
    assert np.mean(shared) > 9.5


def test_codes_are_refused_where_lengths_count(cloud):
    codes, queries, _ = cloud
    labels = [0] * len(codes)
    floats = codes.astype(np.float32)
    with pytest.raises(
        InputError, match="vectors are int8, which has no lengths, and the metric 'euclidean' needs them"
    ):
        ExactIndex(codes, "euclidean")
    with pytest.raises(InputError, match="queries are int8"):
        ExactIndex(floats, "euclidean").search(codes[:1], 1)
    with pytest.raises(InputError, match="database are int8"):
        evaluate_retrieval(codes, labels, queries, labels[:9], metric="euclidean")
    with pytest.raises(InputError, match="queries are int8"):
        evaluate_retrieval(floats, labels, codes, labels, metric="euclidean")
    with pytest.raises(InputError, match="unknown metric 'dot'"):
        evaluate_retrieval(codes, labels, queries, labels[:9], metric="dot")


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_refused_by_row(bad, monkeypatch):
    monkeypatch.setattr("satchel.ranking.vectors._BLOCK_BYTES", 8 * 3 * 2)
    vectors = np.ones((5, 3), np.float32)
    vectors[3, 1] = bad
    with pytest.raises(InputError, match="vector 3 holds a NaN or an infinite number"):
        compress(vectors)


@pytest.mark.parametrize(
    ("bad", "message"),
    [(csr_array(np.eye(3)), "vectors are sparse"), (np.ones(3), "two-dimensional"), ("abc", "vectors must be")],
    ids=str,
)
def test_what_are_no_dense_vectors_is_refused(bad, message):
    with pytest.raises(InputError, match=message):
        compress(bad)


def test_inputs_are_not_changed(cloud):
    codes, before = cloud[0], cloud[0].copy()
    vectors = np.random.default_rng(0).standard_normal((4, 3)).astype(np.float32)
    kept = vectors.copy()
    compress(vectors)
    ExactIndex(codes).search(cloud[1], 3)
    np.testing.assert_array_equal(vectors, kept)
    np.testing.assert_array_equal(codes, before)
