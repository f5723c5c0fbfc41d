"""How a method is judged on a data set; the command line and the experiments judge by the same functions."""

from collections.abc import Sequence
from time import perf_counter
from typing import NamedTuple

from satchel.datasets import AdHocSet, LabelledSet
from satchel.documents import Encoder
from satchel.evaluation import RetrievalResult, RunResult, evaluate_retrieval, evaluate_run, run_from_ranking
from satchel.evaluation.measures import MAP_11, interpolated_precision_name, precision_name, recall_name
from satchel.evaluation.retrieval import DEFAULT_TOP
from satchel.evaluation.runs import DEFAULT_MEASURES
from satchel.ranking import Metric, Retriever
from satchel.types import Run

MEASURED: dict[str, tuple[str, ...]] = {
    "label-retrieval": (
        MAP_11,
        *(name(k) for k in DEFAULT_TOP for name in (precision_name, interpolated_precision_name, recall_name)),
    )
}
"""The protocols that an experiment's file may name, and what each one measures that a paper may have published."""

RUN_LENGTH = 1000  # documents kept per query, as TREC does


class JudgedVectors(NamedTuple):
    """One distance's result on one encoder's vectors; seconds include fitting and encoding."""

    distance: str
    length: int
    result: RetrievalResult
    seconds: float


class JudgedRun(NamedTuple):
    """A retriever's run on an ad-hoc set with its measures."""

    run: Run
    result: RunResult
    seconds: float


def judge_label_retrieval(data: LabelledSet, encoder: Encoder, distances: Sequence[Metric]) -> list[JudgedVectors]:
    """[PT18] section 4.2: the train split is the database, every test document a query, equal labels are relevant."""
    start = perf_counter()
    database = encoder.fit(data.train.texts, data.train.labels).transform(data.train.texts)
    queries = encoder.transform(data.test.texts)
    encoding = perf_counter() - start
    judged = []
    for distance in distances:
        start = perf_counter()
        result = evaluate_retrieval(database, data.train.labels, queries, data.test.labels, metric=distance)
        judged.append(JudgedVectors(distance, database.shape[1], result, encoding + perf_counter() - start))
    return judged


def judge_adhoc(data: AdHocSet, retriever: Retriever, measures: Sequence[str] = DEFAULT_MEASURES) -> JudgedRun:
    """Every judged query against all documents; the best 1,000 make the run."""
    start = perf_counter()
    queries = data.judged_queries()
    ranking = retriever.fit(data.documents.texts).search(queries.texts, RUN_LENGTH)
    run = run_from_ranking(ranking, queries.ids, data.documents.ids)
    result = evaluate_run(run, data.judgments, measures)
    return JudgedRun(run, result, perf_counter() - start)
