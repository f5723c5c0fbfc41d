"""The peer that search by words and collections are compared with: the package bm25s with its own analysis."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Self

import numpy as np

from satchel.errors import MissingExtraError
from satchel.types import Ranking


class Bm25sPeer:
    """bm25s as its manual shows it: its English stop words, Snowball's English stems, Lucene's BM25.

    A document that shares no word with the query, with which bm25s fills up its answers, is not in the ranking.
    """

    def fit(self, texts: Sequence[str], labels: Sequence[object] | None = None) -> Self:
        self._peer = _packages()
        bm25s, self._stemmer = self._peer
        self._index = bm25s.BM25()
        self._index.index(self._words(texts), show_progress=False)
        self._n_texts = len(texts)
        return self

    def search(self, queries: Sequence[str], k: int) -> Ranking:
        """The best k documents of each query; ids -1 and scores -inf where there are fewer."""
        depth = min(k, self._n_texts)
        found = self._index.retrieve(self._words(queries), k=depth, show_progress=False)
        ids, scores = np.asarray(found.documents, np.int64), np.asarray(found.scores, np.float32)
        shared = scores > 0
        return Ranking(np.where(shared, ids, -1), np.where(shared, scores, np.float32(-np.inf)))

    def _words(self, texts: Sequence[str]) -> Any:
        bm25s, stemmer = self._peer
        return bm25s.tokenize(list(texts), stopwords="en", stemmer=stemmer, show_progress=False)


def _packages() -> tuple[Any, Any]:
    """bm25s and the stemmer that it is given."""
    try:
        bm25s, snowball = import_module("bm25s"), import_module("Stemmer")
    except ImportError:
        raise MissingExtraError(
            "comparing with bm25s needs two packages that are not installed: pip install bm25s PyStemmer"
        ) from None
    return bm25s, snowball.Stemmer("english")
