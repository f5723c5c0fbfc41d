"""The protocol of clustering: all texts of a labelled set, grouped without labels and judged by them."""

from collections.abc import Iterator
from time import perf_counter
from typing import Final

import numpy as np

from satchel.datasets import LabelledSet, LabelledTexts
from satchel.errors import InputError, whole_number
from satchel.evaluation import evaluate_clustering
from satchel.evaluation.clustering import ARI, NMI, judge_clusters
from satchel.experiments.methods import build_encoder
from satchel.experiments.plan import Experiment, Method
from satchel.experiments.results import Outcome
from satchel.experiments.retrieval import labelled_set

OF_TEST: Final = {ARI: f"{ARI}, test texts", NMI: f"{NMI}, test texts"}
CLUSTERING_MEASURES: Final = (ARI, NMI, *OF_TEST.values())


def clustering(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[CP13] section 4.1, Table 2: fit on all texts, `n_runs` (20) spherical k-means into as many groups as classes.

    `texts = "train"` takes the train split alone, for choosing. Of all texts, the test texts are judged once more by
    themselves, among the same groups: by labels that no choice has seen.
    """
    start = perf_counter()
    texts, n_train = _texts(labelled_set(experiment, method), experiment.options.get("texts", "all"))
    n_runs = whole_number("n_runs", experiment.options.get("n_runs", 20))
    encoder = build_encoder(method.encoder, method.parameters, seed)
    vectors = encoder.fit(texts.texts, texts.labels if method.labels else None).transform(texts.texts)
    result = evaluate_clustering(vectors, texts.labels, n_runs=n_runs, random_state=seed)
    measures = dict(result.measures)
    if n_train < len(texts):
        _, classes = np.unique(texts.labels[n_train:], return_inverse=True)
        of_test = judge_clusters(classes, result.clusters[:, n_train:])
        measures |= {OF_TEST[name]: float(values.mean()) for name, values in of_test.items()}
    percent = {name: round(100 * value, 3) for name, value in measures.items()}
    for distance in method.distances:
        yield Outcome(distance, vectors.shape[1], percent, perf_counter() - start)


def _texts(data: LabelledSet, which: object) -> tuple[LabelledTexts, int]:
    """The texts to group, train texts first, and how many of them are of the train split."""
    if which == "train":
        return data.train, len(data.train)
    if which != "all":
        raise InputError(f"texts is {which!r}; expected 'all' or 'train'")
    joined = (getattr(data.train, name) + getattr(data.test, name) for name in ("ids", "texts", "labels"))
    return LabelledTexts(*joined), len(data.train)
