"""The base of the learners of word vectors: fit in scikit-learn's manner, count texts, refuse too few words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from satchel.errors import InputError, seed, whole_number
from satchel.estimator import Estimator
from satchel.text import Tokenizer, Vocabulary, check_texts, learn_vocabulary
from satchel.types import SparseArray
from satchel.words.vectors import WordVectors


class WordLearner(Estimator):
    """Base of what learns word vectors from texts alone."""

    dim: int
    tokenizer: Tokenizer | None
    min_count: int
    max_size: int | None
    random_state: int

    def fit(self, texts: Iterable[str], labels: object = None) -> Self:
        """Learns `vectors_`; labels are ignored."""
        self.vectors_ = self.learn(texts)
        return self

    def learn(self, texts: Iterable[str]) -> WordVectors:
        """The word vectors of these texts, most frequent word first."""
        raise NotImplementedError

    def _count(self, texts: Iterable[str]) -> tuple[Vocabulary, SparseArray]:
        """The vocabulary, of `dim` words or more, and the counts (n_texts, n_words); an error says what is missing."""
        checked = check_texts(texts)
        whole_number("dim", self.dim)
        seed(self.random_state)
        if not checked:
            raise InputError("there are no texts to learn word vectors from; give at least one")
        tokenizer = Tokenizer() if self.tokenizer is None else self.tokenizer
        vocabulary, counts = learn_vocabulary(checked, tokenizer, min_count=self.min_count, max_size=self.max_size)
        if not len(vocabulary):
            found = f"no word occurs {self.min_count} times in the {len(checked)} texts"
            raise InputError(f"{found}; give more texts or a lower min_count")
        if len(vocabulary) < self.dim:
            found = f"the texts hold {len(vocabulary)} words that can be learned"
            raise InputError(f"{found}, fewer than dim={self.dim}; lower dim")
        return vocabulary, counts
