"""The weight of a word in a document: BM25, PL2 and language models, one pure function per formula.

The functions take float64 arrays with one value for each word of each document that has it, or single numbers. `tf` is
how often the word occurs in the document, `length` how many words the document has.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import NamedTuple

import numpy as np

from satchel.types import DoubleArray, SparseArray

BITS = 1 / np.log(2)  # log₂ x = BITS · ln x
LEAST_IDF = 1e-6


class Occurrences(NamedTuple):
    """One value for each word of each document that holds it, (n_values,), in the order of the counts.

    tf: the count. length: the document's. document_frequency, collection_frequency: the word's (documents that hold
    it, occurrences in all of them).
    """

    tf: DoubleArray
    length: DoubleArray
    document_frequency: DoubleArray
    collection_frequency: DoubleArray


class CountedCollection:
    """Counts (n_documents, n_words), every word in some document, with the sums that formulas need."""

    def __init__(self, counts: SparseArray) -> None:
        self.counts = counts
        self.n_documents = int(counts.shape[0])
        self.lengths = np.asarray(counts.sum(axis=1), np.float64)  # (n_documents,)
        self.n_occurrences = float(self.lengths.sum())
        self.mean_length = self.n_occurrences / max(1, self.n_documents)

    @cached_property
    def occurrences(self) -> Occurrences:
        words, n_words = self.counts.indices, int(self.counts.shape[1])
        tf = self.counts.data.astype(np.float64)
        return Occurrences(
            tf=tf,
            length=np.repeat(self.lengths, np.diff(self.counts.indptr)),
            document_frequency=np.bincount(words, minlength=n_words).astype(np.float64)[words],
            collection_frequency=np.asarray(np.bincount(words, weights=tf, minlength=n_words), np.float64)[words],
        )


def bm25_idf(document_frequency: DoubleArray, n_documents: int) -> DoubleArray:
    """idf = ln(1 + (N - df + ½) / (df + ½)): the form of Lucene, above 0 for every word, however common."""
    idf: DoubleArray = np.log1p((n_documents - document_frequency + 0.5) / (document_frequency + 0.5))
    return idf


def least_idf(n_documents: int, document_frequency: int) -> float:
    """idf = ln((N - df + ½) / (df + ½)) of one word, Robertson's own form as SQLite has it: at least 1e-6.

    A word in half of the documents or more counts next to nothing. Collections rank by this idf; the rankers of the
    papers' comparisons use `bm25_idf`.
    """
    idf = math.log((n_documents - document_frequency + 0.5) / (document_frequency + 0.5))
    return idf if idf > 0 else LEAST_IDF


def length_share(length: DoubleArray, mean_length: float, b: float) -> DoubleArray:
    """1 - b + b · length / mean length: how much a document's length lowers the weight of its words."""
    share: DoubleArray = 1 - b + b * length / mean_length
    return share


def bm25_saturation(tf: DoubleArray, share: DoubleArray, k1: float) -> DoubleArray:
    """tf / (tf + k₁ · share), from 0 to 1, share: from `length_share`. Robertson's factor k₁ + 1 is in `bm25`."""
    saturation: DoubleArray = tf / (tf + k1 * share)
    return saturation


def bm25(tf: DoubleArray, share: DoubleArray, idf: DoubleArray | float, k1: float) -> DoubleArray:
    """idf · (k₁ + 1) · tf / (tf + k₁ · share): Okapi BM25, with the idf that the caller chooses."""
    score: DoubleArray = idf * ((k1 + 1) * bm25_saturation(tf, share, k1))
    return score


def normalised_frequency(tf: DoubleArray, length: DoubleArray, mean_length: float, c: float) -> DoubleArray:
    """Normalisation 2 of divergence from randomness: tfn = tf · log₂(1 + c · mean length / length)."""
    tfn: DoubleArray = tf * np.log1p(c * mean_length / length) * BITS
    return tfn


def poisson_information(tfn: DoubleArray, rate: DoubleArray) -> DoubleArray:
    """-log₂ of Poisson's probability of tfn occurrences where `rate` = occurrences / N are expected, in bits.

    = (rate - tfn · ln rate + ln Γ(tfn + 1)) / ln 2; never below 0.
    Differs: Γ itself where Amati and van Rijsbergen have Stirling's formula, which goes to infinity as tfn goes to 0
    (very long documents). nDCG@10 is the same to three digits.
    """
    from scipy.special import gammaln

    information: DoubleArray = (rate - tfn * np.log(rate) + gammaln(tfn + 1)) * BITS
    return information


def pl2_weight(tfn: DoubleArray, rate: DoubleArray) -> DoubleArray:
    """PL2, the lexical baseline of [CP13] section 4.3: Poisson's information times Laplace's risk 1 / (tfn + 1)."""
    return poisson_information(tfn, rate) / (tfn + 1)


def dirichlet_weight(tf: DoubleArray, chance: DoubleArray, mu: float) -> DoubleArray:
    """ln(1 + tf / (μ p)), p the word's share of all occurrences: what a word adds to a document that has it."""
    weight: DoubleArray = np.log1p(tf / (mu * chance))
    return weight


def dirichlet_offset(length: DoubleArray, mu: float) -> DoubleArray:
    """ln(μ / (μ + length)): what each word of a query subtracts from every document, for its length.

    With `dirichlet_weight`: ln p(w | d) - ln p, p(w | d) = (tf + μ p) / (length + μ).
    """
    offset: DoubleArray = -np.log1p(length / mu)
    return offset


def jelinek_mercer_weight(tf: DoubleArray, length: DoubleArray, chance: DoubleArray, share: float) -> DoubleArray:
    """ln(1 + (1 - λ) / λ · tf / (length · p)) = ln p(w | d) - ln λ p, p(w | d) = (1 - λ) tf / length + λ p."""
    weight: DoubleArray = np.log1p((1 - share) / share * tf / (length * chance))
    return weight
