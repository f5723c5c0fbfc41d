"""Search by words: BM25 over FTS5's index, asked in a way that no query text can break.

Nothing of what a person types reaches FTS5 as it is: the text is split into words, and each is looked up by itself, so
that NEAR, AND, column names, stars and quotation marks are words like any other. A document matches if it has one of
them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain, zip_longest

import numpy as np

from satchel.collection.file import CollectionFile
from satchel.collection.postings import Leg, Sizes, quoted, word_leg
from satchel.ranking.probes import DoubleArray
from satchel.ranking.spelling import SimilarWords
from satchel.text import Tokenizer, stop_list
from satchel.types import IntArray

VARIANT_WEIGHT = 0.1
"""Of a word that is spelled like one of the query, where that one has 1; 0.05 and 0.2 the same, 0.4 less."""
VARIANTS_OF_WORD, MOST_VARIANTS = 5, 40
MOST_TERMS = 64
"""Of a longer query the rarest words are asked for."""
MOST_REPEATS = 5
"""A word that stands more often in a query counts no more than so often."""
EVERY_WORD, STEMS = Tokenizer(), Tokenizer(stem=True)


def query_terms(query: str) -> list[str]:
    """The distinct words of a query without stop words, unless it has no others."""
    words = list(dict.fromkeys(EVERY_WORD.tokens(query)))
    return [word for word in words if word not in stop_words()] or words


def query_weights(query: str) -> dict[str, float]:
    """The words of a query and how often each stands there, as BM25 counts them: a long one repeats what matters."""
    counts = Counter(EVERY_WORD.tokens(query))
    return {term: float(min(counts[term], MOST_REPEATS)) for term in query_terms(query)}


@cache
def stop_words() -> frozenset[str]:
    """Words that say nothing in a query: those on which both stop lists agree.

    Each list alone drops what may well be asked for (`system`, `fire`, `thin`; `computer` was there once). On train
    queries both together were better than either and than none.
    """
    return stop_list("sklearn") & stop_list("smart")


def spelling_variants(terms: Sequence[str], words: SimilarWords) -> list[str]:
    """Words of the vocabulary that are spelled like those of a query and have another stem; the nearest first."""
    stems = {stem for term in terms for stem in STEMS.tokens(term)}
    found = [words.like(term, VARIANTS_OF_WORD) for term in terms]
    nearest = dict.fromkeys(word for word in chain.from_iterable(zip_longest(*found)) if word is not None)
    return [word for word in nearest if stems.isdisjoint(STEMS.tokens(word))][:MOST_VARIANTS]


def search_words(
    file: CollectionFile, sizes: Sizes, weights: Mapping[str, float], depth: int, allowed: IntArray | None
) -> Leg:
    """The best `depth` documents that have one of the words, by BM25 with a weight for each word, and those that tie.

    The BM25 of a query is the sum of those of its words. Where documents tie for the last place all of them are given,
    and the caller's order decides. allowed: numbers of documents that may be found; None for all.
    """
    legs = [word_leg(file, sizes, word) for word in weights]
    numbers = np.concatenate([np.empty(0, np.int64), *(leg.numbers for leg in legs)])
    scores = [weight * leg.scores for leg, weight in zip(legs, weights.values(), strict=True)]
    totals: DoubleArray = np.asarray(np.bincount(numbers, np.concatenate([np.empty(0), *scores])), np.float64)
    found = np.flatnonzero(totals > 0)
    kept = found if allowed is None else found[np.isin(found, allowed)]
    if len(kept) > depth:
        kept = kept[totals[kept] >= -np.partition(-totals[kept], depth - 1)[depth - 1]]
    return Leg(kept, totals[kept])


def rarest(file: CollectionFile, terms: Sequence[str]) -> list[str]:
    """The words to ask for, in the order of the query."""
    if len(terms) <= MOST_TERMS:
        return list(terms)
    counts = document_counts(file, terms)
    known = sorted((term for term in terms if counts[term]), key=lambda term: counts[term])[:MOST_TERMS]
    return [term for term in terms if term in set(known)]


def document_counts(file: CollectionFile, terms: Sequence[str], most: int = -1) -> dict[str, int]:
    """In how many documents each word stands, in any of its forms; counted no further than `most`."""
    question = "SELECT count(*) FROM (SELECT 1 FROM lexical WHERE lexical MATCH ? LIMIT ?)"
    return {term: int(file.value(question, quoted(term), most)) for term in terms}
