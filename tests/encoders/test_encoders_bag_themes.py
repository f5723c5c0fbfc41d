"""Themes without labels: standardised memberships, neighbourhoods, the rectifier."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.linear_model import Ridge

from satchel.arrays import unit_rows
from satchel.encoders.bag.start import (
    histogram_moments,
    neighbour_rows,
    neighbourhood_means,
    rectified,
    scaled_to_one,
    standardised_rows,
)


@pytest.fixture
def shares():
    dense = np.random.default_rng(0).random((40, 9)).astype(np.float32)
    dense[dense < 0.5] = 0
    dense[7] = 0
    sums = dense.sum(axis=1, keepdims=True)
    return csr_array(dense / np.where(sums > 0, sums, 1))


def test_standardisation_folds_into_the_rows_exactly(shares):
    u = np.random.default_rng(1).dirichlet(np.ones(5), 9).astype(np.float32)
    documents = shares @ standardised_rows(u, histogram_moments(u, shares))
    z = (shares @ u)[np.arange(40) != 7]
    np.testing.assert_allclose(documents[np.arange(40) != 7], (z - z.mean(axis=0)) / z.std(axis=0), atol=1e-4)
    assert not documents[7].any()


def test_a_codeword_that_never_varies_is_only_centred(shares):
    u = np.full((9, 2), 1 / 3, dtype=np.float32)  # no sum of shares times this is the same to the last bit
    moments = histogram_moments(u, shares)
    assert moments.deviation.tolist() == [1, 1]
    np.testing.assert_allclose(standardised_rows(u, moments), 0, atol=1e-6)


def test_a_neighbourhood_is_the_mean_of_the_nearest_as_a_loop_finds_it():
    units = unit_rows(np.random.default_rng(2).normal(size=(25, 4)).astype(np.float32))
    found = neighbourhood_means(units, units, 6)
    for row, unit in enumerate(units):
        nearest = sorted(range(25), key=lambda other: -float(unit @ units[other]))[:6]
        mean = units[nearest].sum(axis=0)
        np.testing.assert_allclose(found[row], mean / np.linalg.norm(mean), atol=1e-5)


def test_neighbours_bring_the_documents_of_one_topic_together():
    random = np.random.default_rng(3)
    topics = np.repeat([0, 1], 40)
    dense = np.array([np.bincount(random.integers(0, 10, 6) + 10 * topic, minlength=20) for topic in topics])
    weights = csr_array(unit_rows(dense.astype(np.float32)))
    rows = random.normal(size=(20, 6)).astype(np.float32) + np.repeat([[1.0], [-1.0]], 10, axis=0).astype(np.float32)

    def apart(found):
        units = unit_rows(weights @ found)
        cosines = units @ units.T
        same = topics[:, None] == topics
        return cosines[same].mean() - cosines[~same].mean()

    assert apart(neighbour_rows(rows, weights, 10, 0)) > apart(rows) + 0.1


@pytest.mark.parametrize("n_documents", [20, 60])
def test_rows_of_neighbours_are_the_ridge_regression_to_centred_neighbourhoods(n_documents):
    random = np.random.default_rng(5)
    weights = unit_rows(random.poisson(0.4, (n_documents, 9)).astype(np.float32) + np.float32(0.01))
    rows = random.normal(size=(9, 3)).astype(np.float32)
    units = unit_rows(weights @ rows)
    targets = neighbourhood_means(units, units, n_documents // 10)  # 50 are asked for, a tenth is the most
    peer = Ridge(alpha=3.0, fit_intercept=False, solver="cholesky").fit(weights, targets - targets.mean(axis=0))
    np.testing.assert_allclose(neighbour_rows(rows, csr_array(weights), 50, 0), peer.coef_.T, atol=1e-4)


def test_few_documents_have_no_neighbourhoods():
    rows, weights = np.ones((3, 2), np.float32), csr_array(np.eye(3, dtype=np.float32))
    assert neighbour_rows(rows, weights, 50, 0) is rows


def test_rows_are_scaled_so_that_documents_have_length_one_on_average(shares):
    rows = scaled_to_one(np.random.default_rng(4).normal(size=(9, 3)).astype(np.float32), shares)
    assert np.mean(((shares @ rows) ** 2).sum(axis=1)) == pytest.approx(1, rel=1e-5)
    assert not scaled_to_one(np.zeros((9, 3), np.float32), shares).any()


def test_the_rectifier_keeps_what_is_there_and_shrinks_what_is_lacking():
    assert rectified(np.array([2.0, -2.0, 0.0]), 0.25).tolist() == [2, -0.5, 0]
    vectors = np.array([1.0, -1.0])
    assert rectified(vectors, 1) is vectors
