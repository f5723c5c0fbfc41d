"""From texts and labels to a trained bag: what `learning/` needs, checkpoints on disk, a progress bar."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from satchel.documents.bag_math import class_centres
from satchel.documents.bag_start import damped_counts, rows_of, shares_of
from satchel.documents.labels import Labelled
from satchel.documents.progress import training_bar
from satchel.documents.recipes import Ingredients
from satchel.documents.themes import Moments, rectified
from satchel.errors import DamagedFileError, InputError, MissingFileError, missing_extra
from satchel.storage.model_folder import Json, load_model, save_model
from satchel.text import Vocabulary, count_words
from satchel.types import BagParts, EpochRecord, FloatArray, IntArray, SparseArray

if TYPE_CHECKING:
    from satchel.documents.bag import BagOfEmbeddedWords
    from satchel.learning import Checkpoint, TrainingData, TrainingPlan

CHECKPOINT = "BagOfEmbeddedWords checkpoint"


def train_bag(
    encoder: BagOfEmbeddedWords,
    use: Ingredients,
    texts: list[str],
    labelled: Labelled,
    vocabulary: Vocabulary,
    start: BagParts,
    moments: Moments | None,
) -> tuple[BagParts, list[EpochRecord]]:
    """The parts after [PT18] Algorithm 1 on the labelled texts, and its history.

    moments: those of the start, by which histograms are standardised from first to last, and when the model serves.
    By the moments of each batch and, in the end, those of all texts, cross-entropy reached 0.5 to 3.6 mAP less on 20ng,
    webkb and r8.
    """
    from satchel.learning import Hooks, TrainingData, train

    plan = _plan(encoder, use)
    chosen = [texts[row] for row in labelled.rows]
    counts = count_words(chosen, encoder.tokenizer, vocabulary, max_length=use.max_length)
    values = damped_counts(use, counts)
    aside = _validation_rows(labelled.belongs, encoder.validation_fraction, encoder.random_state)
    learned_from = np.setdiff1d(np.arange(len(chosen)), aside)
    belongs = labelled.belongs[learned_from]
    s = rectified(shares_of(values[learned_from], start) @ rows_of(start, moments), use.slope)
    centres, classes = class_centres(s, belongs, encoder.centres_per_class, encoder.random_state)
    validation = (values[aside], labelled.belongs[aside]) if len(aside) else None
    data = TrainingData(values[learned_from], belongs, centres, classes, validation, moments)
    key = _fingerprint(plan, data, start, vocabulary)
    resume = _read_checkpoint(encoder.checkpoint, key, plan.n_epochs)
    with training_bar(encoder.verbose, plan.n_epochs) as on_batch:
        hooks = Hooks(on_batch, _writer(encoder.checkpoint, key, vocabulary))
        return train(data, start, plan, hooks=hooks, resume=resume)


def require_torch() -> None:
    """Raises the sentence that names the extra where torch is not installed."""
    try:
        import satchel.learning  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise missing_extra("training on labels", "train") from None


def _plan(encoder: BagOfEmbeddedWords, use: Ingredients) -> TrainingPlan:
    from satchel.learning import TrainingPlan

    return TrainingPlan(
        objective=use.objective,
        m=use.m,
        learned=use.learned,
        rates={part: use.learning_rate * (0.1 if part == "sigma" else 1) for part in BagParts._fields},
        batch_size=encoder.batch_size,
        n_epochs=encoder.n_epochs,
        word_updates=encoder.word_updates,
        word_dropout=use.word_dropout,
        schedule=use.schedule,
        slope=use.slope,
        patience=encoder.patience,
        random_state=encoder.random_state,
        device=encoder.device,
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


def _fingerprint(plan: TrainingPlan, data: TrainingData, start: BagParts, vocabulary: Vocabulary) -> str:
    """Stands for data, start and plan, but for how long it goes on: longer training may start from a checkpoint.

    Under a cosine schedule the number of epochs decides every step, and is part of it.
    """
    settings = {**vars(plan), "patience": None, "device": None, "rates": sorted(plan.rates.items())}
    settings["n_epochs"] = plan.n_epochs if plan.schedule == "cosine" else None
    digest = hashlib.sha256(repr([sorted(settings.items()), start.sigma]).encode())
    digest.update("\n".join(vocabulary.words).encode())
    validation = () if data.validation is None else (*_arrays(data.validation[0]), data.validation[1])
    parts = (start.words, start.codebook, start.mask, start.weights)
    fixed = (data.centres, data.centre_classes, *(data.moments or ()))
    arrays = (*_arrays(data.values), data.labels, *fixed, *parts, *validation)
    for array in arrays:
        digest.update(f"{array.dtype}{array.shape}".encode() + np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def _arrays(counts: SparseArray) -> tuple[NDArray[Any], ...]:
    return counts.data, counts.indices, counts.indptr


def _writer(folder: str | Path | None, key: str, vocabulary: Vocabulary) -> Callable[[Checkpoint], None] | None:
    if folder is None:
        return None

    def write(checkpoint: Checkpoint) -> None:
        config: dict[str, Json] = {
            "encoder": CHECKPOINT,
            "key": key,
            "history": [list(record) for record in checkpoint.history],
            "epoch": checkpoint.epoch,
            "batch": checkpoint.batch,
            "loss_so_far": checkpoint.loss_so_far,
        }
        save_model(folder, config, checkpoint.arrays, vocabulary.words)

    return write


def _read_checkpoint(folder: str | Path | None, key: str, n_epochs: int) -> Checkpoint | None:
    from satchel.learning import Checkpoint

    if folder is None:
        return None
    try:
        config, arrays, _ = load_model(folder)
    except MissingFileError:
        return None
    if config.get("encoder") != CHECKPOINT or config.get("key") != key:
        raise InputError(
            f"the checkpoint in {folder} belongs to another training (other texts, labels, words or settings); "
            "remove it or name another folder"
        )
    try:
        content: Any = config  # JSON of our own making; what is not as written fails here, by name
        history = tuple(EpochRecord(*record) for record in content["history"])
        epoch, batch = int(content["epoch"]), int(content["batch"])
        checkpoint = Checkpoint(arrays, epoch, batch, float(content["loss_so_far"]), history)
    except (KeyError, TypeError) as error:
        raise DamagedFileError(f"the checkpoint in {folder} is not whole: {error}") from error
    if (epoch, batch) > (n_epochs, 0):
        raise InputError(
            f"the checkpoint in {folder} stands after {epoch} epochs and {batch} batches, beyond n_epochs={n_epochs}; "
            "ask for more epochs or remove it"
        )
    return checkpoint
