"""Reads a document for a query: finds the places of the query's words, and the passages that matter most."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from satchel.search.asked import synonyms_of
from satchel.search.explain import MOST_CHARACTERS, read_text
from satchel.search.meaning import Direction, cosines, encoded
from satchel.search.snapshot import ServedModel
from satchel.search.sought import Sought
from satchel.search.words import content_words
from satchel.store import StoredDocument
from satchel.text import Analysed
from satchel.types import DoubleArray

MOST_PASSAGES = 5
MOST_SENTENCES = 2_000
SHORTEST, LONGEST = 60, 400
"""The fewest and most characters of a passage: a shorter sentence is joined to the next, a longer one is cut."""
LEAST_SHARE = 0.3
"""Passages below this share of the best passage are not shown."""
_END = re.compile(r"(?<=[.!?…])\s+|\n\s*\n")


class Passage(NamedTuple):
    """A part of the text, from start to stop; share: how much it matters, 1 for the best passage."""

    start: int
    stop: int
    share: float


class Reading(NamedTuple):
    """A document with the places of the query's words in its text, and its passages, best first."""

    document: StoredDocument
    matches: tuple[tuple[int, int], ...]
    passages: tuple[Passage, ...]


def read_for(
    model: ServedModel, document: StoredDocument, query: Analysed, direction: Direction | None, sought: Sought
) -> Reading:
    """Reads a document for a query. direction: the search direction after the marks; None without a model."""
    read, stems = read_text(document.text), {*content_words(query).values(), *synonyms_of(query)}
    asked = sought.places_in(read)
    matches = tuple(read.spans[i] for i, stem in enumerate(read.stems) if stem in stems or i in asked)
    return Reading(document, matches, _best(model, document.text, matches, direction))


def _best(
    model: ServedModel, text: str, matches: tuple[tuple[int, int], ...], direction: Direction | None
) -> tuple[Passage, ...]:
    """The best passages, by the cosine of their words to the search direction and by their count of query words."""
    spans = [span for span, _ in zip(sentences(text), range(MOST_SENTENCES), strict=False)]
    scores = _held(spans, matches)
    if direction is not None and direction.refined.query.any() and spans:
        vectors = encoded(model, [text[start:stop] for start, stop in spans])
        scores = scores + np.maximum(cosines(vectors, direction), 0)
    if not len(scores) or scores.max() <= 0:
        return ()
    order = np.argsort(-scores, kind="stable")[:MOST_PASSAGES].tolist()
    shares = [(spans[place], float(scores[place] / scores.max())) for place in order]
    return tuple(Passage(start, stop, share) for (start, stop), share in shares if share >= LEAST_SHARE)


def _held(spans: list[tuple[int, int]], matches: tuple[tuple[int, int], ...]) -> DoubleArray:
    """The number of matches in each passage, divided by the largest such number, (n_spans,)."""
    starts = np.array([start for start, _ in matches], np.int64)
    held = np.array([np.count_nonzero((starts >= start) & (starts < stop)) for start, stop in spans], np.float64)
    most = held.max(initial=0)
    return held / most if most else held


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """The start and end of each passage: sentences and paragraphs, neither too short nor too long."""
    text, start = text[:MOST_CHARACTERS], 0
    for end in [*(match.start() for match in _END.finditer(text)), len(text)]:
        if end - start < SHORTEST and end < len(text):
            continue
        for begin in range(start, end, LONGEST):
            yield from _without_margins(text, begin, min(begin + LONGEST, end))
        start = end


def _without_margins(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    part = text[start:stop]
    if part.strip():
        yield start + len(part) - len(part.lstrip()), start + len(part.rstrip())
