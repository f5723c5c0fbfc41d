"""Encoders that are linear in weighted counts: a document is Σ_w weight(count of w) · row of w."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from satchel.encoders.base import CountingEncoder
from satchel.errors import InputError, whole_number
from satchel.text import Vocabulary, check_texts, count_words
from satchel.types import DoubleArray, FloatArray, IntArray, SparseArray, Vectors

_RUN_VALUES = 1 << 23  # values of rows held at once, 32 MB in float32, 64 in float64


class WordContribution(NamedTuple):
    """A word of the document and its share of the cosine score; negative if it speaks against the match."""

    word: str
    contribution: float


class CodewordContribution(NamedTuple):
    """A codeword, its share of the cosine score, and the words that belong most to it."""

    codeword: int
    contribution: float
    words: tuple[str, ...]


class Explanation(NamedTuple):
    """A cosine split in two ways: by the document's words and, if the encoder has them, by codewords.

    Each list is sorted, biggest first, and sums to the cosine; empty if there is no score to explain.
    """

    words: list[WordContribution]
    codewords: list[CodewordContribution]


class ComputedRows(Protocol):
    """The rows of words, each computed when it is needed: all of them together would take too much memory."""

    @property
    def shape(self) -> tuple[int, int]:
        """(n_words, n_features)."""

    def __getitem__(self, ids: NDArray[np.integer], /) -> FloatArray:
        """The rows of some words, (len(ids), n_features)."""

    def sums(self, weights: SparseArray) -> FloatArray:
        """Weights (n_documents, n_words) times all rows, (n_documents, n_features)."""


class LinearEncoder(CountingEncoder):
    """Multiplies weighted counts by a matrix with one row per word: one sparse product encodes a collection.

    A document is a sum over its words, and so is its score: `explain` splits a cosine exactly into words.
    """

    def explain(self, query: str, document: str) -> Explanation:
        """What each known word of the document, and each codeword, adds to cos(query, document).

        Empty if the query or the document has no known word: there is no score to explain.
        """
        (words,) = self.contributions(self.transform([query])[[0]], [document])
        return Explanation(words, self._codeword_contributions(query, document) if words else [])

    def contributions(
        self, query_vector: Vectors, texts: Iterable[str], mask: FloatArray | None = None, most: int | None = None
    ) -> list[list[WordContribution]]:
        """What each known word of each text adds to cos(r∘q, r∘z), z the vector of the text; the biggest first.

        query_vector: q, (n_features,) or a row of `transform`. mask: r, (n_features,), such as feedback learns; ones
        unless given. All shares of a text sum to its cosine; with `most` only that many are returned. Equal ones stand
        in alphabetical order. A text whose cosine has no value gets an empty list.
        """
        self._check_fitted()
        if most is not None:
            whole_number("most", most)
        weights, rows = self._weigh(check_texts(texts)), self._word_rows()
        n_features = len(self.vocabulary_) if rows is None else rows.shape[1]
        q = _numbers("query_vector", query_vector, n_features)
        r = np.ones(n_features) if mask is None else _numbers("mask", mask, n_features)
        a = r * (r * q) / (_length(r * q) or 1.0)  # cos(r∘q, r∘z) = ⟨a, z⟩ / ‖r∘z‖
        found = []
        for start, stop in document_runs(weights, n_features):
            part = weights[start:stop]
            shares = self._shares(part, rows, a, r)
            for first, last in pairwise(part.indptr.tolist()):
                found.append(_biggest(self.vocabulary_, part.indices[first:last], shares[first:last], most))
        return found

    def _shares(
        self, weights: SparseArray, rows: FloatArray | ComputedRows | None, a: DoubleArray, r: DoubleArray
    ) -> DoubleArray:
        """What the word of each stored weight adds to the cosine of its document, (n_weights,); NaN: there is none.

        weights (n_documents, n_words), sparse; a, r (n_features,). With s = Σ_w weight · row_w and z = finish(s), which
        keeps each word's part of a number, w adds weight · ⟨row_w, (z / s) ∘ a⟩ / ‖r∘z‖.
        """
        document = np.repeat(np.arange(weights.shape[0]), np.diff(weights.indptr))  # of each weight
        data = weights.data.astype(np.float64)
        if rows is None:
            squares = np.bincount(document, (data * r[weights.indices]) ** 2, weights.shape[0])
            dots, lengths = a[weights.indices], np.sqrt(squares)
        else:
            words, part = over_own_words(weights)
            own = rows[words].astype(np.float64)  # (n_own_words, n_features)
            s = part.astype(np.float64) @ own  # (n_documents, n_features)
            z = self._finish(s)
            lengths = np.sqrt(((r * z) ** 2).sum(axis=1))
            wanted = a * np.divide(z, s, out=np.zeros_like(s), where=s != 0)
            dots = np.empty(len(data))
            for row, (first, last) in enumerate(pairwise(part.indptr.tolist())):
                dots[first:last] = own[part.indices[first:last]] @ wanted[row]
        lengths = np.where((lengths > 0) & a.any(), lengths, np.nan)
        return np.asarray(data * dots / lengths[document], np.float64)

    def _codeword_contributions(self, query: str, document: str) -> list[CodewordContribution]:
        """Empty for encoders whose features have no words of their own."""
        return []

    def _weights(self, counts: SparseArray) -> SparseArray:
        """Counts (n_documents, n_words) -> the weight of each word in each document, float32."""
        raise NotImplementedError

    def _word_rows(self) -> FloatArray | ComputedRows | None:
        """The vector of each word, (n_words, n_features); None for the identity: features are words."""
        raise NotImplementedError

    def _finish(self, vectors: NDArray[Any]) -> NDArray[Any]:
        """The last step of encoding. It changes numbers one by one and leaves 0 at 0, so words keep their shares."""
        return vectors

    def _encode(self, texts: list[str]) -> Vectors:
        weights = self._weigh(texts)
        rows = self._word_rows()
        if rows is None:
            return weights
        sums = weights @ rows if isinstance(rows, np.ndarray) else rows.sums(weights)
        return self._finish(np.ascontiguousarray(sums))

    def _weigh(self, texts: list[str]) -> SparseArray:
        return self._weights(count_words(texts, self.tokenizer, self.vocabulary_))


def over_own_words(weights: SparseArray) -> tuple[IntArray, SparseArray]:
    """The ids of the words that these documents hold, and the weights (n_documents, n_own_words) over them alone."""
    words, columns = np.unique(weights.indices, return_inverse=True)
    own = type(weights)((weights.data, columns, weights.indptr), shape=(weights.shape[0], len(words)))
    return np.asarray(words, np.int64), own


def document_runs(weights: SparseArray, n_features: int) -> list[tuple[int, int]]:
    """Runs of documents such that the rows of their words fit into memory, if each word is in four of a run."""
    room = max(1, _RUN_VALUES // max(1, n_features))
    if weights.shape[1] <= room:
        return [(0, weights.shape[0])]
    runs, start = [], 0
    while start < weights.shape[0]:
        end = int(np.searchsorted(weights.indptr, weights.indptr[start] + 4 * room, side="right")) - 1
        stop = min(max(start + 1, end), weights.shape[0])
        runs.append((start, stop))
        start = stop
    return runs


def _biggest(
    vocabulary: Vocabulary, ids: NDArray[np.integer], shares: DoubleArray, most: int | None
) -> list[WordContribution]:
    """The words (by id) with the biggest shares, all where `most` is None; equal ones in alphabetical order."""
    if np.isnan(shares).any():
        return []
    least = shares.min(initial=np.inf) if most is None or most >= len(shares) else np.partition(shares, -most)[-most]
    kept = shares >= least
    words = (vocabulary.words[id_] for id_ in ids[kept].tolist())
    found = map(WordContribution, words, shares[kept].tolist())
    return sorted(found, key=lambda share: (-share.contribution, share.word))[:most]


def _numbers(name: str, given: Vectors, n_features: int) -> DoubleArray:
    """A vector in float64, (n_features,)."""
    dense = given if isinstance(given, np.ndarray) else given.toarray()
    vector = np.asarray(dense, np.float64).reshape(-1)
    if len(vector) != n_features:
        raise InputError(f"{name} has {len(vector)} numbers, but the encoder's vectors have {n_features}")
    if not np.isfinite(vector).all():
        raise InputError(f"{name} holds a number that is not finite; give finite numbers")
    return vector


def _length(vector: DoubleArray) -> float:
    return float(np.sqrt((vector**2).sum()))
