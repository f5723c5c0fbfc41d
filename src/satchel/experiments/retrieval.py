"""The protocols of retrieval by label: in domain, out of domain, curves, and on a sample of the train split."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from satchel.datasets import LabelledSet, load
from satchel.errors import InputError, whole_number
from satchel.evaluation.measures import RECALL_POINTS
from satchel.experiments.methods import build_encoder
from satchel.experiments.plan import Experiment, Method
from satchel.experiments.protocols import JudgedVectors, Retrieval, at_rows, judge_retrieval, out_of_domain
from satchel.experiments.results import NO_SERIES, Outcome, Series


def label_retrieval(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[PT18] Tables 1, 3 and 4: the train split is the database, every test document a query."""
    data = labelled_set(experiment, method)
    yield from _outcomes(Retrieval(data.train, data.train, data.test), method, seed)


def held_out_classes(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[PT18] Table 2: `held_out` names the labels of the queries; no document that has one is learned from."""
    held_out = experiment.options.get("held_out", ())
    if not isinstance(held_out, list | tuple):
        raise InputError(f"held_out must be a list of labels, not {held_out!r}")
    yield from _outcomes(out_of_domain(labelled_set(experiment, method), held_out), method, seed)


def curves(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[PT18] Figures 4 and 5: as `label_retrieval`, with the points of both curves, in percent."""
    data = labelled_set(experiment, method)
    for judged in _judge(Retrieval(data.train, data.train, data.test), method, seed):
        yield _outcome(judged, series=_points(judged))


def train_sample(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[PT18] Appendix B: `n_documents` random train documents are the database, as many others the queries."""
    train = labelled_set(experiment, method).train
    n_documents = whole_number("n_documents", experiment.options.get("n_documents", 1000), 1, len(train) // 2)
    rows = np.random.default_rng(seed).permutation(len(train)).tolist()
    database = at_rows(train, rows[:n_documents])
    queries = at_rows(train, rows[n_documents : 2 * n_documents])
    yield from _outcomes(Retrieval(database, database, queries), method, seed)


def labelled_set(experiment: Experiment, method: Method) -> LabelledSet:
    """The data set of a method; read once in a process."""
    name = experiment.dataset_of(method)
    data = _load(name)
    if not isinstance(data, LabelledSet):
        raise InputError(f"{experiment.name} needs a data set with labels and a test split, not {name!r}")
    return data


def forget_data() -> None:
    """Lets go of the data sets that methods have shared."""
    _load.cache_clear()


@lru_cache(maxsize=3)
def _load(name: str) -> object:
    return load(name)


def _judge(task: Retrieval, method: Method, seed: int) -> list[JudgedVectors]:
    encoder = build_encoder(method.encoder, method.parameters, seed)
    return judge_retrieval(task, encoder, method.distances, labels=method.labels)


def _outcomes(task: Retrieval, method: Method, seed: int) -> Iterator[Outcome]:
    yield from map(_outcome, _judge(task, method, seed))


def _outcome(judged: JudgedVectors, series: Series = NO_SERIES) -> Outcome:
    measures = {name: round(100 * value, 3) for name, value in judged.result.measures.items()}
    return Outcome(judged.distance, judged.length, measures, judged.seconds, series)


def _points(judged: JudgedVectors) -> Series:
    curve, scope = judged.result.precision_recall, judged.result.precision_scope
    return {
        "recall": [round(100 * point, 1) for point in RECALL_POINTS],
        "precision at recall": np.round(100 * curve, 3).tolist(),
        "scope": scope.scopes.tolist(),
        "raw precision at scope": np.round(100 * scope.raw, 3).tolist(),
        "interpolated precision at scope": np.round(100 * scope.interpolated, 3).tolist(),
    }
