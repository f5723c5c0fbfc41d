"""One ranking of two: what a lexical and a semantic search say of the same documents."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from satchel.ranking.probes import DoubleArray

RANK_CONSTANT = 60
"""Of reciprocal rank fusion, as it was published: the higher, the less the first ranks stand out."""


def fuse(lexical: DoubleArray, semantic: DoubleArray) -> DoubleArray:
    """The scores of documents by both searches together, (n_documents,).

    lexical, semantic (n_documents,): the scores of each search; -inf for a document that it did not find. A document
    that neither found has score 0.
    """
    return reciprocal_ranks(lexical) + reciprocal_ranks(semantic)


def reciprocal_ranks(scores: DoubleArray) -> DoubleArray:
    """1 / (60 + rank) of each document that was found, ranks from 1 on, ties in document order; else 0."""
    found: NDArray[np.bool_] = scores > -np.inf
    order = np.argsort(-scores, kind="stable")[: int(found.sum())]
    shares = np.zeros(len(scores))
    shares[order] = 1 / (RANK_CONSTANT + 1 + np.arange(len(order)))
    return shares
