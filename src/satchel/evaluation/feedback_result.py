"""The result of simulated feedback: the measures with feedback and without, for each round and query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from satchel.evaluation.measures import MAP_11, Values
from satchel.evaluation.retrieval import RetrievalResult, values_at_positions
from satchel.evaluation.significance import Significance, compare
from satchel.types import IntArray

NDCG_10: Final = "nDCG@10"
_DEPTH: Final = 10
_NEVER: Final = 2**62  # the position of a relevant document that is not found: precision there is 0


def residual_order(ranked: IntArray, marked: IntArray) -> IntArray:
    """Removes the marked documents from a ranking; ranked (n_ranked,), best first, marked (n_marks,)."""
    return ranked[~np.isin(ranked, marked)]


def residual_grades(grades: IntArray, marked: IntArray) -> IntArray:
    """Sets the grades of marked documents to 0, since they no longer count as relevant; (n_documents,)."""
    left = grades.copy()
    left[marked] = 0
    return left


def frozen_order(ranked: IntArray, marked: IntArray) -> IntArray:
    """Moves the marked documents to the top, in the order in which they were shown."""
    return np.concatenate([marked, residual_order(ranked, marked)])


def judge_order(ranked: IntArray, grades: IntArray, cutoffs: Sequence[int]) -> dict[str, Values]:
    """Computes the measures of one query's ranking, as `evaluate_retrieval` does: name -> (1,), the curve (1, 11).

    ranked (n_ranked,): document numbers, best first. grades (n_documents,): at least one is above 0. A relevant
    document that is not ranked counts as never found.
    """
    n_relevant = int((grades > 0).sum())
    positions = np.full((1, n_relevant), _NEVER, np.int64)
    places = np.flatnonzero(grades[ranked] > 0) + 1
    positions[0, : len(places)] = places
    values = values_at_positions(positions, cutoffs)
    if not len(places):
        values = {name: np.zeros_like(column) for name, column in values.items()}
    return values | {NDCG_10: np.array([ndcg(grades[ranked], grades, _DEPTH)])}


def ndcg(gains: IntArray, ideal: IntArray, k: int) -> float:
    """nDCG@k with the grades as gains: Σ g_i / log2(i + 1) over the first k, divided by the same sum of the ideal
    order.

    gains (n_ranked,): the grades of a ranking, best first; ideal (n_documents,): the grades of all documents, in any
    order.
    """
    best = np.sort(ideal)[::-1]
    return _discounted(gains[:k]) / _discounted(best[:k])


def _discounted(gains: IntArray) -> float:
    return float((gains / np.log2(np.arange(2, len(gains) + 2))).sum())


RESIDUAL = "residual collection: marked documents are taken out of the ranking and of the relevant ones"
FROZEN = "marked documents stand at the top as they were shown, all relevant ones count"
_SHOWN = (MAP_11, "P@10", "P@20", NDCG_10)


@dataclass(frozen=True)
class Effect:
    """The measures with feedback and without, on the same queries and documents."""

    feedback: RetrievalResult
    none: RetrievalResult

    def gain(self, measure: str = MAP_11) -> Values:
        """How much feedback adds to each query's value, (n_evaluated,)."""
        gain: Values = self.feedback.per_query[measure] - self.none.per_query[measure]
        return gain

    def worse(self, measure: str = MAP_11, by: float = 0.0) -> float:
        """The share of queries that feedback made worse by more than `by`; a tie is not worse."""
        return float((self.gain(measure) < -by).mean())

    def comparison(self, measure: str = MAP_11, random_state: int = 0) -> Significance:
        """Compares feedback with no feedback on the same queries, with p-values."""
        values = (result.per_query[measure] for result in (self.feedback, self.none))
        return compare(*values, random_state=random_state)


@dataclass(frozen=True)
class FeedbackRound:
    """The effect of all marks so far, after one round.

    residual: measured without the marked documents, and without the queries that have no relevant document left.
    frozen: measured with the marked documents at the top, in the order in which they were shown.
    n_relevant, n_irrelevant (n_queries,): the marks given so far, including mistakes.
    """

    residual: Effect
    frozen: Effect
    n_relevant: IntArray
    n_irrelevant: IntArray


@dataclass(frozen=True)
class FeedbackResult:
    """The result of `simulate_feedback`. All values are fractions in [0, 1]; only printing shows percent.

    start: the first ranking on the whole collection, before any mark. rounds: after the first round, the second, ...
    evaluated (n_queries,): positions of the queries that have a relevant document; n_excluded: how many queries have
    none.

    "none" is the first ranking on the same residual collection. The marks of the first round come from the first
    ranking, so they are the same for every method. In later rounds each method shows other documents, so its residual
    collection differs, and its "none" is measured on that collection.
    """

    start: RetrievalResult
    rounds: tuple[FeedbackRound, ...]
    evaluated: IntArray
    n_excluded: int

    @property
    def last(self) -> FeedbackRound:
        """The effect after all rounds."""
        return self.rounds[-1]

    def curve(self, measure: str = MAP_11, *, frozen: bool = False) -> tuple[Values, Values]:
        """The measure with feedback and without, before any mark and after each round; both (n_rounds + 1,)."""
        effects = [one.frozen if frozen else one.residual for one in self.rounds]
        start = self.start.measures[measure]
        with_feedback = [start, *(effect.feedback.measures[measure] for effect in effects)]
        without = [start, *(effect.none.measures[measure] for effect in effects)]
        return np.array(with_feedback), np.array(without)

    def __str__(self) -> str:
        """A table of each round in percent, on the residual collection."""
        lines = [RESIDUAL]
        for number, one in enumerate(self.rounds, start=1):
            lines.append(f"round {number}: {_marks(one)} marks a query, {len(one.residual.none.evaluated)} queries")
            lines += [_line(one.residual, measure) for measure in _SHOWN]
        return "\n".join(lines)


def _marks(one: FeedbackRound) -> str:
    return f"{one.n_relevant.mean():.1f} relevant and {one.n_irrelevant.mean():.1f} irrelevant"


def _line(effect: Effect, measure: str) -> str:
    none, after = effect.none.measures[measure], effect.feedback.measures[measure]
    p, worse = effect.comparison(measure).p_randomisation, effect.worse(measure)
    change = f"{100 * none:6.2f} -> {100 * after:6.2f} %"
    return f"  {measure:<{len(MAP_11)}}  {change}, p = {p:.4f}, {100 * worse:.1f} % of the queries worse"
