"""Cuts a long text into passages: parts of about 200 words that overlap a little and keep to chapters and pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

LONGEST_WHOLE = 300
"""A text of at most this many words stays whole."""
PASSAGE, STEP = 200, 150
"""The words of a passage, and how many words after its beginning the next passage begins."""
SHORTEST = 60
"""A chapter or page of fewer words is read together with the next one."""


class Window(NamedTuple):
    """The words of a passage: from `start` to before `stop`."""

    start: int
    stop: int


def windows(n_words: int, breaks: Sequence[int] = ()) -> list[Window]:
    """The passages of a text of so many words; `breaks`: the words with which its chapters or pages begin, ascending.

    A short text is one passage. A passage does not cross a break, unless the part before it is very short.
    """
    if n_words <= LONGEST_WHOLE:
        return [Window(0, n_words)]
    ends = [*_kept_breaks(n_words, breaks), n_words]
    found: list[Window] = []
    start = 0
    for end in ends:
        found += _windows_of_part(start, end)
        start = end
    return found


def _kept_breaks(n_words: int, breaks: Sequence[int]) -> list[int]:
    """The breaks that leave at least SHORTEST words on both sides."""
    kept: list[int] = []
    for place in breaks:
        if place - (kept[-1] if kept else 0) >= SHORTEST and n_words - place >= SHORTEST:
            kept.append(place)
    return kept


def _windows_of_part(start: int, end: int) -> list[Window]:
    if end - start <= LONGEST_WHOLE:
        return [Window(start, end)]
    starts = range(start, end - (PASSAGE - STEP), STEP)
    return [Window(first, min(first + PASSAGE, end)) for first in starts]
