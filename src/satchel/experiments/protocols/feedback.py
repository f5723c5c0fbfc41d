"""The protocols of a simulated user who marks: relevance feedback at once, and vectors trained on stored marks."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from inspect import signature
from time import perf_counter
from typing import Final, Literal, NamedTuple, get_args

import numpy as np

from satchel.datasets import AdHocSet, LabelledSet
from satchel.encoders import BagOfEmbeddedWords, Encoder
from satchel.errors import InputError, one_of, unknown_name, whole_number
from satchel.evaluation import (
    DEFAULT_TOP,
    MAP_11,
    NDCG_10,
    FeedbackResult,
    NoFeedback,
    Refiner,
    SimulatedUser,
    evaluate_retrieval,
    names_at,
    precision_name,
    simulate_feedback,
)
from satchel.experiments.kept import KEPT
from satchel.experiments.plan import Experiment, Method
from satchel.experiments.protocols.judging import OVER, P_OVER, Retrieval, at_rows, gains, task_of_split
from satchel.experiments.protocols.retrieval import curve_points, data_named
from satchel.experiments.results import NO_SERIES, Outcome, Series, percent
from satchel.feedback import MarkedNeed, train_on_marks
from satchel.parts import build
from satchel.ranking import ExactIndex
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
_MARKING: Final = ("n_shown", "n_relevant", "n_irrelevant", "mistakes", "choice")


class FeedbackTask(NamedTuple):
    """Vectors to search, vectors of queries, and which documents are relevant; seconds: the time to fit and encode."""

    database: Vectors
    names: Sequence[str]
    queries: Vectors
    query_names: Sequence[str]
    judgments: Judgments | None
    seconds: float


def relevance_feedback(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[PT18] section 4.5, Table 5: marks the first documents of each query, and measures the residual collection.

    The name of the method is looked up in the option `feedback`, a table from names to parameters of `Feedback`; {
    method = "none" } learns nothing. Other options: those of the user of `simulate_feedback` (a method's setting may
    have them too); `n_queries`, how many random test texts are queries (300; a set with judgments uses all its
    queries); `queries = "train"`, which uses the last quarter of each class of the train split as queries for the
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
            raise InputError(f"{experiment.name}: marks are learned with the cosine only, not with {distance!r}")
        yield Outcome(distance, int(task.database.shape[1]), measures, seconds, series)


def measures_of(result: FeedbackResult) -> dict[str, float]:
    """Means after the last round on the residual collection, in percent, with values to compare them with.

    "none": the first ranking on the same documents. "worse": the share of queries that feedback made worse. "p": the
    randomisation test against none. "frozen": with the marked documents at the top.
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
    """The gain over the reference and its p; both must have the same residual collection."""
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
    """Encodes a data set and its queries; methods with the same arguments share the vectors."""
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
        task = task_of_split(data, queries)
        rows = np.random.default_rng(seed).permutation(len(task.queries))[:n_queries].tolist()
        asking = at_rows(task.queries, rows)
        model.fit(task.learned, task.labels if labels else None)
        names, query_names, judgments = task.database.labels, asking.labels, None
        vectors = model.transform(task.database.texts), model.transform(asking.texts)
    elif isinstance(data, AdHocSet):
        judged = data.judged_queries()
        model.fit(data.documents.texts)
        names, query_names, judgments = data.documents.ids, judged.ids, data.judgments
        vectors = model.transform(data.documents.texts), model.transform(judged.texts)
    else:
        raise InputError(f"feedback needs a data set with labels and a test split, or with judgments, not {dataset!r}")
    return FeedbackTask(vectors[0], names, vectors[1], query_names, judgments, perf_counter() - start)


def _simulate(experiment: Experiment, method: Method, task: FeedbackTask, name: str, seed: int) -> FeedbackResult:
    options = {**experiment.options, **method.setting}
    user = {option: options[option] for option in (*_MARKING, "rounds") if option in options}
    return simulate_feedback(
        task.database,
        task.names,
        task.queries,
        task.query_names,
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
    """Builds the feedback from its parameters; { method = "none" } learns nothing."""
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
    """The gain over the reference and its p-value; only after one round, because later the documents left differ."""
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


Naming = Literal["nothing", "class", "number", "no name"]
"""How the marks of a query are kept: not at all; under the name of its class, as in a project that people come back to;
under a number, as in a project of its own; or without a name."""

STORED_MEASURES: Final = (MAP_11, *names_at(DEFAULT_TOP), "marks", "strength", "step")


def stored_marks(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[PT18] section 3.4, end: trains vectors on stored marks, and searches the train split for the test split with
    them.

    Random train texts are queries for the others, without labels, and a simulated user marks the results. The name of
    the method is looked up in the option `kept`, a table from names to a `Naming`. The setting `kept queries` says how
    many texts are queries; setting or options may have the parameters of the simulated user. With the option `queries
    = "train"` the last quarter of each class of the train split replaces the test split.
    """
    dataset, split = experiment.dataset_of(method), str(experiment.options.get("queries", "test"))
    encoder, task = build("encoder", method.part, seed), _labelled_task(dataset, split)
    if not isinstance(encoder, BagOfEmbeddedWords):
        raise InputError(f"{experiment.name}: marks train a BagOfEmbeddedWords, not {method.encoder}")
    vectors = _vectors_without_marks(dataset, method.parameters, split, seed)
    projects = simulated_projects(vectors, task.database.labels, *_way_of_keeping(experiment, method), seed)
    start = perf_counter()
    trained = train_on_marks(encoder, task.learned, projects)
    found, asking = (trained.encoder.transform(texts.texts) for texts in (task.database, task.queries))
    for distance in method.distances:
        result = evaluate_retrieval(found, task.database.labels, asking, task.queries.labels, metric=distance)
        n_marks = sum(len(project.relevant) + len(project.irrelevant) for project in projects)
        learned = {"marks": n_marks, "strength": trained.encoder.strength_, "step": trained.step}
        yield Outcome(distance, found.shape[1], percent(result.measures) | learned, perf_counter() - start)


def simulated_projects(
    vectors: Vectors, labels: Sequence[Hashable], naming: Naming, n_queries: int, user: SimulatedUser, seed: int
) -> list[MarkedNeed]:
    """Makes the marks to keep: random documents are queries, and documents with the same label are relevant.

    vectors (n_documents, n_features), labels (n_documents,). A query is not among its own results.
    """
    if naming == "nothing":
        return []
    rng, classes, index = np.random.default_rng(seed), np.array(labels), ExactIndex(vectors)
    projects = []
    for number, asking in enumerate(rng.permutation(len(classes))[:n_queries]):
        ranked = index.search(vectors[[asking]], user.n_shown + 1).ids[0]
        others = ranked[(ranked != asking) & (ranked >= 0)]
        documents, relevant = user.marks(others, (classes == classes[asking]).astype(np.int64), rng)
        name = {"class": labels[asking], "number": number, "no name": None}[naming]
        projects.append(MarkedNeed(name, documents[relevant].tolist(), documents[~relevant].tolist()))
    return projects


@KEPT.shared(most=3)
def _vectors_without_marks(dataset: str, parameters: Mapping[str, object], split: str, seed: int) -> Vectors:
    """Learns the vectors with which queries are searched and marked. The methods of three seeds share them."""
    encoder: BagOfEmbeddedWords = build("encoder", {**parameters, "name": "BagOfEmbeddedWords"}, seed)
    task = _labelled_task(dataset, split)
    return encoder.fit(task.learned).transform(task.database.texts)


def _labelled_task(dataset: str, split: str) -> Retrieval:
    data = data_named(dataset)
    if not isinstance(data, LabelledSet):
        raise InputError(f"marks are kept on a data set with labels and a test split, not on {dataset!r}")
    return task_of_split(data, split)


def _way_of_keeping(experiment: Experiment, method: Method) -> tuple[Naming, int, SimulatedUser]:
    """Reads how marks are kept, the number of queries, and the simulated user."""
    table = experiment.options.get("kept")
    if not isinstance(table, Mapping) or method.method not in table:
        raise unknown_name("way to keep marks", method.method, table if isinstance(table, Mapping) else ())
    naming = table[method.method]
    one_of("naming", naming, get_args(Naming))
    options = {**experiment.options, **method.setting}
    user = SimulatedUser(**{option: options[option] for option in _MARKING if option in options})  # type: ignore[arg-type]
    return naming, whole_number("kept queries", method.setting.get("kept queries", 0), 0), user
