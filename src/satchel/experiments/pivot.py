"""Pivoted length normalisation of document vectors: a retriever for `cp13/pivot`, which found that it does not help."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from satchel.arrays import row_norms
from satchel.encoders import Encoder
from satchel.errors import InputError, NotFittedError, number_from
from satchel.ranking import EncoderRetriever, ExactIndex
from satchel.types import DoubleArray, FloatArray, Ranking, Vectors


class PivotedRetriever(EncoderRetriever):
    """An `EncoderRetriever` by cosine that corrects the effect of a document's length in part.

    A document's vector is divided by (1 - s) · mean length + s · length. length_slope: s; 1 corrects the whole effect
    of the length, 0 none of it. It matters only for vectors that are sums over words and keep their lengths.
    """

    def __init__(self, encoder: Encoder, length_slope: float = 1.0, prefit: bool = False) -> None:
        super().__init__(encoder, "cosine", prefit)
        self.length_slope = length_slope

    def __sklearn_clone__(self) -> Self:
        """Clones the retriever; with `prefit`, the clone keeps the fitted encoder."""
        from sklearn.base import clone

        encoder = self.encoder if self.prefit else clone(self.encoder, safe=False)
        return type(self)(encoder, self.length_slope, self.prefit)

    def fit(self, texts: Sequence[str], labels: Sequence[object] | None = None) -> Self:
        """Learns the encoder as `EncoderRetriever` does and indexes the pivoted vectors."""
        number_from("length_slope", self.length_slope, 0, 1)
        super().fit(texts, labels)
        self.index_ = ExactIndex(pivoted(_dense(self.encoder_.transform(texts)), self.length_slope))
        return self

    def search(self, queries: Sequence[str], k: int) -> Ranking:
        """Returns the k best documents of each query; a query without a known word finds nothing (ids -1)."""
        if not hasattr(self, "index_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted: call fit first")
        return self.index_.search(unpivoted(_dense(self.encoder_.transform(queries))), k)


def pivoted_lengths(lengths: DoubleArray, slope: float) -> DoubleArray:
    """The divisors of document vectors: (1 - s) · mean length + s · length, (n_documents,); Singhal's pivot.

    With s = 1 every document has length 1, the cosine; with s = 0 all keep their lengths, the dot product. In between
    a long document keeps some of its advantage. The mean is that of documents that are not empty.
    """
    some = lengths[lengths > 0]
    pivot = float(some.mean()) if some.size else 0.0
    return (1 - slope) * pivot + slope * lengths


def pivoted(vectors: FloatArray, slope: float) -> FloatArray:
    """Vectors whose cosine with (q, 0) is the pivoted score of q, (n_documents, n_features + 1), rows of length 1.

    vectors (n_documents, n_features). The score is ⟨q, z⟩ / (‖q‖ p M) with p the pivoted length of z, and M the
    largest ‖z‖ / p, so that it is from -1 to 1 and 1 is reached only in the direction of the document with the largest
    ‖z‖ / p. One more number per row makes each row's length 1; it does not change a score. Zero rows score 0.
    """
    lengths = row_norms(vectors.astype(np.float64))
    divisors = pivoted_lengths(lengths, slope)
    relative = np.divide(lengths, divisors, out=np.zeros_like(lengths), where=divisors > 0)  # ‖z‖ / p
    highest = float(relative.max(initial=0.0)) or 1.0
    shares = relative / highest
    scale = np.divide(shares, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    rest = np.sqrt(np.maximum(0.0, 1 - shares**2))
    return np.column_stack([vectors * scale[:, None], rest]).astype(np.float32)


def unpivoted(queries: FloatArray) -> FloatArray:
    """Queries for `pivoted` vectors, (n_queries, n_features + 1): the last number is 0."""
    return np.column_stack([queries, np.zeros(len(queries), np.float32)])


def _dense(vectors: Vectors) -> FloatArray:
    if isinstance(vectors, np.ndarray):
        return vectors
    raise InputError("length_slope needs dense vectors; TfIdf gives sparse ones, all of length 1")
