"""The entropy of marked documents and its gradient, against torch, finite differences and a loop; and the mask."""

import numpy as np
import pytest

from satchel.feedback.marks import Marks
from satchel.feedback.mask import (
    MaskPlan,
    entropy,
    entropy_centres,
    entropy_gradient,
    learn_mask,
    log_memberships,
    masked_cosines,
)

PLAN = MaskPlan(n_steps=50, learning_rate=0.05, m=0.1, n_centres=1)


@pytest.fixture
def marks() -> Marks:
    """Five relevant and four irrelevant documents of 6 features, of length 1."""
    z = np.random.default_rng(3).standard_normal((9, 6))
    weights = np.array([1, 1, 0.5, 1, 1, -1, -0.5, -1, -1])
    return Marks(z / np.linalg.norm(z, axis=1, keepdims=True), weights)


def entropy_of(marks: Marks, r: np.ndarray, c: np.ndarray, m: float) -> float:
    return entropy(log_memberships(masked_cosines(marks.vectors, r, c), m), marks.weights > 0, marks.grades)


def test_the_entropy_is_that_of_a_double_loop(marks):
    r, c = np.linspace(0.2, 2, 6), entropy_centres(marks, 1, 0)
    w = np.empty((9, 2))
    for i, z in enumerate(marks.vectors):
        for k in range(2):
            s = r * z
            w[i, k] = np.exp((s @ c[k] / np.linalg.norm(s) / np.linalg.norm(c[k]) - 1) / 0.3)
    w /= w.sum(axis=1, keepdims=True)
    total = 0.0
    for k in range(2):
        for of_class in (marks.weights > 0, marks.weights < 0):
            h = (marks.grades * w[:, k])[of_class].sum()
            total -= h * np.log(h / (marks.grades * w[:, k]).sum()) / marks.grades.sum()
    assert entropy_of(marks, r, c, 0.3) == pytest.approx(total, rel=1e-12)


@pytest.mark.parametrize("n_centres", [1, 3])
def test_the_gradient_is_that_of_finite_differences(marks, n_centres):
    r, c = np.linspace(0.2, 2, 6), entropy_centres(marks, n_centres, 0)
    gradient = entropy_gradient(marks.vectors, r, c, marks.weights > 0, marks.grades, 0.2)
    step = 1e-6 * np.eye(6)
    differences = [(entropy_of(marks, r + e, c, 0.2) - entropy_of(marks, r - e, c, 0.2)) / 2e-6 for e in step]
    np.testing.assert_allclose(gradient, differences, atol=1e-8)


def test_the_gradient_is_that_of_autograd():
    torch = pytest.importorskip("torch")
    from satchel.learning import objectives

    rng = np.random.default_rng(1)
    z, c, r = rng.standard_normal((7, 5)), rng.standard_normal((3, 5)), rng.uniform(0.5, 2, 5)
    relevant = np.array([True, True, False, True, False, False, False])
    mask = torch.tensor(r, requires_grad=True)
    pi = torch.tensor(np.stack([relevant, ~relevant], axis=1), dtype=torch.float64)
    s = objectives.represent(torch.tensor(z), mask)
    log_w = objectives.cluster_memberships(objectives.cosine_distances(s, torch.tensor(c)), 0.1)
    objectives.entropy(log_w, pi).backward()
    ours = entropy_gradient(z, r, c, relevant, np.ones(7), 0.1)
    np.testing.assert_allclose(ours, mask.grad.numpy(), rtol=1e-9)


def test_a_mark_of_half_the_grade_counts_as_half_a_document(marks):
    z, relevant, c = marks.vectors[:4], np.array([True, True, False, False]), entropy_centres(marks, 1, 0)
    twice = np.array([0, 1, 1, 2, 3, 3])
    halves = entropy_gradient(z, np.ones(6), c, relevant, np.array([0.5, 1, 0.5, 1]), 0.1)
    whole = entropy_gradient(z[twice], np.ones(6), c, relevant[twice], np.ones(6), 0.1)
    np.testing.assert_allclose(halves, whole)


def test_learning_the_mask_lowers_the_entropy(marks):
    r, c = learn_mask(marks, PLAN, 0), entropy_centres(marks, 1, 0)
    assert entropy_of(marks, r, c, PLAN.m) < 0.75 * entropy_of(marks, np.ones(6), c, PLAN.m)
    assert (r >= 0).all()


def test_a_feature_that_parts_the_marks_gains_and_one_that_does_not_loses():
    z = np.array([[1, 1, 0.5], [1, 0.8, 0.5], [0, 1, 0.5], [0.1, 0.9, 0.5]])
    marks = Marks(z / np.linalg.norm(z, axis=1, keepdims=True), np.array([1.0, 1, -1, -1]))
    r = learn_mask(marks, PLAN, 0)
    assert r[0] > 1 > r[2]


def test_marks_that_all_say_the_same_leave_the_mask_at_one(marks):
    assert (learn_mask(marks.relevant, PLAN, 0) == 1).all()
    assert (learn_mask(marks.irrelevant, PLAN, 0) == 1).all()


def test_a_very_small_m_gives_numbers(marks):
    assert np.isfinite(learn_mask(marks, PLAN._replace(m=1e-9), 0)).all()


def test_there_are_no_more_centres_than_irrelevant_documents(marks):
    centres = entropy_centres(marks, 10, 0)
    assert centres.shape == (5, 6)
    others = {tuple(np.round(row, 5)) for row in centres[1:]}
    assert others == {tuple(row) for row in np.round(marks.irrelevant.vectors, 5)}
