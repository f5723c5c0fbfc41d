"""What a query asks for by operators, found again in a text: for snippets, highlights, reasons and best passages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satchel.query import Condition, Phrase, Prefix, wanted_leaves
from satchel.store import Store
from satchel.text import Analysed, folded

MOST_WORDS = 5
"""How many words that begin as asked for are named as reasons."""


class Sought(NamedTuple):
    """The phrases of several words, and the beginnings of words, that a query asks for."""

    phrases: tuple[tuple[str, ...], ...] = ()
    prefixes: tuple[str, ...] = ()

    @classmethod
    def of(cls, condition: Condition | None, raised: Sequence[Phrase] = ()) -> Sought:
        """What a query's own condition requires, and its quotations that only raise the rank."""
        leaves = [*wanted_leaves(condition), *raised]
        phrases = (leaf.words for leaf in leaves if isinstance(leaf, Phrase) and len(leaf.words) > 1)
        prefixes = (leaf.prefix for leaf in leaves if isinstance(leaf, Prefix))
        return cls(tuple(dict.fromkeys(phrases)), tuple(dict.fromkeys(prefixes)))

    def phrases_in(self, read: Analysed) -> list[range]:
        """Where the phrases stand, as the places of their words."""
        if not self.phrases:
            return []
        words, found = _folded_words(read), list[range]()
        for phrase in self.phrases:
            place = -1
            while (place := _next(words, phrase, place + 1)) >= 0:
                found.append(range(place, place + len(phrase)))
        return found

    def words_in(self, read: Analysed) -> dict[int, str]:
        """The words that begin as asked for: place -> word."""
        if not self.prefixes:
            return {}
        folded_words = enumerate(_folded_words(read))
        return {place: read.words[place] for place, word in folded_words if word.startswith(self.prefixes)}

    def matching(self, read: Analysed) -> dict[str, str]:
        """Stem -> word, of the first words that begin as asked for."""
        own: dict[str, str] = {}
        for place, word in self.words_in(read).items():
            own.setdefault(read.stems[place], word)
            if len(own) == MOST_WORDS:
                break
        return own

    def places_in(self, read: Analysed) -> set[int]:
        """The places of all words that were asked for by a phrase or by their beginning."""
        return {place for phrase in self.phrases_in(read) for place in phrase} | set(self.words_in(read))

    def best_passages(
        self, store: Store, windows: Mapping[int, NDArray[np.int32]], passages: Mapping[int, int]
    ) -> dict[int, int]:
        """Document -> its passage, by place: one that holds a phrase, where one does and the given one does not.

        windows: of the documents that have several passages.
        """
        chosen = dict(passages)
        for phrase in self.phrases if windows else ():
            for number, places in store.places_of(phrase, list(windows)).items():
                cuts = windows[number]
                held = [_holds(cut, places, len(phrase)) for cut in cuts]
                if any(held) and not held[chosen[number]]:
                    chosen[number] = held.index(True)
        return chosen


def _holds(cut: NDArray[np.int32], places: NDArray[np.int64], length: int) -> bool:
    return bool(((places >= cut[0]) & (places + length <= cut[1])).any())


def _folded_words(read: Analysed) -> Sequence[str]:
    return read.words if read.isascii() else folded(read)


def _next(words: Sequence[str], phrase: tuple[str, ...], start: int) -> int:
    """The first place from `start` on where the phrase stands; -1 if there is none."""
    for place in _places_of(words, phrase[0], start):
        if tuple(words[place : place + len(phrase)]) == phrase:
            return place
    return -1


def _places_of(words: Sequence[str], word: str, start: int) -> Iterator[int]:
    try:
        while True:
            start = words.index(word, start)
            yield start
            start += 1
    except ValueError:
        return


NOTHING_SOUGHT = Sought()
