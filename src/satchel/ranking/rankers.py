"""The lexical rankers BM25, PL2 and language models, and their base: from texts to counts, postings and rankings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, Self, get_args

import numpy as np

from satchel.errors import InputError, NotFittedError, number_from, number_within, one_of, whole_number
from satchel.estimator import Estimator
from satchel.ranking.expansion import Expansion, FeedbackDocuments, Rocchio
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
from satchel.ranking.postings import Postings
from satchel.ranking.selection import nothing_found
from satchel.ranking.vectors import checked_positions
from satchel.text import Tokenizer, Vocabulary, check_texts, count_words, learn_vocabulary
from satchel.types import DoubleArray, FloatArray, IntArray, Ranking, SparseArray

SEARCH_WORDS = Tokenizer(stop_words="sklearn", stem=True)
"""The words of a search: case, endings and very common words make no difference."""

FEW = 4
"""Up to this many queries are answered one by one; more are answered by one sparse product."""


class LexicalRetriever(Estimator):
    """Base of the rankers that compare words: a score is a sum over the words that query and document share.

    A new ranker stores its parameters in the constructor, checks them in `_check` and gives in `_weights` what each
    word weighs in each document. Documents that hold no word of the query are not found.
    """

    tokenizer: Tokenizer
    expansion: Expansion | None

    def fit(self, texts: Sequence[str], labels: Sequence[object] | None = None) -> Self:
        """Counts the words of the texts and weighs them; labels are not used."""
        checked = check_texts(texts)
        if labels is not None and len(labels) != len(checked):
            raise InputError(f"{len(labels)} labels for {len(checked)} texts; give one label per text")
        if not checked:
            raise InputError(f"{type(self).__name__} cannot learn from 0 texts; give at least one")
        self._check()
        _check_expansion(self.expansion)
        self.vocabulary_, counts = learn_vocabulary(checked, self.tokenizer)
        self.postings_ = self._postings(CountedCollection(counts))
        self.counts_ = _narrow(counts)
        return self

    def search(
        self,
        queries: Sequence[str],
        k: int,
        relevant: Sequence[int] | IntArray = (),
        irrelevant: Sequence[int] | IntArray = (),
    ) -> Ranking:
        """The best k documents of each query, best first, ties in document order; ids -1 if fewer are found.

        A word that occurs twice in a query counts twice; unknown words are left out. Marks are positions of fitted
        texts and apply to all queries: the queries are expanded by the marked texts. Without marks, and if an
        `expansion` is set, they are expanded by the best of a first ranking.
        """
        k, texts = whole_number("k", k), self._checked_queries(queries)
        marked = checked_positions(relevant, "relevant", self.postings_.n_documents)
        others = checked_positions(irrelevant, "irrelevant", self.postings_.n_documents)
        if self.expansion is not None or marked.size or others.size:
            counts = self.query_counts(texts)
            return self.postings_.search(self._expanded(counts, self.expansion or Rocchio(), marked, others), k)
        if len(texts) > FEW:
            return self.postings_.search(self.query_counts(texts), k)
        return self._search_few(texts, k)

    def query_counts(self, queries: Sequence[str]) -> SparseArray:
        """How often each known word occurs in each query, (n_queries, n_words)."""
        return count_words(self._checked_queries(queries), self.tokenizer, self.vocabulary_)

    def _search_few(self, queries: list[str], k: int) -> Ranking:
        """Answers a few queries one by one: the same answer, without preparations that pay only for many."""
        ids, scores = nothing_found(len(queries), k)
        for row, query in enumerate(queries):
            counted = known_counts(query, self.tokenizer, self.vocabulary_)
            best, best_scores = self.postings_.search_one(list(counted), list(counted.values()), k)
            ids[row, : len(best)], scores[row, : len(best)] = best, best_scores
        return Ranking(ids, scores)

    def _checked_queries(self, queries: Sequence[str]) -> list[str]:
        if not hasattr(self, "postings_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted: call fit first")
        return check_texts(queries)

    def _check(self) -> None:
        """Raises InputError if a parameter is out of range."""

    def _weights(self, collection: CountedCollection) -> DoubleArray:
        """The weight of each word in each document, (n_values,), in the order of the counts."""
        raise NotImplementedError

    def _offsets(self, collection: CountedCollection) -> DoubleArray | None:
        """What each word of a query adds to each document, (n_documents,), even if the document does not hold it."""
        return None

    def _shares(self, scores: FloatArray) -> DoubleArray:
        """The probability that each of the best documents is the relevant one, (n_best,); sums to 1."""
        shares: DoubleArray = scores / scores.sum(dtype=np.float64)
        return shares

    def _postings(self, collection: CountedCollection) -> Postings:
        from scipy.sparse import csr_array

        counts, offsets = collection.counts, self._offsets(collection)
        weights = csr_array((self._weights(collection), counts.indices, counts.indptr), shape=counts.shape)
        return Postings(weights, None if offsets is None else offsets.astype(np.float32))

    def _expanded(
        self, queries: SparseArray, expansion: Expansion, relevant: IntArray, irrelevant: IntArray
    ) -> SparseArray:
        """Expands the queries; documents marked both ways count as not marked."""
        both = np.intersect1d(relevant, irrelevant)
        relevant, irrelevant = np.setdiff1d(relevant, both), np.setdiff1d(irrelevant, both)
        n_queries, n_documents = int(queries.shape[0]), self.postings_.n_documents
        if relevant.size:
            likely = _same_rows(relevant, n_queries, n_documents)
        else:
            likely = self._best_as_relevant(queries, expansion.n_documents, irrelevant)
        feedback = FeedbackDocuments(likely, _same_rows(irrelevant, n_queries, n_documents))
        return expansion.expand(queries, feedback, self.counts_)

    def _best_as_relevant(self, queries: SparseArray, n: int, irrelevant: IntArray) -> SparseArray:
        """The shares of the best n documents that are not marked irrelevant, csr (n_queries, n_documents)."""
        from scipy.sparse import csr_array

        ranking = self.postings_.search(queries, max(1, n + len(irrelevant)))
        usable = (ranking.ids >= 0) & ~np.isin(ranking.ids, irrelevant)
        usable &= np.cumsum(usable, axis=1) <= n
        shares = [self._shares(scores[row]) for scores, row in zip(ranking.scores, usable, strict=True) if row.any()]
        starts = np.concatenate(([0], np.cumsum(usable.sum(axis=1))))
        data = np.concatenate([*shares, np.empty(0)])
        return csr_array((data, ranking.ids[usable], starts), shape=(len(usable), self.postings_.n_documents))


def known_counts(query: str, tokenizer: Tokenizer, vocabulary: Vocabulary) -> dict[int, int]:
    """How often each known word occurs in a query: word id -> count, ids ascending."""
    counted = Counter(vocabulary.ids(tokenizer.tokens(query)).tolist())
    counted.pop(-1, None)
    return dict(sorted(counted.items()))


def _check_expansion(expansion: Expansion | None) -> None:
    if expansion is None:
        return
    if isinstance(expansion, type) or not hasattr(expansion, "expand"):
        raise InputError(f"the expansion is {expansion!r:.60}; expected Rm3(), Rocchio() or None")
    expansion.check()


def _same_rows(documents: IntArray, n_rows: int, n_documents: int) -> SparseArray:
    """Equal shares of the same documents in every row."""
    from scipy.sparse import csr_array

    n = len(documents)
    data = np.full(n * n_rows, 1 / max(1, n))
    return csr_array((data, np.tile(documents, n_rows), np.arange(n_rows + 1) * n), shape=(n_rows, n_documents))


def _narrow(counts: SparseArray) -> SparseArray:
    """Counts in the smallest integer type that holds them; feedback reads them document by document."""
    from scipy.sparse import csr_array

    data = counts.data.astype(np.min_scalar_type(int(counts.data.max(initial=0))))
    return csr_array((data, counts.indices, counts.indptr), shape=counts.shape)


Smoothing = Literal["dirichlet", "jelinek-mercer"]
POSITIVE = (1e-9, 1e9)
"""The bounds of parameters; beyond them, float32 cannot hold the weights."""


class Bm25(LexicalRetriever):
    """Okapi BM25 in Lucene's form: rare words count more, a word's repetitions count less and less.

    score = Σ_w count in the query · ln(1 + (N - df + ½) / (df + ½)) · tf / (tf + k₁ (1 - b + b · length / mean length))

    k1: how slowly repetitions saturate; 0 counts a word once. b: how strongly long documents are held back, from 0 to
    1. tokenizer: for documents and queries alike. expansion: `Rm3()` or `Rocchio()`, for every query.
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
    """Divergence from randomness, the lexical baseline of [CP13] section 4.3: a word weighs more, the less chance
    explains how often it occurs in a document.

    score = Σ_w count in the query · information(tfn) / (tfn + 1), tfn = tf · log₂(1 + c · mean length / length): see
    `satchel.ranking.formulas.poisson_information`.

    c: a larger value holds long documents back less. tokenizer, expansion: as for `Bm25`.
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
