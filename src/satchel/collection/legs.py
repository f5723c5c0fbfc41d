"""Ranking: what a search by words and one by meaning find, fused into one order."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from satchel.collection import semantic
from satchel.collection.expansion import term_weights
from satchel.collection.file import CollectionFile
from satchel.collection.filters import Filters, allowed_numbers
from satchel.collection.hits import NO_LESSONS, Mode, Verdict
from satchel.collection.lexical import (
    VARIANT_WEIGHT,
    query_terms,
    query_weights,
    rarest,
    search_words,
    spelling_variants,
)
from satchel.collection.map_places import Area, numbers_within
from satchel.collection.marks import marked_texts
from satchel.collection.postings import Leg
from satchel.collection.rereading import reread
from satchel.collection.space import Space
from satchel.collection.vectors import encoded
from satchel.errors import InputError
from satchel.feedback import Lessons, Refined
from satchel.ranking.fusion import Evidence, fuse
from satchel.ranking.probes import DoubleArray
from satchel.types import FloatArray, IntArray

DEPTH = 1000
"""Documents of each leg that are fused; more where a later page asks for them."""
MOST_DEPTH = 2**62
"""SQLite counts in 64 bits."""
GRADES: dict[Verdict, float] = {"relevant": 1.0, "maybe": 0.5, "irrelevant": -1.0}


class Moved(NamedTuple):
    """What moves a ranking: document id -> verdict, and theme -> weight."""

    marks: Mapping[str, Verdict]
    weights: Mapping[int, float]


@dataclass(frozen=True)
class Request:
    """What is searched for. like: ids of documents. marks: document id -> verdict. weights: of themes, by hand.
    since: only documents that came after this change, and have no mark, are found. area: only those that lie within
    it on the map. earlier: the marks and weights whose ranking this one is compared with."""

    query: str = ""
    k: int = 10
    offset: int = 0
    mode: Mode = "both"
    like: tuple[str, ...] = ()
    filters: Filters | None = None
    marks: Mapping[str, Verdict] = field(default_factory=dict)
    weights: Mapping[int, float] = field(default_factory=dict)
    since: int | None = None
    area: Area | None = None
    earlier: Moved | None = None
    explained: bool = True

    @property
    def is_empty(self) -> bool:
        return not (self.query.strip() or self.like or self.marks)

    @property
    def key(self) -> str:
        """The same for requests that rank alike, whichever page they ask for."""
        moved = [[*self.marks.items()], [*self.weights.items()], self.filters and dict(self.filters)]
        return json.dumps([self.query, self.mode, self.like, *moved, self.depth], default=str)

    @property
    def depth(self) -> int:
        return min(DEPTH * -(-(self.offset + self.k) // DEPTH), MOST_DEPTH)


@dataclass(frozen=True)
class Found:
    """All that was ranked: positions in the space, best first, with the scores of both legs (-inf: not found)."""

    positions: IntArray
    scores: DoubleArray
    lexical: DoubleArray
    semantic: DoubleArray
    terms: Mapping[str, float] = field(default_factory=dict)
    asked: Refined | None = None
    lessons: Lessons = NO_LESSONS


def rank(file: CollectionFile, space: Space, request: Request) -> Found:
    """All that was found, best first; nothing asked finds all documents in the order of their ids."""
    if not _depends_on_documents_alone(file, request):
        return _ranked_anew(file, space, request)
    found: Found = space.rankings.of(request.key, lambda: _ranked_anew(file, space, request))
    return found


def _depends_on_documents_alone(file: CollectionFile, request: Request) -> bool:
    """Not on a map, on where files lie or on texts of other collections, which change while documents stay the same."""
    if request.area is not None or request.since is not None or "source" in (request.filters or {}):
        return False
    return not request.marks or file.value("SELECT 1 FROM mark_texts LIMIT 1") is None


def _ranked_anew(file: CollectionFile, space: Space, request: Request) -> Found:
    allowed = _allowed(file, space, request)
    return _browse(space, allowed) if request.is_empty else _rank(file, space, request, allowed)


def _allowed(file: CollectionFile, space: Space, request: Request) -> IntArray | None:
    """Positions of the documents that may be found, rising; None for all."""
    numbers = allowed_numbers(file, request.filters)
    if request.area is not None:
        within = numbers_within(file, request.area)
        numbers = within if numbers is None else np.intersect1d(numbers, within)
    if request.since is None:
        return None if numbers is None else np.sort(space.positions(numbers))
    new = file.rows("SELECT number FROM documents WHERE change > ?", request.since)
    recent = np.array(new, np.int64).reshape(-1)
    positions = space.positions(recent if numbers is None else np.intersect1d(numbers, recent))
    return np.setdiff1d(positions, [*_positions_of(file, space, list(request.marks)).values()])


def _positions_of(file: CollectionFile, space: Space, ids: list[str]) -> dict[str, int]:
    """Where the documents of these ids stand; those that are not in the collection are left out."""
    rows = file.rows("SELECT id, number FROM documents WHERE id IN (SELECT value FROM json_each(?))", json.dumps(ids))
    places = space.positions(np.array([number for _, number in rows], np.int64)).tolist()
    return {id_: place for (id_, _), place in zip(rows, places, strict=True)}


def refined_query(file: CollectionFile, space: Space, request: Request) -> Refined | None:
    """The direction that is asked for by query, likeness, marks and weights; None where there is no model."""
    if space.encoder is None:
        return None
    like = np.array([*_positions_of(file, space, list(request.like)).values()], np.int64)
    before = semantic.query_vector(space, request.query, like)
    return _refined(file, space, request, before, marked_texts(file, request.marks))[0]


def _browse(space: Space, allowed: IntArray | None) -> Found:
    """Nothing is asked: all documents that may be found, in the order of their ids."""
    positions = np.arange(len(space.numbers)) if allowed is None else allowed
    none = np.full(len(positions), -np.inf)
    return Found(positions, np.zeros(len(positions)), none, none)


def _rank(file: CollectionFile, space: Space, request: Request, allowed: IntArray | None) -> Found:
    like = _positions_of(file, space, list(request.like))
    if missing := [id_ for id_ in request.like if id_ not in like]:
        raise InputError(f"no document {missing[0]!r} to be like is in {file.path}")
    texts, depth = marked_texts(file, [*request.marks, *request.like]), min(request.depth, len(space.numbers))
    evidence = _evidence(request, texts)
    words, query = Leg(np.empty(0, np.int64), np.empty(0)), query_terms(request.query)
    terms = dict.fromkeys(query, 1.0)
    if request.mode != "semantic":
        numbers = None if allowed is None else space.numbers[allowed]
        words, terms = _lexical(file, space, request, evidence, depth, numbers)
    asked, lessons, near = None, NO_LESSONS, np.empty(0, np.int64)
    if request.mode != "lexical" and space.encoder is not None:
        before = semantic.query_vector(space, request.query, np.array([*like.values()], np.int64))
        asked, marked = _refined(file, space, request, before, texts)
        lessons = semantic.what_was_learned(space, before, marked, asked)
        near = semantic.nearest(space, asked, depth + len(like), allowed)
    own = np.array([*like.values()], np.int64)
    known = np.array([*_positions_of(file, space, list(request.marks)).values()], np.int64)
    found = _fused(space, _without(words, space.numbers[own]), request.mode, asked, np.setdiff1d(near, own), known)
    if request.mode == "both":
        found = _ordered(found, reread(file, space, found.positions, found.scores, " ".join(query), evidence))
    return replace(found, terms=terms, asked=asked, lessons=lessons)


def _without(leg: Leg, numbers: IntArray) -> Leg:
    left = ~np.isin(leg.numbers, numbers)
    return Leg(leg.numbers[left], leg.scores[left])


def _refined(
    file: CollectionFile, space: Space, request: Request, before: FloatArray, texts: Mapping[str, str]
) -> tuple[Refined, semantic.Marked]:
    """The query after the marks and the weights by hand, and the marked vectors."""
    places = _positions_of(file, space, list(request.marks))
    ids = [id_ for id_ in request.marks if id_ in texts]
    rows = [
        space.vectors[places[id_]] if id_ in places else encoded(space.encoder, [texts[id_]])[0]  # type: ignore[arg-type]
        for id_ in ids
    ]
    grades = np.array([GRADES[request.marks[id_]] for id_ in ids])
    marked = semantic.Marked(np.array(rows, np.float32).reshape(len(ids), len(before)), grades)
    return semantic.refine(space, before, marked, request.weights), marked


def _evidence(request: Request, texts: Mapping[str, str]) -> list[Evidence]:
    """The texts that were marked, and those that others shall be like."""
    graded = {id_: GRADES[verdict] for id_, verdict in request.marks.items()} | dict.fromkeys(request.like, 1.0)
    return [Evidence(texts[id_], grade) for id_, grade in graded.items() if id_ in texts]


def _lexical(
    file: CollectionFile, space: Space, request: Request, evidence: list[Evidence], depth: int, allowed: IntArray | None
) -> tuple[Leg, dict[str, float]]:
    """The lexical leg, and the words that it asked for with their weights; variants are found along with them."""
    if evidence:
        weights = term_weights(file, request.query, evidence, space.word_counts)
        asked = dict(weights)
    else:
        weights = query_weights(request.query)
        asked = {word: weights[word] for word in rarest(file, [*weights])}
    for variant in spelling_variants(query_terms(request.query), space.similar_words) if request.mode == "both" else ():
        asked[variant] = asked.get(variant, 0.0) + VARIANT_WEIGHT
    leg = search_words(file, space.sizes, asked, depth, allowed)
    return leg, weights


def _fused(space: Space, words: Leg, mode: Mode, asked: Refined | None, near: IntArray, known: IntArray) -> Found:
    """Everything that one leg found, with the scores of both; ties in the order of ids. known: what was marked."""
    by_words = space.positions(words.numbers)
    positions = np.union1d(by_words, near)
    lexical = np.full(len(positions), -np.inf)
    lexical[np.searchsorted(positions, by_words)] = words.scores
    cosines = np.full(len(positions), -np.inf) if asked is None else semantic.cosines(space, asked, positions)
    legs = {"lexical": lexical, "semantic": cosines}
    scores = legs[mode] if mode != "both" else fuse(lexical, cosines, np.isin(positions, known))
    return _ordered(Found(positions, scores, lexical, cosines), scores)


def _ordered(found: Found, scores: DoubleArray) -> Found:
    """By these scores, best first; ties in the order of ids."""
    order = np.lexsort((found.positions, -scores))
    return Found(found.positions[order], scores[order], found.lexical[order], found.semantic[order])
