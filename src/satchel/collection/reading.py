"""Reads the texts of stored documents together with their words, which the index has found already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satchel.store import TEXT, TITLE, Scanned, Store
from satchel.text import ReadTexts, title_first
from satchel.types import IntArray

BATCH = 5_000
"""The number of documents that are read together."""
_LAST_MARK = 255
Numbers = NDArray[np.int32]
Windows = Mapping[int, Numbers]


class _Piece(NamedTuple):
    """A text, the place of its document in the batch, and which words of the document's text it has."""

    text: str
    place: int
    start: int = 0
    stop: int | None = None
    with_title: bool = False


class TextsOfStore:
    """Gives texts as a model reads them: the title first, and the words of both."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._words: dict[int, str] = {}

    def texts(self, documents: Iterable[Scanned]) -> ReadTexts:
        """The texts of whole documents."""
        texts, words, lengths = list[str](), [np.empty(0, np.int32)], [np.zeros(1, np.int64)]
        for batch in batches(documents):
            pieces = [_piece(one.title, one.text, place) for place, one in enumerate(batch)]
            found, own = self._words_of(batch, pieces)
            texts += (piece.text for piece in pieces)
            words.append(found)
            lengths.append(own)
        return self._read(texts, words, lengths)

    def passages(self, documents: Sequence[Scanned], windows: Windows) -> ReadTexts:
        """The texts of all passages of these documents; windows: number -> as `Store.windows` gives them."""
        pieces = [
            _piece(one.title, one.text[begin:end], place, start, stop)
            for place, one in enumerate(documents)
            for start, stop, begin, end in windows[one.number].tolist()
        ]
        words, lengths = self._words_of(documents, pieces)
        return self._read([piece.text for piece in pieces], [words], [np.zeros(1, np.int64), lengths])

    def _words_of(self, documents: Sequence[Scanned], pieces: Sequence[_Piece]) -> tuple[Numbers, IntArray]:
        """The words of the pieces by their numbers, one after the other, and how many words each has."""
        words, starts = self._store.streams([one.number for one in documents])
        marks = np.flatnonzero(words <= _LAST_MARK)
        first = np.searchsorted(marks, starts[:-1])  # the mark before each document's text
        marks = np.append(marks, len(words))
        begins = marks[first[:, None] + np.arange(2)] + 1  # (n_documents, 2): of the text, of the title
        ends = marks[first[:, None] + np.arange(1, 3)]
        place = np.array([piece.place for piece in pieces], np.int64)
        start = np.array([piece.start for piece in pieces], np.int64)
        whole = (ends - begins)[place, TEXT]
        stop = [length if piece.stop is None else piece.stop for piece, length in zip(pieces, whole, strict=True)]
        titles = (ends - begins)[place, TITLE] * np.array([piece.with_title for piece in pieces], np.bool_)
        runs = np.stack([begins[place, TITLE], begins[place, TEXT] + start], axis=1).ravel()
        lengths = np.stack([titles, np.array(stop, np.int64) - start], axis=1)  # (n_pieces, 2)
        return words[_places(runs, lengths.ravel())], lengths.sum(axis=1)

    def _read(self, texts: list[str], words: list[Numbers], lengths: list[IntArray]) -> ReadTexts:
        every = np.concatenate(words)
        is_there = np.zeros(int(every.max(initial=-1)) + 1, np.bool_)
        is_there[every] = True
        numbers = np.flatnonzero(is_there).tolist()
        missing = [number for number in numbers if number not in self._words]
        self._words.update(self._store.words_of(missing))
        ids = (np.cumsum(is_there) - 1).astype(np.int32)[every]
        return ReadTexts(texts, ids, np.cumsum(np.concatenate(lengths)), [self._words[number] for number in numbers])


def batches(documents: Iterable[Scanned]) -> Iterator[list[Scanned]]:
    items = iter(documents)
    while batch := list(islice(items, BATCH)):
        yield batch


def _piece(title: str, text: str, place: int, start: int = 0, stop: int | None = None) -> _Piece:
    whole = title_first(title, text)
    return _Piece(whole, place, start, stop, len(whole) > len(text))


def _places(starts: IntArray, lengths: IntArray) -> IntArray:
    """The places in runs that begin at `starts`, one run after the other."""
    before = np.cumsum(lengths) - lengths
    places: IntArray = np.arange(int(lengths.sum()), dtype=np.int64) + np.repeat(starts - before, lengths)
    return places
