"""Spherical k-means: dense and sparse alike, no NaN, no empty cluster left behind."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.metrics import adjusted_rand_score

from satchel.arrays import RowsInMemory, cluster_rows, spherical_kmeans
from satchel.errors import InputError

RNG = np.random.default_rng(0)
DIRECTIONS = np.eye(3, 8, dtype=np.float32)
TRUTH = np.repeat([0, 1, 2], 30)
LENGTHS = RNG.uniform(0.1, 50, (90, 1)).astype(np.float32)
VECTORS = (DIRECTIONS[TRUTH] + RNG.normal(0, 0.15, (90, 8)).astype(np.float32)) * LENGTHS


def test_it_finds_directions_whatever_the_lengths():
    labels, centres = spherical_kmeans(VECTORS, 3, 0)
    assert adjusted_rand_score(TRUTH, labels) == 1
    np.testing.assert_allclose(np.linalg.norm(centres, axis=1), 1, rtol=1e-5)


def test_dense_and_sparse_rows_give_the_same_clusters():
    dense, sparse = spherical_kmeans(VECTORS, 4, 1), spherical_kmeans(csr_array(VECTORS), 4, 1)
    np.testing.assert_array_equal(dense.labels, sparse.labels)
    np.testing.assert_allclose(dense.centres, sparse.centres, atol=1e-5)


def test_it_ends_where_every_row_has_its_best_centre_and_every_centre_its_mean_direction():
    labels, centres = spherical_kmeans(VECTORS, 5, 2)
    units = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)
    np.testing.assert_array_equal(labels, (units @ centres.T).argmax(axis=1))
    for cluster in range(5):
        mean = units[labels == cluster].sum(axis=0)
        np.testing.assert_allclose(centres[cluster], mean / np.linalg.norm(mean), atol=1e-5)


def test_same_seed_same_bytes():
    first, second = spherical_kmeans(VECTORS, 3, 7), spherical_kmeans(VECTORS, 3, 7)
    assert first.labels.tobytes() == second.labels.tobytes()
    assert first.centres.tobytes() == second.centres.tobytes()


@pytest.mark.parametrize("form", [np.array, csr_array])
def test_zero_rows_join_cluster_0_and_move_no_centre(form):
    with_zeros = form(np.concatenate([VECTORS, np.zeros((20, 8), np.float32)]))
    labels, centres = spherical_kmeans(with_zeros, 3, 0)
    np.testing.assert_array_equal(labels[90:], 0)
    assert np.isfinite(centres).all()
    assert adjusted_rand_score(TRUTH, labels[:90]) == 1


def test_equal_rows_in_too_many_clusters_make_no_nan():
    labels, centres = spherical_kmeans(np.ones((6, 2), np.float32), 3, 0)
    assert np.isfinite(centres).all()
    assert labels.tolist() == [0] * 6


def test_a_cluster_that_loses_its_rows_starts_again_at_the_worst_fit():
    class Started(RowsInMemory):
        """Two of three first centres are the same row, so one cluster is empty at once."""

        @property
        def nonzero(self):
            return np.array([0, 1, 2]) if not hasattr(self, "asked") else np.arange(5)

        @nonzero.setter
        def nonzero(self, _):
            pass

        def blocks(self):
            self.asked = True
            return super().blocks()

    vectors = np.array([[1, 0], [1, 0], [0, 1], [-1, 0], [-1, 0.1]], np.float32)
    assert len(set(cluster_rows(Started(vectors), 3, 0).labels.tolist())) == 3


@pytest.mark.parametrize("n", [0, 91])
def test_an_impossible_number_of_clusters_is_refused(n):
    with pytest.raises(InputError, match=f"cannot make {n} clusters of 90"):
        spherical_kmeans(VECTORS, n, 0)


def test_inputs_are_not_changed():
    dense, sparse = VECTORS.copy(), csr_array(VECTORS)
    spherical_kmeans(dense, 3, 0)
    spherical_kmeans(sparse, 3, 0)
    np.testing.assert_array_equal(dense, VECTORS)
    np.testing.assert_array_equal(sparse.toarray(), VECTORS)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_vectors_that_are_not_finite_are_refused_by_row(bad, form):
    vectors = np.ones((5, 3), np.float32)
    vectors[3, 1] = bad
    with pytest.raises(InputError, match="vector 3 holds a NaN or an infinite number"):
        spherical_kmeans(form(vectors), 2)


def test_numbers_too_large_to_square_in_float32_still_have_a_direction():
    vectors = np.array([[3e38, 0], [2e38, 1e36], [0, 1e-30], [0, 2e-30]], np.float32)
    labels = spherical_kmeans(vectors, 2).labels
    assert labels[0] == labels[1] != labels[2] == labels[3]
