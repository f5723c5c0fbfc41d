"""A search from the request to the page of hits, step by step.

1. `question_of` joins the request with the project's query, conditions and marks, and looks up ids.
2. `terms_of` chooses the stems to search: words of the query, words that marks add, and similar spellings.
3. `find_words` of the store finds documents by words.
4. `direction_of` computes the direction to search by meaning, moved by the marks.
5. `find_near` of the store finds documents by meaning.
6. `fuse` makes one ranking of both.
7. `read_again` compares the texts of the best with the query and with each other.
8. `with_first` puts documents first that the query names exactly; `sorted_by` sorts by a field, if that is asked for.
9. `explained` adds snippets and reasons to the documents of the page.
10. `facets_of` counts the values of fields among all that was found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from satchel.errors import AbsentError
from satchel.query import DEPTH, MOST_DEPTH, Comparison, Request
from satchel.ranking import N_READ, fuse, read_again
from satchel.search.asked import with_synonyms
from satchel.search.corrections import correction_of
from satchel.search.exact import named_documents, with_first
from satchel.search.explain import explained, page_of, places_of
from satchel.search.facets import facets_of
from satchel.search.lexicon import read_passages
from satchel.search.meaning import Direction, cosines_of, direction_of
from satchel.search.met import raised, with_all_that_meet, with_beginnings
from satchel.search.question import Question, question_of
from satchel.search.result import Hit, Hits, Ranked
from satchel.search.snapshot import ServedModel, Snapshot
from satchel.search.sorting import sorted_by
from satchel.search.words import Terms, content_words, spelling_variants, terms_of, with_variants
from satchel.store import Scored, Store
from satchel.types import DoubleArray, IntArray

N_ADDED_WORDS = 5
"""How many of the words that marks added are shown."""
NO_NUMBERS = np.empty(0, np.int64)
NOTHING = Scored(NO_NUMBERS, np.empty(0), NO_NUMBERS, 0)


def search(store: Store, snapshot: Snapshot, request: Request) -> Hits:
    """The page of hits for a request; call it inside `store.reading()`, so that everything is of one moment."""
    question = checked_question(store, snapshot, request)
    ranked = rank(store, snapshot, question)
    places = range(len(ranked.numbers))[request.offset : request.offset + request.k]
    numbers = ranked.numbers[places.start : places.stop]
    page = page_of(store, ranked, places, request.explained, question.sought)
    explanations = explained(store, snapshot.model, question, ranked, places, page)
    earlier = _earlier_ranks(store, snapshot, question, numbers)
    hits = tuple(
        Hit(
            id=document.id,
            score=float(ranked.scores[place]),
            title=document.title,
            snippet=snippet,
            source=document.source,
            fields=document.fields,
            reasons=reasons,
            rank=place + 1,
            mark=question.marks.get(document.id),
            earlier_rank=before,
            place=where,
        )
        for place, document, (snippet, reasons), before, where in zip(
            places, page.documents, explanations, earlier, places_of(store, page, numbers), strict=True
        )
    )
    added = ranked.added if question.marks else ()
    moved = (ranked.lessons, dict(question.marks), dict(question.weights))
    facets = facets_of(store, question, ranked) if request.facets else ()
    meant = correction_of(store, snapshot.model, question)
    notes = (*question.notes, *meant.notes)
    return Hits(hits, ranked.total, question.typed, *moved, added, notes, facets, meant.query)


def checked_question(store: Store, snapshot: Snapshot, request: Request) -> Question:
    """The question; raises AbsentError if the request names something that does not exist."""
    question, comparison = question_of(store, request), request.compare_with
    compared = comparison.weights if isinstance(comparison, Comparison) else {}
    n_themes = snapshot.model.n_themes if question.weights or compared else 0
    if beyond := [theme for theme in (*question.weights, *compared) if not 0 <= theme < n_themes]:
        raise AbsentError(f"there is no theme {beyond[0]}; the model has {n_themes}, counted from 0")
    return question


def rank(store: Store, snapshot: Snapshot, question: Question) -> Ranked:
    """Everything found, best first; an empty question lists all documents in the order of ids."""

    def anew() -> Ranked:
        found = _listed(store, question) if question.is_empty else _ranked(store, snapshot.model, question)
        return sorted_by(store, found, question.request.sort) if question.request.is_sorted else found

    return anew() if question.key is None else snapshot.rankings.of(question.key, anew)


def _ranked(store: Store, model: ServedModel, question: Question) -> Ranked:
    mode, like = question.request.mode, _numbers(question, question.like)
    direction, near = None, NOTHING
    if mode != "lexical" and (direction := direction_of(store, model, question)) is not None:
        near = _near(store, model, question, direction, DEPTH + len(like))
    words, terms, weights, variants = NOTHING, Terms({}, {}), dict[str, float](), dict[str, str]()
    named = np.setdiff1d(named_documents(store, question.typed, question.condition), like)
    if mode != "semantic":
        if mode == "both":
            variants = spelling_variants(store, question.query, model.spelled_like)
        words, terms, weights = _by_words(store, question, variants, np.union1d(near.numbers, named))
    ranked, places = _fused(store, question, words, near, direction, like)
    if mode == "both":
        ranked = ranked.ordered(_read_again(store, model, question, ranked), places)
    return replace(
        with_first(store, ranked, named),
        stems={**variants, **terms.shown},
        variants=frozenset(variants),
        weights=weights,
        added=_added_words(question, terms),
        refined=None if direction is None else direction.refined,
        lessons=Ranked.lessons if direction is None else direction.lessons,
        nearness=model.nearness,
    )


def _near(store: Store, model: ServedModel, question: Question, direction: Direction, depth: int) -> Scored:
    """The nearest documents, as many for every page, that are near enough to count as found by meaning alone."""
    found = store.find_near(direction.refined.query, direction.mask, depth, question.condition)
    n = int(np.searchsorted(-found.scores, -model.nearness, side="right"))  # the scores fall
    return Scored(found.numbers[:n], found.scores[:n], found.passages[:n], n)


def _by_words(
    store: Store, question: Question, variants: Mapping[str, str], also: IntArray
) -> tuple[Scored, Terms, dict[str, float]]:
    """What is found by words, the words to show, and the weights of all stems. also: ranked too if they have one."""
    terms = terms_of(store, question.query, question.evidence)
    weights = with_beginnings(store, question, with_variants(with_synonyms(terms.weights, question.query), variants))
    depth = MOST_DEPTH if question.request.is_sorted else question.request.depth
    found = store.find_words(weights, depth, question.condition, also)
    return with_all_that_meet(store, question, found, also) if question.names_words else found, terms, weights


def _fused(
    store: Store, question: Question, words: Scored, near: Scored, direction: Direction | None, like: IntArray
) -> tuple[Ranked, IntArray]:
    """All documents found by words or by meaning, without the `like` documents, with both scores; and their places."""
    numbers = np.union1d(words.numbers, near.numbers)
    if len(like):
        numbers = np.setdiff1d(numbers, like)
    by_words, of_words = _places_in(numbers, words)
    by_meaning, of_near = _places_in(numbers, near)
    lexical, cosines = np.full(len(numbers), -np.inf), np.full(len(numbers), -np.inf)
    passages = np.zeros(len(numbers), np.int64)
    lexical[of_words], cosines[of_near] = words.scores[by_words], near.scores[by_meaning]
    passages[of_near] = near.passages[by_meaning]
    passages[of_words] = words.passages[by_words]
    others = np.flatnonzero(np.isneginf(cosines))
    cosines[others] = cosines_of(store, numbers[others], direction)
    known = np.isin(numbers, _numbers(question, question.marks)) if question.marks else None
    by_mode: Mapping[str, DoubleArray] = {"lexical": lexical, "semantic": cosines}
    mode = question.request.mode
    scores = by_mode[mode] if mode != "both" else fuse(lexical, cosines, known)
    scores = scores + raised(store, question, numbers, scores)
    total = words.total + len(numbers) - len(of_words) - (int(np.isin(like, words.numbers).sum()) if len(like) else 0)
    places = store.in_order(numbers)
    order = np.lexsort((places, -scores))
    found = (numbers[order], scores[order], lexical[order], cosines[order], passages[order], total)
    return Ranked(*found), places[order]


def _places_in(numbers: IntArray, found: Scored) -> tuple[IntArray, IntArray]:
    """Which of the documents found are among these, and where. numbers: ascending."""
    places = np.searchsorted(numbers, found.numbers)
    places[places == len(numbers)] = 0
    own = np.flatnonzero(numbers[places] == found.numbers) if len(numbers) else NO_NUMBERS
    return own, places[own]


def _read_again(store: Store, model: ServedModel, question: Question, ranked: Ranked) -> DoubleArray:
    """All scores, with those of the first documents changed by the letters of their best passages.

    The same documents are compared for every page and every number of hits, so that pages fit together.
    """
    numbers = ranked.numbers[:N_READ].tolist()
    passages = read_passages(store, numbers, dict(zip(numbers, ranked.passages[:N_READ].tolist(), strict=True)))
    lexicon = model.lexicon  # once: threads that meet here first may each make one
    texts, letters = lexicon.bags(store, passages), lexicon.letters
    changed, words = ranked.scores.copy(), list(content_words(question.query))
    changed[:N_READ] = read_again(ranked.scores[:N_READ], words, texts, question.evidence, letters)
    return changed


def _listed(store: Store, question: Question) -> Ranked:
    numbers = store.listed(question.condition)
    none = np.full(len(numbers), -np.inf)
    passages = np.zeros(len(numbers), np.int64)
    return Ranked(numbers, np.zeros(len(numbers)), none, none, passages, len(numbers))


def _earlier_ranks(store: Store, snapshot: Snapshot, question: Question, numbers: IntArray) -> list[int | None]:
    """The rank of each document under the marks and weights to compare with; None if there are none."""
    comparison = question.request.compare_with
    if not isinstance(comparison, Comparison):
        return [None] * len(numbers)
    before = rank(store, snapshot, question.compared(comparison))
    ranks = {number: place for place, number in enumerate(before.numbers.tolist(), start=1)}
    return [ranks.get(number) for number in numbers.tolist()]


def _added_words(question: Question, terms: Terms) -> tuple[str, ...]:
    """The words that marks added to the query, highest weight first."""
    own = set(content_words(question.query).values())
    added = sorted((-weight, terms.shown[stem]) for stem, weight in terms.weights.items() if stem not in own)
    return tuple(word for _, word in added[:N_ADDED_WORDS])


def _numbers(question: Question, ids: object) -> IntArray:
    """The numbers of those of these documents that exist."""
    return np.array([question.numbers[id_] for id_ in ids if id_ in question.numbers], np.int64)  # type: ignore[attr-defined]
