"""The stems to search for: words of the query, words that marks add, and words with a similar spelling."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, zip_longest

from satchel.ranking import Evidence, query_trust
from satchel.search.asked import ignored_words
from satchel.store import Store
from satchel.text import Analysed, stop_list

VARIANT_WEIGHT = 0.1
"""The weight of a word with a similar spelling; a query word has 1. 0.05 and 0.2 were as good, 0.4 worse."""
VARIANTS_OF_WORD, MOST_VARIANTS = 5, 40
RARE = 2
"""Words that are in more passages than this have no variants. Variants of all words gave the same nDCG@10 to 0.001."""
MOST_TERMS = 64
"""The most words of a query that are searched for; of a longer query the rarest ones."""
MOST_REPEATS = 5
"""The most often that a repeated word of a query counts."""
MOST_CHARACTERS = 100_000
"""The characters of a long marked text that are read."""
MOST_TEXTS = 50
"""The most marks of one kind that are read; of more, the last ones."""
TERMS_OF_TEXT = 100
"""The number of words of each marked document that are used: the most frequent ones."""
N_TERMS = 50
"""The most words that marks add to a query; 20 was a little worse, 100 as good."""
RELEVANT_WEIGHT, IRRELEVANT_WEIGHT = 4.0, 2.0
"""The weights of the mean relevant and irrelevant documents; the query has 1. Half of both was worse, twice as good."""
COMMON, FEW = 0.05, 1000
"""A word is not added if it is in more than this share, and more than this number, of the documents."""


@dataclass(frozen=True)
class Terms:
    """The terms of a search: stem -> weight, and stem -> the word to show for it, highest weight first."""

    weights: Mapping[str, float]
    shown: Mapping[str, str]


def content_words(query: Analysed) -> dict[str, str]:
    """The distinct words of a query with their stems, without stop words unless it has only stop words.

    The stop words that the collection's settings add to a query are left out too.
    """
    words = dict(zip(query.words, query.stems, strict=True))
    stops = stop_words() | more if (more := ignored_words(query)) else stop_words()
    return {word: own for word, own in words.items() if word not in stops} or words


@cache
def stop_words() -> frozenset[str]:
    """The stop words of queries: the words in both stop lists.

    Each list alone also drops words that people search for (`system`, `fire`, `thin`; once `computer`). On train
    queries the common words were better than either list, and better than none.
    """
    return stop_list("sklearn") & stop_list("smart")


def query_weights(query: Analysed) -> dict[str, float]:
    """The words of a query and their counts, as BM25 uses them: a long query repeats what matters."""
    counts = Counter(query.words)
    return {word: float(min(counts[word], MOST_REPEATS)) for word in content_words(query)}


def terms_of(store: Store, query: Analysed, evidence: Sequence[Evidence]) -> Terms:
    """The stems to search for: those of the query alone, or moved by evidence for and against it."""
    own = content_words(query)
    counts = query_weights(query)
    if evidence:
        return _moved(store, own, counts, evidence)
    weights: dict[str, float] = {}
    for word in _rarest(store, own):
        weights[own[word]] = weights.get(own[word], 0.0) + counts[word]
    return Terms(weights, _shown(own))


def spelling_variants(store: Store, query: Analysed, spelled_like: Callable[[str], list[str]]) -> dict[str, str]:
    """Stem -> word, of known words that are spelled like a word of the query that hardly any document has."""
    own = content_words(query)
    counts = store.word_counts(dict.fromkeys(own.values()))
    rare = [word for word, stem in own.items() if counts[stem] <= RARE]
    found = [spelled_like(word)[:VARIANTS_OF_WORD] for word in rare]
    nearest = dict.fromkeys(word for word in chain.from_iterable(zip_longest(*found)) if word is not None)
    known, variants = set(own.values()), dict[str, str]()
    for word in nearest:
        read = Analysed(word)  # a word of the model may hold an underscore
        for one, stem in zip(read.words, read.stems, strict=True):
            if stem not in known and len(variants) < MOST_VARIANTS:
                variants.setdefault(stem, one)
    return variants


def with_variants(weights: Mapping[str, float], variants: Iterable[str]) -> dict[str, float]:
    """The stems to look up with their weights: those of the query and the spelling variants."""
    wanted = dict(weights)
    for variant in variants:
        wanted[variant] = wanted.get(variant, 0.0) + VARIANT_WEIGHT
    return wanted


def _rarest(store: Store, own: Mapping[str, str]) -> list[str]:
    """The rarest words of the query, in the order of the query."""
    if len(own) <= MOST_TERMS:
        return list(own)
    counts = store.word_counts(dict.fromkeys(own.values()))
    known = sorted((word for word in own if counts[own[word]]), key=lambda word: counts[own[word]])[:MOST_TERMS]
    return [word for word in own if word in set(known)]


def _moved(store: Store, own: Mapping[str, str], counts: Mapping[str, float], evidence: Sequence[Evidence]) -> Terms:
    """Weighted words: those of the query, and those that separate the evidence for it from the evidence against it.

    Rocchio's formula: query + 4 · mean of the relevant - 2 · mean of the irrelevant documents, with the query as counts
    and documents as log(1 + count) · idf, all of length 1. A query that separates the marks counts up to twice
    (`query_trust`). The best words, at most 50, are added to the query; words of the query with no weight left are
    dropped, unless all would be. The numbers were chosen on queries that docs/explanation/ranking.md names.
    """
    length = math.sqrt(sum(count**2 for count in counts.values()))
    weight = 1 + query_trust(list(counts), evidence)
    looked = _Evidence(store, evidence)
    learned = looked.learned()
    by_word = {word: weight * count / length + learned.pop(own[word], 0.0) for word, count in counts.items()}
    kept: dict[str, float] = {}
    for word, value in by_word.items():
        if value > 0:
            kept[own[word]] = kept.get(own[word], 0.0) + value
    ordered = sorted(learned.items(), key=lambda pair: (-pair[1], pair[0]))
    telling = [(one, value) for one, value in ordered if value > 0 and 0 < looked.counts[one] <= looked.most]
    joined = dict(telling[:N_TERMS])
    plain = {own[word]: 1.0 for word in counts}
    return Terms({**joined, **kept} or plain, {**{one: looked.words[one] for one in joined}, **_shown(own)})


class _Evidence:
    """Marked texts, read once: their stems, the spelling of each, and its document count."""

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
        """Stem -> what the evidence adds to its weight."""
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
