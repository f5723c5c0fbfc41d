"""From texts and labels to a trained bag: what `learning/` needs, checkpoints on disk, a progress bar."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from satchel.documents.bag_math import class_centres, memberships
from satchel.errors import DamagedFileError, InputError, MissingFileError, missing_extra
from satchel.storage.model_folder import Json, load_model, save_model
from satchel.text import Vocabulary, count_words
from satchel.text.weighting import mean_weights
from satchel.types import BagParts, EpochRecord, IntArray, SparseArray

if TYPE_CHECKING:
    from satchel.documents.bag import BagOfEmbeddedWords
    from satchel.learning import Checkpoint, TrainingData, TrainingPlan

OnBatch = Callable[[int, int, int, float, float], None]
CHECKPOINT = "BagOfEmbeddedWords checkpoint"


class _Labelled(NamedTuple):
    """Labels as numbers 0 … n_classes - 1."""

    numbers: IntArray
    n_classes: int


def train_bag(
    encoder: BagOfEmbeddedWords, texts: list[str], labels: Sequence[object], vocabulary: Vocabulary, start: BagParts
) -> tuple[BagParts, list[EpochRecord]]:
    """The parts after [PT18] Algorithm 1, and its history."""
    require_torch()
    from satchel.learning import Hooks, TrainingData, train

    plan, labelled = _plan(encoder), _number_labels(labels)
    counts = count_words(texts, encoder.tokenizer, vocabulary, max_length=encoder.max_length)
    s = mean_weights(counts, None) @ memberships(start.words, start.codebook, start.sigma)
    aside = _validation_rows(labelled, encoder.validation_fraction, encoder.random_state)
    learned_from = np.setdiff1d(np.arange(len(texts)), aside)
    numbers = labelled.numbers[learned_from]
    centres = class_centres(
        s[learned_from], numbers, labelled.n_classes, encoder.centres_per_class, encoder.random_state
    )
    validation = (counts[aside], labelled.numbers[aside]) if len(aside) else None
    data = TrainingData(counts[learned_from], numbers, labelled.n_classes, centres, validation)
    key = _fingerprint(plan, data, start, vocabulary)
    resume = _read_checkpoint(encoder.checkpoint, key, plan.n_epochs)
    with _progress(encoder.verbose, plan.n_epochs) as on_batch:
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


def _plan(encoder: BagOfEmbeddedWords) -> TrainingPlan:
    from satchel.learning import TrainingPlan

    return TrainingPlan(
        objective=encoder.objective,
        m=encoder.m,
        learned=tuple(encoder.learned),
        batch_size=encoder.batch_size,
        n_epochs=encoder.n_epochs,
        word_updates=encoder.word_updates,
        patience=encoder.patience,
        random_state=encoder.random_state,
        device=encoder.device,
    )


def _number_labels(labels: Sequence[object]) -> _Labelled:
    for position, label in enumerate(labels):
        if label is None or label == "" or label != label:  # NaN, as tables write a missing value, is not itself
            raise InputError(f"text {position} has no label ({label!r}); training needs one for every text")
    try:
        classes = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    except (TypeError, ValueError):
        raise InputError("a label must be one value, such as a string or a number, not a list") from None
    if len(classes) < 2:
        raise InputError(f"all {len(labels)} texts have the label {labels[0]!r}; training needs two classes or more")
    return _Labelled(np.array([classes[label] for label in labels], dtype=np.int64), len(classes))


def _validation_rows(labelled: _Labelled, fraction: float, random_state: int) -> IntArray:
    """Documents set aside at random, the same share of every class; a class keeps at least one."""
    random = np.random.default_rng([random_state, 1])
    rows = [random.permutation(np.flatnonzero(labelled.numbers == label)) for label in range(labelled.n_classes)]
    aside = np.sort(np.concatenate([row[: min(round(fraction * len(row)), len(row) - 1)] for row in rows]))
    if fraction > 0 and not len(aside):
        raise InputError(
            f"validation_fraction is {fraction}, which sets aside none of the {len(labelled.numbers)} texts; raise it"
        )
    return aside


def _fingerprint(plan: TrainingPlan, data: TrainingData, start: BagParts, vocabulary: Vocabulary) -> str:
    """Stands for data, start and plan, but for how long it goes on: longer training may start from a checkpoint."""
    settings = {**vars(plan), "n_epochs": None, "patience": None, "device": None, "rates": sorted(plan.rates.items())}
    digest = hashlib.sha256(repr([sorted(settings.items()), data.n_classes, start.sigma]).encode())
    digest.update("\n".join(vocabulary.words).encode())
    validation = () if data.validation is None else (*_arrays(data.validation[0]), data.validation[1])
    arrays = (*_arrays(data.counts), data.labels, data.centres, start.words, start.codebook, start.mask, *validation)
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


@contextmanager
def _progress(wanted: bool, n_epochs: int) -> Iterator[OnBatch | None]:
    """A bar on standard error with the mean loss of the epoch and sigma."""
    if not wanted:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("epoch {task.fields[epoch]}/{task.fields[epochs]}"), BarColumn())
    numbers = TextColumn("entropy {task.fields[loss]:.4f}  sigma {task.fields[sigma]:.3f}")
    with Progress(*columns, numbers, TimeElapsedColumn(), console=Console(stderr=True)) as bar:
        task = bar.add_task("training", epoch=1, epochs=n_epochs, loss=float("nan"), sigma=float("nan"))

        def on_batch(epoch: int, batch: int, n_batches: int, loss: float, sigma: float) -> None:
            done, total = (epoch - 1) * n_batches + batch, n_epochs * n_batches
            bar.update(task, completed=done, total=total, epoch=epoch, loss=loss, sigma=sigma)

        yield on_batch
