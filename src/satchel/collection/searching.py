"""A search: what was ranked, and the page of hits that was asked for, with snippets and reasons."""

from __future__ import annotations

import json

import numpy as np

from satchel.collection.documents import encoded_text
from satchel.collection.file import CollectionFile
from satchel.collection.hits import Hit, Hits, Reasons
from satchel.collection.legs import Found, Request, rank
from satchel.collection.lexical import query_terms
from satchel.collection.reasons import themes_of, words_of
from satchel.collection.snippets import make_snippet, matching_words, stems_of
from satchel.collection.space import Space


def search(file: CollectionFile, space: Space, request: Request) -> Hits:
    """The page of hits; the caller sees to it that all is read of one moment."""
    found = rank(file, space, request)
    hits = _hits(file, space, request, found, slice(request.offset, request.offset + request.k))
    return Hits(tuple(hits), len(found.positions), request.query, found.learned)


def _hits(file: CollectionFile, space: Space, request: Request, found: Found, page: slice) -> list[Hit]:
    numbers = space.numbers[found.positions[page]].tolist()
    question = (
        "SELECT number, id, title, text, fields, source FROM documents WHERE number IN (SELECT value FROM json_each(?))"
    )
    rows = {row[0]: row[1:] for row in file.rows(question, json.dumps(numbers))}
    stems = stems_of(query_terms(request.query) or found.terms)
    hits = []
    for place, number in enumerate(numbers, request.offset):
        id_, title, text, fields, source = rows[number]
        reasons = _reasons(space, found, place, stems, title, text)
        snippet = make_snippet(text or title, stems | stems_of(word.word for word in reasons.words[:3]))
        score, mark = float(found.scores[place]), request.marks.get(id_)
        hits.append(Hit(id_, score, title, snippet, source, json.loads(fields), reasons, place + 1, mark))
    return hits


def _reasons(space: Space, found: Found, place: int, stems: set[str], title: str, text: str) -> Reasons:
    lexical, cosine = float(found.lexical[place]), float(found.semantic[place])
    matches = tuple(matching_words(f"{title}\n{text}", stems))
    if found.asked is None or not cosine > 0:
        return Reasons(matches, lexical=_told(lexical), semantic=_told(cosine))
    vector = space.vectors[found.positions[place]]
    words = words_of(space, found.asked, encoded_text(title, text))
    return Reasons(matches, words, themes_of(space, found.asked, vector), _told(lexical), _told(cosine))


def _told(score: float) -> float | None:
    return score if np.isfinite(score) else None
