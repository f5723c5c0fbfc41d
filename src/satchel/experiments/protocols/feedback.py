"""The protocol of relevance feedback: a simulated user on a labelled set or on one with judgments."""

from collections.abc import Iterator, Mapping, Sequence
from inspect import signature
from time import perf_counter
from typing import Final, NamedTuple

import numpy as np

from satchel.datasets import AdHocSet, LabelledSet
from satchel.encoders import Encoder
from satchel.errors import InputError, one_of, unknown_name, whole_number
from satchel.evaluation import (
    DEFAULT_TOP,
    MAP_11,
    NDCG_10,
    FeedbackResult,
    NoFeedback,
    Refiner,
    names_at,
    precision_name,
    simulate_feedback,
)
from satchel.experiments.kept import KEPT
from satchel.experiments.plan import Experiment, Method
from satchel.experiments.protocols.judging import OVER, P_OVER, asked_by, at_rows, gains
from satchel.experiments.protocols.retrieval import curve_points, data_named
from satchel.experiments.results import NO_SERIES, Outcome, Series, percent
from satchel.parts import build
from satchel.types import Judgments, Vectors

NO_FEEDBACK: Final = "none"
COMPARED: Final = (MAP_11, precision_name(10), NDCG_10)
KINDS: Final = ("none", "worse", "p", "frozen", "frozen none", OVER, P_OVER)
FEEDBACK_MEASURES: Final = (
    MAP_11,
    *names_at(DEFAULT_TOP),
    NDCG_10,
    "queries",
    *(f"{measure}, {kind}" for measure in COMPARED for kind in KINDS),
)
_USER: Final = ("n_shown", "n_relevant", "n_irrelevant", "rounds", "mistakes", "choice")


class FeedbackTask(NamedTuple):
    """Vectors to search, vectors of queries, and which documents are relevant; seconds: of fitting and encoding."""

    database: Vectors
    names: Sequence[str]
    queries: Vectors
    asked: Sequence[str]
    judgments: Judgments | None
    seconds: float


def relevance_feedback(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[PT18] section 4.5, Table 5: marks among the first documents of each query, measured on the residual collection.

    The method's name is looked up in the option `feedback`, a table from names to the parameters of `Feedback`;
    { method = "none" } learns nothing. Other options: those of the user of `simulate_feedback` (a method's setting may
    hold them too); `n_queries`, how many random test texts are queries (300; a set with judgments uses all its
    queries); `queries = "train"`, which takes the last quarter of each class of the train split as queries for the
    rest; `reference`, the name of the feedback that the others are compared with.
    """
    task = _task(experiment, method, seed)
    start = perf_counter()
    result = _simulate(experiment, method, task, method.method, seed)
    seconds = task.seconds + perf_counter() - start
    measures = measures_of(result) | _over_reference(experiment, method, task, result, seed)
    series = _points(result, experiment.judged_by) if experiment.figures else NO_SERIES
    for distance in method.distances:
        if distance != "cosine":
            raise InputError(f"{experiment.name}: marks are learned by cosine alone, not by {distance!r}")
        yield Outcome(distance, int(task.database.shape[1]), measures, seconds, series)


def measures_of(result: FeedbackResult) -> dict[str, float]:
    """Means after the last round on the residual collection, in percent, with values to compare them with.

    "none": the first ranking on the same documents; "worse": the share of queries that feedback made worse; "p": of the
    randomisation test against none; "frozen": with the marked documents at the top.
    """
    residual, frozen = result.last.residual, result.last.frozen
    measures = percent(residual.feedback.measures)
    measures["queries"] = len(residual.feedback.evaluated)
    for name in COMPARED:
        measures[f"{name}, none"] = round(100 * residual.none.measures[name], 3)
        measures[f"{name}, worse"] = round(100 * residual.worse(name), 3)
        measures[f"{name}, p"] = round(residual.comparison(name).p_randomisation, 5)
        measures[f"{name}, frozen"] = round(100 * frozen.feedback.measures[name], 3)
        measures[f"{name}, frozen none"] = round(100 * frozen.none.measures[name], 3)
    return measures


def gains_after_marks(result: FeedbackResult, reference: FeedbackResult) -> dict[str, float]:
    """The gain over the reference and its p, on the residual collection that both share."""
    own, other = (one.last.residual.feedback.per_query for one in (result, reference))
    return gains(own, other, COMPARED, OVER, P_OVER)


def feedback_task(
    dataset: str,
    encoder: str,
    parameters: Mapping[str, object],
    *,
    labels: bool = False,
    queries: str = "test",
    n_queries: int = 300,
    seed: int = 0,
) -> FeedbackTask:
    """Vectors of a data set; methods with the same arguments share them."""
    one_of("split of queries", queries, ("test", "train"))
    return _encoded(dataset, encoder, parameters, labels, queries, n_queries, seed)


def _task(experiment: Experiment, method: Method, seed: int) -> FeedbackTask:
    return feedback_task(
        experiment.dataset_of(method),
        method.encoder,
        method.parameters,
        labels=method.labels,
        queries=str(experiment.options.get("queries", "test")),
        n_queries=whole_number("n_queries", experiment.options.get("n_queries", 300)),
        seed=seed,
    )


@KEPT.shared()
def _encoded(
    dataset: str,
    encoder: str,
    parameters: Mapping[str, object],
    labels: bool,
    queries: str,
    n_queries: int,
    seed: int,
) -> FeedbackTask:
    data = data_named(dataset)
    model: Encoder = build("encoder", {**parameters, "name": encoder}, seed)
    start = perf_counter()
    if isinstance(data, LabelledSet):
        task = asked_by(data, queries)
        rows = np.random.default_rng(seed).permutation(len(task.queries))[:n_queries].tolist()
        asking = at_rows(task.queries, rows)
        model.fit(task.learned, task.labels if labels else None)
        names, asked, judgments = task.database.labels, asking.labels, None
        vectors = model.transform(task.database.texts), model.transform(asking.texts)
    elif isinstance(data, AdHocSet):
        judged = data.judged_queries()
        model.fit(data.documents.texts)
        names, asked, judgments = data.documents.ids, judged.ids, data.judgments
        vectors = model.transform(data.documents.texts), model.transform(judged.texts)
    else:
        raise InputError(f"feedback needs a data set with labels and a test split, or with judgments, not {dataset!r}")
    return FeedbackTask(vectors[0], names, vectors[1], asked, judgments, perf_counter() - start)


def _simulate(experiment: Experiment, method: Method, task: FeedbackTask, name: str, seed: int) -> FeedbackResult:
    options = {**experiment.options, **method.setting}
    user = {option: options[option] for option in _USER if option in options}
    return simulate_feedback(
        task.database,
        task.names,
        task.queries,
        task.asked,
        judgments=task.judgments,
        feedback=_named_feedback(experiment, name, seed),
        random_state=seed,
        **user,  # type: ignore[arg-type]
    )


def _named_feedback(experiment: Experiment, name: str, seed: int) -> Refiner:
    table = experiment.options.get("feedback")
    if not isinstance(table, Mapping) or name not in table:
        raise unknown_name("feedback", name, table if isinstance(table, Mapping) else ())
    return build_feedback(table[name], seed)


def build_feedback(parameters: Mapping[str, object], seed: int) -> Refiner:
    """Feedback from its parameters; { method = "none" } learns nothing."""
    from satchel.feedback import Feedback

    known = list(signature(Feedback).parameters)
    for name in parameters:
        if name not in known:
            raise unknown_name("parameter of Feedback", name, known)
    if parameters.get("method") == NO_FEEDBACK:
        return NoFeedback()
    return Feedback(**{"random_state": seed, **parameters})  # type: ignore[arg-type]


def _over_reference(
    experiment: Experiment, method: Method, task: FeedbackTask, result: FeedbackResult, seed: int
) -> dict[str, float]:
    """The gain over the reference and its p-value; after one round only, when both have the same documents left."""
    reference = experiment.options.get("reference")
    if reference is None or len(result.rounds) > 1:
        return {}
    return gains_after_marks(result, _simulate(experiment, method, task, str(reference), seed))


def _points(result: FeedbackResult, measure: str) -> Series:
    """The curves after the last round, and the judged measure before any mark and after each round."""
    after, without = result.curve(measure)
    points = {
        "with feedback": np.round(100 * after, 3).tolist(),
        "without feedback": np.round(100 * without, 3).tolist(),
    }
    return {**curve_points(result.last.residual.feedback), "round": list(range(len(after))), **points}
