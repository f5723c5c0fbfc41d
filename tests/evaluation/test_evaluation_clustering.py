"""The clustering protocol, with scikit-learn's scores as oracle."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from satchel.arrays import spherical_kmeans
from satchel.errors import InputError
from satchel.evaluation import evaluate_clustering

RNG = np.random.default_rng(1)
TRUTH = RNG.integers(0, 4, 120)
VECTORS = (np.eye(4, 6)[TRUTH] + RNG.normal(0, 0.35, (120, 6))).astype(np.float32)
LABELS = [f"class {label}" for label in TRUTH]


def test_each_run_is_a_seeded_spherical_k_means():
    result = evaluate_clustering(VECTORS, LABELS, n_runs=3, random_state=9)
    seeds = np.random.default_rng(9).integers(0, 2**31, 3)
    clusters = [spherical_kmeans(VECTORS, 4, int(seed)).labels for seed in seeds]
    assert result.per_run["ARI"] == pytest.approx([adjusted_rand_score(TRUTH, found) for found in clusters])
    assert result.per_run["NMI"] == pytest.approx([normalized_mutual_info_score(TRUTH, found) for found in clusters])
    assert result.measures["NMI"] == pytest.approx(result.per_run["NMI"].mean())
    assert result.spread["NMI"] == pytest.approx(result.per_run["NMI"].std())


def test_there_are_as_many_clusters_as_classes_unless_said():
    assert evaluate_clustering(VECTORS, LABELS, n_runs=1).n_clusters == 4
    assert evaluate_clustering(csr_array(VECTORS), LABELS, n_runs=1, n_clusters=2).n_clusters == 2


def test_clear_classes_are_found_and_printed_in_percent():
    result = evaluate_clustering(np.eye(4, dtype=np.float32)[TRUTH], LABELS, n_runs=2)
    assert "ARI  100.00 % ± 0.00" in str(result)


@pytest.mark.parametrize(
    ("vectors", "labels", "settings", "message"),
    [
        (VECTORS, LABELS[1:], {}, "120 vectors but 119 labels"),
        (VECTORS, None, {}, "labels must be a list"),
        ([[1.0], [1.0, 2.0]], LABELS, {}, "all rows of one length"),
        (csr_array(np.ones(3)), LABELS, {}, "two-dimensional"),
        (VECTORS, LABELS, {"n_runs": 0}, "n_runs is 0"),
        (VECTORS, LABELS, {"n_clusters": 2.5}, "n_clusters is 2.5"),
        (VECTORS, LABELS, {"n_clusters": 121}, "cannot make 121 clusters of 120 vectors"),
        (VECTORS, LABELS, {"random_state": -1}, "random_state is -1"),
    ],
)
def test_bad_input_gets_one_clear_sentence(vectors, labels, settings, message):
    with pytest.raises(InputError, match=message):
        evaluate_clustering(vectors, labels, **settings)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_numbers_that_are_not_finite_are_refused_by_row(bad, form):
    vectors = VECTORS.copy()
    vectors[7, 2] = bad
    with pytest.raises(InputError, match="vector 7 holds a NaN or an infinite number"):
        evaluate_clustering(form(vectors), LABELS, n_runs=1)


def test_lists_and_generators_are_taken_as_they_are():
    plain = evaluate_clustering(VECTORS, LABELS, n_runs=1)
    assert evaluate_clustering(VECTORS.tolist(), iter(LABELS), n_runs=1).measures == plain.measures
