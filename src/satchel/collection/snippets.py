"""Snippets: the part of a text where most of the wanted words stand together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from satchel.text import Tokenizer

MOST_CHARACTERS = 200_000
"""What is looked at of a long text."""
LENGTH = 30
"""Words of a snippet."""
MOST_SHOWN = 600
"""Characters of a snippet: a word may have any length."""
_WORD = re.compile(r"(\w+)")
_STEMS = Tokenizer(stem=True)


class Snippet(NamedTuple):
    """A part of a document; matches: where the wanted words begin and end in it."""

    text: str
    matches: tuple[tuple[int, int], ...] = ()

    def marked(self, before: str, after: str) -> str:
        """The text with signs around every match."""
        parts, end = [], 0
        for start, stop in self.matches:
            parts += [self.text[end:start], before, self.text[start:stop], after]
            end = stop
        return "".join([*parts, self.text[end:]])

    def __str__(self) -> str:
        return self.text


class ReadText(NamedTuple):
    """The words of a text: where each begins and ends, and its stem."""

    text: str
    spans: list[tuple[int, int]]
    stems: list[str]


class _Place(NamedTuple):
    """A wanted word in the text: its position among the words, where it begins and ends, and its stem."""

    word: int
    start: int
    stop: int
    stem: str


def stems_of(words: Iterable[str]) -> set[str]:
    return set(map(_stem, words))


def read_text(text: str) -> ReadText:
    """The words of a text, or of its beginning where it is long."""
    text = text[:MOST_CHARACTERS]
    parts = _WORD.split(text)  # what stands between words and the words, in turn
    ends = list(accumulate(map(len, parts)))
    return ReadText(text, list(zip(ends[::2], ends[1::2], strict=False)), list(map(_stem, parts[1::2])))


def matching_words(read: ReadText, stems: set[str]) -> dict[str, str]:
    """Each wanted stem that stands in a text, with the word that first does, in lower case."""
    first: dict[str, str] = {}
    for place in _places(read, stems):
        first.setdefault(place.stem, read.text[place.start : place.stop].lower())
    return first


def make_snippet(read: ReadText, stems: set[str]) -> Snippet:
    """About 30 words with as many different wanted words as can be; of equal ones the first; else the beginning."""
    text, spans = read.text, read.spans
    if not spans:
        return Snippet(" ".join(text[:200].split()))
    places = _places(read, stems)
    start = max(0, min(_best_start(places) - 3, len(spans) - LENGTH))
    last = min(start + LENGTH, len(spans)) - 1
    begin, end = (0 if start == 0 else spans[start][0]), (len(text) if last == len(spans) - 1 else spans[last][1])
    end = min(end, begin + MOST_SHOWN)
    inside = [place for place in places if begin <= place.start and place.stop <= end]
    return _folded(text[begin:end], [(p.start - begin, p.stop - begin) for p in inside], begin > 0, end < len(text))


@lru_cache(1 << 17)
def _stem(word: str) -> str:
    return str(_STEMS.terms([word.lower()])[0])


def _places(read: ReadText, stems: set[str]) -> list[_Place]:
    return [_Place(i, *read.spans[i], stem) for i, stem in enumerate(read.stems) if stem in stems]


def _best_start(places: list[_Place]) -> int:
    """The word at which the best window begins: one pass, with the number of each stem in the window."""
    best, where, stop = 0, 0, 0
    inside: Counter[str] = Counter()
    for place in places:
        while stop < len(places) and places[stop].word < place.word + LENGTH - 3:
            inside[places[stop].stem] += 1
            stop += 1
        if len(inside) > best:
            best, where = len(inside), place.word
        inside[place.stem] -= 1
        if not inside[place.stem]:
            del inside[place.stem]
    return where


def _folded(text: str, matches: list[tuple[int, int]], cut_before: bool, cut_after: bool) -> Snippet:
    """On one line, with runs of white space as one space and signs where text was cut off."""
    parts: list[str] = ["… "] if cut_before else []
    moved: list[tuple[int, int]] = []
    length, end = len(parts) * 2, 0

    def add(piece: str) -> None:
        nonlocal length
        flat = re.sub(r"\s+", " ", piece)
        parts.append(flat)
        length += len(flat)

    for start, stop in matches:
        add(text[end:start])
        moved.append((length, length + stop - start))
        add(text[start:stop])
        end = stop
    add(text[end:].rstrip())
    return Snippet("".join(parts) + (" …" if cut_after else ""), tuple(moved))
