"""The protocols of retrieval by label: in domain, out of domain, with few labels, on train texts alone, and curves."""

from collections.abc import Iterator

import numpy as np

from satchel.datasets import AdHocSet, LabelledSet, load
from satchel.encoders import Encoder
from satchel.errors import InputError, true_or_false, whole_number
from satchel.evaluation import RECALL_POINTS, RetrievalResult
from satchel.experiments.kept import KEPT
from satchel.experiments.plan import Experiment, Method
from satchel.experiments.protocols.judging import (
    JudgedVectors,
    Retrieval,
    at_rows,
    few_labels,
    in_domain,
    judge_retrieval,
    last_quarter,
    out_of_domain,
)
from satchel.experiments.results import NO_SERIES, Outcome, Series, percent
from satchel.parts import build


def label_retrieval(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[PT18] Tables 1, 3 and 4: the train split is the database, every test document a query.

    With `int8 = true` in a method's setting the database's vectors are compressed to a byte a number.
    """
    int8 = true_or_false("int8", method.setting.get("int8", False))
    yield from _outcomes(in_domain(labelled_set(experiment, method)), method, seed, int8)


def held_out_classes(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[PT18] Table 2: `held_out` names the labels of the queries; documents with these labels are not learned from.

    With `seen = true` in a method's setting their texts are learned from, without labels.
    """
    held_out = experiment.options.get("held_out", ())
    if not isinstance(held_out, list | tuple):
        raise InputError(f"held_out must be a list of labels, not {held_out!r}")
    seen = true_or_false("seen", method.setting.get("seen", False))
    yield from _outcomes(out_of_domain(labelled_set(experiment, method), held_out, seen=seen), method, seed)


def some_labels(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """As `label_retrieval`, but with labels for few texts of each class: their number is the setting `per class`."""
    per_class = whole_number("per class", method.setting.get("per class"))
    yield from _outcomes(few_labels(labelled_set(experiment, method), per_class, seed), method, seed)


def train_tail(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """The last quarter of each class of the train split as queries for the rest, to choose parameters."""
    yield from _outcomes(last_quarter(labelled_set(experiment, method)), method, seed)


def curves(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[PT18] Figures 4 and 5: as `label_retrieval`, with the points of both curves, in percent."""
    data = labelled_set(experiment, method)
    for judged in _judge(in_domain(data), method, seed):
        yield _outcome(judged, series=curve_points(judged.result))


def train_sample(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[PT18] Appendix B: `n_documents` random train documents are the database, and as many others are queries."""
    train = labelled_set(experiment, method).train
    n_documents = whole_number("n_documents", experiment.options.get("n_documents", 1000), 1, len(train) // 2)
    rows = np.random.default_rng(seed).permutation(len(train)).tolist()
    database = at_rows(train, rows[:n_documents])
    queries = at_rows(train, rows[n_documents : 2 * n_documents])
    yield from _outcomes(Retrieval(database.texts, database.labels, database, queries), method, seed)


@KEPT.shared(most=3)
def data_named(name: str) -> object:
    """A data set by its name; consecutive methods share it."""
    return load(name)


def labelled_set(experiment: Experiment, method: Method) -> LabelledSet:
    """The data set of a method."""
    name = experiment.dataset_of(method)
    data = data_named(name)
    if not isinstance(data, LabelledSet):
        raise InputError(f"{experiment.name} needs a data set with labels and a test split, not {name!r}")
    return data


def judged_set(name: str) -> AdHocSet:
    """A data set with judged queries, by its name."""
    data = data_named(name)
    if not isinstance(data, AdHocSet):
        raise InputError(f"searches are judged on a data set with judged queries, not on {name!r}")
    return data


def _judge(task: Retrieval, method: Method, seed: int, int8: bool = False) -> list[JudgedVectors]:
    encoder: Encoder = build("encoder", method.part, seed)
    return judge_retrieval(task, encoder, method.distances, labels=method.labels, int8=int8)


def _outcomes(task: Retrieval, method: Method, seed: int, int8: bool = False) -> Iterator[Outcome]:
    yield from map(_outcome, _judge(task, method, seed, int8))


def _outcome(judged: JudgedVectors, series: Series = NO_SERIES) -> Outcome:
    return Outcome(judged.distance, judged.length, percent(judged.result.measures), judged.seconds, series)


def curve_points(result: RetrievalResult) -> Series:
    """The points of both curves by name, in percent, as the figures read them."""
    curve, scope = result.precision_recall, result.precision_scope
    return {
        "recall": [round(100 * point, 1) for point in RECALL_POINTS],
        "precision at recall": np.round(100 * curve, 3).tolist(),
        "scope": scope.scopes.tolist(),
        "raw precision at scope": np.round(100 * scope.raw, 3).tolist(),
        "interpolated precision at scope": np.round(100 * scope.interpolated, 3).tolist(),
    }
