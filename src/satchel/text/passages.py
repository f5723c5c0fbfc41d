"""Cuts a long text into passages: parts of about 200 words that overlap a little and keep to chapters and pages."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from satchel.text.analysis import Analysed

LONGEST_WHOLE = 300
"""A text of at most this many words stays whole."""
PASSAGE, STEP = 200, 150
"""The words of a passage, and how many words after its beginning the next passage begins."""
SHORTEST = 60
"""A page of fewer words is read together with the next one."""
PAGE_BREAK = "\f"
"""Stands in a text where a page begins."""
_LONGEST_HEADING, _FEWEST_LETTERS = 80, 4
_NUMBERED = re.compile(
    r"(?:#+|(?i:chapter|section|part|appendix)|[0-9]{1,3}(?:\.[0-9]{1,3})*\.?|[A-Z](?:\.[0-9]{1,3})+)\s+\S.*"
)


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


def page_breaks(text: Analysed) -> list[int]:
    """The words with which the second page and each later one begin."""
    if PAGE_BREAK not in text:
        return []
    starts = [start for start, _ in text.spans]
    places = (place for place, sign in enumerate(text) if sign == PAGE_BREAK)
    return [bisect_left(starts, place) for place in places]


def last_heading(text: str) -> str:
    """The last heading in a text: a short line by itself, without the end of a sentence; empty if there is none."""
    lines = ["", *(line.strip() for line in text.splitlines()), ""]
    for place in range(len(lines) - 2, 0, -1):
        line = lines[place]
        if line and not lines[place + 1] and _is_heading(line, alone=not lines[place - 1]):
            return line.lstrip("#").strip()
    return ""


def _is_heading(line: str, alone: bool) -> bool:
    if len(line) > _LONGEST_HEADING or line[-1] in ".,;:!?" or sum(map(str.isalpha, line)) < _FEWEST_LETTERS:
        return False
    return bool(_NUMBERED.fullmatch(line)) or (alone and line[0].isupper())
