"""A document as it is read for a query: where its words stand, and which passages matter most."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from satchel.search.explain import MOST_CHARACTERS, read_text
from satchel.search.meaning import Direction, cosines, encoded
from satchel.search.snapshot import ServedModel
from satchel.search.words import content_words
from satchel.store import StoredDocument
from satchel.text import Analysed
from satchel.types import DoubleArray

MOST_PASSAGES = 5
MOST_SENTENCES = 2_000
SHORTEST, LONGEST = 60, 400
"""Characters of a passage: shorter sentences are joined to the next, longer ones are cut."""
LEAST_SHARE = 0.3
"""A passage that matters less than this share of the best is not shown."""
_END = re.compile(r"(?<=[.!?…])\s+|\n\s*\n")


class Passage(NamedTuple):
    """A part of the text, from start to stop; share: how much it matters, 1 for the one that does most."""

    start: int
    stop: int
    share: float


class Reading(NamedTuple):
    """A document with the places in its text where words of the query stand, and its passages, best first."""

    document: StoredDocument
    matches: tuple[tuple[int, int], ...]
    passages: tuple[Passage, ...]


def read_for(model: ServedModel, document: StoredDocument, query: Analysed, direction: Direction | None) -> Reading:
    """direction: what is asked for, after the marks; None where there is no model."""
    read, stems = read_text(document.text), set(content_words(query).values())
    matches = tuple(span for span, stem in zip(read.spans, read.stems, strict=True) if stem in stems)
    return Reading(document, matches, _best(model, document.text, matches, direction))


def _best(
    model: ServedModel, text: str, matches: tuple[tuple[int, int], ...], direction: Direction | None
) -> tuple[Passage, ...]:
    """Passages by the cosine of their words to what is asked, and by how many words of the query they hold."""
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
    """The matches in each passage as a share of those in the passage that holds most, (n_spans,)."""
    starts = np.array([start for start, _ in matches], np.int64)
    held = np.array([np.count_nonzero((starts >= start) & (starts < stop)) for start, stop in spans], np.float64)
    most = held.max(initial=0)
    return held / most if most else held


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where passages begin and end: sentences and paragraphs, of a bearable length."""
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
