"""Documents in a latent space: latent semantic indexing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satchel.encoders.base import CONTENT_WORDS, expect_shape
from satchel.encoders.linear import LinearEncoder
from satchel.errors import InputError, one_of, seed, true_or_false, whole_number
from satchel.text import WORD_WEIGHTS, TermFrequency, Tokenizer, Vocabulary, WordWeight, tf_idf
from satchel.types import FloatArray, SparseArray
from satchel.words import latent_words


class Lsi(LinearEncoder):
    """Truncated SVD of the tf-idf matrix without stop words; documents are VΣ = A′U, [CP13] Eq. (9).

    n_components: 200 as in [PT18] section 4.4; needs at least as many texts, and as many words.
    word_weight: what a word counts in every document: "smooth-idf", 1 + ln((1 + n) / (1 + df)), as TfIdf has it; "idf",
    ln(n / df); "entropy". The last two leave less to common words: experiments/cp13/baselines-chosen.md compares them.
    The other parameters are those of TfIdf.
    """

    def __init__(
        self,
        n_components: int = 200,
        tokenizer: Tokenizer = CONTENT_WORDS,
        min_count: int = 1,
        min_documents: int = 1,
        max_features: int | None = None,
        sublinear: bool = False,
        random_state: int = 0,
        *,
        word_weight: WordWeight = "smooth-idf",
    ) -> None:
        self.n_components = n_components
        self.tokenizer = tokenizer
        self.min_count = min_count
        self.min_documents = min_documents
        self.max_features = max_features
        self.sublinear = sublinear
        self.random_state = random_state
        self.word_weight = word_weight

    def _learn(self, texts: list[str], labels: Sequence[object] | None) -> None:
        whole_number("n_components", self.n_components)
        seed(self.random_state)
        true_or_false("sublinear", self.sublinear)
        one_of("word_weight", self.word_weight, WORD_WEIGHTS)
        if self.max_features is not None:
            whole_number("max_features", self.max_features)
        vocabulary, counts = self._count(
            texts, min_count=self.min_count, min_documents=self.min_documents, max_size=self.max_features
        )
        _check_components(self.n_components, counts)
        idf = WORD_WEIGHTS[self.word_weight](counts)
        rows, sigma = latent_words(tf_idf(counts, idf, self._tf), self.n_components, self.random_state)
        self.vocabulary_, self.idf_, self.word_rows_, self.singular_values_ = vocabulary, idf, rows, sigma

    @property
    def _tf(self) -> TermFrequency:
        return "1+log(count)" if self.sublinear else "count"

    def _weights(self, counts: SparseArray) -> SparseArray:
        return tf_idf(counts, self.idf_, self._tf)

    def _word_rows(self) -> FloatArray | None:
        return self.word_rows_

    def _learned(self) -> tuple[dict[str, NDArray[Any]], Sequence[str]]:
        arrays: dict[str, NDArray[Any]] = {
            "idf": self.idf_,
            "word_rows": self.word_rows_,
            "singular_values": self.singular_values_,
        }
        return arrays, self.vocabulary_.words

    def _restore(self, arrays: Mapping[str, NDArray[Any]], words: tuple[str, ...]) -> None:
        self.vocabulary_ = Vocabulary(words)
        self.idf_ = expect_shape(arrays, "idf", (len(words),))
        self.word_rows_ = expect_shape(arrays, "word_rows", (len(words), self.n_components))
        self.singular_values_ = expect_shape(arrays, "singular_values", (self.n_components,))


def _check_components(n_components: int, counts: SparseArray) -> None:
    with_words = int(np.count_nonzero(np.diff(counts.indptr)))
    most = min(with_words, counts.shape[1])
    if n_components > most:
        given = f"{with_words} texts with words and {counts.shape[1]} distinct words"
        raise InputError(f"n_components is {n_components}, but {given} allow from 1 to {most}; choose one of these")
