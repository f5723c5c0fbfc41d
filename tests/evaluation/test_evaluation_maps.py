"""Maps: scikit-learn's PCA as oracle, neighbours kept, and what a picture holds."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.decomposition import PCA

from satchel.collection import plane_points
from satchel.errors import InputError
from satchel.evaluation import plot_map

RNG = np.random.default_rng(4)
LABELS = np.repeat([0, 1, 2], 20)
VECTORS = (np.eye(3, 8)[LABELS] + RNG.normal(0, 0.1, (60, 8))).astype(np.float32)
UNITS = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)


def test_pca_is_that_of_scikit_learn_on_unit_rows_up_to_signs():
    expected = PCA(2).fit_transform(UNITS.astype(np.float64))
    np.testing.assert_allclose(np.abs(plane_points(VECTORS, "pca")), np.abs(expected), atol=1e-5)


@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_t_sne_keeps_neighbours_together(form):
    points = plane_points(form(VECTORS), "t-sne")
    distances = ((points[:, None] - points[None]) ** 2).sum(axis=2) + np.diag(np.full(60, np.inf))
    assert (LABELS[distances.argmin(axis=1)] == LABELS).mean() > 0.95


def test_of_many_rows_some_are_placed_and_the_others_lie_among_their_neighbours(monkeypatch):
    some = plane_points(VECTORS[::2], random_state=1)
    monkeypatch.setattr("satchel.collection.map.MOST_PLACED", 30)
    points = plane_points(VECTORS, random_state=1)
    assert points.shape == (60, 2)
    assert len(np.unique(points, axis=0)) == 60
    assert np.ptp(points) == pytest.approx(np.ptp(some), rel=0.5)  # as far apart as thirty rows are
    distances = ((points[:, None] - points[None]) ** 2).sum(axis=2) + np.diag(np.full(60, np.inf))
    assert (LABELS[distances.argmin(axis=1)] == LABELS).mean() > 0.95


def test_the_same_seed_gives_the_same_map():
    assert plane_points(VECTORS, random_state=3).tobytes() == plane_points(VECTORS, random_state=3).tobytes()


@pytest.mark.parametrize("vectors", [VECTORS[:1], VECTORS[:3], VECTORS[:12, :1], np.zeros((4, 2), np.float32)])
def test_few_rows_and_few_numbers_still_have_two_finite_coordinates(vectors):
    points = plane_points(vectors)
    assert points.shape == (len(vectors), 2)
    assert np.isfinite(points).all()


def test_a_map_shows_every_text_and_every_name():
    pytest.importorskip("matplotlib")
    labels = LABELS.copy()
    labels[:3] = -1
    ax = plot_map(plane_points(VECTORS, "pca"), labels, ["sea", "bread", "chess"])
    assert sum(len(dots.get_offsets()) for dots in ax.collections) == 60
    assert [text.get_text() for text in ax.texts] == ["sea", "bread", "chess"]


def test_names_of_groups_in_one_place_do_not_cover_each_other():
    pytest.importorskip("matplotlib")
    ax = plot_map(np.zeros((6, 2), np.float32), np.arange(6), [f"{n}: names of some length" for n in range(6)])
    boxes = [note.get_window_extent() for note in ax.texts]
    assert not any(one.overlaps(other) for place, one in enumerate(boxes) for other in boxes[:place])


@pytest.mark.parametrize("n_groups", [10, 20])
def test_up_to_twenty_groups_have_colours_of_their_own(n_groups):
    pytest.importorskip("matplotlib")
    ax = plot_map(RNG.normal(size=(n_groups, 2)).astype(np.float32), np.arange(n_groups), ["name"] * n_groups)
    assert len({tuple(dots.get_facecolor()[0]) for dots in ax.collections[1:]}) == n_groups


def test_wrong_projections_and_lengths_are_refused():
    with pytest.raises(InputError, match="unknown projection 'umap'; choose from"):
        plane_points(VECTORS, "umap")
    with pytest.raises(InputError, match="60 points but 2 labels"):
        plot_map(np.zeros((60, 2)), LABELS[:2], ["a"])
