"""LSI words: word vectors from a singular value decomposition of the texts themselves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

import numpy as np
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator
from sklearn.utils.extmath import randomized_svd

from satchel.errors import InputError, unknown_name
from satchel.text import Tokenizer
from satchel.types import FloatArray, SparseArray
from satchel.words.learned import count_for_learning
from satchel.words.table import WordTable
from satchel.words.vectors import WordVectors

Scaling = Literal["unit", "singular", "none"]


class LsiWords(BaseEstimator):  # type: ignore[misc]
    """Learns word vectors as latent semantic indexing does, [CP13] section 3.2.

    Our matrix is documents × words, A ≈ UΣV′, so words are the rows of V (in [CP13] Eq. (9), terms × documents, of U).

    scaling: "unit", rows of VΣ scaled to length 1; "singular", VΣ, whose dot products approximate those of the columns
    of A; "none", V. NMI of clustered documents on 20ng, summed word vectors of 50 dimensions: .59, .47, .48.
    min_count: words with fewer occurrences are left out.
    """

    def __init__(
        self,
        dim: int = 100,
        *,
        tokenizer: Tokenizer | None = None,
        min_count: int = 2,
        max_size: int | None = None,
        scaling: Scaling = "unit",
        random_state: int = 0,
    ) -> None:
        self.dim = dim
        self.tokenizer = tokenizer
        self.min_count = min_count
        self.max_size = max_size
        self.scaling = scaling
        self.random_state = random_state

    def fit(self, texts: Iterable[str], labels: object = None) -> LsiWords:
        """Learn `vectors_`; labels are not looked at."""
        self.vectors_ = self.learn(texts)
        return self

    def learn(self, texts: Iterable[str]) -> WordVectors:
        """The word vectors of these texts, most frequent word first."""
        if self.scaling not in get_args(Scaling):
            raise unknown_name("scaling", self.scaling, get_args(Scaling))
        vocabulary, counts = count_for_learning(texts, self.tokenizer, self.min_count, self.max_size, self.dim)
        if self.dim > counts.shape[0]:
            raise InputError(f"{counts.shape[0]} texts allow at most so many dimensions; dim={self.dim}: lower it")
        v, s = right_singular_vectors(log_tf_idf(counts), self.dim, self.random_state)
        return WordVectors.from_table(WordTable(list(vocabulary.words), scaled_words(v, s, self.scaling)))


def log_tf_idf(counts: SparseArray) -> SparseArray:
    """log(1 + tf)·idf with idf = 1 + ln((1 + n) / (1 + df)), each document scaled to length 1; empty ones stay zero.

    counts (n_documents, n_words) -> the same shape. The idf is never 0: a word of all documents keeps its vector.
    """
    n_documents, n_words = counts.shape
    df = np.bincount(counts.indices, minlength=n_words)
    idf = (1 + np.log((1 + n_documents) / (1 + df))).astype(np.float32)
    weights = np.log1p(counts.data) * idf[counts.indices]
    squares = np.add.reduceat(np.append(weights**2, 0), counts.indptr[:-1]) * (np.diff(counts.indptr) > 0)
    lengths = np.sqrt(squares)
    weights /= np.repeat(lengths, np.diff(counts.indptr))
    return csr_array((weights, counts.indices, counts.indptr), shape=counts.shape)


def right_singular_vectors(a: SparseArray, dim: int, random_state: int) -> tuple[FloatArray, FloatArray]:
    """V (n_words, dim) and the singular values (dim,) of A ≈ UΣV′, [CP13] Eq. (9) transposed.

    The sign of each column makes its largest entry positive, so that it does not depend on the algorithm.
    """
    _, s, vt = randomized_svd(a, dim, n_oversamples=20, n_iter=5, random_state=random_state)
    largest = vt[np.arange(dim), np.abs(vt).argmax(axis=1)]
    v: FloatArray = (vt * np.where(largest < 0, -1, 1)[:, np.newaxis]).T.astype(np.float32)
    return v, s.astype(np.float32)


def scaled_words(v: FloatArray, s: FloatArray, scaling: Scaling) -> FloatArray:
    """V, VΣ, or the rows of VΣ at length 1 (a zero row stays zero); (n_words, dim)."""
    if scaling == "none":
        return np.ascontiguousarray(v)
    vectors: FloatArray = v * s
    if scaling == "unit":
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors /= np.where(lengths > 0, lengths, 1)
    return np.ascontiguousarray(vectors)
