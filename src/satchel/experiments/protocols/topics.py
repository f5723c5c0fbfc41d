"""The protocols of [MW]: the first words of a document are the query for its topic; sizes of sets and networks."""

import math
from collections.abc import Iterator, Mapping, Sequence
from time import perf_counter
from typing import Final

import numpy as np

from satchel.datasets import LabelledSet
from satchel.errors import InputError
from satchel.evaluation import TopicsResult, evaluate_topics, evenness, join_topics, skewness, topic_sizes
from satchel.experiments.plan import Experiment, Method
from satchel.experiments.protocols.judging import Retrieval, in_domain, numbers_of, task_of_split
from satchel.experiments.protocols.retrieval import labelled_set
from satchel.experiments.results import Outcome, Series, read_results
from satchel.parts import build
from satchel.ranking import Retriever
from satchel.text import Tokenizer
from satchel.types import Ranking

N_WORDS: Final = (5, 10, 15, 20)
TOP: Final = 20
MAP: Final = f"MAP (top {TOP})"
FIRST: Final = "topic of the first document"
CURVES: Final = (
    MAP,
    "success rate",
    "mean rank",
    "MCC",
    f"success rate (top {TOP})",
    f"mean rank (top {TOP})",
    f"MCC (top {TOP})",
    f"{FIRST}, right",
    f"{FIRST}, MCC",
)
"""The measures for each query length: of all retrieved documents as in the paper, of the first 20, and of the first."""

_PLAIN: Final = ("rank", "MCC")  # not fractions
_QUERIES_AT_ONCE: Final = 512


def measure_at(measure: str, n_words: int) -> str:
    """The name of a measure for queries of `n_words` words."""
    return f"{measure}, {n_words} words"


TOPIC_MEASURES: Final = tuple(measure_at(measure, n) for n in N_WORDS for measure in CURVES)

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


def topic_queries(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[MW] Table 3 and Figures 4-6 and 9-13: the first 5, 10, 15 and 20 words of each test document are queries.

    The retriever learns the train split (with its topics if `labels = true`) and ranks it for each query; documents
    with the query's topic are relevant. `queries = "train"` uses the last quarter of each topic of the train split as
    queries for the rest, to choose parameters. Series: each measure over the query lengths; its value for each topic
    (only of the first seed, which is drawn); and a network's perplexities.
    """
    start = perf_counter()
    task = _task(experiment, method)
    retriever: Retriever = build("retriever", method.part, seed)
    retriever.fit(task.learned, task.labels if method.labels else None)
    judged = {n: judge_topics(retriever, task, n) for n in N_WORDS}
    of_length = {n: _values(*results) for n, results in judged.items()}
    measures = {measure_at(name, n): value for n, values in of_length.items() for name, value in values.items()}
    series: Series = {
        "words": list(N_WORDS),
        **{
            name: [of_length[n][name] for n in N_WORDS] for name in CURVES if all(name in of_length[n] for n in N_WORDS)
        },
        **(_per_topic(judged, topic_sizes(task.database.labels)) if seed == method.seeds[0] else {}),
        **perplexities(retriever),
    }
    yield Outcome(method.scorings[0], numbers_of(retriever), measures, perf_counter() - start, series)


def saved_curves(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[MW] Figures 4-6 and 9-13: reads the rows of the experiment `rows_of` beside this one, and runs nothing."""
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


def topic_statistics(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[MW] Table 1 and Figure 7: counts the documents, topics and words of a set, as the retriever uses them.

    A network sets some train documents aside for validation and learns from the others; with `max_epochs = 0` it only
    splits them. Series: the train documents of each topic, the largest first.
    """
    start = perf_counter()
    data = labelled_set(experiment, method)
    retriever: Retriever = build("retriever", method.part, seed)
    retriever.fit(data.train.texts, data.train.labels if method.labels else None)
    sizes = list(topic_sizes(data.train.labels).values())
    n_learned = len(getattr(retriever, "documents_", data.train))
    counts = (n_learned, len(data.train) - n_learned, len(data.test), len(sizes), numbers_of(retriever))
    uneven = (round(evenness(sizes), 4), round(skewness(sizes), 3))
    measures = dict(zip(SIZE_MEASURES, map(float, (*counts, *uneven)), strict=True))
    series = {"documents of topics": sizes}
    yield Outcome(method.scorings[0], numbers_of(retriever), measures, perf_counter() - start, series)


def network_layers(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[MW] Table 2: reads the sizes of a network's layers from its parameters; nothing is trained."""
    parameters = vars(build("retriever", method.part, seed))
    if missing := [name for name in LAYER_MEASURES if name not in parameters]:
        raise InputError(f"{method.retriever or method.encoder} has no layer called {missing[0]}; name a network")
    measures = {name: float(parameters[name]) for name in LAYER_MEASURES}
    yield Outcome(method.scorings[0], 0, measures, 0.0)


def judge_first_words(data: LabelledSet, retriever: Retriever, *, labels: bool) -> dict[str, float]:
    """Fits a retriever and returns [MW]'s four measures for each query length, as fractions.

    labels: whether the retriever gets the topics of the train split. If no query succeeds, there is no mean rank.
    """
    task = in_domain(data)
    retriever.fit(task.learned, task.labels if labels else None)
    judged = {n: judge_topics(retriever, task, n)[0] for n in N_WORDS}
    return {
        measure_at(name, n): value
        for n, result in judged.items()
        for name, value in result.measures.items()
        if not math.isnan(value)
    }


def first_words(text: str, n_words: int) -> str:
    """The first words of a text that are not stop words, [MW] sections 3.3 and 4; fewer if the text is short.

    The words are not stemmed, because every retriever reads them with its own tokenizer.
    """
    tokenizer = Tokenizer(stop_words="smart")
    return " ".join(tokenizer.tokens(text)[:n_words])


def judge_topics(retriever: Retriever, task: Retrieval, n_words: int) -> tuple[TopicsResult, ...]:
    """Measures queries of `n_words` words: on whole rankings, on the first 20 documents and on the first one."""
    queries = [first_words(text, n_words) for text in task.queries.texts]
    parts: list[tuple[TopicsResult, ...]] = []
    for begin in range(0, len(queries), _QUERIES_AT_ONCE):
        rows = slice(begin, begin + _QUERIES_AT_ONCE)
        ids, scores = retriever.search(queries[rows], len(task.database))
        labels = task.queries.labels[rows]
        parts.append(
            tuple(
                evaluate_topics(Ranking(ids[:, :depth], scores[:, :depth]), task.database.labels, labels, k=TOP)
                for depth in (None, TOP, 1)
            )
        )
    return tuple(join_topics(of_depth) for of_depth in zip(*parts, strict=True))


def perplexities(retriever: Retriever) -> Series:
    """The perplexity of each epoch, on a network's training texts and on its validation texts, if there are any."""
    series: dict[str, list[float]] = {}
    for record in getattr(retriever, "history_", ()):
        for kind in ("train", "validation"):
            value = getattr(record, f"{kind}_perplexity", None)
            if value is not None:
                series.setdefault(f"{kind} perplexity", []).append(round(float(value), 4))
    return series


def _task(experiment: Experiment, method: Method) -> Retrieval:
    """Reads the texts to learn from and the queries; queries whose topic no document has are left out for every
    method."""
    return task_of_split(labelled_set(experiment, method), experiment.options.get("queries", "test"))


def _values(whole: TopicsResult, top: TopicsResult, first: TopicsResult) -> dict[str, float]:
    """Names the measures, with fractions in percent; without the mean rank if no query succeeds."""
    named = dict(whole.measures)
    named |= {f"{name} (top {TOP})": top.measures[name] for name in ("success rate", "mean rank", "MCC")}
    named |= {f"{FIRST}, right": first.measures["success rate"], f"{FIRST}, MCC": first.measures["MCC"]}
    return {
        name: round(value if any(sign in name for sign in _PLAIN) else 100 * value, 3)
        for name, value in named.items()
        if not math.isnan(value)
    }


def _per_topic(
    judged: Mapping[int, tuple[TopicsResult, ...]], sizes: Mapping[object, int]
) -> dict[str, Sequence[float]]:
    """Success rate and MAP of whole rankings for each topic of the queries, the largest topic first."""
    results = {n: of_depths[0] for n, of_depths in judged.items()}
    topics = results[N_WORDS[0]].topics
    queried = np.unique(results[N_WORDS[0]].wanted).tolist()
    order = sorted(queried, key=lambda number: -sizes[topics[number]])
    series: dict[str, Sequence[float]] = {"documents of topics": [sizes[topics[number]] for number in order]}
    for n, result in results.items():
        for name in ("success rate", MAP):
            values = 100 * result.per_topic(name)[order]
            series[f"{name} of topics, {n} words"] = np.round(values, 2).tolist()
    return series
