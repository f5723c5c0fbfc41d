"""Words with their vectors while a file is read: first one wins, only wanted ones are kept, memory grows with them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from satchel.errors import InputError
from satchel.text import Vocabulary
from satchel.types import FloatArray

VocabularyLike: TypeAlias = Vocabulary | Collection[str]
"""What a reader may be restricted to, or vectors aligned with: a `Vocabulary` or any collection of words."""


class WordTable(NamedTuple):
    """What a reader hands over: distinct words and their vectors, (n_words, dim)."""

    words: list[str]
    vectors: FloatArray


class TableBuilder:
    """Collects words and their rows block by block; a word that was seen before is skipped.

    The array grows by a quarter in place, so reading everything needs little more than the result.
    """

    def __init__(self, dim: int, wanted: frozenset[str] | None) -> None:
        self._wanted = wanted
        self._seen: dict[str, None] = {}
        self._vectors: FloatArray = np.empty((0, dim), dtype=np.float32)

    def takes(self, word: str) -> bool:
        """Whether the word is wanted and new; if so it is taken, and its row must be in the next `add`."""
        if word in self._seen or (self._wanted is not None and word not in self._wanted):
            return False
        self._seen[word] = None
        return True

    def add(self, n_before: int, rows: FloatArray) -> None:
        """The rows (n, dim) of the words taken since there were `n_before`."""
        n_after = n_before + len(rows)
        if n_after > len(self._vectors):
            self._resize(max(n_after, len(self._vectors) * 5 // 4))
        self._vectors[n_before:n_after] = rows

    def __len__(self) -> int:
        return len(self._seen)

    def finish(self) -> WordTable:
        self._resize(len(self._seen))
        return WordTable(list(self._seen), self._vectors)

    def _resize(self, n_words: int) -> None:
        self._vectors.resize((n_words, self._vectors.shape[1]), refcheck=False)  # no other reference leaves this class


def word_list(vocabulary: VocabularyLike) -> Sequence[str]:
    """The words of a vocabulary or of a collection of words, in their order."""
    if isinstance(vocabulary, Vocabulary):
        return vocabulary.words
    if isinstance(vocabulary, str | bytes):
        raise InputError("vocabulary must be a collection of words, not one string: put it in a list")
    if not isinstance(vocabulary, Iterable):
        raise InputError(f"vocabulary must be a collection of words, not {type(vocabulary).__name__}")
    return tuple(vocabulary)


def wanted_words(vocabulary: VocabularyLike | None) -> frozenset[str] | None:
    """The words to keep while reading; None keeps all."""
    return None if vocabulary is None else frozenset(word_list(vocabulary))
