"""Explains hits: the words, themes and scores of each, with a snippet of its text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from satchel.arrays import quotient, row_norms
from satchel.encoders import CodewordContribution, LinearEncoder, WordContribution
from satchel.feedback import Refined
from satchel.ranking import masked_direction
from satchel.search.asked import synonyms_of
from satchel.search.lexicon import read_passages
from satchel.search.question import Question
from satchel.search.result import Ranked, Reasons, Snippet
from satchel.search.snapshot import ServedModel
from satchel.search.sought import NOTHING_SOUGHT, Sought
from satchel.search.words import content_words
from satchel.store import Store, StoredDocument
from satchel.text import Analysed, last_heading
from satchel.types import DoubleArray, FloatArray, IntArray

MOST_CHARACTERS = 200_000
"""The characters of a long text that are read for a snippet."""
LENGTH = 30
"""The number of words in a snippet."""
MOST_SHOWN = 600
"""The most characters in a snippet, because words may be long."""


_SPACE = re.compile(r"\s+")


class _Place(NamedTuple):
    """A word to show in the text: its position among the words, and its stem."""

    word: int
    stem: str


def read_text(text: str) -> Analysed:
    """The text, or only its beginning if it is long."""
    return text if isinstance(text, Analysed) and len(text) <= MOST_CHARACTERS else Analysed(text[:MOST_CHARACTERS])


def matching_words(read: Analysed, stems: set[str]) -> dict[str, str]:
    """Stem -> its first word in the text, in lower case, for those of these stems that the text contains."""
    own = read.stems
    places = sorted(map(own.index, stems.intersection(own)))
    return {own[place]: read.words[place] for place in places}


def make_snippet(
    read: Analysed, stems: set[str], sought: Sought = NOTHING_SOUGHT, *, begins: bool = True, ends: bool = True
) -> Snippet:
    """About 30 words with a phrase that is sought, and with as many different query words as possible.

    The first of equal choices, or the beginning.

    begins, ends: whether the text is the beginning and the end of its document.
    """
    spans = read.spans
    if not spans:
        return Snippet(" ".join(read[:200].split()))
    phrases = sought.phrases_in(read)
    asked = sought.places_in(read)
    places = [_Place(i, own) for i, own in enumerate(read.stems) if own in stems or i in asked]
    whole = [_Place(one[-1], f"{one[0]} {n}") for one in phrases[:1] for n in range(LENGTH)]
    start = max(0, min(_best_start(sorted([*places, *whole])) - 3, len(spans) - LENGTH))
    last = min(start + LENGTH, len(spans)) - 1
    begin, end = (0 if start == 0 else spans[start][0]), (len(read) if last == len(spans) - 1 else spans[last][1])
    end = min(end, begin + MOST_SHOWN)
    inside = [spans[place.word] for place in places if start <= place.word <= last and spans[place.word][1] <= end]
    cut_before, cut_after = begin > 0 or not begins, end < len(read) or not ends
    return _folded(read[begin:end], [(a - begin, b - begin) for a, b in inside], cut_before, cut_after)


def _best_start(places: list[_Place]) -> int:
    """The word where the best window begins; one pass that counts the stems in the window."""
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
    """The snippet on one line, with single spaces, and an ellipsis where text was cut off."""
    parts: list[str] = ["… "] if cut_before else []
    moved: list[tuple[int, int]] = []
    length, end = len(parts) * 2, 0
    for start, stop in matches:
        before = _SPACE.sub(" ", text[end:start])
        parts += (before, text[start:stop])
        length += len(before)
        moved.append((length, length + stop - start))
        length += stop - start
        end = stop
    parts.append(_SPACE.sub(" ", text[end:].rstrip()))
    return Snippet("".join(parts) + (" …" if cut_after else ""), tuple(moved))


N_WORDS, N_THEMES = 5, 3
MOST_BEFORE, _FIRST_LINES = 5_000, 200
"""How many characters before a passage, and of its beginning, are looked through for a heading."""


class ShownPage(NamedTuple):
    """The documents of a page, each with the text of its best passage alone.

    windows: where the passage is in the text, from the first character to before the last; None if it is all of it.
    """

    documents: Sequence[StoredDocument]
    windows: Sequence[tuple[int, int] | None]
    passages: Mapping[int, int]


def page_of(store: Store, ranked: Ranked, places: range, with_texts: bool, sought: Sought) -> ShownPage:
    """Reads the documents of a page."""
    part = slice(places.start, places.stop)
    numbers = ranked.numbers[part].tolist()
    if not with_texts:
        return ShownPage(store.documents(numbers, 0), [None] * len(numbers), {})
    passages = dict(zip(numbers, ranked.passages[part].tolist(), strict=True))
    own_windows = store.windows(numbers)
    passages = sought.best_passages(store, own_windows, passages)
    cuts = {number: rows[passages[number], 2:].tolist() for number, rows in own_windows.items()}
    windows = {number: (int(start), int(stop)) for number, (start, stop) in cuts.items()}
    return ShownPage(store.documents(numbers, None, windows), [windows.get(number) for number in numbers], passages)


def places_of(store: Store, page: ShownPage, numbers: IntArray) -> list[str]:
    """Where the passage of each long document is, such as "page 12, Writing functions"; else empty."""
    starts = dict(zip(numbers.tolist(), page.windows, strict=True))
    before = store.texts_before({number: own[0] for number, own in starts.items() if own}, MOST_BEFORE)
    found = []
    for number, document in zip(numbers.tolist(), page.documents, strict=True):
        text, n_breaks = before.get(number, ("", 0))
        parts = [f"page {n_breaks + 1}"] if n_breaks else []
        heading = last_heading(f"{text}{document.text[:_FIRST_LINES]}") if number in before else ""
        found.append(", ".join([*parts, heading] if heading else parts))
    return found


def explained(
    store: Store, model: ServedModel, question: Question, ranked: Ranked, places: range, page: ShownPage
) -> Iterator[tuple[Snippet, Reasons]]:
    """The snippet and reasons of each document of a page; empty if the request does not ask for them."""
    if not question.request.explained:
        yield from ((Snippet(""), Reasons()) for _ in page.documents)
        return
    asked = {*content_words(question.query).values(), *synonyms_of(question.query)}
    own = asked | ranked.variants or set(ranked.stems)
    shown = own | set(ranked.stems)
    meanings = _meanings(store, model, ranked, places, page)
    for place, document, window, (words, themes) in zip(places, page.documents, page.windows, meanings, strict=True):
        read = read_text(document.text or document.title)
        title, sought = read_text(document.title), question.sought
        matches = matching_words(title, own) | matching_words(read, own)
        matches |= sought.matching(title) | sought.matching(read)
        lexical, cosine = (_finite(float(scores[place])) for scores in (ranked.lexical, ranked.semantic))
        near = cosine is not None and cosine > 0
        reasons = Reasons(tuple(matches.values()), words if near else (), themes if near else (), lexical, cosine)
        begins, ends = window is None or not window[0], window is None
        yield make_snippet(read, shown, sought, begins=begins, ends=ends), reasons


def _meanings(
    store: Store, model: ServedModel, ranked: Ranked, places: range, page: ShownPage
) -> Iterator[tuple[tuple[WordContribution, ...], tuple[CodewordContribution, ...]]]:
    """The words and themes that add most to the cosine of each document."""
    refined = ranked.refined
    if refined is None or not refined.query.any() or not page.documents:
        yield from [((), ())] * len(page.documents)
        return
    numbers = ranked.numbers[places.start : places.stop]
    words = words_of(store, model, refined, numbers.tolist(), page.passages)
    yield from zip(words, themes_of(model, refined, store.vectors(numbers)), strict=True)


def words_of(
    store: Store, model: ServedModel, refined: Refined, numbers: Sequence[int], passages: Mapping[int, int]
) -> list[tuple[WordContribution, ...]]:
    """The words of the best passage of each document that add most to its cosine; all of them would sum to it."""
    counts = model.lexicon.counts(store, read_passages(store, numbers, passages))
    if counts is None or not isinstance(model.encoder, LinearEncoder):
        return [()] * len(numbers)
    shares = model.encoder.contributions_of(refined.query, counts, refined.mask, N_WORDS)
    return [tuple(word for word in words if word.contribution > 0) for words in shares]


def themes_of(model: ServedModel, refined: Refined, vectors: FloatArray) -> list[tuple[CodewordContribution, ...]]:
    """The codewords that add most to each cosine, with words that describe them; empty without codewords."""
    return [_best_themes(model, shares) for shares in theme_shares(refined, vectors)]


def theme_shares(refined: Refined, vectors: FloatArray) -> DoubleArray:
    """What each feature adds to cos(r∘q, r∘z) for the mask r, (n_vectors, n_features); rows sum to it."""
    r, z = refined.mask.astype(np.float64), vectors.astype(np.float64)
    a = masked_direction(refined.query.astype(np.float64)[None, :], r[None, :])[0]
    return quotient(a * z, row_norms(r * z)[:, None])


def _best_themes(model: ServedModel, shares: DoubleArray) -> tuple[CodewordContribution, ...]:
    order = np.argsort(-shares, kind="stable")[:N_THEMES].tolist()
    found = (CodewordContribution(one, float(shares[one]), tuple(model.describe(one))) for one in order)
    return tuple(theme for theme in found if theme.contribution > 0 and theme.words)


def _finite(score: float) -> float | None:
    return score if np.isfinite(score) else None
