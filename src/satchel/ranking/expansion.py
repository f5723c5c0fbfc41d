"""Query expansion: adds words from documents that are marked relevant, or from the best of a first ranking.

An expansion takes queries as weighted words and, for each, feedback documents with a share for each of them. New words
are chosen by their weight; equal ones in the order of the vocabulary.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from satchel.errors import InputError, number_from, whole_number
from satchel.types import DoubleArray, SparseArray


class FeedbackDocuments(NamedTuple):
    """Shares of documents, csr (n_queries, n_documents); a row sums to 1, or is empty."""

    relevant: SparseArray
    irrelevant: SparseArray


class Expansion(Protocol):
    """Changes queries by feedback documents; if none is marked relevant, the best `n_documents` are used instead."""

    @property
    def n_documents(self) -> int: ...

    def check(self) -> None:
        """Raises InputError if a parameter is out of range."""

    def expand(self, queries: SparseArray, feedback: FeedbackDocuments, counts: SparseArray) -> SparseArray:
        """queries (n_queries, n_words), counts (n_documents, n_words) -> new weights of words, as queries."""


@dataclass(frozen=True)
class Rm3:
    """The relevance model of Lavrenko and Croft mixed with the query, as Abdul-Jaleel and others have it.

    n_documents: how many of the best documents count as relevant if none is marked.
    n_words: how many of the most likely words of the relevance model are kept.
    query_share: the query's part of the new query; the rest is the relevance model's.

    Documents marked irrelevant never count as relevant; the model does not use them otherwise.
    """

    n_documents: int = 10
    n_words: int = 20
    query_share: float = 0.5

    def check(self) -> None:
        whole_number("n_documents", self.n_documents, 0)
        whole_number("n_words", self.n_words)
        number_from("query_share", self.query_share, 0, 1)

    def expand(self, queries: SparseArray, feedback: FeedbackDocuments, counts: SparseArray) -> SparseArray:
        """s · p(w | query) + (1 - s) · p(w | R), s the query's share; 1 if there is no feedback document.

        p(w | R) = Σ_d share(d) · tf(w, d) / length(d), cut to its largest words and scaled to sum to 1 again.
        Differs: p(w | d) is not smoothed, as in the usual implementations.
        """
        model = largest_words(mean_document(feedback.relevant, counts, row_sums), self.n_words)
        share = np.where(np.diff(model.indptr) > 0, self.query_share, 1.0)
        return _times(share, divided(queries, row_sums)) + _times(1 - share, divided(model, row_sums))


@dataclass(frozen=True)
class Rocchio:
    """The query moves towards relevant documents and away from irrelevant ones: a q + b · mean - c · mean.

    n_documents: how many of the best documents count as relevant if none is marked; only marked ones are irrelevant.
    n_words: how many words of the largest weight are added to the query's own.
    weights: a, b and c; queries and documents are counts, scaled to length 1.
    """

    n_documents: int = 10
    n_words: int = 100
    weights: tuple[float, float, float] = (1.0, 2.0, 1.0)

    def check(self) -> None:
        whole_number("n_documents", self.n_documents, 0)
        whole_number("n_words", self.n_words)
        if not isinstance(self.weights, tuple) or len(self.weights) != 3:
            raise InputError(f"weights are {self.weights!r}; expected three numbers, such as (1, 2, 1)")
        for name, weight in zip("abc", self.weights, strict=True):
            number_from(f"the weight {name}", weight, 0)

    def expand(self, queries: SparseArray, feedback: FeedbackDocuments, counts: SparseArray) -> SparseArray:
        """The moved queries; words that weigh 0 or less after the move are left out."""
        a, b, c = self.weights
        moved = a * divided(queries, row_lengths) + b * mean_document(feedback.relevant, counts, row_lengths)
        moved = moved - c * mean_document(feedback.irrelevant, counts, row_lengths)
        own = moved.multiply(queries > 0)
        return largest_words(own, own.shape[1]) + largest_words(moved - own, self.n_words)


def mean_document(shares: SparseArray, counts: SparseArray, size: Callable[[SparseArray], DoubleArray]) -> SparseArray:
    """Σ_d share(d) · counts of d / size of d, csr (n_queries, n_words); only documents with a share are read."""
    documents = np.unique(shares.indices)
    return shares[:, documents] @ divided(counts[documents], size)


def divided(rows: SparseArray, size: Callable[[SparseArray], DoubleArray]) -> SparseArray:
    """Divides each row by its size; an empty row stays as it is."""
    sizes = size(rows)
    return _times(1 / np.where(sizes > 0, sizes, 1.0), rows)


def row_sums(rows: SparseArray) -> DoubleArray:
    """Σ of each row, (n_rows,)."""
    return np.asarray(rows.sum(axis=1), np.float64)


def row_lengths(rows: SparseArray) -> DoubleArray:
    """√Σ² of each row, (n_rows,)."""
    return np.sqrt(row_sums(rows.astype(np.float64).power(2)))


def largest_words(rows: SparseArray, n: int) -> SparseArray:
    """Keeps the n largest values above 0 of each row; of equal ones, the first."""
    from scipy.sparse import csr_array

    rows = csr_array(rows)
    sizes = np.diff(rows.indptr)
    row = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((rows.indices, -rows.data, row))
    place = np.arange(len(order)) - np.repeat(rows.indptr[:-1], sizes)  # in its own row, largest first
    kept = order[(place < n) & (rows.data[order] > 0)]
    return csr_array((rows.data[kept], (row[kept], rows.indices[kept])), shape=rows.shape)


def _times(factors: DoubleArray, rows: SparseArray) -> SparseArray:
    from scipy.sparse import csr_array

    return csr_array((rows.data * np.repeat(factors, np.diff(rows.indptr)), rows.indices, rows.indptr), rows.shape)
