"""The mixture over word occurrences, with scikit-learn's GaussianMixture and plain loops as oracles."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.mixture import GaussianMixture

from satchel.encoders import mixture as module
from satchel.encoders.mixture import Mixture, assignments, fit_mixture, log_joint, maximised, mean_log_likelihood

RNG = np.random.default_rng(3)
CENTRES = np.array([[0.0, 0, 0], [6, 1, -3], [-5, 8, 4]])
WORDS = CENTRES[RNG.integers(0, 3, 300)] + RNG.normal(0, [1, 0.5, 1.5], (300, 3))
OCCURRENCES = RNG.zipf(1.7, 300).clip(max=200).astype(np.float64)
MIXTURE = Mixture(np.array([0.2, 0.8]), np.array([[0.0, 1, 2], [3, -1, 0]]), np.array([[1.0, 2, 0.5], [0.25, 1, 4]]))


def by_weight(mixture: Mixture) -> Mixture:
    order = np.argsort(mixture.weights)
    return Mixture(*(array[order] for array in mixture))


def test_densities_and_assignments_equal_a_loop_over_words_and_components():
    joint = np.array(
        [
            [
                np.log(MIXTURE.weights[i]) + norm.logpdf(x, MIXTURE.means[i], np.sqrt(MIXTURE.variances[i])).sum()
                for i in range(2)
            ]
            for x in WORDS[:20]
        ]
    )
    np.testing.assert_allclose(log_joint(WORDS[:20], MIXTURE), joint, rtol=1e-10)
    expected = np.exp(joint) / np.exp(joint).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(assignments(WORDS[:20], MIXTURE), expected, atol=1e-12)


def test_a_word_far_from_all_components_is_still_assigned_without_nan():
    gamma = assignments(np.array([[1e6, -1e6, 1e6]]), MIXTURE)
    assert gamma.sum() == pytest.approx(1)


def test_a_weighted_word_counts_as_often_as_it_occurs():
    gamma = assignments(WORDS, MIXTURE)
    repeated = np.repeat(np.arange(300), OCCURRENCES.astype(int))
    weighted = maximised(WORDS, OCCURRENCES / OCCURRENCES.sum(), gamma)
    plain = maximised(WORDS[repeated], np.full(len(repeated), 1 / len(repeated)), gamma[repeated])
    for ours, theirs in zip(weighted, plain, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9)


def test_it_is_the_mixture_of_scikit_learn_on_sampled_occurrences(monkeypatch):
    monkeypatch.setattr(module, "TOLERANCE", 1e-9)
    sample = RNG.choice(300, 60_000, p=OCCURRENCES / OCCURRENCES.sum())
    theirs = GaussianMixture(3, covariance_type="diag", n_init=3, tol=1e-6, random_state=0).fit(WORDS[sample])
    found = by_weight(Mixture(theirs.weights_, theirs.means_, theirs.covariances_))
    ours = by_weight(fit_mixture(WORDS, OCCURRENCES, 3, 0))
    np.testing.assert_allclose(ours.weights, found.weights, atol=0.01)
    np.testing.assert_allclose(ours.means, found.means, atol=0.05)
    np.testing.assert_allclose(ours.variances, found.variances, rtol=0.05, atol=0.02)


def test_it_ends_in_the_maximum_that_scikit_learn_reaches_from_it():
    repeated = WORDS[np.repeat(np.arange(300), OCCURRENCES.astype(int))]
    ours = fit_mixture(WORDS, OCCURRENCES, 3, 0)
    theirs = GaussianMixture(
        3,
        covariance_type="diag",
        weights_init=ours.weights,
        means_init=ours.means,
        precisions_init=1 / ours.variances,
        tol=1e-7,
    ).fit(repeated)
    assert mean_log_likelihood(WORDS, OCCURRENCES, ours) == pytest.approx(theirs.score(repeated), abs=2e-3)


def test_every_iteration_makes_the_occurrences_more_likely(monkeypatch):
    reached = []
    for n in range(1, 8):
        monkeypatch.setattr(module, "MAX_ITERATIONS", n)
        reached.append(mean_log_likelihood(WORDS, OCCURRENCES, fit_mixture(WORDS, OCCURRENCES, 5, 1)))
    assert all(later >= earlier - 1e-12 for earlier, later in pairwise(reached))
    assert reached[-1] > reached[0]


def test_words_that_do_not_occur_have_no_part_in_it():
    strange = np.concatenate([WORDS, np.full((5, 3), 1e4)])
    mixture = fit_mixture(strange, np.concatenate([OCCURRENCES, np.zeros(5)]), 3, 0)
    for ours, plain in zip(mixture, fit_mixture(WORDS, OCCURRENCES, 3, 0), strict=True):
        assert ours.tobytes() == plain.tobytes()


def test_there_are_no_more_components_than_distinct_words_and_none_is_narrower_than_the_floor():
    x = np.repeat([[0.0, 1.0], [2.0, 1.0], [5.0, 1.0]], 4, axis=0)  # the second axis tells nothing
    mixture = fit_mixture(x, np.ones(12), 10, 0)
    assert len(mixture.weights) == 3
    assert np.sort(mixture.means[:, 0]) == pytest.approx([0, 2, 5], abs=1e-6)
    assert (mixture.variances[:, 0] >= 0.999 * module.VARIANCE_FLOOR * x[:, 0].var()).all()
    assert np.isfinite(np.concatenate([array.ravel() for array in mixture])).all()


def test_one_distinct_word_is_one_component_at_it():
    mixture = fit_mixture(np.full((4, 2), 0.1), np.ones(4), 16, 0)
    assert mixture.weights.tolist() == [1.0]
    np.testing.assert_allclose(mixture.means, [[0.1, 0.1]])
    assert (mixture.variances > 0).all()


def test_a_component_that_died_starts_again_at_the_word_that_fits_worst():
    dead = Mixture(np.array([1.0, 0.0]), np.zeros((2, 3)), np.ones((2, 3)))
    alive, died = module._revived(dead, WORDS, np.where(np.arange(300) == 17, -9.0, 0.0))
    assert died
    np.testing.assert_array_equal(alive.means[1], WORDS[17])
    assert alive.weights == pytest.approx([2 / 3, 1 / 3])


def test_a_start_with_a_dead_component_still_ends_with_all_components_alive(monkeypatch):
    start = Mixture(np.array([1 - 1e-12, 1e-12]), np.array([[0.0] * 3, [1e3] * 3]), np.ones((2, 3)))
    monkeypatch.setattr(module, "_start", lambda *_: start)
    assert fit_mixture(WORDS, OCCURRENCES, 2, 0).weights.min() > 0.01


@pytest.mark.parametrize("scale", [[1e-6] * 3, [1.0, 1e4, 1e-3]])
def test_the_scale_of_an_axis_changes_nothing_but_the_scale(scale):
    plain, scaled = fit_mixture(WORDS, OCCURRENCES, 3, 0), fit_mixture(WORDS * scale, OCCURRENCES, 3, 0)
    np.testing.assert_allclose(scaled.weights, plain.weights, rtol=1e-6)
    np.testing.assert_allclose(scaled.means / scale, plain.means, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(scaled.variances / np.square(scale), plain.variances, rtol=1e-5)
