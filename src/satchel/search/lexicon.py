"""What a search knows of words by their numbers in the store, so that texts need not be read again."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satchel.encoders import LinearEncoder
from satchel.ranking import Letters, WordBag
from satchel.store import TEXT, TITLE, Store
from satchel.types import IntArray, SparseArray

Numbers = NDArray[np.int32]
_LAST_MARK = 255


class ReadPassage(NamedTuple):
    """A passage as word numbers, and those of its document's title unless the text begins with it."""

    words: Numbers
    title: Numbers

    @property
    def both(self) -> Numbers:
        return np.concatenate([self.title, self.words])


class Lexicon:
    """Word numbers -> slots in `Letters` and rows of the model; learned when a word is met first. Threads may share it.

    encoder: the model whose rows are meant.
    """

    def __init__(self, encoder: object) -> None:
        self.letters = Letters()
        self._encoder = encoder
        self._turn = threading.Lock()
        self._slots = np.full(1024, -1, np.int32)
        self._rows = np.full(1024, -1, np.int32)

    def bags(self, store: Store, passages: Sequence[ReadPassage]) -> list[WordBag]:
        """Passages as bags of words for `Letters`."""
        texts = [passage.both for passage in passages]
        self._meet(store, texts)
        return [WordBag(slots := self._slots[text], np.ones(len(slots))) for text in texts]

    def counts(self, store: Store, passages: Sequence[ReadPassage]) -> SparseArray | None:
        """How often each passage holds each word of the model, (n_passages, n_words); None for a model without words."""
        from scipy.sparse import csr_array

        if not isinstance(self._encoder, LinearEncoder):
            return None
        texts = [passage.both for passage in passages]
        self._meet(store, texts)
        rows = [one[one >= 0] for one in (self._rows[text] for text in texts)]
        starts = np.cumsum([0, *map(len, rows)]).astype(np.int32)
        own = np.concatenate([np.empty(0, np.int32), *rows])
        n_words = len(self._encoder.vocabulary_)
        found = csr_array((np.ones(len(own), np.float32), own, starts), shape=(len(rows), n_words))
        found.sum_duplicates()
        return found

    def _meet(self, store: Store, texts: Sequence[Numbers]) -> None:
        """Looks up what is needed of words that were not met before."""
        every = np.concatenate([np.empty(0, np.int32), *texts])
        largest = int(every.max(initial=0))
        with self._turn:
            if largest >= len(self._slots):
                more = np.full(2 * largest + 1 - len(self._slots), -1, np.int32)
                self._slots, self._rows = np.concatenate([self._slots, more]), np.concatenate([self._rows, more])
            new = np.unique(every[self._slots[every] < 0])
            if not len(new):
                return
            words = store.words_of(new.tolist())
            known = [words.get(number, "") for number in new.tolist()]
            self._rows[new] = self._rows_of(known)
            self._slots[new] = self.letters.slots_of(known)  # last: a word with a slot has a row

    def _rows_of(self, words: list[str]) -> IntArray:
        if not isinstance(self._encoder, LinearEncoder):
            return np.full(len(words), -1)
        terms = self._encoder.tokenizer.terms(words)
        least = self._encoder.tokenizer.min_length
        kept = [
            term if term is not None and len(word) >= least else "" for term, word in zip(terms, words, strict=True)
        ]
        return self._encoder.vocabulary_.ids(kept)


def read_passages(store: Store, numbers: Sequence[int], passages: Mapping[int, int]) -> list[ReadPassage]:
    """The words of one passage of each document. passages: document -> its passage, by place; 0 unless given."""
    words, starts = store.streams(numbers)
    windows = store.windows(numbers)
    marks = np.flatnonzero(words <= _LAST_MARK)
    first = np.searchsorted(marks, starts[:-1]).tolist()
    ends = [*marks.tolist(), len(words)]
    found = []
    for number, place in zip(numbers, first, strict=True):
        text = words[ends[place] + 1 : ends[place + 1]]
        title = words[ends[place + 1] + 1 : ends[place + 2]]
        if number in windows:
            start, stop = windows[number][passages.get(number, 0)][:2].tolist()
            text = text[start:stop]
        if len(title) and np.array_equal(text[: len(title)], title):
            title = title[:0]
        found.append(ReadPassage(text, title))
    return found


assert (TEXT, TITLE) == (0, 1), "a stream begins with the text, then the title"
