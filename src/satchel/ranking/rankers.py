"""The lexical rankers by name: BM25, PL2, language models."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from satchel.errors import number_within, one_of
from satchel.ranking.checks import number_from
from satchel.ranking.expansion import Expansion
from satchel.ranking.formulas import (
    CountedCollection,
    bm25_idf,
    bm25_saturation,
    dirichlet_offset,
    dirichlet_weight,
    jelinek_mercer_weight,
    length_share,
    normalised_frequency,
    pl2_weight,
)
from satchel.ranking.lexical import SEARCH_WORDS, LexicalRetriever
from satchel.ranking.probes import DoubleArray
from satchel.text import Tokenizer
from satchel.types import FloatArray

Smoothing = Literal["dirichlet", "jelinek-mercer"]
POSITIVE = (1e-9, 1e9)
"""Parameters beyond these make weights that float32 cannot hold."""


class Bm25(LexicalRetriever):
    """Okapi BM25 in Lucene's form: rare words count more, a word's repetitions count less and less.

    score = Σ_w count in the query · ln(1 + (N - df + ½) / (df + ½)) · tf / (tf + k₁ (1 - b + b · length / mean length))

    k1: how slowly repetitions saturate; 0 counts a word once. b: how much of a document's length is made up for, from
    0 to 1. tokenizer: for documents and queries alike. expansion: `Rm3()` or `Rocchio()`, for every query.
    """

    def __init__(
        self,
        k1: float = 1.5,
        b: float = 0.75,
        tokenizer: Tokenizer = SEARCH_WORDS,
        expansion: Expansion | None = None,
    ) -> None:
        self.k1 = k1
        self.b = b
        self.tokenizer = tokenizer
        self.expansion = expansion

    def _check(self) -> None:
        number_from("k1", self.k1, 0, 1000)
        number_from("b", self.b, 0, 1)

    def _weights(self, collection: CountedCollection) -> DoubleArray:
        of = collection.occurrences
        share = length_share(of.length, collection.mean_length, self.b)
        saturation = bm25_saturation(of.tf, share, self.k1)
        return bm25_idf(of.document_frequency, collection.n_documents) * saturation


class Pl2(LexicalRetriever):
    """Divergence from randomness, the lexical baseline of [CP13] section 4.3: words weigh by how little chance explains
    that they stand in a document so often.

    score = Σ_w count in the query · information(tfn) / (tfn + 1), tfn = tf · log₂(1 + c · mean length / length): see
    `satchel.ranking.formulas.poisson_information`.

    c: the larger, the less long documents lose. tokenizer, expansion: as for `Bm25`.
    """

    def __init__(self, c: float = 1.0, tokenizer: Tokenizer = SEARCH_WORDS, expansion: Expansion | None = None) -> None:
        self.c = c
        self.tokenizer = tokenizer
        self.expansion = expansion

    def _check(self) -> None:
        number_within("c", self.c, *POSITIVE)

    def _weights(self, collection: CountedCollection) -> DoubleArray:
        of = collection.occurrences
        tfn = normalised_frequency(of.tf, of.length, collection.mean_length, self.c)
        return pl2_weight(tfn, of.collection_frequency / collection.n_documents)


class LanguageModel(LexicalRetriever):
    """Query likelihood: how likely each document's own word frequencies, smoothed by the collection's, make the query.

    p is the word's share of all occurrences, and all words of the query count:
    "dirichlet": score = Σ_w count in the query · ln(p(w | d) / p), p(w | d) = (tf + μ p) / (length + μ), may be < 0.
    "jelinek-mercer": Σ_w count in the query · ln(p(w | d) / λ p), p(w | d) = (1 - λ) tf / length + λ p.

    mu: words of the collection that are added to each document (100 to 2,000 were tried on queries of train and
    validation splits: the best are from 300 to 1,000). collection_share: λ (0.1 to 0.7 were tried; 0.5 and 0.7 lead).
    tokenizer, expansion: as for `Bm25`.
    """

    def __init__(
        self,
        smoothing: Smoothing = "dirichlet",
        mu: float = 500.0,
        collection_share: float = 0.5,
        tokenizer: Tokenizer = SEARCH_WORDS,
        expansion: Expansion | None = None,
    ) -> None:
        self.smoothing = smoothing
        self.mu = mu
        self.collection_share = collection_share
        self.tokenizer = tokenizer
        self.expansion = expansion

    def _check(self) -> None:
        one_of("smoothing", self.smoothing, get_args(Smoothing))
        number_within("mu", self.mu, *POSITIVE)
        number_within("collection_share", self.collection_share, POSITIVE[0], 1)

    def _weights(self, collection: CountedCollection) -> DoubleArray:
        of = collection.occurrences
        chance = of.collection_frequency / max(1.0, collection.n_occurrences)
        if self.smoothing == "dirichlet":
            return dirichlet_weight(of.tf, chance, self.mu)
        return jelinek_mercer_weight(of.tf, of.length, chance, self.collection_share)

    def _offsets(self, collection: CountedCollection) -> DoubleArray | None:
        return dirichlet_offset(collection.lengths, self.mu) if self.smoothing == "dirichlet" else None

    def _shares(self, scores: FloatArray) -> DoubleArray:
        """Scores are logarithms of likelihoods."""
        likelihoods = np.exp(scores.astype(np.float64) - scores.max())
        shares: DoubleArray = likelihoods / likelihoods.sum()
        return shares
