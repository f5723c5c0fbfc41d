"""Which stems a question asks for: the words of the query, what marks add, and words that are spelled alike."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, zip_longest

from satchel.ranking import Evidence, SimilarWords, query_trust
from satchel.store import Store
from satchel.text import Analysed, stop_list

VARIANT_WEIGHT = 0.1
"""Of a word that is spelled like one of the query, where that one has 1; 0.05 and 0.2 the same, 0.4 less."""
VARIANTS_OF_WORD, MOST_VARIANTS = 5, 40
MOST_TERMS = 64
"""Of a longer query the rarest words are asked for."""
MOST_REPEATS = 5
"""A word that stands more often in a query counts no more than so often."""
MOST_CHARACTERS = 100_000
"""What is read of a long text."""
MOST_TEXTS = 50
"""Of many marks of one kind the last ones are read."""
TERMS_OF_TEXT = 100
"""Of each document the most frequent words are looked at."""
N_TERMS = 50
"""Words that marks add to a query; 20 a little less, 100 the same."""
RELEVANT_WEIGHT, IRRELEVANT_WEIGHT = 4.0, 2.0
"""Of the mean relevant and the mean irrelevant document, where the query has 1; half of both less, twice the same."""
COMMON, FEW = 0.05, 1000
"""A word of more than this share of the documents, and of more than so many, is not added."""


@dataclass(frozen=True)
class Terms:
    """What is asked for: stem -> weight, and stem -> the word to show for it, those that weigh most first."""

    weights: Mapping[str, float]
    shown: Mapping[str, str]


def content_words(query: Analysed) -> dict[str, str]:
    """The distinct words of a query with their stems, without stop words, unless it has no others."""
    words = dict(zip(query.words, query.stems, strict=True))
    return {word: own for word, own in words.items() if word not in stop_words()} or words


@cache
def stop_words() -> frozenset[str]:
    """Words that say nothing in a query: those on which both stop lists agree.

    Each list alone drops what may well be asked for (`system`, `fire`, `thin`; `computer` was there once). On train
    queries both together were better than either and than none.
    """
    return stop_list("sklearn") & stop_list("smart")


def query_weights(query: Analysed) -> dict[str, float]:
    """The words of a query and how often each stands there, as BM25 counts them: a long one repeats what matters."""
    counts = Counter(query.words)
    return {word: float(min(counts[word], MOST_REPEATS)) for word in content_words(query)}


def terms_of(store: Store, query: Analysed, evidence: Sequence[Evidence]) -> Terms:
    """The stems that a question asks for: of its own words alone, or moved by evidence for and against it."""
    own = content_words(query)
    asked = query_weights(query)
    if evidence:
        return _moved(store, own, asked, evidence)
    weights: dict[str, float] = {}
    for word in _rarest(store, own):
        weights[own[word]] = weights.get(own[word], 0.0) + asked[word]
    return Terms(weights, _shown(own))


def spelling_variants(query: Analysed, words: SimilarWords) -> list[str]:
    """The stems of words of the vocabulary that are spelled like those of a query and have another stem."""
    own = content_words(query)
    found = [words.like(word, VARIANTS_OF_WORD) for word in own]
    nearest = dict.fromkeys(word for word in chain.from_iterable(zip_longest(*found)) if word is not None)
    known = set(own.values())
    stems = (one for word in nearest for one in Analysed(word).stems)  # a word of the model may hold an underscore
    return [one for one in stems if one not in known][:MOST_VARIANTS]


def with_variants(weights: Mapping[str, float], variants: Iterable[str]) -> dict[str, float]:
    """The stems to look up: variants are found along with those that were asked for."""
    asked = dict(weights)
    for variant in variants:
        asked[variant] = asked.get(variant, 0.0) + VARIANT_WEIGHT
    return asked


def _rarest(store: Store, own: Mapping[str, str]) -> list[str]:
    """The words to ask for, in the order of the query."""
    if len(own) <= MOST_TERMS:
        return list(own)
    counts = store.word_counts(dict.fromkeys(own.values()))
    known = sorted((word for word in own if counts[own[word]]), key=lambda word: counts[own[word]])[:MOST_TERMS]
    return [word for word in own if word in set(known)]


def _moved(store: Store, own: Mapping[str, str], asked: Mapping[str, float], evidence: Sequence[Evidence]) -> Terms:
    """Words with a weight each: those of the query, and those that tell the evidence for it from that against it.

    Rocchio's formula, query + 4 · mean of the relevant - 2 · mean of the irrelevant documents, the query as it is
    counted and documents as log(1 + count) · idf, all of length 1. A query that tells the marks apart counts up to
    twice (`query_trust`). The best words, 50 at most, join those of the query; words of the query that then weigh
    nothing are left out, unless none is left. They were chosen on queries that docs/explanation/ranking.md names.
    """
    length = math.sqrt(sum(count**2 for count in asked.values()))
    weight = 1 + query_trust(list(asked), evidence)
    looked = _Evidence(store, evidence)
    learned = looked.learned()
    by_word = {word: weight * count / length + learned.pop(own[word], 0.0) for word, count in asked.items()}
    kept: dict[str, float] = {}
    for word, value in by_word.items():
        if value > 0:
            kept[own[word]] = kept.get(own[word], 0.0) + value
    ordered = sorted(learned.items(), key=lambda pair: (-pair[1], pair[0]))
    telling = [(one, value) for one, value in ordered if value > 0 and 0 < looked.counts[one] <= looked.most]
    joined = dict(telling[:N_TERMS])
    plain = {own[word]: 1.0 for word in asked}
    return Terms({**joined, **kept} or plain, {**{one: looked.words[one] for one in joined}, **_shown(own)})


class _Evidence:
    """Marked texts read once: their stems, how each is spelled, and in how many documents it stands."""

    def __init__(self, store: Store, evidence: Sequence[Evidence]) -> None:
        self.n_documents = store.count()
        self.most = max(FEW, int(COMMON * self.n_documents))
        self.words: dict[str, str] = {}
        self._read: list[tuple[float, list[tuple[str, int]]]] = []
        for side, factor in ((1, RELEVANT_WEIGHT), (-1, -IRRELEVANT_WEIGHT)):
            own = [one for one in evidence if one.grade * side > 0][-MOST_TEXTS:]
            total = max(1.0, sum(abs(one.grade) for one in own))
            self._read += [(factor * abs(one.grade) / total, self._frequent(one.text)) for one in own]
        self.counts = store.word_counts(dict.fromkeys(one for _, found in self._read for one, _ in found))

    def _frequent(self, text: str) -> list[tuple[str, int]]:
        read = Analysed(text[:MOST_CHARACTERS])
        said_nothing = stop_list("sklearn")
        pairs = [
            (one, word)
            for one, word in zip(read.stems, read.words, strict=True)
            if len(word) > 1 and word not in said_nothing
        ]
        for one, word in pairs:
            self.words.setdefault(one, word)
        return Counter(one for one, _ in pairs).most_common(TERMS_OF_TEXT)

    def learned(self) -> dict[str, float]:
        """What the evidence adds to each stem."""
        learned: dict[str, float] = {}
        for factor, found in self._read:
            for one, share in self._shares(found).items():
                learned[one] = learned.get(one, 0.0) + factor * share
        return learned

    def _shares(self, found: Sequence[tuple[str, int]]) -> dict[str, float]:
        """log(1 + count) · idf of the words of a text, scaled to length 1."""
        weights = {one: math.log1p(n) * math.log(1 + self.n_documents / max(1, self.counts[one])) for one, n in found}
        length = math.sqrt(sum(weight**2 for weight in weights.values()))
        return {one: weight / length for one, weight in weights.items()} if length else {}


def _shown(own: Mapping[str, str]) -> dict[str, str]:
    """Stem -> the first word that has it."""
    return {one: word for word, one in reversed(list(own.items()))}
