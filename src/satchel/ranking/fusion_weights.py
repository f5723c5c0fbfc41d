"""How much each retriever of a fusion shall count, learned from training queries by a small search that never draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from satchel.errors import InputError, one_of, whole_number
from satchel.ranking.fusion import weighted_sum
from satchel.ranking.probes import DoubleArray
from satchel.ranking.selection import best_positions, rounded
from satchel.types import IntArray, Judgments

Measure = Literal["nDCG@10", "AP"]
CUTOFF = 10
STEPS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.25, 1.6, 2.0, 3.0, 4.0, 6.0, 8.0)
"""Weights that are tried for each retriever but the first, which has 1: only their ratios matter."""
N_ROUNDS = 5
"""Over the retrievers, one after the other; with two of them the first round finds the best."""
BEYOND_NOISE = 1.645
"""Standard errors that a gain must exceed: of no gain at all 5 in 100 would."""


class LearnedWeights(NamedTuple):
    """What `learn_weights` chose, and why.

    weights (n_retrievers,): those kept. tried (n_retrievers,): the best on all the queries, kept or not. alone, fused:
    means of the measure, of the first retriever alone and of the fusion, each query with weights learned from the
    other folds. error: standard error of their difference.
    """

    weights: DoubleArray
    tried: DoubleArray
    measure: Measure
    alone: float
    fused: float
    error: float

    @property
    def gain(self) -> float:
        return self.fused - self.alone


class FoundTogether(NamedTuple):
    """What several retrievers say for one query of the documents that one of them finds.

    documents (n_found,), ascending. values (n_retrievers, n_found): scores on one scale, or reciprocal ranks; finds
    (n_retrievers, n_found): whether the retriever itself finds the document.
    """

    documents: IntArray
    values: DoubleArray
    finds: NDArray[np.bool_]

    def best_of_each(self, n: int) -> FoundTogether:
        """Those documents that are among the best n of a retriever, with the values that they have among all."""
        kept = np.unique(np.concatenate([best_positions(values, n) for values in self.values]))
        return FoundTogether(self.documents[kept], self.values[:, kept], self.finds[:, kept])


class JudgedQuery:
    """One training query: what is found for it, and the grades of the documents that were judged, by position."""

    def __init__(self, found: FoundTogether, grades: Mapping[int, int]) -> None:
        self._values, self._finds = found.values, found.finds
        self.n_retrievers = len(found.values)
        self._gains = np.array([max(0, grades.get(place, 0)) for place in found.documents.tolist()], np.float64)
        self._ideal = np.sort([max(0.0, float(grade)) for grade in grades.values()])[::-1]

    def measured(self, weights: Sequence[float], measure: Measure) -> float:
        """The measure of the fusion with these weights; 0 for a query without a relevant document."""
        if not self._ideal.any():
            return 0.0
        reached = self._finds[np.array(weights) > 0].any(axis=0)
        totals = rounded(weighted_sum(list(self._values), weights))[reached]
        gains = self._gains[reached]
        if measure == "nDCG@10":
            return ndcg(gains[best_positions(totals, CUTOFF)], self._ideal)
        return average_precision(gains[best_positions(totals, len(totals))] > 0, int((self._ideal > 0).sum()))


def learn_weights(queries: Sequence[JudgedQuery], measure: Measure = "nDCG@10", n_folds: int = 5) -> LearnedWeights:
    """Weights with the highest mean of the measure, or the first retriever alone where nothing is gained by them.

    Query i is in fold i mod n_folds; what the weights give is measured on each fold with those learned on the others.
    """
    one_of("measure", measure, get_args(Measure))
    if len(queries) < 2:
        raise InputError(f"weights cannot be learned from {len(queries)} queries; give two at least, better a hundred")
    folds = np.arange(len(queries)) % min(whole_number("n_folds", n_folds, 2), len(queries))
    search = WeightSearch(queries, measure)
    held_out = np.empty(len(queries))
    for fold in range(int(folds.max()) + 1):
        held_out[folds == fold] = search.values(search.best(folds != fold))[folds == fold]
    alone, tried = search.values(search.first), search.best(folds >= 0)
    gains = held_out - alone
    error = float(gains.std(ddof=1) / np.sqrt(len(gains)))
    kept = tried if gains.mean() > BEYOND_NOISE * error else search.first
    means = float(alone.mean()), float(held_out.mean())
    return LearnedWeights(np.array(kept), np.array(tried), measure, *means, error)


class WeightSearch:
    """The best weights for some of the queries, one retriever after the other until none moves."""

    def __init__(self, queries: Sequence[JudgedQuery], measure: Measure) -> None:
        self._queries = queries
        self._measure = measure
        self._seen: dict[tuple[float, ...], DoubleArray] = {}
        self.first = (1.0, *[0.0] * (queries[0].n_retrievers - 1))

    def values(self, weights: tuple[float, ...]) -> DoubleArray:
        """The measure of every query, (n_queries,)."""
        if weights not in self._seen:
            self._seen[weights] = np.array([query.measured(weights, self._measure) for query in self._queries])
        return self._seen[weights]

    def best(self, chosen: NDArray[np.bool_]) -> tuple[float, ...]:
        """Weights for the chosen queries, (n_queries,); of equal ones the smaller."""
        weights = self.first
        for _ in range(N_ROUNDS):
            before = weights
            for leg in range(1, len(weights)):
                options = [(*weights[:leg], step, *weights[leg + 1 :]) for step in STEPS]
                means = [float(self.values(option)[chosen].mean()) for option in options]
                weights = options[int(np.argmax(np.round(means, 12)))]
            if weights == before:
                break
        return weights


def judgments_by_position(
    judgments: Judgments, query_ids: Sequence[str], document_ids: Sequence[str]
) -> list[dict[int, int]]:
    """Of each query position -> grade, as `FusedRetriever.fit_weights` takes them.

    Documents that are not among the ids keep a place beyond all positions: they are relevant and cannot be found.
    """
    places = {document: place for place, document in enumerate(document_ids)}
    rows = []
    for query in query_ids:
        graded = judgments.get(query, {})
        beyond = len(document_ids)
        rows.append({places.get(document, beyond + i): grade for i, (document, grade) in enumerate(graded.items())})
    return rows


def ndcg(gains: DoubleArray, ideal: DoubleArray) -> float:
    """nDCG@10: Σ g_i / log₂(i + 1) over the first ten of a ranking, over the same of the best order there is."""
    return discounted(gains[:CUTOFF]) / discounted(ideal[:CUTOFF])


def discounted(gains: DoubleArray) -> float:
    return float((gains / np.log2(np.arange(len(gains)) + 2)).sum())


def average_precision(relevant: NDArray[np.bool_], n_relevant: int) -> float:
    """AP: the mean, over all relevant documents, of the precision where each stands; 0 for those not found."""
    places = np.flatnonzero(relevant) + 1
    return float((np.arange(1, len(places) + 1) / places).sum()) / n_relevant
