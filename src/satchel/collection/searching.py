"""A search: what was ranked, and the page of hits that was asked for, with snippets and reasons."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from satchel.collection.documents import encoded_text
from satchel.collection.file import CollectionFile
from satchel.collection.hits import Hit, Hits, Reasons
from satchel.collection.legs import Found, Request, rank
from satchel.collection.lexical import query_terms
from satchel.collection.reasons import themes_of, words_of
from satchel.collection.snippets import Snippet, make_snippet, matching_words, read_text, stems_of
from satchel.collection.space import Space
from satchel.documents import CodewordContribution, WordContribution
from satchel.types import IntArray

N_ADDED_WORDS = 5
"""Of the words that marks added, so many are told."""


class _Row(NamedTuple):
    """What a hit shows of a document."""

    id: str
    title: str
    text: str
    fields: str
    source: str


def search(file: CollectionFile, space: Space, request: Request) -> Hits:
    """The page of hits; the caller sees to it that all is read of one moment."""
    found = rank(file, space, request)
    places = range(len(found.positions))[request.offset : request.offset + request.k]
    rows = _rows(file, space.numbers[found.positions[places.start : places.stop]].tolist(), request.explained)
    told = _told(space, request, found, places, rows)
    earlier = _earlier_ranks(file, space, request, found.positions[places.start : places.stop])
    hits = [
        Hit(
            row.id,
            float(found.scores[place]),
            row.title,
            snippet,
            row.source,
            json.loads(row.fields),
            reasons,
            place + 1,
            request.marks.get(row.id),
            before,
        )
        for place, row, (snippet, reasons), before in zip(places, rows, told, earlier, strict=True)
    ]
    moved = (found.lessons, dict(request.marks), dict(request.weights))
    return Hits(tuple(hits), len(found.positions), request.query, *moved, _added_words(request, found))


def _added_words(request: Request, found: Found) -> tuple[str, ...]:
    """The words that the marks added to the query, those that weigh most first."""
    own = set(query_terms(request.query))
    added = sorted((-weight, word) for word, weight in found.terms.items() if word not in own)
    return tuple(word for _, word in added[:N_ADDED_WORDS]) if request.marks else ()


def _earlier_ranks(file: CollectionFile, space: Space, request: Request, positions: IntArray) -> list[int | None]:
    """Where each of these documents stood under the earlier marks and weights; None where nothing is compared."""
    if request.earlier is None:
        return [None] * len(positions)
    before = rank(file, space, replace(request, marks=request.earlier.marks, weights=request.earlier.weights))
    ranks = {position: place for place, position in enumerate(before.positions.tolist(), start=1)}
    return [ranks.get(position) for position in positions.tolist()]


def _rows(file: CollectionFile, numbers: list[int], with_texts: bool) -> list[_Row]:
    """The documents of these numbers, in their order."""
    text, among = "text" if with_texts else "''", "number IN (SELECT value FROM json_each(?))"
    question = f"SELECT number, id, title, {text}, fields, source FROM documents WHERE {among}"
    rows = {row[0]: _Row(*row[1:]) for row in file.rows(question, json.dumps(numbers))}
    return [rows[number] for number in numbers]


def _told(
    space: Space, request: Request, found: Found, places: range, rows: list[_Row]
) -> Iterator[tuple[Snippet, Reasons]]:
    """Snippet and reasons of each hit; empty where nobody asked for them."""
    if not request.explained:
        yield from ((Snippet(""), Reasons()) for _ in rows)
        return
    stems = stems_of(query_terms(request.query) or found.terms)
    for place, row, (words, themes) in zip(places, rows, _meanings(space, found, places, rows), strict=True):
        read = read_text(row.text or row.title)
        matches = matching_words(read_text(row.title), stems) | matching_words(read, stems)
        lexical, cosine = (_finite(float(scores[place])) for scores in (found.lexical, found.semantic))
        near = cosine is not None and cosine > 0
        reasons = Reasons(tuple(matches.values()), words if near else (), themes if near else (), lexical, cosine)
        yield make_snippet(read, stems | stems_of(word.word for word in reasons.words[:3])), reasons


def _meanings(
    space: Space, found: Found, places: range, rows: list[_Row]
) -> Iterator[tuple[tuple[WordContribution, ...], tuple[CodewordContribution, ...]]]:
    """The words and the themes that add most to the cosine of each hit."""
    asked = found.asked
    if asked is None or not asked.query.any():
        yield from [((), ())] * len(rows)
        return
    words = words_of(space, asked, [encoded_text(row.title, row.text) for row in rows])
    themes = themes_of(space, asked, space.vectors[found.positions[places.start : places.stop]])
    yield from zip(words, themes, strict=True)


def _finite(score: float) -> float | None:
    return score if np.isfinite(score) else None
