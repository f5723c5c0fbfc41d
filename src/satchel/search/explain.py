"""Why each hit was found: its words, its themes and its scores, with the part of its text that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from satchel.encoders import CodewordContribution, LinearEncoder, WordContribution
from satchel.feedback import Refined
from satchel.ranking.probes import DoubleArray, masked_direction, quotient, row_norms
from satchel.search.question import Question
from satchel.search.ranked import Ranked
from satchel.search.result import Reasons, Snippet
from satchel.search.snapshot import Model
from satchel.search.snippets import make_snippet, matching_words, read_text, stems_of_words
from satchel.search.words import content_words
from satchel.store import Store, StoredDocument
from satchel.text import title_first
from satchel.types import FloatArray

N_WORDS, N_THEMES = 5, 3
LONGEST_TEXT = 100_000
"""Characters; the words of a longer text are not weighed one by one."""


def explained(
    store: Store, model: Model, question: Question, ranked: Ranked, places: range, documents: Sequence[StoredDocument]
) -> Iterator[tuple[Snippet, Reasons]]:
    """Snippet and reasons of each document of a page; empty where nobody asked for them."""
    if not question.request.explained:
        yield from ((Snippet(""), Reasons()) for _ in documents)
        return
    stems = set(content_words(question.query).values()) or set(ranked.stems)
    told = zip(places, documents, _meanings(store, model, ranked, places, documents), strict=True)
    for place, document, (words, themes) in told:
        read = read_text(document.text or document.title)
        matches = matching_words(read_text(document.title), stems) | matching_words(read, stems)
        lexical, cosine = (_finite(float(scores[place])) for scores in (ranked.lexical, ranked.semantic))
        near = cosine is not None and cosine > 0
        reasons = Reasons(tuple(matches.values()), words if near else (), themes if near else (), lexical, cosine)
        yield make_snippet(read, stems | stems_of_words(word.word for word in reasons.words[:3])), reasons


def _meanings(
    store: Store, model: Model, ranked: Ranked, places: range, documents: Sequence[StoredDocument]
) -> Iterator[tuple[tuple[WordContribution, ...], tuple[CodewordContribution, ...]]]:
    """The words and the themes that add most to the cosine of each document."""
    refined = ranked.refined
    if refined is None or not refined.query.any() or not documents:
        yield from [((), ())] * len(documents)
        return
    words = words_of(model, refined, [title_first(one.title, one.text) for one in documents])
    vectors = store.vectors(ranked.numbers[places.start : places.stop])
    yield from zip(words, themes_of(model, refined, vectors), strict=True)


def words_of(model: Model, refined: Refined, texts: Sequence[str]) -> list[tuple[WordContribution, ...]]:
    """The words of each text that add most to its cosine; all of them would sum to it."""
    if not isinstance(model.encoder, LinearEncoder):
        return [()] * len(texts)
    read = [text if len(text) <= LONGEST_TEXT else "" for text in texts]
    shares = model.encoder.contributions(refined.query, read, mask=refined.mask, most=N_WORDS)
    return [tuple(word for word in words if word.contribution > 0) for words in shares]


def themes_of(model: Model, refined: Refined, vectors: FloatArray) -> list[tuple[CodewordContribution, ...]]:
    """The codewords that add most to each cosine, with words that speak for them; none where there are no codewords."""
    return [_best_themes(model, shares) for shares in theme_shares(refined, vectors)]


def theme_shares(refined: Refined, vectors: FloatArray) -> DoubleArray:
    """What each feature adds to cos(r∘q, r∘z) for the mask r, (n_vectors, n_features); rows sum to it."""
    r, z = refined.mask.astype(np.float64), vectors.astype(np.float64)
    a = masked_direction(refined.query.astype(np.float64)[None, :], r[None, :])[0]
    return quotient(a * z, row_norms(r * z)[:, None])


def _best_themes(model: Model, shares: DoubleArray) -> tuple[CodewordContribution, ...]:
    order = np.argsort(-shares, kind="stable")[:N_THEMES].tolist()
    found = (CodewordContribution(one, float(shares[one]), tuple(model.describe(one))) for one in order)
    return tuple(theme for theme in found if theme.contribution > 0 and theme.words)


def _finite(score: float) -> float | None:
    return score if np.isfinite(score) else None
