"""Encoders that are linear in weighted counts: a document is Σ_w weight(count of w) · row of w."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from satchel.documents.counted import CountingEncoder
from satchel.text import count_words
from satchel.types import FloatArray, SparseArray, Vectors


class WordContribution(NamedTuple):
    """A word of the document and its share of the cosine score; negative where it speaks against the match."""

    word: str
    contribution: float


class CodewordContribution(NamedTuple):
    """A codeword, its share of the cosine score, and the words that belong most to it."""

    codeword: int
    contribution: float
    words: tuple[str, ...]


class Explanation(NamedTuple):
    """A cosine taken apart, twice: by the document's words and, where the encoder has them, by codewords.

    Each list is sorted, biggest first, and sums to the cosine; empty where there is no score to explain.
    """

    words: list[WordContribution]
    codewords: list[CodewordContribution]


class ComputedRows(Protocol):
    """The rows of words, each computed when it is asked for: all of them together would take too much memory."""

    def __getitem__(self, ids: NDArray[np.integer], /) -> FloatArray:
        """The rows of some words, (len(ids), n_features)."""

    def sums(self, weights: SparseArray) -> FloatArray:
        """Weights (n_documents, n_words) times all rows, (n_documents, n_features)."""


class LinearEncoder(CountingEncoder):
    """Counts, weighted, times a matrix with one row per word: a collection is encoded by one sparse product.

    As a document is a sum over its words, so is its score: `explain` splits a cosine exactly into words.
    """

    def explain(self, query: str, document: str) -> Explanation:
        """What each known word of the document, and each codeword, adds to cos(query, document).

        Empty where the query or the document holds no known word: there is no score to explain.
        """
        self._check_fitted()
        words = self._word_contributions(query, document)
        return Explanation(words, self._codeword_contributions(query, document) if words else [])

    def _codeword_contributions(self, query: str, document: str) -> list[CodewordContribution]:
        """None, for encoders whose features have no words of their own."""
        return []

    def _word_contributions(self, query: str, document: str) -> list[WordContribution]:
        q, d = (self._weigh([text]) for text in (query, document))
        rows = self._word_rows()
        if rows is None:
            dots = q.toarray()[0][d.indices].astype(np.float64)
            lengths = _length(q.data) * _length(d.data)
        else:
            d_rows = rows[d.indices].astype(np.float64)
            q_sum, d_sum = q.data @ rows[q.indices].astype(np.float64), d.data @ d_rows  # (n_features,)
            q_vector, d_vector = self._finish(q_sum), self._finish(d_sum)
            gains = np.divide(d_vector, d_sum, out=np.zeros_like(d_sum), where=d_sum != 0)
            dots = d_rows @ (gains * q_vector)  # (n_words_of_document,)
            lengths = _length(q_vector) * _length(d_vector)
        if lengths == 0:
            return []
        shares = (d.data * dots / lengths).tolist()
        words = [self.vocabulary_.words[id_] for id_ in d.indices]
        return sorted(map(WordContribution, words, shares), key=lambda share: (-share.contribution, share.word))

    def _weights(self, counts: SparseArray) -> SparseArray:
        """Counts (n_documents, n_words) -> the weight of each word in each document, float32."""
        raise NotImplementedError

    def _word_rows(self) -> FloatArray | ComputedRows | None:
        """The vector of each word, (n_words, n_features); None for the identity: features are words."""
        raise NotImplementedError

    def _finish(self, vectors: NDArray[Any]) -> NDArray[Any]:
        """The last step of encoding, number by number and 0 for 0: each keeps its words' shares. None here."""
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


def _length(vector: np.ndarray[Any, np.dtype[np.floating]]) -> float:
    return float(np.sqrt((vector.astype(np.float64) ** 2).sum()))
