"""The int8 codes: their bounds hold for every vector, and searching by them changes no bit."""

from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.ranking import ExactIndex, codes, dense
from satchel.ranking.codes import Codes
from satchel.ranking.dense import DenseVectors
from satchel.ranking.selection import contenders

N_LARGE, D_LARGE = 21_000, 96


def whole_products(rows, code):
    """What SimSIMD computes, slowly."""
    return (rows.astype(np.int64) @ code.astype(np.int64)).astype(np.float32)


@contextmanager
def codes_at_once(dot):
    """Makes every search of one query go by codes, whatever the size of the collection."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dense, "dot_products", lambda: dot)
        patch.setattr(dense, "codes_pay", lambda n, d, masked: True)
        patch.setattr(dense, "PATIENCE", 0)
        patch.setattr(dense, "MOST_CANDIDATES", 1.0)
        patch.setattr(codes, "MOST_CANDIDATES", 1.0)
        yield


@pytest.fixture(scope="module")
def real_size():
    """Rows in clusters, with duplicates and zero rows: enough for codes to be made by themselves."""
    rng = np.random.default_rng(0)
    centres = rng.standard_normal((40, D_LARGE)) * np.linspace(3, 0.2, D_LARGE)
    rows = centres[rng.integers(0, 40, N_LARGE)] + rng.standard_normal((N_LARGE, D_LARGE))
    rows[5_000:7_000], rows[9_000:9_100] = rows[:2_000] * 3, 0
    return rows.astype(np.float32), rng.standard_normal((12, D_LARGE)).astype(np.float32)


@st.composite
def collections(draw):
    """Rows of many kinds: even, with one large number, equal, nearly equal, zero; from denormal to huge."""
    n, d = draw(st.integers(1, 80)), draw(st.integers(1, 20))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows = rng.standard_normal((n, d)) * rng.choice([1.0, 1e-3, 1e-8], (n, d))
    rows[rng.random(n) < 0.3, 0] = draw(st.sampled_from([0.0, 1.0, 300.0]))
    near = rng.random(n) < draw(st.sampled_from([0.0, 0.7]))
    rows[near] = rows[0] * (1 + draw(st.sampled_from([0.0, 1e-7, 1e-4])) * rng.standard_normal((int(near.sum()), d)))
    scales = draw(st.sampled_from([[1.0], [1.0, 3.0, 5.0], [1e-9, 1.0, 1e9], [1e-30, 1.0, 1e30], [1e-44, 1e-38, 1e34]]))
    rows *= rng.choice(scales, (n, 1))
    rows[rng.random(n) < draw(st.sampled_from([0.0, 0.2]))] = 0
    query = rng.standard_normal(d) * rng.choice([1.0, 0.0, 1e-4], d)
    mask = rng.random(d) * rng.choice([1.0, 0.0, 1e-3, 4.0], d)
    mask[rng.integers(d)] = 1
    return rows.astype(np.float32), query.astype(np.float32), draw(st.sampled_from([None, mask])), rng


def by_float64(vectors, query, mask, k):
    """The definition: cosines summed row by row in float64, rounded to float32, ties in document order."""
    r = np.ones(len(query)) if mask is None else mask / np.abs(mask).max()
    z, q = vectors.astype(np.float64), query.astype(np.float64)
    norms = np.sqrt((z * z * (r * r)).sum(axis=1))
    a = r * (r * q / np.sqrt((r * q * (r * q)).sum()))
    scores = np.divide((z * a).sum(axis=1), norms, out=np.zeros(len(z)), where=norms > 0).astype(np.float32)
    order = np.lexsort((np.arange(len(z)), -scores))[:k]
    return order, scores[order]


@given(case=collections())
def test_every_score_is_between_its_bounds(case) -> None:
    vectors, query, mask, _ = case
    store = DenseVectors(vectors, euclidean=False)
    probe = store.probes(query[None, :], mask).one(0)
    length = np.linalg.norm(probe.direction)
    if not dense.MODERATE[0] <= length <= dense.MODERATE[1]:
        return
    made = Codes(vectors, store._inverse_norms, store.extreme, whole_products)
    with np.errstate(all="ignore"):
        lower, upper = made.bounds(probe.direction, probe.weights)
    scores = store.rounded_scores(probe, np.arange(len(vectors)))
    assert (lower <= scores).all()
    assert (scores <= upper).all()


@pytest.mark.parametrize("library", ["numpy", "simsimd"])
@given(case=collections(), k=st.integers(1, 90))
def test_search_by_codes_equals_a_float64_brute_force_bit_for_bit(library, case, k) -> None:
    if library == "simsimd":
        pytest.importorskip("simsimd", reason="the extra satchel[fast] is not installed")
    vectors, query, mask, _ = case
    if not (query if mask is None else query * mask).any():
        return
    with codes_at_once(codes.dot_products() if library == "simsimd" else whole_products):
        ids, scores = (rows[0] for rows in ExactIndex(vectors).search(query[None, :], k, mask))
    order, expected = by_float64(vectors, query, mask, k)
    assert ids[: len(order)].tolist() == order.tolist()
    np.testing.assert_array_equal(scores[: len(order)], expected)


@pytest.mark.parametrize("masked", [False, True])
def test_codes_are_made_after_some_queries_and_change_no_result(real_size, masked, monkeypatch) -> None:
    monkeypatch.setattr(dense, "dot_products", lambda: whole_products)
    vectors, queries = real_size
    mask = np.linspace(0.2, 1.0, D_LARGE) if masked else None
    index = ExactIndex(vectors)
    for place, query in enumerate(queries):
        ids, scores = (rows[0] for rows in index.search(query[None, :], 1_000, mask))
        order, expected = by_float64(vectors, query, mask, 1_000)
        np.testing.assert_array_equal(ids, order)
        np.testing.assert_array_equal(scores, expected)
        assert ("_codes" in vars(index._store)) == (place >= dense.PATIENCE)


def test_the_bounds_leave_few_documents(real_size) -> None:
    vectors, queries = real_size
    store = DenseVectors(vectors, euclidean=False)
    made = Codes(vectors, store._inverse_norms, store.extreme, whole_products)
    for mask in (None, np.linspace(0.2, 1.0, D_LARGE)):
        probe = store.probes(queries[:1], mask).one(0)
        found = made.candidates(probe.direction, probe.weights, 500)
        assert found is not None
        assert 500 <= len(found) < 1_500


def test_codes_that_leave_too_many_documents_are_not_used() -> None:
    vectors = np.ones((1_000, 50), np.float32)
    store = DenseVectors(vectors, euclidean=False)
    made = Codes(vectors, store._inverse_norms, store.extreme, whole_products)
    assert made.candidates(np.full(50, 50**-0.5), None, 10) is None


def test_results_are_the_same_where_simsimd_is_missing(real_size, monkeypatch) -> None:
    monkeypatch.setattr(dense, "dot_products", lambda: None)
    monkeypatch.setattr(dense, "PATIENCE", 0)
    vectors, queries = real_size
    ids, scores = (rows[0] for rows in ExactIndex(vectors).search(queries[:1], 1_000))
    order, expected = by_float64(vectors, queries[0], None, 1_000)
    np.testing.assert_array_equal(ids, order)
    np.testing.assert_array_equal(scores, expected)


def test_simsimd_gives_whole_products() -> None:
    pytest.importorskip("simsimd", reason="the extra satchel[fast] is not installed")
    dot = codes.dot_products()
    assert dot is not None
    rows = np.random.default_rng(0).integers(-127, 128, (100, 300)).astype(np.int8)
    np.testing.assert_array_equal(dot(rows, rows[3]), whole_products(rows, rows[3]))


def test_a_library_that_rounds_or_overflows_is_not_used() -> None:
    assert codes._is_exact(whole_products)
    assert not codes._is_exact(lambda rows, code: whole_products(rows, code) * np.float32(1 + 2**-20))
    assert not codes._is_exact(lambda rows, code: (rows @ code).astype(np.float32))


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 400), k=st.integers(1, 40), width=st.sampled_from([0, 1, 9]))
def test_contenders_are_all_that_can_be_among_the_best(seed, n, k, width) -> None:
    rng = np.random.default_rng(seed)
    lower = np.sort(rng.integers(0, 30, n)).astype(np.float32) if seed % 2 else rng.random(n).astype(np.float32)
    upper = lower + np.float32(width) * rng.random(n).astype(np.float32)
    k = min(k, n)
    expected = np.flatnonzero(upper >= np.sort(lower)[n - k])
    np.testing.assert_array_equal(contenders(lower, upper, k), expected)
