"""Runs a method on a data set and measures it: the functions that the command line and the experiments share."""

from collections.abc import Collection, Mapping, Sequence
from time import perf_counter
from typing import NamedTuple

import numpy as np

from satchel.datasets import AdHocSet, LabelledSet, LabelledTexts
from satchel.encoders import Encoder
from satchel.errors import InputError, one_of, unknown_name
from satchel.evaluation import (
    DEFAULT_MEASURES,
    RetrievalResult,
    RunResult,
    Values,
    compare,
    evaluate_retrieval,
    evaluate_run,
    run_from_ranking,
)
from satchel.ranking import EncoderRetriever, Metric, Retriever, compress
from satchel.types import Judgments, Run

RUN_LENGTH = 1000  # documents kept per query, as TREC does
OVER, P_OVER = "over reference", "p over reference"
"""The names of the columns that compare a method with the `reference` of its experiment."""


class JudgedVectors(NamedTuple):
    """The result of one encoder with one distance; seconds include fitting and encoding."""

    distance: str
    length: int
    result: RetrievalResult
    seconds: float


class JudgedRun(NamedTuple):
    """A retriever's run on an ad-hoc set, with its measures."""

    run: Run
    result: RunResult
    seconds: float


class Retrieval(NamedTuple):
    """A task of retrieval: texts to learn from with their labels, texts to search, and texts as queries.

    labels: one for each text to learn from, or None if the method must not know it.
    """

    learned: Sequence[str]
    labels: Sequence[str | None]
    database: LabelledTexts
    queries: LabelledTexts


def judge_label_retrieval(
    data: LabelledSet, encoder: Encoder, distances: Sequence[Metric], *, labels: bool
) -> list[JudgedVectors]:
    """[PT18] section 4.2: searches the train split for every test document; documents with the same label are
    relevant.

    labels: whether the encoder gets the labels of the train split.
    """
    return judge_retrieval(in_domain(data), encoder, distances, labels=labels)


def in_domain(data: LabelledSet) -> Retrieval:
    """The task that learns from the train split and searches it for each text of the test split."""
    return Retrieval(data.train.texts, data.train.labels, data.train, data.test)


def judge_retrieval(
    task: Retrieval, encoder: Encoder, distances: Sequence[Metric], *, labels: bool, int8: bool = False
) -> list[JudgedVectors]:
    """Fits on the texts to learn from, and measures how well the queries find the database; one result per distance.

    int8: compress the database's vectors to one byte a number before the search.
    """
    start = perf_counter()
    encoder.fit(task.learned, task.labels if labels else None)
    database, queries = encoder.transform(task.database.texts), encoder.transform(task.queries.texts)
    found = compress(database) if int8 else database
    encoding = perf_counter() - start
    judged = []
    for distance in distances:
        start = perf_counter()
        result = evaluate_retrieval(found, task.database.labels, queries, task.queries.labels, metric=distance)
        judged.append(JudgedVectors(distance, database.shape[1], result, encoding + perf_counter() - start))
    return judged


def out_of_domain(data: LabelledSet, held_out: Collection[str], *, seen: bool = False) -> Retrieval:
    """[PT18] section 4.4, Table 2: learns without the held-out classes, then searches the whole train split for them.

    seen: learn also from the texts of the held-out classes, but without their labels.
    """
    unknown = set(held_out) - set(data.train.labels)
    if not held_out or unknown:
        raise InputError(f"held_out must name labels of {data.name!r}; it has no {sorted(unknown) or 'label given'}")
    queries = with_labels(data.test, held_out)
    if seen:
        labels = [None if label in held_out else label for label in data.train.labels]
        return Retrieval(data.train.texts, labels, data.train, queries)
    others = with_labels(data.train, set(data.train.labels) - set(held_out))
    return Retrieval(others.texts, others.labels, data.train, queries)


def few_labels(data: LabelledSet, per_class: int, seed: int) -> Retrieval:
    """As `in_domain`, but only `per_class` random texts of each class have their labels."""
    labels = np.array(data.train.labels)
    random = np.random.default_rng(seed)
    shuffled = [random.permutation(np.flatnonzero(labels == label)) for label in dict.fromkeys(data.train.labels)]
    chosen = {int(row) for rows in shuffled for row in rows[:per_class]}
    known = [label if row in chosen else None for row, label in enumerate(data.train.labels)]
    return Retrieval(data.train.texts, known, data.train, data.test)


def last_quarter(data: LabelledSet) -> Retrieval:
    """The task to choose parameters without test texts: the last quarter of each class of the train split are the
    queries, the rest is the database."""
    labels = np.array(data.train.labels)
    rows = [np.flatnonzero(labels == label) for label in dict.fromkeys(data.train.labels)]
    asking = {int(row) for of_class in rows for row in of_class[len(of_class) - len(of_class) // 4 :]}
    database = at_rows(data.train, [row for row in range(len(labels)) if row not in asking])
    return Retrieval(database.texts, database.labels, database, at_rows(data.train, sorted(asking)))


def task_of_split(data: LabelledSet, queries: object) -> Retrieval:
    """Chooses `in_domain` for queries of "test", and `last_quarter` for "train"."""
    one_of("split of queries", queries, ("test", "train"))
    return in_domain(data) if queries == "test" else last_quarter(data)


def with_labels(texts: LabelledTexts, labels: Collection[str]) -> LabelledTexts:
    """Selects the texts that have one of these labels."""
    return at_rows(texts, [row for row, label in enumerate(texts.labels) if label in labels])


def at_rows(texts: LabelledTexts, rows: Sequence[int]) -> LabelledTexts:
    """Selects the texts at these positions."""
    return LabelledTexts(*([column[row] for row in rows] for column in (texts.ids, texts.texts, texts.labels)))


def judgments_of(data: AdHocSet, split: str) -> Judgments:
    """Returns the judgments of a split: "test" to report on, another one to choose parameters."""
    if split != "test" and split not in data.judgments_by_split:
        raise unknown_name(f"split of {data.name}", split, data.judgments_by_split)
    return data.judgments if split == "test" else data.judgments_by_split[split]


def judge_adhoc(
    data: AdHocSet, retriever: Retriever, measures: Sequence[str] = DEFAULT_MEASURES, *, split: str = "test"
) -> JudgedRun:
    """Searches all documents for every judged query of a split; the best 1,000 make the run.

    split: "test" for the test split or the set's substitute for it; or the name of another split, to choose
    parameters.
    """
    judgments = judgments_of(data, split)
    start = perf_counter()
    queries = data.judged_queries(judgments)
    ranking = retriever.fit(data.documents.texts).search(queries.texts, RUN_LENGTH)
    run = run_from_ranking(ranking, queries.ids, data.documents.ids)
    result = evaluate_run(run, judgments, measures)
    return JudgedRun(run, result, perf_counter() - start)


def numbers_of(retriever: Retriever) -> int:
    """How many numbers represent a document: the features of its vector, or the size of the vocabulary; 0 if
    unknown."""
    if isinstance(retriever, EncoderRetriever):
        return int(retriever.encoder_.transform([""]).shape[1])
    return len(getattr(retriever, "vocabulary_", ()))


def gains(
    own: Mapping[str, Values], other: Mapping[str, Values], names: Sequence[str], over: str, p: str
) -> dict[str, float]:
    """The gain of each measure over a reference, in points, and the two-sided p of the paired randomisation test.

    own, other: the values of the same queries by measure, (n_queries,) each. over, p: the endings of the measures'
    names.
    """
    found = {name: compare(own[name], other[name]) for name in names}
    return {
        f"{name}, {kind}": number
        for name, compared in found.items()
        for kind, number in ((over, round(100 * compared.difference, 3)), (p, round(compared.p_randomisation, 5)))
    }
