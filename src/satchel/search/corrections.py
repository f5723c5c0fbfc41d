"""What a query may have meant: words that no document has, or hardly any, and words spelled alike that many have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from satchel.ranking import letters_apart
from satchel.search.question import Question
from satchel.search.snapshot import ServedModel
from satchel.search.words import RARE, content_words
from satchel.store import Store
from satchel.text import Analysed, stem

MORE_OFTEN = 10
"""A word is suggested if it stands in this many times as many passages as the word that was typed."""
MOST_SHOWN = 60
MOST_WORDS = 12
"""Only queries of at most this many words are corrected; a pasted text is not."""


class Correction(NamedTuple):
    """query: the whole query as it may have been meant; empty if nothing is suggested. notes: a sentence a word."""

    query: str = ""
    notes: tuple[str, ...] = ()


def correction_of(store: Store, model: ServedModel, question: Question) -> Correction:
    """Looks only at words that hardly any document has, so that other queries pay nothing."""
    own = content_words(question.query)
    if not own or len(own) > MOST_WORDS or question.request.mode == "semantic":
        return Correction()
    counts = store.word_counts(dict.fromkeys(own.values()))
    rare = {word: counts[stem] for word, stem in own.items() if counts[stem] <= RARE}
    better = {word: meant for word, n in rare.items() if (meant := _meant(store, model, word, n))}
    notes = tuple(_note(word, better.get(word)) for word, n in rare.items() if not n)
    return Correction(_replaced(question.typed, better) if better else "", notes)


def _note(word: str, meant: str | None) -> str:
    shown = word if len(word) <= MOST_SHOWN else f"{word[:MOST_SHOWN]}…"
    found = f'no document contains "{shown}"'
    return f'{found}; did you mean "{meant}"?' if meant else found


def _meant(store: Store, model: ServedModel, word: str, count: int) -> str | None:
    """The nearest word by spelling, and the most frequent of equally near ones, if it is far more frequent."""
    near = model.spelled_like(word)
    counts = store.word_counts(dict.fromkeys(map(stem, near)))
    often = [one for one in near if counts[stem(one)] >= MORE_OFTEN * max(1, count)]
    return min(often, key=lambda one: (letters_apart(word, one, 2), -counts[stem(one)], one), default=None)


def _replaced(typed: str, better: Mapping[str, str]) -> str:
    """The query with other words in place of some."""
    read, parts, end = Analysed(typed), list[str](), 0
    for word, (start, stop) in zip(read.words, read.spans, strict=True):
        if word in better:
            parts += (typed[end:start], better[word])
            end = stop
    return "".join([*parts, typed[end:]])
