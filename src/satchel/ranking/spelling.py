"""Finds words that are spelled alike, by the groups of four letters that they share."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from string import ascii_lowercase

import numpy as np

from satchel.ranking.letters import BUCKETS, groups_of_words
from satchel.types import DoubleArray

LEAST_LIKENESS = 0.5
"""Two words are variants if the cosine of their groups of letters is at least this. 0.3 and 0.4 found as many variants
on train queries, and more wrong ones."""


class SimilarWords:
    """The words of a vocabulary, found by their groups of four letters, spaces around them included.

    A word is the set of its groups, each weighing log(1 + n / df), df of the n words have it; words are compared by
    cosine. 50,000 words take 0.1 s to read, when the first word is looked up.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        texts, groups, _ = groups_of_words([word.lower() for word in words])
        held = np.bincount(groups, minlength=BUCKETS)
        self._weights = np.where(held > 0, np.log1p(len(words) / np.maximum(held, 1)), 0.0)
        self._lengths = np.sqrt(np.bincount(texts, self._weights[groups] ** 2, len(words)))
        order = np.argsort(groups, kind="stable")
        self._holders, self._starts = texts[order], np.concatenate(([0], np.cumsum(held)))

    def like(self, word: str, k: int) -> list[str]:
        """At most k words that are spelled alike, most alike first, ties in the order given; not the word itself."""
        cosines = self._cosines(word)
        places = np.flatnonzero(cosines >= LEAST_LIKENESS)
        ordered = places[np.argsort(-cosines[places], kind="stable")].tolist()
        return [self.words[place] for place in ordered if self.words[place] != word][:k]

    def _cosines(self, word: str) -> DoubleArray:
        groups = groups_of_words(word.lower().split())[1]
        length = float(np.sqrt((self._weights[groups] ** 2).sum()))
        holders = [self._holders[self._starts[group] : self._starts[group + 1]] for group in groups.tolist()]
        squares = np.repeat(self._weights[groups] ** 2, [len(some) for some in holders])
        shared = np.bincount(np.concatenate([np.empty(0, np.int64), *holders]), squares, len(self.words))
        sizes = self._lengths * length
        return np.divide(shared, sizes, out=np.zeros(len(self.words)), where=sizes > 0)


SHORT = 4
"""Words of at most this many letters are variants if they differ by one letter, longer ones by two."""
MOST_LIKE = 20
LONGEST = 40
"""Longer words have no variants: they are no words that a person types."""


def variants_of(word: str, vocabulary: Container[str], similar: SimilarWords) -> list[str]:
    """The words of a vocabulary that differ from a word by a typing error or two, nearest first."""
    if len(word) > LONGEST:
        return []
    most = 1 if len(word) <= SHORT else 2
    near = [one for one in one_apart(word) if one in vocabulary]
    near += [one for one in similar.like(word, MOST_LIKE) if letters_apart(word, one, most) <= most]
    own = dict.fromkeys(one for one in near if one != word)
    return sorted(own, key=lambda one: letters_apart(word, one, most))


def one_apart(word: str) -> Iterator[str]:
    """All words that come of adding, leaving out, replacing or swapping one letter."""
    letters = ascii_lowercase + "".join(sorted({*word} - {*ascii_lowercase}))
    for place in range(len(word) + 1):
        head, tail = word[:place], word[place:]
        yield from (f"{head}{letter}{tail}" for letter in letters)
        if tail:
            yield head + tail[1:]
            yield from (f"{head}{letter}{tail[1:]}" for letter in letters)
        if len(tail) > 1:
            yield f"{head}{tail[1]}{tail[0]}{tail[2:]}"


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
