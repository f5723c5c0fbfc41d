"""Finds the documents that hold a word, a phrase, a word that begins so, or several words near to each other.

The postings of the stems say which documents may be meant. Where more than stems counts (the words as typed, and where
they stand), the streams of these documents are read, some thousands at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from satchel.query import Near, Phrase, Prefix, Word
from satchel.store.index import MOST_FIELDS, TEXT, Block, PassageTable
from satchel.store.index.coding import Numbers
from satchel.store.indexed import FieldNumbers
from satchel.text import folded, stem, stems_of
from satchel.types import IntArray

TextLeaf: TypeAlias = Word | Phrase | Prefix | Near
Flags: TypeAlias = NDArray[np.bool_]
AT_ONCE = 2_000
"""How many documents' streams are read together."""
_FEW = 4


class Streams(NamedTuple):
    """The words of some documents by their numbers, one after the other, and where each document begins.

    starts (n_documents + 1,). A number below 256 marks the beginning of a field's value.
    """

    words: Numbers
    starts: IntArray

    def fields_at(self, places: IntArray) -> Numbers:
        """The field of the word at each place."""
        marks = np.flatnonzero(self.words < MOST_FIELDS)
        return self.words[marks[np.searchsorted(marks, places, "right") - 1]]

    def documents_at(self, places: IntArray) -> IntArray:
        """The document of the word at each place, counted from 0."""
        return np.searchsorted(self.starts, places, "right") - 1


@dataclass(frozen=True)
class WordIndex:
    """What a store tells of its words.

    blocks: (stem, segment, block) of all segments for these stems. streams: the words of documents. word_numbers:
    number -> stem of the words with this `word` or `prefix`, or with one of these `stems`.
    """

    table: PassageTable
    fields: FieldNumbers
    blocks: Callable[[Sequence[str]], Iterator[tuple[str, int, Block]]]
    streams: Callable[[Sequence[int]], tuple[Numbers, IntArray]]
    word_numbers: Callable[..., dict[int, str]]

    def meeting(self, leaf: TextLeaf) -> IntArray:
        """The numbers of the documents that meet a condition, ascending."""
        within = self._within(leaf.fields)
        if within is not None and not within.any():
            return np.empty(0, np.int64)
        if isinstance(leaf, Prefix):
            found = self._holding_one(self.word_numbers(prefix=leaf.prefix), within)
        elif isinstance(leaf, Word):
            found = self._holding([stem(leaf.word)], within)
        elif isinstance(leaf, Near):
            found = self._near(dict.fromkeys(stems_of(leaf.words)), leaf.distance, within)
        elif len(leaf.words) == 1:
            found = self._holding_one(self.word_numbers(word=leaf.words[0]), within)
        else:
            found = self._phrase(leaf.words, within)
        return np.flatnonzero(found)

    def places_of(self, words: Sequence[str], numbers: Sequence[int]) -> dict[int, IntArray]:
        """Where the texts of these documents hold a phrase: document number -> its places, counted in words."""
        read = Streams(*self.streams(numbers))
        places = _places_of_phrase(read.words, self._numbers_of(words), 0)
        places = places[read.fields_at(places) == TEXT]
        documents = read.documents_at(places)
        own = places - read.starts[documents] - 1  # a stream begins with the mark of the text
        return {numbers[place]: own[documents == place] for place in np.unique(documents).tolist()}

    def _numbers_of(self, words: Sequence[str]) -> list[Numbers]:
        """The numbers that each of these words may have."""
        found = {word: np.fromiter(self.word_numbers(word=word), np.int32) for word in dict.fromkeys(words)}
        return [found[word] for word in words]

    def _within(self, names: Sequence[str]) -> Flags | None:
        """Which fields are meant, by their numbers, (256,); None for all fields."""
        if not names:
            return None
        within = np.zeros(MOST_FIELDS, np.bool_)
        within[[number for name in names for number in self.fields.known(name)]] = True
        return within

    def _counted(self, stems: Iterable[str], within: Flags | None) -> tuple[Numbers, dict[str, int]]:
        """How many of the stems each document holds, by its number, and how many documents hold each stem."""
        counts = np.zeros(len(self.table.first), np.int32)
        sizes: dict[str, int] = {}
        for one, documents in self._documents_of(stems, within):
            each = np.unique(documents)  # a document stands in one segment only
            counts[each] += 1
            sizes[one] = sizes.get(one, 0) + len(each)
        return counts, sizes

    def _holding(self, stems: Iterable[str], within: Flags | None) -> Flags:
        """Which documents hold one of the stems, by their numbers."""
        found = np.zeros(len(self.table.first), np.bool_)
        for _, documents in self._documents_of(stems, within):
            found[documents] = True
        return found

    def _documents_of(self, stems: Iterable[str], within: Flags | None) -> Iterator[tuple[str, Numbers]]:
        """The documents that hold each stem in one of these fields, segment by segment; some stand there repeatedly."""
        for one, segment, block in self.blocks(list(stems)):
            own = self.table.in_force(segment, block)
            yield one, self.table.document[own.passages if within is None else own.passages[within[own.fields]]]

    def _holding_one(self, wanted: Mapping[int, str], within: Flags | None) -> Flags:
        """Which documents hold one of these words. wanted: word number -> stem."""
        stems = set(wanted.values())
        others = {own for number, own in self.word_numbers(stems=sorted(stems)).items() if number not in wanted}
        found = self._holding(sorted(stems - others), within)
        unsure = self._holding(sorted(others), within) & ~found
        numbers = np.fromiter((number for number, own in wanted.items() if own in others), np.int32)
        return found | self._verified(unsure, within, lambda read: np.flatnonzero(_among(read.words, numbers)))

    def _phrase(self, words: Sequence[str], within: Flags | None) -> Flags:
        stems = stems_of(words)
        counts, sizes = self._counted(dict.fromkeys(stems), within)
        there: Flags = counts == len(set(stems))
        if not there.any():
            return there
        row = self._numbers_of(words)
        rarest = min(range(len(words)), key=lambda place: sizes[stems[place]])
        return self._verified(there, within, lambda read: _places_of_phrase(read.words, row, rarest))

    def _near(self, stems: Iterable[str], distance: int, within: Flags | None) -> Flags:
        own = list(stems)
        there: Flags = self._counted(own, within)[0] == len(own)
        if not there.any():
            return there
        by_stem: dict[str, list[int]] = {one: [] for one in own}
        for number, one in self.word_numbers(stems=own).items():
            by_stem[one].append(number)
        groups = [np.array(one, np.int32) for one in by_stem.values()]
        return self._verified(there, within, lambda read: _places_near(read.words, groups, distance))

    def _verified(self, maybe: Flags, within: Flags | None, places: Callable[[Streams], IntArray]) -> Flags:
        """Which of these documents hold what is looked for. places: where it stands in some streams."""
        found, numbers = np.zeros_like(maybe), np.flatnonzero(maybe)
        for start in range(0, len(numbers), AT_ONCE):
            some = numbers[start : start + AT_ONCE]
            read = Streams(*self.streams(some.tolist()))
            here = places(read)
            if within is not None:
                here = here[within[read.fields_at(here)]]
            found[some[read.documents_at(here)]] = True
        return found


def _among(words: Numbers, numbers: Numbers) -> Flags:
    """Which words are among these numbers."""
    if len(numbers) > _FEW:
        return np.isin(words, numbers)
    found = np.zeros(len(words), np.bool_)
    for number in numbers.tolist():
        found |= words == number
    return found


def _places_of_phrase(words: Numbers, row: Sequence[Numbers], anchor: int) -> IntArray:
    """Where words stand one after the other: the place of the first. row: for each the numbers that it may have.

    anchor: which of them is looked for first. Marks of fields are no words, so a phrase lies within one value.
    """
    starts = np.flatnonzero(_among(words, row[anchor])) - anchor
    starts = starts[(starts >= 0) & (starts + len(row) <= len(words))]
    for place, numbers in enumerate(row):
        if place != anchor and len(starts):
            starts = starts[_among(words[starts + place], numbers)]
    return starts


def _places_near(words: Numbers, groups: Sequence[Numbers], distance: int) -> IntArray:
    """Where the last of several words stands, if the others stand before it in the same value and near enough.

    groups: for each word the numbers that it may have.
    """
    places = np.flatnonzero(_among(words, np.concatenate(groups)))
    first = places  # the beginning of the shortest stretch that ends here and holds all words
    for numbers in groups:
        own = np.where(_among(words[places], numbers), places, -1)
        first = np.minimum(first, np.maximum.accumulate(own)) if len(own) else own
    values = np.cumsum(words < MOST_FIELDS)
    near = (first >= 0) & (places - first < len(groups) + distance)
    near[near] = values[first[near]] == values[places[near]]
    return places[near]


def holds(leaf: TextLeaf, value: str) -> bool:
    """Whether one value of a field holds what the condition asks for; a word counts as it is typed, not by its stem."""
    words = folded(value)
    if isinstance(leaf, Prefix):
        return any(word.startswith(leaf.prefix) for word in words)
    if isinstance(leaf, Word):
        return leaf.word in words
    if isinstance(leaf, Near):
        return set(leaf.words) <= set(words)
    n_words = len(leaf.words)
    return any(words[start : start + n_words] == leaf.words for start in range(len(words) - n_words + 1))


def first_word(leaf: TextLeaf) -> str:
    """What every value that `holds` it contains, in lower case."""
    return leaf.prefix if isinstance(leaf, Prefix) else leaf.word if isinstance(leaf, Word) else leaf.words[0]
