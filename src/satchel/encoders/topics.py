"""Documents as mixtures of topics: probabilistic latent semantic analysis and latent Dirichlet allocation."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from satchel.encoders.base import CONTENT_WORDS, CountingEncoder, expect_shape
from satchel.errors import number_within, seed, whole_number
from satchel.text import Tokenizer, Vocabulary, count_words
from satchel.types import DoubleArray, FloatArray, SparseArray

FOLD_IN_ITERATIONS = 100
FOLD_IN_TOLERANCE = 1e-4
"""Folding in ends when the shares of a document change less: the mean change, relative to their sum."""
NEVER = 1e-12  # the least probability of a word in a topic, so that no document is impossible


class TopicModel(CountingEncoder):
    """Encodes a document as the share of each topic in it; a topic is a distribution over words. Shares sum to 1.

    n_components: how many topics. n_iterations: the most iterations of learning. The others are those of TfIdf. Every
    text, fitted or not, is encoded by itself (folded in): the topics stay and its shares are found.
    """

    default_iterations: ClassVar[int]

    def __init__(
        self,
        n_components: int = 20,
        n_iterations: int | None = None,
        tokenizer: Tokenizer = CONTENT_WORDS,
        min_count: int = 1,
        min_documents: int = 1,
        max_features: int | None = None,
        random_state: int = 0,
    ) -> None:
        self.n_components = n_components
        self.n_iterations = n_iterations
        self.tokenizer = tokenizer
        self.min_count = min_count
        self.min_documents = min_documents
        self.max_features = max_features
        self.random_state = random_state

    def describe(self, topic: int, k: int = 10) -> list[str]:
        """The k likeliest words of a topic."""
        self._check_fitted()
        whole_number("topic", topic, 0, self.n_components - 1)
        order = np.argsort(-self.topics_[topic], kind="stable")[: whole_number("k", k)]
        return [self.vocabulary_.words[row] for row in order]

    def _learn(self, texts: list[str], labels: Sequence[object] | None) -> None:
        from threadpoolctl import threadpool_limits

        for name in ("n_components", "n_iterations", "max_features"):
            if getattr(self, name) is not None or name == "n_components":
                whole_number(name, getattr(self, name))
        seed(self.random_state)
        vocabulary, counts = self._count(
            texts, min_count=self.min_count, min_documents=self.min_documents, max_size=self.max_features
        )
        with threadpool_limits(1, "blas"), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that the last iteration was not the end: n_iterations says so
            topics = self._learn_topics(counts, self.n_iterations or self.default_iterations)
        self.vocabulary_, self.topics_ = vocabulary, np.maximum(topics, NEVER).astype(np.float32)

    def _learn_topics(self, counts: SparseArray, n_iterations: int) -> DoubleArray:
        """The weight of each word in each topic, (n_components, n_words)."""
        raise NotImplementedError

    def _fold_in(self, values: DoubleArray, topics: DoubleArray) -> DoubleArray:
        """The shares (n_components,) of one document: how often its words occur (n,), and their topics' columns."""
        raise NotImplementedError

    def _encode(self, texts: list[str]) -> FloatArray:
        counts = count_words(texts, self.tokenizer, self.vocabulary_)
        vectors = np.zeros((len(texts), self.n_components), np.float32)
        for row, (start, stop) in enumerate(pairwise(counts.indptr.tolist())):
            if start < stop:
                columns = self.topics_[:, counts.indices[start:stop]].astype(np.float64)
                shares = self._fold_in(counts.data[start:stop].astype(np.float64), columns)
                vectors[row] = shares / shares.sum()
        return vectors

    def _learned(self) -> tuple[dict[str, NDArray[Any]], Sequence[str]]:
        """The array is named after the class: those of the two models have the same shape and other meanings."""
        return {type(self).__name__: self.topics_}, self.vocabulary_.words

    def _restore(self, arrays: Mapping[str, NDArray[Any]], words: tuple[str, ...]) -> None:
        self.topics_ = expect_shape(arrays, type(self).__name__, (self.n_components, len(words)))
        self.vocabulary_ = Vocabulary(words)


class Plsa(TopicModel):
    """Probabilistic latent semantic analysis, one of the models that [CP13] Table 2 compares.

    Learned as a non-negative matrix factorisation of the counts under the Kullback-Leibler loss, which has the same
    stationary points ([CP13] section 2 cites Gaussier and Goutte for it), by scikit-learn.
    """

    default_iterations = 100

    def _learn_topics(self, counts: SparseArray, n_iterations: int) -> DoubleArray:
        from sklearn.decomposition import NMF

        model = NMF(
            self.n_components,
            beta_loss="kullback-leibler",
            solver="mu",
            max_iter=n_iterations,
            random_state=self.random_state,
        )
        topics: DoubleArray = model.fit(counts.astype(np.float64)).components_
        totals = topics.sum(axis=1, keepdims=True)
        return topics / np.where(totals > 0, totals, 1)

    def _fold_in(self, values: DoubleArray, topics: DoubleArray) -> DoubleArray:
        """Expectation-maximisation of P(topic | document) for given P(word | topic)."""
        shares = np.full(len(topics), 1 / len(topics))
        for _ in range(FOLD_IN_ITERATIONS):
            before = shares
            shares = before * (topics @ (values / (before @ topics)))
            shares /= shares.sum()
            if np.abs(shares - before).mean() < FOLD_IN_TOLERANCE:
                break
        return shares


class Lda(TopicModel):
    """Latent Dirichlet allocation, one of the models that [CP13] Table 2 compares; variational Bayes by scikit-learn.

    document_prior, word_prior: of a document's topics and of a topic's words, above 0 and at most 1; None takes
    1/n_components, scikit-learn's choice. experiments/cp13/baselines-chosen.md compares them.
    The others are those of every topic model. `topics_` holds exp E[log P(word | topic)].
    """

    default_iterations = 20

    def __init__(
        self,
        n_components: int = 20,
        n_iterations: int | None = None,
        tokenizer: Tokenizer = CONTENT_WORDS,
        min_count: int = 1,
        min_documents: int = 1,
        max_features: int | None = None,
        random_state: int = 0,
        *,
        document_prior: float | None = None,
        word_prior: float | None = None,
    ) -> None:
        super().__init__(n_components, n_iterations, tokenizer, min_count, min_documents, max_features, random_state)
        self.document_prior = document_prior
        self.word_prior = word_prior

    def _learn_topics(self, counts: SparseArray, n_iterations: int) -> DoubleArray:
        from scipy.special import psi
        from sklearn.decomposition import LatentDirichletAllocation

        for name in ("document_prior", "word_prior"):
            if getattr(self, name) not in (None, 1):
                number_within(name, getattr(self, name), 0, 1)
        model = LatentDirichletAllocation(
            self.n_components,
            doc_topic_prior=self.document_prior,
            topic_word_prior=self.word_prior,
            max_iter=n_iterations,
            learning_method="batch",
            random_state=self.random_state,
        )
        weights: DoubleArray = model.fit(counts.astype(np.float64)).components_
        expected: DoubleArray = np.exp(psi(weights) - psi(weights.sum(axis=1, keepdims=True)))
        return expected

    def _fold_in(self, values: DoubleArray, topics: DoubleArray) -> DoubleArray:
        """Coordinate ascent on the document's own Dirichlet, as in scikit-learn's `transform`."""
        from scipy.special import psi

        prior = 1 / len(topics) if self.document_prior is None else self.document_prior
        weights = np.ones(len(topics))
        for _ in range(FOLD_IN_ITERATIONS):
            before, likely = weights, np.exp(psi(weights) - psi(weights.sum()))
            weights = prior + likely * (topics @ (values / (likely @ topics)))
            if np.abs(weights - before).mean() < FOLD_IN_TOLERANCE * values.sum():
                break
        return weights
