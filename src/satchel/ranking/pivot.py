"""Pivoted length normalisation of document vectors, and how an index by cosine keeps it."""

from __future__ import annotations

import numpy as np

from satchel.ranking.probes import DoubleArray, row_norms
from satchel.types import FloatArray


def pivoted_lengths(lengths: DoubleArray, slope: float) -> DoubleArray:
    """What document vectors are divided by: (1 - s) · mean length + s · length, (n_documents,); Singhal's pivot.

    With s = 1 every document has length 1, the cosine; with s = 0 all keep their lengths, the dot product. In between
    a long document keeps some of its advantage. The mean is that of documents that are not empty.
    """
    some = lengths[lengths > 0]
    pivot = float(some.mean()) if some.size else 0.0
    return (1 - slope) * pivot + slope * lengths


def pivoted(vectors: FloatArray, slope: float) -> FloatArray:
    """Vectors whose cosine with (q, 0) is the pivoted score of q, (n_documents, n_features + 1), rows of length 1.

    vectors (n_documents, n_features). The score is ⟨q, z⟩ / (‖q‖ p M) with p the pivoted length of z, and M the
    largest ‖z‖ / p, so that it is from -1 to 1 and 1 is reached only in the direction of the document that stands out
    most. One more number a row fills each up to length 1, which a query does not see. Zero rows score 0.
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
