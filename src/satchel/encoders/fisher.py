"""Documents as Fisher vectors: how a mixture over word vectors should change to fit a document's words better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from satchel.encoders.bag.recipe import MANY_TEXTS
from satchel.encoders.base import CONTENT_WORDS, expect_shape, word_vectors_of
from satchel.encoders.fisher_rows import FisherRows, Gradients, fisher_rows, reduced_rows
from satchel.encoders.linear import CodewordContribution, LinearEncoder
from satchel.encoders.mixture import Mixture, fit_mixture
from satchel.errors import InputError, number_within, one_of, seed, true_or_false, whole_number
from satchel.storage import Json
from satchel.text import TermFrequency, Tokenizer, Vocabulary, count_words, smooth_idf, tf_idf
from satchel.types import DoubleArray, FloatArray, SparseArray
from satchel.words import Scaling, WordLearner, WordVectors, lsi_vectors

MOST_DIM = 50
"""The most numbers of an LSI word if `dim` is not given; experiments/cp13/chosen.md compares it with 20."""
WORDS_EACH = 2
"""The fewest distinct vectors for each component: with only one word, its gradient is 0."""
FisherWeighting = Literal["log-tf-idf", "tf-idf", "tf"]
_DAMPING: dict[FisherWeighting, TermFrequency] = {"log-tf-idf": "log(1+count)", "tf-idf": "count"}


class FisherVectors(LinearEncoder):
    """The gradient of a mixture's log-likelihood at a document's words, [CP13] Eqs. (1)-(8).

    `fit` learns word vectors from the texts, or takes `words`, and fits a mixture of diagonal Gaussians to all word
    occurrences. A document's vector says how the mixture should move to fit it better, with `dim` numbers for each
    component. It is a sum of rows of its words, which do not depend on the document: one sparse product encodes a
    collection, and `explain` splits scores exactly. Words with a word vector count even if the texts that the mixture
    was fitted to do not have them, section 4.3.1.

    words: word vectors, or a learner such as `YuleWords(50)`, which learns them from the texts; None takes LSI words.
    n_components: components of the mixture; fewer if there are not twice as many distinct word vectors. On train texts
    of 20ng, r8 and webkb 2 gave 53.2, 71.0 and 50.4 mAP, 1 gave 52.6, 70.1 and 49.4, 4 gave 52.5, 64.9 and 50.0, 16
    less.
    dim, scaling, min_count: of the LSI words that are learned where `words` is None, see `LsiWords`. dim None: 50, and
    fewer if texts or words are few, because every axis counts alike and the last ones would be noise. min_count
    None: with 1,000 texts or more, words that occur once are left out.
    weighting: how much a word of a document counts: its frequency ("tf", the gradient as it is), times idf, or log(1 +
    frequency) times idf. Differs: the paper's is "tf"; docs/reference/encoders.md shows how much better idf is.
    gradients: "means" alone as in the paper, or with those by the mixture's weights and variances, footnote 1.
    power: each number x becomes sign(x)|x|^power, 1 changes nothing. normalised: documents have length 1.
    n_features: reduces a document to this many numbers, the directions along which the fitted texts differ most.
    mixture_documents: fit the mixture to the words of this many random texts, section 4.3.1; None takes all.
    """

    def __init__(
        self,
        words: WordVectors | WordLearner | None = None,
        n_components: int = 2,
        *,
        dim: int | None = None,
        scaling: Scaling = "unit",
        weighting: FisherWeighting = "log-tf-idf",
        gradients: Gradients = "means",
        power: float = 1.0,
        normalised: bool = True,
        n_features: int | None = None,
        mixture_documents: int | None = None,
        tokenizer: Tokenizer = CONTENT_WORDS,
        min_count: int | None = None,
        random_state: int = 0,
    ) -> None:
        self.words = words
        self.n_components = n_components
        self.dim = dim
        self.scaling = scaling
        self.weighting = weighting
        self.gradients = gradients
        self.power = power
        self.normalised = normalised
        self.n_features = n_features
        self.mixture_documents = mixture_documents
        self.tokenizer = tokenizer
        self.min_count = min_count
        self.random_state = random_state

    def describe_component(self, component: int, k: int = 10) -> list[str]:
        """The k words, or fewer, whose occurrences, weighted by idf, a component explains most."""
        self._check_fitted()
        whole_number("component", component, 0, len(self.mixture_.weights) - 1)
        explained = self._fisher.gamma[:, component] * self.occurrences_ * self.idf_
        order = np.argsort(-explained, kind="stable")[: whole_number("k", k)]
        return [self.vocabulary_.words[row] for row in order if explained[row] > 0]

    def _codeword_contributions(self, query: str, document: str) -> list[CodewordContribution]:
        """By components; none after a reduction, which mixes them."""
        if self.n_features is not None:
            return []
        q, d = (np.asarray(vector, dtype=np.float64) for vector in self.transform([query, document]))
        products = (q * d / (np.linalg.norm(q) * np.linalg.norm(d))).reshape(len(self.mixture_.weights), -1)
        shares = products.sum(axis=1)
        order = np.argsort(-shares, kind="stable").tolist()
        return [CodewordContribution(c, float(shares[c]), tuple(self.describe_component(c, 3))) for c in order]

    def _learn(self, texts: list[str], labels: Sequence[object] | None) -> None:
        self._check_parameters()
        vocabulary, vectors, counts = self._start(texts)
        occurrences = self._occurrences(counts)
        x = vectors.astype(np.float64)
        mixture = fit_mixture(x, occurrences, self.n_components, self.random_state, words_each=WORDS_EACH)
        idf = smooth_idf(counts)
        fisher = fisher_rows(vectors, mixture, self.gradients)
        rows = None
        if self.n_features is not None:
            rows = reduced_rows(fisher, self._weighted(counts, idf), self.n_features, self.random_state)
        self._set(vocabulary, idf, occurrences.astype(np.float32), fisher, rows)

    def _start(self, texts: list[str]) -> tuple[Vocabulary, FloatArray, SparseArray]:
        """The words with their vectors, (n_words, dim), and the counts of the texts, (n_texts, n_words)."""
        words = word_vectors_of(self.words, texts, self.tokenizer)
        if words is None:
            min_count = (2 if len(texts) >= MANY_TEXTS else 1) if self.min_count is None else self.min_count
            vocabulary, counts = self._count(texts, min_count=min_count)
            dim = min(_usual_dim(counts) if self.dim is None else self.dim, *counts.shape)
            return vocabulary, lsi_vectors(counts, dim, self.scaling, self.random_state), counts
        vocabulary = Vocabulary(words.words)
        counts = count_words(texts, self.tokenizer, vocabulary)
        if not counts.nnz:
            raise InputError(f"none of the {len(words)} word vectors is of a word in the {len(texts)} texts")
        return vocabulary, words.vectors, counts

    def _occurrences(self, counts: SparseArray) -> DoubleArray:
        """How often each word stands in the texts that the mixture is fitted to, (n_words,)."""
        with_words = np.flatnonzero(np.diff(counts.indptr))
        if self.mixture_documents is not None and self.mixture_documents < len(with_words):
            random = np.random.default_rng([self.random_state, 1])
            counts = counts[np.sort(random.permutation(with_words)[: self.mixture_documents])]
        return np.bincount(counts.indices, counts.data, counts.shape[1]).astype(np.float64)

    def _set(
        self,
        vocabulary: Vocabulary,
        idf: DoubleArray,
        occurrences: FloatArray,
        fisher: FisherRows,
        rows: FloatArray | None,
    ) -> None:
        self.vocabulary_, self.idf_, self.occurrences_ = vocabulary, idf, occurrences
        self.word_vectors_, self.mixture_ = fisher.x, fisher.mixture
        self._fisher, self._reduced = fisher, rows

    def _check_parameters(self) -> None:
        one_of("scaling", self.scaling, get_args(Scaling))
        one_of("weighting", self.weighting, get_args(FisherWeighting))
        one_of("gradients", self.gradients, get_args(Gradients))
        whole_number("n_components", self.n_components)
        for name in ("dim", "n_features", "mixture_documents", "min_count"):
            if getattr(self, name) is not None:
                whole_number(name, getattr(self, name))
        if self.power != 1:
            number_within("power", self.power, 0, 1)
        true_or_false("normalised", self.normalised)
        seed(self.random_state)

    def _weights(self, counts: SparseArray) -> SparseArray:
        return self._weighted(counts, self.idf_)

    def _weighted(self, counts: SparseArray, idf: DoubleArray) -> SparseArray:
        return counts if self.weighting == "tf" else tf_idf(counts, idf, _DAMPING[self.weighting])

    def _word_rows(self) -> FloatArray | FisherRows:
        return self._fisher if self._reduced is None else self._reduced

    def _finish(self, vectors: NDArray[Any]) -> NDArray[Any]:
        if self.power != 1:
            vectors = np.sign(vectors) * np.abs(vectors) ** self.power
        if self.normalised:
            lengths = np.sqrt((vectors.astype(np.float64) ** 2).sum(axis=-1, keepdims=True))
            vectors = (vectors / np.where(lengths > 0, lengths, 1)).astype(vectors.dtype)
        return vectors

    def _learned(self) -> tuple[dict[str, NDArray[Any]], Sequence[str]]:
        mixture = {f"mixture_{name}": value for name, value in self.mixture_._asdict().items()}
        arrays = {"vectors": self.word_vectors_, "idf": self.idf_, "occurrences": self.occurrences_, **mixture}
        return arrays if self._reduced is None else arrays | {"rows": self._reduced}, self.vocabulary_.words

    def _restore(self, arrays: Mapping[str, NDArray[Any]], words: tuple[str, ...]) -> None:
        vectors = expect_shape(arrays, "vectors", (len(words), None))
        means = expect_shape(arrays, "mixture_means", (None, vectors.shape[1]))
        variances = expect_shape(arrays, "mixture_variances", means.shape)
        mixture = Mixture(expect_shape(arrays, "mixture_weights", (len(means),)), means, variances)
        idf, occurrences = (expect_shape(arrays, name, (len(words),)) for name in ("idf", "occurrences"))
        n = self.n_features
        rows = None if n is None else expect_shape(arrays, "rows", (len(words), n))
        self._set(Vocabulary(words), idf, occurrences, fisher_rows(vectors, mixture, self.gradients), rows)
        if self.words is not None:
            self.words = WordVectors(words, vectors)

    def _parameters(self) -> dict[str, Json]:
        return super()._parameters() | {"words": None if self.words is None else "stored"}


def _usual_dim(counts: SparseArray) -> int:
    """The root of the number of texts with words, or of words if they are fewer; from 2 to 50."""
    n_texts = int(np.count_nonzero(np.diff(counts.indptr)))
    return max(2, min(MOST_DIM, round(float(np.sqrt(min(n_texts, counts.shape[1]))))))
