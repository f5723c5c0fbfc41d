"""Explains hits: the words, themes and scores of each, with a snippet of its text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from satchel.arrays import quotient, row_norms
from satchel.encoders import CodewordContribution, LinearEncoder, WordContribution
from satchel.feedback import Refined
from satchel.ranking import masked_direction
from satchel.search.question import Question
from satchel.search.result import Ranked, Reasons, Snippet
from satchel.search.snapshot import ServedModel
from satchel.search.words import content_words
from satchel.store import Store, StoredDocument
from satchel.text import Analysed, stem, title_first
from satchel.types import DoubleArray, FloatArray

MOST_CHARACTERS = 200_000
"""The characters of a long text that are read for a snippet."""
LENGTH = 30
"""The number of words in a snippet."""
MOST_SHOWN = 600
"""The most characters in a snippet, because words may be long."""


class _Place(NamedTuple):
    """A query word in the text: its position among the words, its start and end, and its stem."""

    word: int
    start: int
    stop: int
    stem: str


def read_text(text: str) -> Analysed:
    """The text, or only its beginning if it is long."""
    return text if isinstance(text, Analysed) and len(text) <= MOST_CHARACTERS else Analysed(text[:MOST_CHARACTERS])


def stems_of_words(words: Iterable[str]) -> set[str]:
    return {stem(word.lower()) for word in words}


def matching_words(read: Analysed, stems: set[str]) -> dict[str, str]:
    """Stem -> its first word in the text, in lower case, for those of these stems that the text contains."""
    own = read.stems
    places = sorted(map(own.index, stems.intersection(own)))
    return {own[place]: read.words[place] for place in places}


def make_snippet(read: Analysed, stems: set[str]) -> Snippet:
    """About 30 words with as many different query words as possible; the first of equal choices, or the beginning."""
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


N_WORDS, N_THEMES = 5, 3
LONGEST_TEXT = 100_000
"""The most characters of a text whose words are weighed one by one."""


def explained(
    store: Store,
    model: ServedModel,
    question: Question,
    ranked: Ranked,
    places: range,
    documents: Sequence[StoredDocument],
) -> Iterator[tuple[Snippet, Reasons]]:
    """The snippet and reasons of each document of a page; empty if the request does not ask for them."""
    if not question.request.explained:
        yield from ((Snippet(""), Reasons()) for _ in documents)
        return
    stems = set(content_words(question.query).values()) or set(ranked.stems)
    found = zip(places, documents, _meanings(store, model, ranked, places, documents), strict=True)
    for place, document, (words, themes) in found:
        read = read_text(document.text or document.title)
        matches = matching_words(read_text(document.title), stems) | matching_words(read, stems)
        lexical, cosine = (_finite(float(scores[place])) for scores in (ranked.lexical, ranked.semantic))
        near = cosine is not None and cosine > 0
        reasons = Reasons(tuple(matches.values()), words if near else (), themes if near else (), lexical, cosine)
        yield make_snippet(read, stems | stems_of_words(word.word for word in reasons.words[:3])), reasons


def _meanings(
    store: Store, model: ServedModel, ranked: Ranked, places: range, documents: Sequence[StoredDocument]
) -> Iterator[tuple[tuple[WordContribution, ...], tuple[CodewordContribution, ...]]]:
    """The words and themes that add most to the cosine of each document."""
    refined = ranked.refined
    if refined is None or not refined.query.any() or not documents:
        yield from [((), ())] * len(documents)
        return
    words = words_of(model, refined, [title_first(one.title, one.text) for one in documents])
    vectors = store.vectors(ranked.numbers[places.start : places.stop])
    yield from zip(words, themes_of(model, refined, vectors), strict=True)


def words_of(model: ServedModel, refined: Refined, texts: Sequence[str]) -> list[tuple[WordContribution, ...]]:
    """The words of each text that add most to its cosine; all of them would sum to it."""
    if not isinstance(model.encoder, LinearEncoder):
        return [()] * len(texts)
    read = [text if len(text) <= LONGEST_TEXT else "" for text in texts]
    shares = model.encoder.contributions(refined.query, read, mask=refined.mask, most=N_WORDS)
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
