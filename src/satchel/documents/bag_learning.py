"""How a bag of embedded words is learned: words, codewords, memberships, themes, and what labels add."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from satchel.documents.bag_start import damped_counts, rows_of, start_moments, start_parts
from satchel.documents.bag_training import require_torch, train_bag
from satchel.documents.class_rows import Goal, add_classes
from satchel.documents.labels import Labelled, read_labels
from satchel.documents.progress import stages
from satchel.documents.recipes import LARGE, Ingredients
from satchel.documents.themes import Moments, neighbour_rows, scaled_to_one
from satchel.errors import InputError
from satchel.text import Vocabulary
from satchel.text.weighting import tf_idf
from satchel.types import BagParts, EpochRecord, FloatArray, Objective, SparseArray

if TYPE_CHECKING:
    from satchel.documents.bag import BagOfEmbeddedWords


@dataclass(frozen=True)
class LearnedBag:
    """What serves: `rows` (n_words, n_codewords), the number a word adds to each codeword; `weights` (n_words,), how
    much the word counts in a document; `mask` (n_codewords,). And what they were learned from and how."""

    vocabulary: Vocabulary
    rows: FloatArray
    weights: NDArray[np.float64]
    mask: FloatArray
    words: FloatArray | None
    codebook: FloatArray
    sigma: float
    strength: float = 0.0
    strengths: dict[float, float] = field(default_factory=dict)
    history: list[EpochRecord] = field(default_factory=list)


def learn_bag(encoder: BagOfEmbeddedWords, texts: list[str], labels: Sequence[object] | None) -> LearnedBag:
    """All that `fit` learns. Labels are looked at first: a mistake in them costs no time."""
    use, labelled = encoder.ingredients, None if labels is None else read_labels(labels)
    by_steps = labelled if use.objective != "least-squares" else None
    if by_steps is not None:
        _check_goal(encoder.goal, use.objective)
        require_torch()
    least = use.min_count or (2 if len(texts) >= LARGE else 1)
    with stages(encoder.verbose) as tell, threadpool_limits(1, "blas"):  # more threads sum in another order
        tell("counting words")
        vocabulary, counts = encoder._count(texts, min_count=least)
        tell("learning words and codewords")
        parts = start_parts(encoder, use, vocabulary, counts)
        moments = start_moments(use, counts, parts)
        if by_steps is None:
            start = _served(vocabulary, parts, moments, encoder.n_codewords)
            return _by_regression(encoder, use, counts, start, labelled, tell)
    parts, history = train_bag(encoder, use, texts, by_steps, vocabulary, parts, moments)
    with threadpool_limits(1, "blas"):
        return replace(_served(vocabulary, parts, moments, encoder.n_codewords), history=history)


def _check_goal(goal: Goal, objective: Objective) -> None:
    if goal != "in-domain":
        raise InputError(f"goal={goal!r} needs objective='least-squares'; {objective!r} learns for these classes alone")


def _by_regression(
    encoder: BagOfEmbeddedWords,
    use: Ingredients,
    counts: SparseArray,
    bag: LearnedBag,
    labelled: Labelled | None,
    tell: Callable[[str], None],
) -> LearnedBag:
    """Themes of the texts alone, and what the labels add to them."""
    if not use.neighbours and labelled is None:
        return bag
    features, rows = tf_idf(damped_counts(use, counts), bag.weights), bag.rows
    if use.neighbours:
        tell("moving documents towards their neighbours")
        rows = neighbour_rows(rows, features, use.neighbours, encoder.random_state)
    if labelled is None:
        return replace(bag, rows=rows)
    tell("learning from labels")
    themes = scaled_to_one(rows, features)
    trained = add_classes(themes, features, labelled, encoder.goal, use.slope, encoder.random_state)
    return replace(bag, rows=trained.rows, strength=trained.strength, strengths=trained.judged)


def _served(vocabulary: Vocabulary, parts: BagParts, moments: Moments | None, n_codewords: int) -> LearnedBag:
    """What serves of these parts; a class may own a column for which the words allowed no codeword."""
    return LearnedBag(
        vocabulary,
        _padded(rows_of(parts, moments), n_codewords),
        parts.weights.astype(np.float64),
        _padded(parts.mask[None, :], n_codewords, 1)[0],
        parts.words,
        parts.codebook,
        parts.sigma,
    )


def _padded(rows: FloatArray, n_codewords: int, value: float = 0) -> FloatArray:
    """With a column of this value for every codeword that the words did not allow."""
    missing = n_codewords - rows.shape[1]
    return rows if not missing else np.pad(rows, ((0, 0), (0, missing)), constant_values=value)
