"""How a bag of embedded words is learned: from texts, then from labels, at once or step by step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from satchel.encoders.bag.classes import Goal, add_classes
from satchel.encoders.bag.labels import Labelled, read_labels
from satchel.encoders.bag.recipe import MANY_TEXTS, Recipe
from satchel.encoders.bag.start import (
    Moments,
    class_centres,
    damped_counts,
    neighbour_rows,
    rectified,
    rows_of,
    scaled_to_one,
    shares_of,
    start_moments,
    start_parts,
)
from satchel.errors import InputError, require_torch
from satchel.progress import Progress, shown
from satchel.text import Tokenizer, Vocabulary, count_words, tf_idf
from satchel.types import BagParts, EpochRecord, FloatArray, IntArray, Objective, SparseArray, TrainingRun
from satchel.words import WordVectors

if TYPE_CHECKING:
    from satchel.learning import TrainingData, TrainingPlan

CHECKPOINT = "BagOfEmbeddedWords checkpoint"


class Start(NamedTuple):
    """The state before training. moments: those of these parts, which standardise the histograms, or None."""

    vocabulary: Vocabulary
    parts: BagParts
    moments: Moments | None


def train_bag(
    recipe: Recipe, texts: list[str], labelled: Labelled, tokenizer: Tokenizer, start: Start, run: TrainingRun
) -> tuple[BagParts, list[EpochRecord]]:
    """The parts after [PT18] Algorithm 1 on the labelled texts, and its history.

    Histograms are standardised by the moments of the start, throughout training and in use. With the moments of each
    batch, and in the end those of all texts, cross-entropy reached 0.5 to 3.6 mAP less on 20ng, webkb and r8.
    """
    from satchel.learning import BAG_NUMBERS, CheckpointFolder, train

    chosen = [texts[row] for row in labelled.rows]
    counts = count_words(chosen, tokenizer, start.vocabulary, max_length=recipe.training.max_length)
    plan, data = _plan(recipe, run), _data(recipe, counts, labelled, start, run.random_state)
    keep = resume = None
    if run.checkpoint is not None:
        words, key = start.vocabulary.words, _fingerprint(plan, data, start)
        kept = CheckpointFolder(run.checkpoint, CHECKPOINT, key, words, EpochRecord, BAG_NUMBERS)
        keep, resume = kept.write, kept.read("n_epochs", plan.n_epochs)
    with shown(run.verbose) as progress:
        return train(data, start.parts, plan, progress=progress, keep=keep, resume=resume)


def _data(recipe: Recipe, counts: SparseArray, labelled: Labelled, start: Start, random_state: int) -> TrainingData:
    """The documents to learn from, those set aside, and the centres of the classes, which do not move."""
    from satchel.learning import TrainingData

    use, values = recipe.training, damped_counts(recipe, counts)
    aside = _validation_rows(labelled.belongs, use.validation_fraction, random_state)
    learned_from = np.setdiff1d(np.arange(len(labelled.rows)), aside)
    belongs = labelled.belongs[learned_from]
    shares = shares_of(values[learned_from], start.parts)
    s = rectified(shares @ rows_of(start.parts, start.moments), recipe.slope)
    centres, classes = class_centres(s, belongs, use.centres_per_class, random_state)
    validation = (values[aside], labelled.belongs[aside]) if len(aside) else None
    return TrainingData(values[learned_from], belongs, centres, classes, validation, start.moments)


def _plan(recipe: Recipe, run: TrainingRun) -> TrainingPlan:
    from satchel.learning import TrainingPlan

    use = recipe.training
    return TrainingPlan(
        objective=recipe.objective,
        m=use.m,
        learned=tuple(use.learned),
        rates={part: use.learning_rate * (0.1 if part == "sigma" else 1) for part in BagParts._fields},
        batch_size=use.batch_size,
        n_epochs=use.n_epochs,
        word_updates=use.word_updates,
        word_dropout=use.word_dropout,
        schedule=use.schedule,
        slope=recipe.slope,
        patience=use.patience,
        random_state=run.random_state,
        device=run.device,
    )


def _validation_rows(belongs: FloatArray, fraction: float, random_state: int) -> IntArray:
    """Sets documents aside at random, the same share of every class (of several labels the first counts).

    A class keeps at least one.
    """
    random, first = np.random.default_rng([random_state, 1]), belongs.argmax(axis=1)
    rows = [random.permutation(np.flatnonzero(first == label)) for label in range(belongs.shape[1])]
    aside = np.sort(np.concatenate([row[: max(0, min(round(fraction * len(row)), len(row) - 1))] for row in rows]))
    if fraction > 0 and not len(aside):
        raise InputError(
            f"validation_fraction is {fraction}, which sets aside none of the {len(first)} labelled texts; raise it"
        )
    return aside


def _fingerprint(plan: TrainingPlan, data: TrainingData, start: Start) -> str:
    """A hash of data, start and plan without the number of epochs, so that longer training may go on from a checkpoint.

    Under a cosine schedule that number decides every step, and is included.
    """
    from satchel.learning import fingerprint

    settings = {**vars(plan), "patience": None, "device": None, "rates": sorted(plan.rates.items())}
    settings["n_epochs"] = plan.n_epochs if plan.schedule == "cosine" else None
    validation = () if data.validation is None else (*_arrays(data.validation[0]), data.validation[1])
    parts = (start.parts.words, start.parts.codebook, start.parts.mask, start.parts.weights)
    fixed = (data.centres, data.centre_classes, *(data.moments or ()))
    arrays = (*_arrays(data.values), data.labels, *fixed, *parts, *validation)
    return fingerprint([sorted(settings.items()), start.parts.sigma], start.vocabulary.words, arrays)


def _arrays(counts: SparseArray) -> tuple[NDArray[Any], ...]:
    return counts.data, counts.indices, counts.indptr


class Wanted(NamedTuple):
    """The parameters of `fit`. words: the word vectors given, or None. recipe: the complete recipe."""

    words: WordVectors | None
    n_codewords: int
    recipe: Recipe
    goal: Goal
    tokenizer: Tokenizer
    run: TrainingRun


@dataclass(frozen=True)
class LearnedBag:
    """A learned bag: `rows` (n_words, n_codewords), the number a word adds to each codeword; `weights` (n_words,), how
    much the word counts in a document; `mask` (n_codewords,). The other fields say what they were learned from and
    how."""

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
"""Counts the texts: how often a word must occur -> the vocabulary and the counts."""


def learn_bag(wanted: Wanted, texts: list[str], labels: Sequence[object] | None, count: Count) -> LearnedBag:
    """All that `fit` learns. Labels are checked first, so that a mistake in them costs no time."""
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
    """The state before any label, and the counts of all texts."""
    recipe, words = wanted.recipe, wanted.words
    progress("counting words", 0, 0)
    vocabulary, counts = count(recipe.min_count or (2 if n_texts >= MANY_TEXTS else 1))
    progress("learning words and codewords", 0, 0)
    parts = start_parts(recipe, words, wanted.n_codewords, vocabulary, counts, wanted.run.random_state)
    return Start(vocabulary, parts, start_moments(recipe, counts, parts)), counts


def _by_regression(
    wanted: Wanted, counts: SparseArray, bag: LearnedBag, labelled: Labelled | None, progress: Progress
) -> LearnedBag:
    """Learns themes from the texts alone, and what the labels add to them."""
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
    """The bag that these parts make, with a column for each codeword wanted: a class may own one without words."""
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
    """Adds a column of this value for every codeword that there were too few words for."""
    missing = n_codewords - rows.shape[1]
    return rows if not missing else np.pad(rows, ((0, 0), (0, missing)), constant_values=value)
