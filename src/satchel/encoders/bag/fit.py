"""How a bag of embedded words is learned: words, codewords, memberships, themes, and what labels add."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from satchel.encoders.bag.by_steps import Start, train_bag
from satchel.encoders.bag.classes import Goal, add_classes
from satchel.encoders.bag.labels import Labelled, read_labels
from satchel.encoders.bag.recipe import LARGE, Recipe
from satchel.encoders.bag.start import (
    damped_counts,
    neighbour_rows,
    rows_of,
    scaled_to_one,
    start_moments,
    start_parts,
)
from satchel.errors import InputError, require_torch
from satchel.progress import Progress, shown
from satchel.text import Tokenizer, Vocabulary
from satchel.text.weighting import tf_idf
from satchel.types import EpochRecord, FloatArray, Objective, SparseArray, TrainingRun
from satchel.words import WordVectors


class Wanted(NamedTuple):
    """What `fit` is asked for. words: those that were given; recipe: with nothing left open."""

    words: WordVectors | None
    n_codewords: int
    recipe: Recipe
    goal: Goal
    tokenizer: Tokenizer
    run: TrainingRun


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


Count = Callable[[int], tuple[Vocabulary, SparseArray]]
"""From how often a word must occur to the vocabulary of the texts and their counts."""


def learn_bag(wanted: Wanted, texts: list[str], labels: Sequence[object] | None, count: Count) -> LearnedBag:
    """All that `fit` learns. Labels are looked at first: a mistake in them costs no time."""
    recipe, labelled = wanted.recipe, None if labels is None else read_labels(labels)
    by_steps = labelled if recipe.objective != "least-squares" else None
    if by_steps is not None:
        _check_goal(wanted.goal, recipe.objective)
        require_torch("training on labels")
    with shown(wanted.run.verbose) as progress, threadpool_limits(1, "blas"):  # more threads sum in another order
        start, counts = _start(wanted, len(texts), count, progress)
        if by_steps is None:
            return _by_regression(wanted, counts, _served(start, wanted.n_codewords), labelled, progress)
    parts, history = train_bag(recipe, texts, by_steps, wanted.tokenizer, start, wanted.run)
    with threadpool_limits(1, "blas"):
        return replace(_served(start._replace(parts=parts), wanted.n_codewords), history=history)


def _check_goal(goal: Goal, objective: Objective) -> None:
    if goal != "in-domain":
        raise InputError(f"goal={goal!r} needs objective='least-squares'; {objective!r} learns for these classes alone")


def _start(wanted: Wanted, n_texts: int, count: Count, progress: Progress) -> tuple[Start, SparseArray]:
    """What there is before any label, and the counts of all texts."""
    recipe, words = wanted.recipe, wanted.words
    progress("counting words", 0, 0)
    vocabulary, counts = count(recipe.min_count or (2 if n_texts >= LARGE else 1))
    progress("learning words and codewords", 0, 0)
    parts = start_parts(recipe, words, wanted.n_codewords, vocabulary, counts, wanted.run.random_state)
    return Start(vocabulary, parts, start_moments(recipe, counts, parts)), counts


def _by_regression(
    wanted: Wanted, counts: SparseArray, bag: LearnedBag, labelled: Labelled | None, progress: Progress
) -> LearnedBag:
    """Themes of the texts alone, and what the labels add to them."""
    recipe, random_state = wanted.recipe, wanted.run.random_state
    if not recipe.neighbours and labelled is None:
        return bag
    features, rows = tf_idf(damped_counts(recipe, counts), bag.weights), bag.rows
    if recipe.neighbours:
        progress("moving documents towards their neighbours", 0, 0)
        rows = neighbour_rows(rows, features, recipe.neighbours, random_state)
    if labelled is None:
        return replace(bag, rows=rows)
    progress("learning from labels", 0, 0)
    themes = scaled_to_one(rows, features)
    trained = add_classes(themes, features, labelled, wanted.goal, recipe.slope, random_state)
    return replace(bag, rows=trained.rows, strength=trained.strength, strengths=trained.judged)


def _served(start: Start, n_codewords: int) -> LearnedBag:
    """What serves of these parts; a class may own a column for which the words allowed no codeword."""
    parts = start.parts
    return LearnedBag(
        start.vocabulary,
        _padded(rows_of(parts, start.moments), n_codewords),
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
