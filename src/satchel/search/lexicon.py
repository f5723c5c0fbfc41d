"""What a search knows of words by their numbers in the store, so that texts need not be read again."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from satchel.encoders import LinearEncoder
from satchel.ranking import Letters, WordBag
from satchel.store import MOST_FIELDS, Store
from satchel.text import stop_list
from satchel.types import IntArray, SparseArray

Numbers: TypeAlias = NDArray[np.int32]
_UNKNOWN, _STOP_WORD = -1, -2


class PassageWords(NamedTuple):
    """The words of passages by their numbers, title first; passage i has words[starts[i]:starts[i + 1]]."""

    words: Numbers
    starts: IntArray


class Lexicon:
    """Word numbers -> slots in `Letters` and rows of the model; learned when a word is met first. Threads may share it.

    encoder: the model whose rows are meant. Stop words have no slot: they say nothing about how alike two texts are.
    """

    def __init__(self, encoder: object) -> None:
        self.letters = Letters(stop_list("sklearn") | stop_list("smart"))
        self._encoder = encoder
        self._turn = threading.Lock()
        self._slots = np.full(1024, _UNKNOWN, np.int32)
        self._rows = np.full(1024, -1, np.int32)

    def bags(self, store: Store, passages: PassageWords) -> list[WordBag]:
        """Passages as bags of words for `Letters`."""
        self._meet(store, passages.words)
        slots = self._slots[passages.words]
        kept = slots >= 0
        before = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])
        slots, starts = slots[kept], before[passages.starts].tolist()
        ones = np.ones(len(slots))
        return [WordBag(slots[a:b], ones[a:b]) for a, b in pairwise(starts)]

    def counts(self, store: Store, passages: PassageWords) -> SparseArray | None:
        """How often each passage has each word of the model, (n_passages, n_words); None for a model without words."""
        from scipy.sparse import csr_array

        if not isinstance(self._encoder, LinearEncoder):
            return None
        self._meet(store, passages.words)
        rows = self._rows[passages.words]
        kept = rows >= 0
        before = np.concatenate([np.zeros(1, np.int32), np.cumsum(kept, dtype=np.int32)])
        shape = (len(passages.starts) - 1, len(self._encoder.vocabulary_))
        ones = np.ones(int(before[-1]), np.float32)
        found = csr_array((ones, rows[kept], before[passages.starts]), shape=shape)
        found.sum_duplicates()
        return found

    def _meet(self, store: Store, words: Numbers) -> None:
        """Looks up what is needed of words that were not met before."""
        largest = int(words.max(initial=0))
        if largest < len(self._slots) and (self._slots[words] != _UNKNOWN).all():
            return
        with self._turn:
            if largest >= len(self._slots):
                self._grow(2 * largest + 1)
            new = np.unique(words[self._slots[words] == _UNKNOWN])
            if not len(new):
                return
            spelled = store.words_of(new.tolist())
            known = [spelled.get(number, "") for number in new.tolist()]
            self._rows[new] = self._rows_of(known)
            is_stop = np.array([word in self.letters.stop_words for word in known])
            self._slots[new] = np.where(is_stop, _STOP_WORD, self.letters.slots_of(known))  # last: then all is known

    def _grow(self, size: int) -> None:
        rows, slots = np.full(size, -1, np.int32), np.full(size, _UNKNOWN, np.int32)
        rows[: len(self._rows)], slots[: len(self._slots)] = self._rows, self._slots
        self._rows, self._slots = rows, slots

    def _rows_of(self, words: list[str]) -> IntArray:
        if not isinstance(self._encoder, LinearEncoder):
            return np.full(len(words), -1)
        tokenizer = self._encoder.tokenizer
        terms = tokenizer.terms(words)
        kept = [
            term if term is not None and len(word) >= tokenizer.min_length else ""
            for term, word in zip(terms, words, strict=True)
        ]
        return self._encoder.vocabulary_.ids(kept)


def read_passages(store: Store, numbers: Sequence[int], passages: Mapping[int, int]) -> PassageWords:
    """The words of one passage of each document.

    A document of one passage has the words of its title first, unless the text begins with them.
    passages: document -> its passage, by place.
    """
    windows = store.some_windows({number: passages.get(number, 0) for number in numbers})
    short = [number for number in numbers if number not in windows]
    whole = _whole(store, short)
    if not windows:
        return whole
    parts = store.parts_of_streams({number: (row[0], row[1]) for number, row in windows.items()})
    own = dict(zip(short, np.split(whole.words, whole.starts[1:-1]), strict=True)) if short else {}
    words = [parts[number] if number in parts else own[number] for number in numbers]
    return PassageWords(np.concatenate(words), np.cumsum([0, *map(len, words)]))


def _whole(store: Store, numbers: Sequence[int]) -> PassageWords:
    """The words of documents of one passage, those of the title first."""
    words, starts = store.streams(numbers)
    marks = np.flatnonzero(words < MOST_FIELDS)
    ends = np.concatenate([marks, [len(words)]])
    first = np.searchsorted(marks, starts[:-1])
    text, text_end, title_end = ends[first] + 1, ends[first + 1], ends[first + 2]
    title = text_end + 1
    is_said = _begins_with(words, text, text_end, title, title_end)
    runs = np.stack([title, text], axis=1).ravel()
    lengths = np.stack([np.where(is_said, 0, title_end - title), text_end - text], axis=1).ravel()
    stops = np.cumsum(lengths)
    places = np.arange(int(lengths.sum())) + np.repeat(runs - (stops - lengths), lengths)
    return PassageWords(words[places], np.concatenate([np.zeros(1, np.int64), stops[1::2]]))


def _begins_with(
    words: Numbers, text: IntArray, text_end: IntArray, title: IntArray, title_end: IntArray
) -> NDArray[np.bool_]:
    """Whether each text begins with the words of its title, (n_documents,); True for an empty title."""
    lengths = title_end - title
    fits = lengths <= text_end - text
    wanted = np.where(fits, lengths, 0)
    stops = np.cumsum(wanted)
    ramp = np.arange(int(wanted.sum())) - np.repeat(stops - wanted, wanted)
    differs = words[np.repeat(text, wanted) + ramp] != words[np.repeat(title, wanted) + ramp]
    wrong = np.concatenate([np.zeros(1, np.int64), np.cumsum(differs)])
    same: NDArray[np.bool_] = fits & (wrong[stops] == wrong[stops - wanted])
    return same
