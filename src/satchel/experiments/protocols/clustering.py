"""The protocols without queries: documents are clustered and compared with their labels, or drawn on a plane."""

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Final

import numpy as np

from satchel.datasets import LabelledSet, LabelledTexts
from satchel.encoders import Encoder
from satchel.errors import InputError, whole_number
from satchel.evaluation import ARI, NMI, evaluate_clustering, judge_clusters
from satchel.experiments.plan import Experiment, Method
from satchel.experiments.protocols.judging import at_rows, with_labels
from satchel.experiments.protocols.retrieval import labelled_set
from satchel.experiments.results import Outcome, Series, percent
from satchel.parts import build

OF_TEST: Final = {ARI: f"{ARI}, test texts", NMI: f"{NMI}, test texts"}
CLUSTERING_MEASURES: Final = (ARI, NMI, *OF_TEST.values())
SILHOUETTE: Final = "silhouette"
ENTROPY: Final = "entropy"
SPACE_MEASURES: Final = (SILHOUETTE, ENTROPY)


def clustering(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[CP13] section 4.1, Table 2: fits on all texts, then runs spherical k-means `n_runs` (20) times with as many
    groups as classes.

    With `texts = "train"` only the train split is used, to choose parameters. If all texts are grouped, the test texts
    are also judged by themselves within the same groups, because their labels have not been used for any choice.
    """
    start = perf_counter()
    texts, n_train = _texts(labelled_set(experiment, method), experiment.options.get("texts", "all"))
    n_runs = whole_number("n_runs", experiment.options.get("n_runs", 20))
    encoder: Encoder = build("encoder", method.part, seed)
    vectors = encoder.fit(texts.texts, texts.labels if method.labels else None).transform(texts.texts)
    result = evaluate_clustering(vectors, texts.labels, n_runs=n_runs, random_state=seed)
    measures = dict(result.measures)
    if n_train < len(texts):
        _, classes = np.unique(texts.labels[n_train:], return_inverse=True)
        of_test = judge_clusters(classes, result.clusters[:, n_train:])
        measures |= {OF_TEST[name]: float(values.mean()) for name, values in of_test.items()}
    for distance in method.distances:
        yield Outcome(distance, vectors.shape[1], percent(measures), perf_counter() - start)


def _texts(data: LabelledSet, which: object) -> tuple[LabelledTexts, int]:
    """Returns the texts to group, train texts first, and the number of train texts."""
    if which == "train":
        return data.train, len(data.train)
    if which != "all":
        raise InputError(f"texts is {which!r}; expected 'all' or 'train'")
    joined = (getattr(data.train, name) + getattr(data.test, name) for name in ("ids", "texts", "labels"))
    return LabelledTexts(*joined), len(data.train)


def document_space(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[PT18] section 3.3, Figures 1 to 3: draws `n_documents` random train documents of the classes `classes`.

    Series: x and y, the first two principal components of the document vectors; class, the number of the label in
    `classes`; entropy after each epoch, if the encoder records it. The silhouette (of the vectors themselves, by
    cosine) says how well the classes are separated. The last entropy is a measure too.
    """
    from sklearn.decomposition import PCA
    from sklearn.metrics import silhouette_score

    start = perf_counter()
    classes = _classes(experiment)
    texts = with_labels(labelled_set(experiment, method).train, classes)
    n_documents = whole_number("n_documents", experiment.options.get("n_documents", 500), 2, len(texts))
    sample = at_rows(texts, np.random.default_rng(seed).permutation(len(texts))[:n_documents].tolist())
    encoder: Encoder = build("encoder", method.part, seed)
    encoder.fit(sample.texts, sample.labels if method.labels else None)
    vectors = np.asarray(encoder.transform(sample.texts), np.float64)
    plane = PCA(2, random_state=seed).fit_transform(vectors)
    numbers = [classes.index(label) for label in sample.labels]
    losses = [round(float(record.loss), 4) for record in getattr(encoder, "history_", ())]
    measures = {SILHOUETTE: round(float(silhouette_score(vectors, numbers, metric="cosine")), 4)}
    measures |= {ENTROPY: losses[-1]} if losses else {}
    series: Series = {"x": _rounded(plane[:, 0]), "y": _rounded(plane[:, 1]), "class": numbers, "entropy": losses}
    for distance in method.distances:
        yield Outcome(distance, vectors.shape[1], measures, perf_counter() - start, series)


def _classes(experiment: Experiment) -> list[str]:
    classes = experiment.options.get("classes")
    if not isinstance(classes, list) or len(classes) < 2:
        raise InputError(f"classes must be a list of two labels or more, not {classes!r}")
    return classes


def _rounded(values: Sequence[float]) -> list[float]:
    rounded: list[float] = np.round(values, 4).tolist()
    return rounded
