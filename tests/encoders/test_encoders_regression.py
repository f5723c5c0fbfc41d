"""Rows by regression: against direct solutions of the same least squares problem."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.linear_model import Ridge

from satchel.encoders.regression import ThemedFeatures, WordFeatures, ridge, solve_dual


@pytest.fixture
def weights():
    dense = np.random.default_rng(0).random((30, 12)).astype(np.float32)
    dense[dense < 0.6] = 0
    return csr_array(dense)


@pytest.fixture
def targets():
    return np.random.default_rng(1).normal(size=(30, 3)).astype(np.float32)


def test_ridge_agrees_with_scikit_learn(weights, targets):
    found = ridge(WordFeatures(weights), targets, 0.7, 60)
    expected = Ridge(alpha=0.7, fit_intercept=False, solver="cholesky").fit(weights.toarray(), targets).coef_.T
    np.testing.assert_allclose(found, expected, atol=2e-4)


def test_themes_are_further_features_that_are_sums_over_words(weights, targets):
    themes = np.random.default_rng(2).normal(size=(12, 4)).astype(np.float32)
    found = ridge(ThemedFeatures(WordFeatures(weights), themes, 0.5), targets, 0.7, 200)
    dense = weights.toarray()
    both = np.hstack([dense, np.sqrt(0.5) * dense @ themes])
    coefficients = Ridge(alpha=0.7, fit_intercept=False, solver="cholesky").fit(both, targets).coef_.T
    expected = coefficients[:12] + np.sqrt(0.5) * themes @ coefficients[12:]
    np.testing.assert_allclose(found, expected, atol=5e-3)


def test_a_solution_is_where_a_start_from_it_stays(weights, targets):
    features = WordFeatures(weights)
    solved = solve_dual(features, targets, 0.7, 60)
    np.testing.assert_allclose(solve_dual(features, targets, 0.7, 5, solved), solved, atol=1e-4)


def test_a_column_that_is_zero_stays_zero_and_finite(weights, targets):
    targets[:, 1] = 0
    rows = ridge(WordFeatures(weights), targets, 0.7, 40)
    assert np.isfinite(rows).all()
    assert not rows[:, 1].any()
