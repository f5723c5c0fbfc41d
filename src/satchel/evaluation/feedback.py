"""Simulates relevance feedback by a user over several rounds, [PT18] sections 4.2 and 4.5."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from satchel.errors import InputError, seed, whole_number
from satchel.evaluation.checks import checked_labels
from satchel.evaluation.feedback_result import (
    NDCG_10,
    Effect,
    FeedbackResult,
    FeedbackRound,
    frozen_order,
    judge_order,
    residual_grades,
    residual_order,
)
from satchel.evaluation.feedback_user import (
    NO_MARKS,
    Choice,
    GivenMarks,
    Grades,
    Refiner,
    Search,
    SimulatedUser,
    grades_by_judgments,
    grades_by_label,
    search_of,
)
from satchel.evaluation.measures import MAP_11, Values
from satchel.evaluation.retrieval import (
    DEFAULT_SCOPES,
    DEFAULT_TOP,
    RetrievalResult,
    mean_result,
    names_at,
)
from satchel.progress import Progress, no_progress
from satchel.types import IntArray, Judgments, Vectors

if TYPE_CHECKING:
    from satchel.encoders import Encoder
    from satchel.ranking import Retriever

OneQuery: TypeAlias = "dict[str, Values]"
"""The values of one query by name, each (1,), the curve (1, 11)."""

_CUTOFFS = tuple(sorted({*DEFAULT_TOP, *DEFAULT_SCOPES}))
_NAMES = (MAP_11, *names_at(DEFAULT_TOP), NDCG_10)


class _Judged(NamedTuple):
    """The measures of one query after one round; `residual` is None if no relevant document is left to find."""

    query: int
    marks: GivenMarks
    residual: tuple[OneQuery, OneQuery] | None
    frozen: tuple[OneQuery, OneQuery]


class _Simulated(NamedTuple):
    """The measures of one query before any mark and after each round."""

    query: int
    start: OneQuery
    rounds: list[_Judged]


def simulate_feedback(
    database: Vectors | Sequence[str],
    database_labels: Sequence[Hashable],
    queries: Vectors | Sequence[str],
    query_labels: Sequence[Hashable],
    *,
    judgments: Judgments | None = None,
    encoder: Encoder | None = None,
    retriever: Retriever | None = None,
    feedback: Refiner | None = None,
    n_shown: int = 30,
    n_relevant: int = 5,
    n_irrelevant: int = 5,
    rounds: int = 1,
    mistakes: float = 0.0,
    choice: Choice = "first",
    random_state: int = 0,
    on_progress: Progress = no_progress,
) -> FeedbackResult:
    """Measures how marks on the first documents change each query's ranking, [PT18] section 4.5.

    database (n_documents, n_features) and queries (n_queries, n_features) are vectors, dense float32 or csr, or they
    are texts. Texts need `encoder`, `retriever` or both. A clone of the encoder learns from the database's texts,
    without labels. With both, the retriever gives the first ranking, and feedback learns on the encoder's vectors. A
    retriever alone must take marks itself, as `search(queries, k, relevant=..., irrelevant=...)`; an EncoderRetriever
    uses the vectors of its encoder.
    database_labels, query_labels: documents with the query's label are relevant. With `judgments` they are the ids in
    the judgments, and a document without a judgment counts as irrelevant.
    feedback: by default `Feedback()`. In each round the user looks at the best `n_shown` unmarked documents and marks
    at most n_relevant and n_irrelevant of them, the first ones or ("random") any. Each judgement is wrong with the
    probability `mistakes`. The next ranking comes from the original query and all marks so far.

    The measures are taken on the residual collection, where marked documents are neither ranked nor counted as
    relevant, and again with the marked documents frozen at the top: see `FeedbackRound`. The rounds end early when
    every relevant document of every query is marked. on_progress receives the number of queries done.
    """
    from satchel.feedback import Feedback  # loads learning code, which measuring does not need

    user = SimulatedUser(n_shown, n_relevant, n_irrelevant, mistakes, choice)
    rounds, random_state = whole_number("rounds", rounds), seed(random_state)
    search = search_of(database, queries, encoder, retriever, Feedback() if feedback is None else feedback)
    names = checked_labels(database_labels, search.n_documents, "database")
    query_labels = checked_labels(query_labels, search.n_queries, "queries")
    grades = (
        grades_by_label(names, query_labels)
        if judgments is None
        else grades_by_judgments(judgments, names, query_labels)
    )
    done = list(_simulated(search, grades, user, rounds, random_state, on_progress))
    if not done:
        raise InputError("no query has a relevant document: nothing can be simulated with these labels or judgments")
    if not any(one.rounds[0].residual for one in done):
        raise InputError("after the first round every relevant document is marked; let the user mark fewer of them")
    n_excluded = search.n_queries - len(done)
    return FeedbackResult(
        start=_mean([one.start for one in done], [one.query for one in done], n_excluded),
        rounds=tuple(_round(judged, n_excluded) for judged in _with_something_left(done)),
        evaluated=np.array([one.query for one in done], np.int64),
        n_excluded=n_excluded,
    )


def _simulated(
    search: Search, grades: Grades, user: SimulatedUser, rounds: int, random_state: int, on_progress: Progress
) -> Iterator[_Simulated]:
    """Simulates every query with a relevant document. Each query has its own random draws, so all methods see the same
    first round."""
    for query, rng in enumerate(np.random.default_rng(random_state).spawn(search.n_queries)):
        wanted = grades(query)
        if wanted.any():
            first = search.first(query)
            orders = _rounds(search, query, first, wanted, user, rounds, rng)
            judged = [_judge(query, first, order, marks, wanted) for order, marks in orders]
            yield _Simulated(query, judge_order(first, wanted, _CUTOFFS), judged)
        on_progress("simulating queries", query + 1, search.n_queries)


def _rounds(
    search: Search,
    query: int,
    first: IntArray,
    grades: IntArray,
    user: SimulatedUser,
    rounds: int,
    rng: np.random.Generator,
) -> Iterator[tuple[IntArray, GivenMarks]]:
    """Yields the ranking after each round, with all marks that led to it."""
    order, marks = first, NO_MARKS
    for _ in range(rounds):
        given = user.marks(residual_order(order, marks.documents), grades, rng)
        if len(given.documents):
            marks = marks.and_then(given)
            order = search.again(query, marks)
        yield order, marks


def _judge(query: int, first: IntArray, order: IntArray, marks: GivenMarks, grades: IntArray) -> _Judged:
    """Measures one round on the residual collection and with frozen marks, each with feedback and without."""
    marked = marks.documents
    left = residual_grades(grades, marked)
    after, before = (judge_order(frozen_order(ranked, marked), grades, _CUTOFFS) for ranked in (order, first))
    if not left.any():
        return _Judged(query, marks, None, (after, before))
    residual = tuple(judge_order(residual_order(ranked, marked), left, _CUTOFFS) for ranked in (order, first))
    return _Judged(query, marks, (residual[0], residual[1]), (after, before))


def _with_something_left(done: Sequence[_Simulated]) -> Iterator[tuple[_Judged, ...]]:
    """Yields rounds, each with all queries, until every relevant document is marked."""
    rounds = zip(*(one.rounds for one in done), strict=True)
    return takewhile(lambda judged: any(one.residual for one in judged), rounds)


def _round(judged: Sequence[_Judged], n_excluded: int) -> FeedbackRound:
    residual = [(one.query, one.residual) for one in judged if one.residual is not None]
    n_without = n_excluded + len(judged) - len(residual)
    n_relevant = np.array([one.marks.relevant.sum() for one in judged], np.int64)
    return FeedbackRound(
        residual=_effect([both for _, both in residual], [query for query, _ in residual], n_without),
        frozen=_effect([one.frozen for one in judged], [one.query for one in judged], n_excluded),
        n_relevant=n_relevant,
        n_irrelevant=np.array([len(one.marks.documents) for one in judged], np.int64) - n_relevant,
    )


def _effect(both: Sequence[tuple[OneQuery, OneQuery]], queries: Sequence[int], n_excluded: int) -> Effect:
    feedback, none = (_mean([pair[side] for pair in both], queries, n_excluded) for side in (0, 1))
    return Effect(feedback, none)


def _mean(values: Sequence[OneQuery], queries: Sequence[int], n_excluded: int) -> RetrievalResult:
    columns = {name: np.concatenate([one[name] for one in values]) for name in values[0]}
    return mean_result(columns, _NAMES, DEFAULT_SCOPES, np.array(queries, np.int64), n_excluded)
