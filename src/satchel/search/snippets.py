"""Snippets: the part of a text where most of the wanted words stand together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from satchel.search.result import Snippet
from satchel.text import Analysed, stem

MOST_CHARACTERS = 200_000
"""What is looked at of a long text."""
LENGTH = 30
"""Words of a snippet."""
MOST_SHOWN = 600
"""Characters of a snippet: a word may have any length."""


class _Place(NamedTuple):
    """A wanted word in the text: its position among the words, where it begins and ends, and its stem."""

    word: int
    start: int
    stop: int
    stem: str


def read_text(text: str) -> Analysed:
    """The text, or its beginning where it is long."""
    return text if isinstance(text, Analysed) and len(text) <= MOST_CHARACTERS else Analysed(text[:MOST_CHARACTERS])


def stems_of_words(words: Iterable[str]) -> set[str]:
    return {stem(word.lower()) for word in words}


def matching_words(read: Analysed, stems: set[str]) -> dict[str, str]:
    """Each wanted stem that stands in a text, with the word that first does, in lower case."""
    own = read.stems
    places = sorted(map(own.index, stems.intersection(own)))
    return {own[place]: read.words[place] for place in places}


def make_snippet(read: Analysed, stems: set[str]) -> Snippet:
    """About 30 words with as many different wanted words as can be; of equal ones the first; else the beginning."""
    spans = read.spans
    if not spans:
        return Snippet(" ".join(read[:200].split()))
    places = [_Place(i, *spans[i], own) for i, own in enumerate(read.stems) if own in stems]
    start = max(0, min(_best_start(places) - 3, len(spans) - LENGTH))
    last = min(start + LENGTH, len(spans)) - 1
    begin, end = (0 if start == 0 else spans[start][0]), (len(read) if last == len(spans) - 1 else spans[last][1])
    end = min(end, begin + MOST_SHOWN)
    inside = [place for place in places if begin <= place.start and place.stop <= end]
    return _folded(read[begin:end], [(p.start - begin, p.stop - begin) for p in inside], begin > 0, end < len(read))


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
