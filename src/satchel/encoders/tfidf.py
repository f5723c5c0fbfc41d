"""Documents as weighted words: tf-idf."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satchel.encoders.base import TWO_LETTERS, expect_shape
from satchel.encoders.linear import LinearEncoder
from satchel.errors import true_or_false, whole_number
from satchel.text import Tokenizer, Vocabulary, smooth_idf, tf_idf
from satchel.types import FloatArray, SparseArray


class TfIdf(LinearEncoder):
    """One feature per word, tf·idf, rows of length 1: the tf-idf baseline of [PT18] section 4.4.

    The formula is that of scikit-learn's TfidfVectorizer (smooth idf, l2 norm). Vectors are a csr array, the one
    exception to dense vectors, because the features are words.

    min_count, min_documents: rarer words are left out (occurrences in all texts; texts that hold the word).
    max_features: keep this many words, the most frequent ones. sublinear: 1 + ln(count) instead of the count.
    """

    def __init__(
        self,
        tokenizer: Tokenizer = TWO_LETTERS,
        min_count: int = 1,
        min_documents: int = 1,
        max_features: int | None = None,
        sublinear: bool = False,
    ) -> None:
        self.tokenizer = tokenizer
        self.min_count = min_count
        self.min_documents = min_documents
        self.max_features = max_features
        self.sublinear = sublinear

    def get_feature_names_out(self, input_features: object = None) -> NDArray[np.object_]:
        """The words, in the order of the columns."""
        self._check_fitted()
        return np.array(self.vocabulary_.words, dtype=object)

    def _learn(self, texts: list[str], labels: Sequence[object] | None) -> None:
        true_or_false("sublinear", self.sublinear)
        if self.max_features is not None:
            whole_number("max_features", self.max_features)
        self.vocabulary_, counts = self._count(
            texts, min_count=self.min_count, min_documents=self.min_documents, max_size=self.max_features
        )
        self.idf_ = smooth_idf(counts)

    def _weights(self, counts: SparseArray) -> SparseArray:
        return tf_idf(counts, self.idf_, "1+log(count)" if self.sublinear else "count")

    def _word_rows(self) -> FloatArray | None:
        return None

    def _learned(self) -> tuple[dict[str, NDArray[Any]], Sequence[str]]:
        return {"idf": self.idf_}, self.vocabulary_.words

    def _restore(self, arrays: Mapping[str, NDArray[Any]], words: tuple[str, ...]) -> None:
        self.vocabulary_ = Vocabulary(words)
        self.idf_ = expect_shape(arrays, "idf", (len(words),))
