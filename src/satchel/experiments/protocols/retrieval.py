"""The protocols of retrieval: by label in several settings, ad-hoc search, and the choice of parameters by sweeps."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from satchel.datasets import AdHocSet, LabelledSet, load
from satchel.encoders import Encoder
from satchel.errors import InputError, true_or_false, unknown_name, whole_number
from satchel.evaluation import DEFAULT_MEASURES, MAP_11, RECALL_POINTS, RetrievalResult
from satchel.experiments.kept import KEPT
from satchel.experiments.plan import Experiment, Method
from satchel.experiments.protocols.judging import (
    OVER,
    P_OVER,
    JudgedRun,
    JudgedVectors,
    Retrieval,
    at_rows,
    few_labels,
    gains,
    in_domain,
    judge_adhoc,
    judge_retrieval,
    last_quarter,
    numbers_of,
    out_of_domain,
)
from satchel.experiments.results import NO_SERIES, Outcome, ResultRow, Series, percent, read_results
from satchel.parts import build
from satchel.ranking import EncoderRetriever, Retriever, check_metric


def label_retrieval(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[PT18] Tables 1, 3 and 4: searches the train split for every test document.

    With `int8 = true` in a method's setting, the database's vectors are compressed to one byte a number.
    """
    int8 = true_or_false("int8", method.setting.get("int8", False))
    yield from _outcomes(in_domain(labelled_set(experiment, method)), method, seed, int8)


def held_out_classes(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[PT18] Table 2: searches for the labels that `held_out` names, without learning from documents that have them.

    With `seen = true` in a method's setting their texts are learned from, without labels.
    """
    held_out = experiment.options.get("held_out", ())
    if not isinstance(held_out, list | tuple):
        raise InputError(f"held_out must be a list of labels, not {held_out!r}")
    seen = true_or_false("seen", method.setting.get("seen", False))
    yield from _outcomes(out_of_domain(labelled_set(experiment, method), held_out, seen=seen), method, seed)


def some_labels(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """As `label_retrieval`, but with few labelled texts of each class: the setting `per class` says how many."""
    per_class = whole_number("per class", method.setting.get("per class"))
    yield from _outcomes(few_labels(labelled_set(experiment, method), per_class, seed), method, seed)


def train_tail(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """Uses the last quarter of each class of the train split as queries for the rest, to choose parameters."""
    yield from _outcomes(last_quarter(labelled_set(experiment, method)), method, seed)


def curves(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[PT18] Figures 4 and 5: as `label_retrieval`, with the points of both curves, in percent."""
    data = labelled_set(experiment, method)
    for judged in _judge(in_domain(data), method, seed):
        yield _outcome(judged, series=curve_points(judged.result))


def train_sample(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[PT18] Appendix B: takes `n_documents` random train documents as the database, and as many others as queries."""
    train = labelled_set(experiment, method).train
    n_documents = whole_number("n_documents", experiment.options.get("n_documents", 1000), 1, len(train) // 2)
    rows = np.random.default_rng(seed).permutation(len(train)).tolist()
    database = at_rows(train, rows[:n_documents])
    queries = at_rows(train, rows[n_documents : 2 * n_documents])
    yield from _outcomes(Retrieval(database.texts, database.labels, database, queries), method, seed)


@KEPT.shared(most=3)
def data_named(name: str) -> object:
    """Loads a data set by its name; consecutive methods share it."""
    return load(name)


def labelled_set(experiment: Experiment, method: Method) -> LabelledSet:
    """Loads the data set of a method, which needs labels and a test split."""
    name = experiment.dataset_of(method)
    data = data_named(name)
    if not isinstance(data, LabelledSet):
        raise InputError(f"{experiment.name} needs a data set with labels and a test split, not {name!r}")
    return data


def judged_set(name: str) -> AdHocSet:
    """Loads a data set with judged queries by its name."""
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
    """The points of both curves by name, in percent, in the form that the figures read."""
    curve, scope = result.precision_recall, result.precision_scope
    return {
        "recall": [round(100 * point, 1) for point in RECALL_POINTS],
        "precision at recall": np.round(100 * curve, 3).tolist(),
        "scope": scope.scopes.tolist(),
        "raw precision at scope": np.round(100 * scope.raw, 3).tolist(),
        "interpolated precision at scope": np.round(100 * scope.interpolated, 3).tolist(),
    }


JUDGED: Final = (*DEFAULT_MEASURES, "R@1000")
ADHOC_MEASURES: Final = (
    *JUDGED,
    "queries",
    *(f"{measure}, {kind}" for measure in JUDGED for kind in (OVER, P_OVER)),
)


def adhoc_search(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[CP13] section 4.2: ranks all documents for each judged query, and judges the best 1,000.

    A method has an `encoder`, which searches by its distances, or a `retriever` with its own score. Options: `split`,
    the split of the queries ("test"; another one to choose parameters, or a table with one for each data set);
    `reference`, the name of the method that the others are compared with, on the same data set and with the same value
    of each setting that both have.
    """
    split, reference = _split(experiment, method), _reference(experiment, method)
    for scoring in method.scorings:
        retriever = _retriever(method, scoring, seed)
        judged = judge_adhoc(judged_set(experiment.dataset_of(method)), retriever, JUDGED, split=split)
        measures = percent(judged.result.measures) | {"queries": len(judged.result.query_ids)}
        if reference is not None and reference is not method:
            other = _judged_reference(experiment, reference, split).result
            measures |= gains(judged.result.per_query, other.per_query, JUDGED, OVER, P_OVER)
        yield Outcome(scoring, numbers_of(retriever), measures, judged.seconds)


def _retriever(method: Method, scoring: str, seed: int) -> Retriever:
    if method.retriever:
        retriever: Retriever = build("retriever", method.part, seed)
        return retriever
    return EncoderRetriever(build("encoder", method.part, seed), check_metric(scoring))


def _split(experiment: Experiment, method: Method) -> str:
    split = experiment.options.get("split", "test")
    return str(split.get(experiment.dataset_of(method), "test") if isinstance(split, Mapping) else split)


def _reference(experiment: Experiment, method: Method) -> Method | None:
    """Finds the method to compare with; None if the options name none."""
    name = experiment.options.get("reference")
    if name is None:
        return None
    others = [other for other in experiment.methods if other.method == name]
    if not others:
        raise unknown_name("reference", str(name), {other.method for other in experiment.methods})
    dataset = experiment.dataset_of(method)
    for other in others:
        shared = other.setting.keys() & method.setting.keys()
        if experiment.dataset_of(other) == dataset and all(other.setting[n] == method.setting[n] for n in shared):
            return method if other.method == method.method else other
    return None


def _judged_reference(experiment: Experiment, reference: Method, split: str) -> JudgedRun:
    dataset, scoring = experiment.dataset_of(reference), reference.scorings[0]
    parts = reference.encoder, reference.retriever, reference.parameters
    return _judge_again(dataset, split, *parts, scoring, reference.seeds[0])


@KEPT.shared(most=16)
def _judge_again(
    dataset: str,
    split: str,
    encoder: str,
    retriever: str,
    parameters: Mapping[str, object],
    scoring: str,
    seed: int,
) -> JudgedRun:
    """Runs the reference once for all methods that are compared with it."""
    distances = () if retriever else (check_metric(scoring),)
    method = Method("reference", encoder, retriever, distances=distances, parameters=parameters)
    return judge_adhoc(judged_set(dataset), _retriever(method, scoring, seed), JUDGED, split=split)


PLATEAU: Final = 1.0  # points of mAP that count as "relatively stable"
SELECTED: Final = ("sigma (BoEW)", "sigma (RO-BoEW)", "m", "N_B", "N_K")
_PARAMETERS: Final = {
    "sigma (BoEW)": ("BoEW", "sigma"),
    "sigma (RO-BoEW)": ("RO-BoEW", "sigma"),
    "m": ("RO-BoEW", "m"),
    "N_B": ("RO-BoEW", "batch_size"),
    "N_K": ("RO-BoEW", "n_codewords"),
}


def selected_parameters(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[PT18] Table 6: chooses the value of each parameter by its sweep, for one data set and its distances.

    `sweeps` names the experiments beside this one whose saved rows are read.
    """
    sweeps = experiment.options.get("sweeps")
    if not isinstance(sweeps, list) or not sweeps:
        raise InputError(f"sweeps must be a list of experiments beside this one, not {sweeps!r}")
    rows = [row for name in sweeps for row in read_results(experiment.path.with_name(f"{name}.json"))]
    rows = [row for row in rows if row.seed == seed and row.setting["data set"] == experiment.dataset_of(method)]
    for distance in method.distances:
        own = [row for row in rows if row.distance == distance]
        chosen = {name: _chosen(own, *where) for name, where in _PARAMETERS.items()}
        yield Outcome(distance, int(chosen["N_K"]), chosen, sum(row.seconds for row in own))


def _chosen(rows: Sequence[ResultRow], method: str, parameter: str) -> float:
    curve = {
        float(row.setting[parameter]): row.measures[MAP_11]
        for row in rows
        if row.method == method and parameter in row.setting
    }
    if not curve:
        raise InputError(f"no sweep of {parameter} for {method} is saved; run the sweeps first, with --save")
    return choose(curve)


def choose(curve: dict[float, float]) -> float:
    """Chooses the middle one of the values whose measure is within one point of the best, [PT18] Appendix B.

    "When the mAP was relatively stable for a wide range of parameters, the median value was chosen". The candidates
    are the best value and its neighbours on both sides, as far as the measure stays within one point. Of two middle
    ones the first is chosen.
    """
    values = sorted(curve)
    best = max(values, key=lambda value: curve[value])
    first = last = values.index(best)
    while first > 0 and curve[values[first - 1]] >= curve[best] - PLATEAU:
        first -= 1
    while last + 1 < len(values) and curve[values[last + 1]] >= curve[best] - PLATEAU:
        last += 1
    return values[(first + last) // 2]
