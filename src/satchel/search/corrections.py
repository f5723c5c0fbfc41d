"""What a query may have meant: words that no document has, or hardly any, and words spelled alike that many have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from satchel.search.question import Question
from satchel.search.snapshot import ServedModel
from satchel.search.words import RARE, content_words
from satchel.store import Store
from satchel.text import Analysed, stem

MORE_OFTEN = 10
"""A word is suggested if it stands in this many times as many passages as the word that was typed."""
MOST_LIKE = 8
SHORT = 4
"""Words of at most this many letters may differ by one letter, longer ones by two."""
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
    found = f'no document contains "{word}"'
    return f'{found}; did you mean "{meant}"?' if meant else found


def _meant(store: Store, model: ServedModel, word: str, count: int) -> str | None:
    """The most frequent word that differs by a letter or two, if it is far more frequent."""
    most = 1 if len(word) <= SHORT else 2
    near = [one for one in model.similar_words.like(word, MOST_LIKE) if letters_apart(word, one, most) <= most]
    counts = store.word_counts(dict.fromkeys(map(stem, near)))
    best = max(near, key=lambda one: counts[stem(one)], default=None)
    return best if best is not None and counts[stem(best)] >= MORE_OFTEN * max(1, count) else None


def letters_apart(one: str, other: str, most: int) -> int:
    """How many letters must be added, left out, replaced or swapped with the next; at most `most` + 1 is counted."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before, row = list[int](), list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        two_before, before, row = before, row, [i]
        for j, own in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != own))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == own:
                cost = min(cost, two_before[j - 2] + 1)
            row.append(cost)
    return min(row[-1], most + 1)


def _replaced(typed: str, better: Mapping[str, str]) -> str:
    """The query with other words in place of some."""
    read, parts, end = Analysed(typed), list[str](), 0
    for word, (start, stop) in zip(read.words, read.spans, strict=True):
        if word in better:
            parts += (typed[end:start], better[word])
            end = stop
    return "".join([*parts, typed[end:]])
