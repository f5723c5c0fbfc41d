"""The clustering protocol of [CP13] section 4.1: seeded spherical k-means with as many clusters as classes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from satchel.errors import seed, whole_number
from satchel.evaluation.checks import checked_labels, number_labels
from satchel.evaluation.measures import Values
from satchel.types import IntArray, Vectors

ARI: Final = "ARI"
NMI: Final = "NMI"


@dataclass(frozen=True)
class ClusteringResult:
    """The result of `evaluate_clustering`, as fractions (the ARI may be below 0).

    measures: name -> mean over the runs. spread: name -> standard deviation over the runs. per_run: name -> (n_runs,).
    clusters (n_runs, n_documents): the cluster of each document in each run.
    """

    measures: Mapping[str, float]
    spread: Mapping[str, float]
    per_run: Mapping[str, Values]
    n_clusters: int
    clusters: IntArray

    def __str__(self) -> str:
        lines = [
            f"{name}  {100 * self.measures[name]:6.2f} % ± {100 * self.spread[name]:.2f}" for name in self.measures
        ]
        runs = len(next(iter(self.per_run.values())))
        return "\n".join([*lines, f"{self.n_clusters} clusters, {runs} runs"])


def evaluate_clustering(
    vectors: Vectors,
    labels: Sequence[Hashable],
    *,
    n_clusters: int | None = None,
    n_runs: int = 20,
    random_state: int = 0,
) -> ClusteringResult:
    """Compares clusters with classes, [CP13] section 4.1: ARI and NMI, as means over seeded runs of spherical k-means.

    vectors (n_documents, n_features): dense or csr. n_clusters: by default the number of classes. Zero vectors are in
    cluster 0. [CP13] does not say how its NMI is normalised; this one divides by the mean of the two entropies, as
    scikit-learn does by default.
    """
    from satchel.ranking import checked_vectors  # its retrievers load scikit-learn

    vectors = checked_vectors(vectors, "vectors")
    labels = checked_labels(labels, vectors.shape[0], "clustering")
    n_runs = whole_number("n_runs", n_runs)
    numbers = number_labels(labels)
    classes = np.array([numbers[label] for label in labels])
    n_clusters = len(numbers) if n_clusters is None else whole_number("n_clusters", n_clusters)
    seeds = np.random.default_rng(seed(random_state)).integers(0, 2**31, n_runs)
    clusters = _clusters_of_runs(vectors, n_clusters, seeds.tolist())
    per_run = judge_clusters(classes, clusters)
    return ClusteringResult(
        measures={name: float(values.mean()) for name, values in per_run.items()},
        spread={name: float(values.std()) for name, values in per_run.items()},
        per_run=per_run,
        n_clusters=n_clusters,
        clusters=clusters,
    )


def judge_clusters(classes: IntArray, clusters: IntArray) -> dict[str, Values]:
    """Computes the ARI and NMI of each run, (n_runs,), from classes (n_documents,) and clusters (n_runs,
    n_documents)."""
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

    return {
        ARI: np.array([adjusted_rand_score(classes, found) for found in clusters]),
        NMI: np.array([normalized_mutual_info_score(classes, found) for found in clusters]),
    }


def _clusters_of_runs(vectors: Vectors, n_clusters: int, seeds: list[int]) -> IntArray:
    from satchel.arrays import spherical_kmeans

    return np.stack([spherical_kmeans(vectors, n_clusters, number).labels for number in seeds])
