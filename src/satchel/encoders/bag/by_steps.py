"""From labels to a bag trained step by step, [PT18] Algorithm 1: what `learning/` needs, and its checkpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from satchel.encoders.bag.labels import Labelled
from satchel.encoders.bag.recipe import Recipe
from satchel.encoders.bag.start import Moments, class_centres, damped_counts, rectified, rows_of, shares_of
from satchel.errors import InputError
from satchel.progress import shown
from satchel.text import Tokenizer, Vocabulary, count_words
from satchel.types import BagParts, EpochRecord, FloatArray, IntArray, SparseArray, TrainingRun

if TYPE_CHECKING:
    from satchel.learning import TrainingData, TrainingPlan

CHECKPOINT = "BagOfEmbeddedWords checkpoint"


class Start(NamedTuple):
    """Where training begins. moments: those of these parts, where histograms are standardised by them."""

    vocabulary: Vocabulary
    parts: BagParts
    moments: Moments | None


def train_bag(
    recipe: Recipe, texts: list[str], labelled: Labelled, tokenizer: Tokenizer, start: Start, run: TrainingRun
) -> tuple[BagParts, list[EpochRecord]]:
    """The parts after [PT18] Algorithm 1 on the labelled texts, and its history.

    Histograms are standardised by the moments of the start from first to last, and when the model serves. By the
    moments of each batch and, in the end, those of all texts, cross-entropy reached 0.5 to 3.6 mAP less on 20ng, webkb
    and r8.
    """
    from satchel.learning import CheckpointFolder, train
    from satchel.learning.trainer import NUMBERS

    chosen = [texts[row] for row in labelled.rows]
    counts = count_words(chosen, tokenizer, start.vocabulary, max_length=recipe.training.max_length)
    plan, data = _plan(recipe, run), _data(recipe, counts, labelled, start, run.random_state)
    keep = resume = None
    if run.checkpoint is not None:
        words, key = start.vocabulary.words, _fingerprint(plan, data, start)
        kept = CheckpointFolder(run.checkpoint, CHECKPOINT, key, words, EpochRecord, NUMBERS)
        keep, resume = kept.write, kept.read("n_epochs", plan.n_epochs)
    with shown(run.verbose) as progress:
        return train(data, start.parts, plan, progress=progress, keep=keep, resume=resume)


def _data(recipe: Recipe, counts: SparseArray, labelled: Labelled, start: Start, random_state: int) -> TrainingData:
    """What is learned from, what is set aside, and the centres of the classes, which stay where they are."""
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
    """Documents set aside at random, the same share of every class (of several labels the first counts).

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
    """Stands for data, start and plan, but for how long it goes on: longer training may start from a checkpoint.

    Under a cosine schedule the number of epochs decides every step, and is part of it.
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
