"""The clustering protocol, with scikit-learn's scores as oracle."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from satchel.errors import InputError
from satchel.evaluation import evaluate_clustering
from satchel.words.spherical import spherical_kmeans

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


def test_bad_input_gets_one_clear_sentence():
    with pytest.raises(InputError, match="120 vectors but 119 labels"):
        evaluate_clustering(VECTORS, LABELS[1:])
    with pytest.raises(InputError, match="n_runs must be at least 1"):
        evaluate_clustering(VECTORS, LABELS, n_runs=0)
