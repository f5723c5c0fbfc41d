"""The weight of each word in a document: pure functions of sparse counts (n_documents, n_words)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from satchel.types import SparseArray

TermFrequency = Literal["count", "1+log(count)", "log(1+count)"]
"""How often a word occurs in a document: the count itself, or damped."""
WordWeight = Literal["smooth-idf", "idf", "entropy"]
"""The weight of a word, the same in all documents."""

ROUNDING = 1e-12
"""A smaller weight by entropy counts as 0: scaling rows to length 1 would make it a large one."""


def smooth_idf(counts: SparseArray) -> NDArray[np.float64]:
    """idf = 1 + ln((1 + n) / (1 + df)), (n_words,), as in scikit-learn: as if one more document held every word.

    A word that no document holds (df = 0) gets the largest value; no word gets less than 1.
    """
    document_frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    idf: NDArray[np.float64] = 1 + np.log((1 + counts.shape[0]) / (1 + document_frequency))
    return idf


def plain_idf(counts: SparseArray) -> NDArray[np.float64]:
    """idf = ln(n / df), (n_words,): a word of every document weighs 0; by `smooth_idf` it weighs 1."""
    document_frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    idf: NDArray[np.float64] = np.log(max(1, counts.shape[0]) / np.maximum(document_frequency, 1))
    return idf


def entropy_weights(counts: SparseArray) -> NDArray[np.float64]:
    """1 + Σ_d p ln p / ln n with p = tf / Σ_d tf, (n_words,): 1 for a word of one document, 0 for one spread evenly."""
    tf = counts.data.astype(np.float64)
    totals = np.bincount(counts.indices, tf, counts.shape[1])
    p = tf / totals[counts.indices]
    entropies = -np.bincount(counts.indices, p * np.log(p), counts.shape[1])
    weights: NDArray[np.float64] = 1 - entropies / np.log(max(2, counts.shape[0]))
    return np.where(weights > ROUNDING, weights, 0)


WORD_WEIGHTS: dict[WordWeight, Callable[[SparseArray], NDArray[np.float64]]] = {
    "smooth-idf": smooth_idf,
    "idf": plain_idf,
    "entropy": entropy_weights,
}


def tf_idf(counts: SparseArray, idf: NDArray[np.float64], tf: TermFrequency = "count") -> SparseArray:
    """tf·idf with rows of length 1, float32; empty rows, and those of words without weight, stay zero."""
    weights = _with_data(counts, _damped(counts.data.astype(np.float64), tf) * idf[counts.indices])
    lengths = np.sqrt(_with_data(counts, weights.data**2).sum(axis=1))
    return _divide_rows(weights, lengths)


def mean_weights(counts: SparseArray, idf: NDArray[np.float64] | None) -> SparseArray:
    """The share of each word in its document, float32: rows sum to 1. Weighted by idf, or by the counts alone."""
    tf = counts.data.astype(np.float64)
    weights = _with_data(counts, tf if idf is None else tf * idf[counts.indices])
    return _divide_rows(weights, weights.sum(axis=1, dtype=np.float64))


def damped(counts: SparseArray, tf: TermFrequency) -> SparseArray:
    """Counts damped by this term frequency, float64."""
    return _with_data(counts, _damped(counts.data.astype(np.float64), tf))


def _damped(counts: NDArray[np.float64], tf: TermFrequency) -> NDArray[np.float64]:
    if tf == "count":
        return counts
    damped: NDArray[np.float64] = 1 + np.log(counts) if tf == "1+log(count)" else np.log1p(counts)
    return damped


def _divide_rows(weights: SparseArray, divisors: NDArray[np.float64]) -> SparseArray:
    """Each row divided by its divisor; a zero row stays zero."""
    per_entry = np.repeat(np.where(divisors > 0, divisors, 1), np.diff(weights.indptr))
    return _with_data(weights, (weights.data / per_entry).astype(np.float32))


def _with_data(counts: SparseArray, data: NDArray[np.floating]) -> SparseArray:
    from scipy.sparse import csr_array

    return csr_array((data, counts.indices, counts.indptr), shape=counts.shape)
