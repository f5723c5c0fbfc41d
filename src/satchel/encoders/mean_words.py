"""Documents as the mean of their words' vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from numpy.typing import NDArray

from satchel.encoders.base import EVERY_WORD, expect_shape, word_vectors_of
from satchel.encoders.linear import LinearEncoder
from satchel.errors import InputError, seed, unknown_name, whole_number
from satchel.storage import Json
from satchel.text import Tokenizer, Vocabulary, count_words, mean_weights, smooth_idf
from satchel.types import FloatArray, SparseArray
from satchel.words import LsiWords, WordLearner, WordVectors

Weighting = Literal["plain", "idf"]


class MeanWords(LinearEncoder):
    """The mean vector of all words of a document that have one: "Mean WE" of [PT18] section 4.4.

    words: word vectors, or a learner such as `YuleWords(50)`, which learns them from the texts; None learns LSI words
    of `dim` numbers, or as many as the texts can give.
    weighting: "plain", or "idf" for a mean weighted by the fitted texts' idf. Words with a vector count even if the
    fitted texts do not have them; their idf is that of a word in no document.
    """

    def __init__(
        self,
        words: WordVectors | WordLearner | None = None,
        weighting: Weighting = "plain",
        tokenizer: Tokenizer = EVERY_WORD,
        dim: int = 100,
        random_state: int = 0,
    ) -> None:
        self.words = words
        self.weighting = weighting
        self.tokenizer = tokenizer
        self.dim = dim
        self.random_state = random_state

    def _learn(self, texts: list[str], labels: Sequence[object] | None) -> None:
        whole_number("dim", self.dim)
        seed(self.random_state)
        if self.weighting not in get_args(Weighting):
            raise unknown_name("weighting", self.weighting, get_args(Weighting))
        words = word_vectors_of(self.words, texts, self.tokenizer)
        words = self._learn_words(texts) if words is None else words
        vocabulary = Vocabulary(words.words)
        counts = count_words(texts, self.tokenizer, vocabulary)
        if not counts.nnz:
            raise InputError(f"none of the {len(words)} word vectors is of a word in the {len(texts)} texts")
        self.words_, self.vocabulary_ = words, vocabulary
        self.idf_ = smooth_idf(counts) if self.weighting == "idf" else None

    def _learn_words(self, texts: list[str]) -> WordVectors:
        _, counts = self._count(texts, min_count=1)
        dim = min(self.dim, *counts.shape)
        return LsiWords(dim, tokenizer=self.tokenizer, min_count=1, random_state=self.random_state).learn(texts)

    def _weights(self, counts: SparseArray) -> SparseArray:
        return mean_weights(counts, self.idf_)

    def _word_rows(self) -> FloatArray | None:
        return self.words_.vectors

    def _learned(self) -> tuple[dict[str, NDArray[Any]], Sequence[str]]:
        idf = {} if self.idf_ is None else {"idf": self.idf_}
        return {"vectors": self.words_.vectors, **idf}, self.vocabulary_.words

    def _restore(self, arrays: Mapping[str, NDArray[Any]], words: tuple[str, ...]) -> None:
        self.words_ = WordVectors(words, expect_shape(arrays, "vectors", (len(words), None)))
        self.vocabulary_ = Vocabulary(words)
        self.idf_ = expect_shape(arrays, "idf", (len(words),)) if self.weighting == "idf" else None
        if self.words is not None:
            self.words = self.words_

    def _parameters(self) -> dict[str, Json]:
        return super()._parameters() | {"words": None if self.words is None else "stored"}
