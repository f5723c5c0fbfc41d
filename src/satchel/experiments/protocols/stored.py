"""The protocol of stored marks: many queries are marked, and the vectors are learned anew from the marks."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from time import perf_counter
from typing import Final, Literal, get_args

import numpy as np

from satchel.datasets import LabelledSet
from satchel.encoders import BagOfEmbeddedWords
from satchel.errors import InputError, one_of, unknown_name, whole_number
from satchel.evaluation import DEFAULT_TOP, MAP_11, SimulatedUser, evaluate_retrieval, names_at
from satchel.experiments.kept import KEPT
from satchel.experiments.plan import Experiment, Method
from satchel.experiments.protocols.judging import Retrieval, asked_by
from satchel.experiments.protocols.retrieval import data_named
from satchel.experiments.results import Outcome, percent
from satchel.feedback import MarkedNeed, train_on_marks
from satchel.parts import build
from satchel.ranking import ExactIndex
from satchel.types import Vectors

Naming = Literal["nothing", "class", "number", "no name"]
"""How the marks of a query are kept: not at all; under the name of its class, as in a project that people come back to;
under a number, as in a project of its own; or without a name."""

STORED_MEASURES: Final = (MAP_11, *names_at(DEFAULT_TOP), "marks", "strength", "step")
_USER: Final = ("n_shown", "n_relevant", "n_irrelevant", "mistakes", "choice")


def stored_marks(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[PT18] section 3.4, end: random train texts are queries for the others, without labels; a simulated user marks
    the results; vectors are learned from these marks, and with them the test split searches the train split.

    The method's name is looked up in the option `kept`, a table from names to a `Naming`. The setting `kept queries`
    says how many texts are queries; setting or options may hold the parameters of the simulated user. With the option
    `queries = "train"` the last quarter of each class of the train split replaces the test split.
    """
    dataset, split = experiment.dataset_of(method), str(experiment.options.get("queries", "test"))
    encoder, task = build("encoder", method.part, seed), _task(dataset, split)
    if not isinstance(encoder, BagOfEmbeddedWords):
        raise InputError(f"{experiment.name}: marks train a BagOfEmbeddedWords, not {method.encoder}")
    vectors = _untrained(dataset, method.parameters, split, seed)
    projects = simulated_projects(vectors, task.database.labels, *_kept(experiment, method), seed)
    start = perf_counter()
    trained = train_on_marks(encoder, task.learned, projects)
    found, asking = (trained.encoder.transform(texts.texts) for texts in (task.database, task.queries))
    for distance in method.distances:
        result = evaluate_retrieval(found, task.database.labels, asking, task.queries.labels, metric=distance)
        n_marks = sum(len(project.relevant) + len(project.irrelevant) for project in projects)
        told = {"marks": n_marks, "strength": trained.encoder.strength_, "step": trained.step}
        yield Outcome(distance, found.shape[1], percent(result.measures) | told, perf_counter() - start)


def simulated_projects(
    vectors: Vectors, labels: Sequence[Hashable], naming: Naming, n_queries: int, user: SimulatedUser, seed: int
) -> list[MarkedNeed]:
    """The marks to keep, if random documents are queries and documents with the same label are relevant.

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
def _untrained(dataset: str, parameters: Mapping[str, object], split: str, seed: int) -> Vectors:
    """Vectors learned without marks; queries are marked with them. The methods of three seeds share them."""
    encoder: BagOfEmbeddedWords = build("encoder", {**parameters, "name": "BagOfEmbeddedWords"}, seed)
    task = _task(dataset, split)
    return encoder.fit(task.learned).transform(task.database.texts)


def _task(dataset: str, split: str) -> Retrieval:
    data = data_named(dataset)
    if not isinstance(data, LabelledSet):
        raise InputError(f"marks are kept on a data set with labels and a test split, not on {dataset!r}")
    return asked_by(data, split)


def _kept(experiment: Experiment, method: Method) -> tuple[Naming, int, SimulatedUser]:
    """Reads how marks are kept, the number of queries, and the simulated user."""
    table = experiment.options.get("kept")
    if not isinstance(table, Mapping) or method.method not in table:
        raise unknown_name("way to keep marks", method.method, table if isinstance(table, Mapping) else ())
    naming = table[method.method]
    one_of("naming", naming, get_args(Naming))
    options = {**experiment.options, **method.setting}
    user = SimulatedUser(**{option: options[option] for option in _USER if option in options})  # type: ignore[arg-type]
    return naming, whole_number("kept queries", method.setting.get("kept queries", 0), 0), user
