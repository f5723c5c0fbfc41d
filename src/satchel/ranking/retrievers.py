"""Retrievers take texts and give rankings: by the vectors of an encoder, or by several retrievers together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, Protocol, Self, get_args

import numpy as np

from satchel.encoders import Encoder
from satchel.errors import InputError, NotFittedError, number_from, one_of, true_or_false, whole_number
from satchel.estimator import Estimator
from satchel.ranking.fusion import RANK_CONSTANT, SCALES, Scale, filled, reciprocal_ranks, weighted_sum
from satchel.ranking.index import ExactIndex
from satchel.ranking.selection import best_found, nothing_found, rounded
from satchel.ranking.vectors import Metric, check_metric
from satchel.text import check_texts
from satchel.types import DoubleArray, IntArray, Ranking


class Retriever(Protocol):
    """Finds documents for queries. Ids are positions in the fitted texts."""

    def fit(self, texts: Sequence[str], labels: Sequence[object] | None = None) -> Self: ...

    def search(self, queries: Sequence[str], k: int) -> Ranking: ...


class EncoderRetriever(Estimator):
    """Encodes documents and queries alike and finds the nearest vectors exactly.

    encoder: any encoder; `fit` clones it into `encoder_` and fits the clone, so the one given stays as it is.
    prefit: True if the encoder is fitted already; `fit` then only encodes and indexes the texts.
    """

    def __init__(
        self,
        encoder: Encoder,
        metric: Metric = "cosine",
        prefit: bool = False,
    ) -> None:
        self.encoder = encoder
        self.metric = metric
        self.prefit = prefit

    def __sklearn_clone__(self) -> Self:
        """An encoder that is fitted already stays so."""
        from sklearn.base import clone

        encoder = self.encoder if self.prefit else clone(self.encoder, safe=False)
        return type(self)(encoder, self.metric, self.prefit)

    def fit(self, texts: Sequence[str], labels: Sequence[object] | None = None) -> Self:
        """Learns the encoder from the texts (and labels, if it uses them) and indexes the texts."""
        from sklearn.base import clone

        check_metric(self.metric)
        if isinstance(self.encoder, type) or not all(
            hasattr(self.encoder, name) for name in ("get_params", "transform")
        ):
            raise InputError(f"the encoder is {self.encoder!r}; expected an encoder such as TfIdf(), with get_params")
        texts = check_texts(texts)
        encoder = self.encoder if self.prefit else clone(self.encoder).fit(texts, labels)
        self.index_ = ExactIndex(encoder.transform(texts), self.metric)
        self.encoder_: Encoder = encoder
        return self

    def search(self, queries: Sequence[str], k: int) -> Ranking:
        """The k nearest documents of each query; a query without a known word finds nothing (ids -1)."""
        if not hasattr(self, "index_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted: call fit first")
        return self.index_.search(self.encoder_.transform(queries), k)


Method = Literal["weighted-scores", "reciprocal-rank"]
SCORE_BYTES = 1 << 26
"""The bytes of rankings that are held at once when many queries come together."""
PLACE_BYTES = 12
"""The bytes of an id and a score."""


class FoundTogether(NamedTuple):
    """The documents that at least one of several retrievers finds for a query.

    documents (n_found,): ascending. values (n_retrievers, n_found): scores on one scale, or reciprocal ranks.
    """

    documents: IntArray
    values: DoubleArray


class CombinedRetriever(Estimator):
    """Adds up the scores of several retrievers, so that words and meaning count together: [CP13] section 4.3's
    "combination with exact representation".

    retrievers: any; `fit` clones and fits each, into `retrievers_`. prefit: they are fitted already, to the texts that
    `fit` is given, and are used as they are.
    method: "weighted-scores" is Σ weight · score, each score on its retriever's `scale` of this query;
    "reciprocal-rank" is Σ weight / (rank_constant + rank), ranks from 1 on, 0 if a retriever did not find it.
    weights: one for each retriever, 0 or more; None weighs all equally. A retriever with weight 0 is not run. If only
    one retriever is left, its own ranking is returned.
    scale: "best" (score / the best one's), "min-max", "z-score" or "none": docs/explanation/ranking.md compares them.
    depth: how many documents of each retriever count; None takes all that it finds.
    rank_constant: the higher, the less the first ranks stand out.
    """

    def __init__(
        self,
        retrievers: Sequence[Retriever] | None,
        method: Method = "weighted-scores",
        weights: Sequence[float] | None = None,
        *,
        scale: Scale = "best",
        depth: int | None = None,
        rank_constant: float = RANK_CONSTANT,
        prefit: bool = False,
    ) -> None:
        self.retrievers: Sequence[Retriever] | None = retrievers
        self.method = method
        self.weights = weights
        self.scale = scale
        self.depth = depth
        self.rank_constant = rank_constant
        self.prefit = prefit

    def fit(self, texts: Sequence[str], labels: Sequence[object] | None = None) -> Self:
        """Fits each retriever to the texts (and labels, if it uses them) and takes the weights as they are given."""
        from sklearn.base import clone

        checked = check_texts(texts)
        if labels is not None and len(labels) != len(checked):
            raise InputError(f"{len(labels)} labels for {len(checked)} texts; give one label per text")
        if not checked:
            raise InputError(f"{type(self).__name__} cannot learn from 0 texts; give at least one")
        weights = self._checked_weights()
        fitted = [one if self.prefit else clone(one, safe=False).fit(checked, labels) for one in self.retrievers or ()]
        self.retrievers_: list[Retriever] = fitted
        self.n_documents_ = len(checked)
        self.weights_ = weights
        return self

    def search(self, queries: Sequence[str], k: int) -> Ranking:
        """The best k documents of each query, best first, ties in document order; ids -1 if fewer are found.

        A document is found if one of the retrievers finds it. The float32 scores that are returned decide the order.
        """
        texts, k = self._checked_queries(queries), whole_number("k", k)
        used = np.flatnonzero(self.weights_).tolist()
        if len(used) == 1:
            return self._answer(used[0], texts, k)
        ids, scores = nothing_found(len(texts), k)
        weights = [float(self.weights_[number]) for number in used]
        for row, found in enumerate(self._found(texts, used)):
            totals = rounded(weighted_sum(list(found.values), weights))
            best, best_scores = best_found(found.documents, totals, k)
            ids[row, : len(best)], scores[row, : len(best)] = best, best_scores
        return Ranking(ids, scores)

    def _found(self, queries: list[str], used: list[int]) -> Iterator[FoundTogether]:
        """The documents that some of the retrievers find for each query, at most `depth` from each."""
        depth = self.n_documents_ if self.depth is None else min(self.depth, self.n_documents_)
        step = max(1, SCORE_BYTES // (PLACE_BYTES * depth * len(used)))
        for start in range(0, len(queries), step):
            rankings = [self._answer(number, queries[start : start + step], depth) for number in used]
            for row in range(len(rankings[0].ids)):
                yield self._together([Ranking(of.ids[row], of.scores[row]) for of in rankings])

    def _answer(self, number: int, queries: list[str], k: int) -> Ranking:
        """The ranking of one retriever; raises InputError if it finds a text that `fit` was not given."""
        ranking = self.retrievers_[number].search(queries, k)
        highest = int(ranking.ids.max(initial=-1))
        if highest >= self.n_documents_:
            raise InputError(
                f"retriever {number} finds document {highest}, but `fit` was given {self.n_documents_} texts; "
                "with prefit=True give the texts that it was fitted to"
            )
        return ranking

    def _together(self, rankings: list[Ranking]) -> FoundTogether:
        """One query's rankings, (depth,) each, document by document."""
        found = np.zeros(self.n_documents_, bool)
        scores = np.full((len(rankings), self.n_documents_), -np.inf)
        for number, (ids, own_scores) in enumerate(rankings):
            n_found = int((ids >= 0).sum())
            found[ids[:n_found]] = True
            scores[number, ids[:n_found]] = own_scores[:n_found]
        documents = np.flatnonzero(found)
        values = np.array([self._values(row) for row in scores[:, documents]])
        return FoundTogether(documents, values)

    def _values(self, scores: DoubleArray) -> DoubleArray:
        """One retriever's scores of the documents found, on the common scale and before its weight, (n_found,)."""
        if self.method == "reciprocal-rank":
            return reciprocal_ranks(scores, self.rank_constant)
        return filled(SCALES[self.scale](scores))

    def _checked_queries(self, queries: Sequence[str]) -> list[str]:
        if not hasattr(self, "retrievers_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted: call fit first")
        return check_texts(queries)

    def _checked_weights(self) -> DoubleArray:
        """The weights given, or 1 for each retriever; raises InputError if a parameter is out of range."""
        one_of("method", self.method, get_args(Method))
        one_of("scale", self.scale, SCALES)
        number_from("rank_constant", self.rank_constant, 0)
        true_or_false("prefit", self.prefit)
        if self.depth is not None:
            whole_number("depth", self.depth)
        if not isinstance(self.retrievers, list | tuple) or not self.retrievers:
            raise InputError(f"retrievers is {self.retrievers!r:.60}; expected a list such as [Bm25(), …]")
        for one in self.retrievers:
            if isinstance(one, type) or not (hasattr(one, "fit") and hasattr(one, "search")):
                raise InputError(f"{one!r:.60} is not a retriever; give one such as Bm25() or EncoderRetriever(Lsi())")
        return checked_weights(self.weights, len(self.retrievers))


def checked_weights(weights: Sequence[float] | None, n: int) -> DoubleArray:
    """Weights of 0 or more, at least one of them above 0, (n,)."""
    if weights is None:
        return np.ones(n)
    if not hasattr(weights, "__len__") or len(weights) != n:
        raise InputError(f"weights is {weights!r:.60}; expected {n} numbers, one for each retriever")
    numbers = np.array([number_from("a weight", one, 0) for one in weights])
    if not numbers.any():
        raise InputError("all weights are 0, so no retriever would be run; give at least one above 0")
    return numbers
