"""What [MW] tells of its collections and networks, and the curves that are drawn from rows saved elsewhere."""

from collections.abc import Iterator
from time import perf_counter
from typing import Final

from satchel.errors import InputError
from satchel.evaluation.topics import evenness, skewness, topic_sizes
from satchel.experiments.plan import Experiment, Method
from satchel.experiments.report import read_results
from satchel.experiments.results import Outcome
from satchel.experiments.retrieval import labelled_set
from satchel.experiments.retrievers import build_retriever, numbers_of

SIZE_MEASURES: Final = (
    "training documents",
    "validation documents",
    "test documents",
    "topics",
    "vocabulary",
    "evenness",
    "skewness",
)
LAYER_MEASURES: Final = ("projection", "hidden")


def topic_statistics(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[MW] Table 1 and Figure 7: documents, topics and words of a set, as the retriever takes them.

    A network learns from fewer documents than the train split has, and sets others aside for validation; fitted with
    `max_epochs = 0` it only does that. Series: the train documents of each topic, the largest first.
    """
    start = perf_counter()
    data = labelled_set(experiment, method)
    retriever = build_retriever(method.retriever or method.encoder, method.parameters, seed)
    retriever.fit(data.train.texts, data.train.labels if method.labels else None)
    sizes = list(topic_sizes(data.train.labels).values())
    n_learned = len(getattr(retriever, "documents_", data.train))
    counts = (n_learned, len(data.train) - n_learned, len(data.test), len(sizes), numbers_of(retriever))
    uneven = (round(evenness(sizes), 4), round(skewness(sizes), 3))
    measures = dict(zip(SIZE_MEASURES, map(float, (*counts, *uneven)), strict=True))
    series = {"documents of topics": sizes}
    yield Outcome(method.scorings[0], numbers_of(retriever), measures, perf_counter() - start, series)


def network_layers(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[MW] Table 2: the sizes of a network's layers, from its parameters; nothing is trained."""
    parameters = vars(build_retriever(method.retriever, method.parameters, seed))
    if missing := [name for name in LAYER_MEASURES if name not in parameters]:
        raise InputError(f"{method.retriever or method.encoder} has no layer called {missing[0]}; name a network")
    measures = {name: float(parameters[name]) for name in LAYER_MEASURES}
    yield Outcome(method.scorings[0], 0, measures, 0.0)


def saved_curves(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[MW] Figures 4-6 and 9-13: nothing is run, the rows of the experiment `rows_of` beside this one are taken."""
    start, name = perf_counter(), experiment.options.get("rows_of")
    if not isinstance(name, str) or not name:
        raise InputError(f"rows_of must name an experiment beside this one, not {name!r}")
    wanted = {(*condition, seed) for condition in method.conditions}
    rows = read_results(experiment.path.with_name(f"{name}.json"))
    found = [row for row in rows if (*row.condition, row.seed) in wanted]
    if not found:
        raise InputError(f"{name} has saved no row of {method.method!r}, seed {seed}; run it first, with --save")
    for row in found:
        yield Outcome(row.distance, row.length, row.measures, perf_counter() - start, row.series)
