"""How a method is judged on a data set; the command line and the experiments judge by the same functions."""

from collections.abc import Collection, Sequence
from time import perf_counter
from typing import NamedTuple

from satchel.datasets import AdHocSet, LabelledSet, LabelledTexts
from satchel.documents import Encoder
from satchel.errors import InputError
from satchel.evaluation import RetrievalResult, RunResult, evaluate_retrieval, evaluate_run, run_from_ranking
from satchel.evaluation.runs import DEFAULT_MEASURES
from satchel.ranking import Metric, Retriever
from satchel.types import Run

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


class Retrieval(NamedTuple):
    """What a retrieval is judged on: texts to learn from, texts to find, and texts that ask."""

    learned: LabelledTexts
    database: LabelledTexts
    queries: LabelledTexts


def judge_label_retrieval(
    data: LabelledSet, encoder: Encoder, distances: Sequence[Metric], *, labels: bool
) -> list[JudgedVectors]:
    """[PT18] section 4.2: the train split is the database, every test document a query, equal labels are relevant.

    labels: whether the encoder is told the labels of the train split.
    """
    return judge_retrieval(Retrieval(data.train, data.train, data.test), encoder, distances, labels=labels)


def judge_retrieval(
    task: Retrieval, encoder: Encoder, distances: Sequence[Metric], *, labels: bool
) -> list[JudgedVectors]:
    """Fits on the first texts, and judges how well the third find the second; one result per distance."""
    start = perf_counter()
    encoder.fit(task.learned.texts, task.learned.labels if labels else None)
    database, queries = encoder.transform(task.database.texts), encoder.transform(task.queries.texts)
    encoding = perf_counter() - start
    judged = []
    for distance in distances:
        start = perf_counter()
        result = evaluate_retrieval(database, task.database.labels, queries, task.queries.labels, metric=distance)
        judged.append(JudgedVectors(distance, database.shape[1], result, encoding + perf_counter() - start))
    return judged


def out_of_domain(data: LabelledSet, held_out: Collection[str]) -> Retrieval:
    """[PT18] section 4.4, Table 2: learn without the held-out classes, then search the whole train split for them."""
    unknown = set(held_out) - set(data.train.labels)
    if not held_out or unknown:
        raise InputError(f"held_out must name labels of {data.name!r}; it has no {sorted(unknown) or 'label given'}")
    others = set(data.train.labels) - set(held_out)
    return Retrieval(with_labels(data.train, others), data.train, with_labels(data.test, held_out))


def with_labels(texts: LabelledTexts, labels: Collection[str]) -> LabelledTexts:
    """The texts that have one of these labels."""
    return at_rows(texts, [row for row, label in enumerate(texts.labels) if label in labels])


def at_rows(texts: LabelledTexts, rows: Sequence[int]) -> LabelledTexts:
    """The texts at these positions."""
    return LabelledTexts(*([column[row] for row in rows] for column in (texts.ids, texts.texts, texts.labels)))


def judge_adhoc(data: AdHocSet, retriever: Retriever, measures: Sequence[str] = DEFAULT_MEASURES) -> JudgedRun:
    """Every judged query against all documents; the best 1,000 make the run."""
    start = perf_counter()
    queries = data.judged_queries()
    ranking = retriever.fit(data.documents.texts).search(queries.texts, RUN_LENGTH)
    run = run_from_ranking(ranking, queries.ids, data.documents.ids)
    result = evaluate_run(run, data.judgments, measures)
    return JudgedRun(run, result, perf_counter() - start)
