"""Fusion: one ranking from searches by words, by meaning and by letters over the same documents.

A collection ranks by `fuse` and then by `read_again`. The weights were chosen on queries that no reported result uses:
the train queries of scifact, the validation queries of nfcorpus, subjects as queries for the posts of their thread,
titles of included records as queries for the rest of their review, titles as queries for their own abstract, and
keywords as queries for the documents that have them. The values are in docs/explanation/ranking.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from satchel.ranking.letters import Letters, Text, count_groups, likeness, query_fit
from satchel.ranking.selection import best_positions
from satchel.types import DoubleArray

RANK_CONSTANT = 60
"""The constant of reciprocal rank fusion, as published. The higher it is, the less the first ranks stand out."""
SEMANTIC_WEIGHT = 0.4
"""The weight of a cosine; the best document by words has 1. 0.2 and 0.6 changed nDCG@10 by at most 0.002."""
N_READ = 100
"""The number of documents that are read again; 50 and 200 gave the same."""
FIT_WEIGHT = 0.8
"""The weight of the fit to the query's letters; the best fit is 1. Values from 0.5 to 1.2 hardly differ."""
LIKENESS_WEIGHT = 2.0
"""The weight of the likeness to the best documents. 2.5 and 3 gave the same, 1.5 gave less."""
MARKED_WEIGHT, TRUSTED_WEIGHT = 4.0, 2.0
"""The weight of the likeness to relevant marks: the first if the query does not separate relevant from irrelevant
marks, the second if it does. 2 and 8 instead of 4 gave a little less, and so did 1 and 4 instead of 2."""
AGAINST = 0.5
"""The weight of an irrelevant mark; a relevant one has 1. 0.25 and 0.75 gave the same, 1 and 0 gave less."""
N_BEST = 3
"""If no document is marked relevant, this many of the best are the examples. 2 gave the same, 4 and more gave less."""


class Evidence(NamedTuple):
    """A text as an example, with a grade: above 0 for texts like it, below 0 against them."""

    text: str
    grade: float


def fuse(lexical: DoubleArray, semantic: DoubleArray, known: NDArray[np.bool_] | None = None) -> DoubleArray:
    """One score for each document from both searches, (n_documents,): lexical / best lexical + 0.4 · cosine.

    lexical, semantic (n_documents,): BM25 scores, above 0, and cosines; -inf if that search did not find the document,
    which then adds nothing. BM25 has no fixed scale, so its scores are divided by the best of them. Cosines have one,
    and are small for a query that the vectors hardly know. known (n_documents,): documents whose own words are in the
    query, such as marked ones. They share far more words with it than any other document, so they do not count as the
    best.

    Reciprocal ranks were far worse (0.38 to 0.53 where BM25 alone has 0.57): with them the first document of a weak
    search counts as much as the first of a strong one. Scores standardised over all documents did as well as these.
    """
    return weighted_sum([share_of_best(lexical, known), semantic], [1.0, SEMANTIC_WEIGHT])


def read_again(
    scores: DoubleArray,
    query: Text,
    texts: Sequence[Text],
    evidence: Sequence[Evidence] = (),
    letters: Letters | None = None,
) -> DoubleArray:
    """New scores of the best documents of a ranking, from a comparison of their texts, (n_documents,).

    scores (n_documents,), best first; texts: in the same order. Texts are compared by groups of letters. Two things are
    added to a score: how well the text fits the query, and how much it is like the best three documents so far, which
    share words that the query did not have to name. With evidence for something, likeness to that evidence counts
    instead, with a higher weight, and the fit to the query counts only as far as it separates relevant from irrelevant
    texts (`query_trust`).
    """
    if not len(texts):
        return scores
    groups = count_groups([*texts, *(one.text for one in evidence)], letters)
    grades = [one.grade if one.grade > 0 else AGAINST * one.grade for one in evidence]
    wanted = np.concatenate([np.zeros(len(texts)), grades])
    fit = share_of_best(query_fit(query, groups)[: len(texts)])
    if (wanted > 0).any():
        trust = query_trust(query, evidence, letters)
        weight = MARKED_WEIGHT + trust * (TRUSTED_WEIGHT - MARKED_WEIGHT)
        return scores + trust * FIT_WEIGHT * fit + weight * likeness(groups, wanted)[: len(texts)]
    fitting = scores + FIT_WEIGHT * fit
    best = best_positions(fitting, N_BEST)
    wanted[best] = np.maximum(fitting[best], 0)
    return fitting + LIKENESS_WEIGHT * likeness(groups, wanted)[: len(texts)]


def query_trust(query: Text, evidence: Sequence[Evidence], letters: Letters | None = None) -> float:
    """How well the letters of a query separate the evidence for it from that against it, from 0 to 1.

    1 if all pairs are in the right order, 0 if half of them or fewer are. A query that fits irrelevant texts just as
    well says nothing more, so the marks decide; a query that was right keeps its weight.
    """
    fit = query_fit(query, count_groups([one.text for one in evidence], letters))
    sides = np.array([one.grade for one in evidence])
    wanted, unwanted = fit[sides > 0, None], fit[None, sides < 0]
    right = (wanted > unwanted) + 0.5 * (wanted == unwanted)
    return max(0.0, 2 * float(right.mean()) - 1) if right.size else 0.0


def weighted_sum(scores: Sequence[DoubleArray], weights: Sequence[float]) -> DoubleArray:
    """Σ weight · score of each document, (n_documents,); what a search did not find (-inf) adds nothing."""
    total = np.zeros(len(scores[0]))
    for values, weight in zip(scores, weights, strict=True):
        total += weight * np.where(np.isneginf(values), 0.0, values)
    return total


def share_of_best(scores: DoubleArray, known: NDArray[np.bool_] | None = None) -> DoubleArray:
    """Scores divided by the highest of them, if that is above 0, (n_documents,); -inf stays -inf.

    known (n_documents,): documents that are not taken as the highest unless no other is found.
    """
    others = scores if known is None else scores[~known]
    highest = float(others.max(initial=0.0)) or float(scores.max(initial=0.0))
    return scores / highest if highest > 0 else scores


def reciprocal_ranks(scores: DoubleArray, constant: float = RANK_CONSTANT) -> DoubleArray:
    """1 / (constant + rank) of each document that was found, ranks from 1 on, ties in document order; else 0."""
    found: NDArray[np.bool_] = scores > -np.inf
    order = np.argsort(-scores, kind="stable")[: int(found.sum())]
    shares = np.zeros(len(scores))
    shares[order] = 1 / (constant + 1 + np.arange(len(order)))
    return shares


Scale = Literal["best", "min-max", "z-score", "none"]


def min_max(scores: DoubleArray) -> DoubleArray:
    """(s - lowest) / (highest - lowest) of the scores found: from 0 to 1; 1 for all if they are equal."""
    found = scores[scores > -np.inf]
    if not found.size:
        return scores
    low, high = found.min(), found.max()
    return (scores - low) / (high - low) if high > low else np.where(scores > -np.inf, 1.0, -np.inf)


def standard_scores(scores: DoubleArray) -> DoubleArray:
    """(s - mean) / standard deviation of the scores found; 0 for all if they are equal."""
    found = scores[scores > -np.inf]
    if not found.size:
        return scores
    deviation = found.std() if found.max() > found.min() else 0.0
    return (scores - found.mean()) / deviation if deviation > 0 else np.where(scores > -np.inf, 0.0, -np.inf)


def as_they_are(scores: DoubleArray) -> DoubleArray:
    """The scores themselves, for retrievers that share a scale already."""
    return scores


def filled(scores: DoubleArray) -> DoubleArray:
    """Scores in which -inf becomes 0, or the lowest score found if that is below 0, (n_documents,).

    So a document never gains by not being found, whatever the scale.
    """
    found = scores > -np.inf
    return np.where(found, scores, min(0.0, float(scores[found].min(initial=0.0))))


SCALES: dict[Scale, Callable[[DoubleArray], DoubleArray]] = {
    "best": share_of_best,
    "min-max": min_max,
    "z-score": standard_scores,
    "none": as_they_are,
}
