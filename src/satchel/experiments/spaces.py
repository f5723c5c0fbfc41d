"""The protocol of the toy example: a few documents of a few classes, encoded and projected to the plane."""

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Final

import numpy as np

from satchel.errors import InputError, whole_number
from satchel.experiments.methods import build_encoder
from satchel.experiments.plan import Experiment, Method
from satchel.experiments.protocols import at_rows, with_labels
from satchel.experiments.results import Outcome, Series
from satchel.experiments.retrieval import labelled_set

SILHOUETTE: Final = "silhouette"
ENTROPY: Final = "entropy"
SPACE_MEASURES: Final = (SILHOUETTE, ENTROPY)


def document_space(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[PT18] section 3.3, Figures 1 to 3: `n_documents` random train documents of the classes `classes`.

    Series: x and y, the first two principal components of the document vectors; class, the number of the label in
    `classes`; entropy after each epoch, where there was one. The silhouette (of the vectors themselves, by cosine) says
    how far the classes lie apart; the last entropy stands beside it.
    """
    from sklearn.decomposition import PCA
    from sklearn.metrics import silhouette_score

    start = perf_counter()
    classes = _classes(experiment)
    texts = with_labels(labelled_set(experiment, method).train, classes)
    n_documents = whole_number("n_documents", experiment.options.get("n_documents", 500), 2, len(texts))
    sample = at_rows(texts, np.random.default_rng(seed).permutation(len(texts))[:n_documents].tolist())
    encoder = build_encoder(method.encoder, method.parameters, seed)
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
