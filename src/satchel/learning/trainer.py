"""Trains a bag of embedded words step by step, [PT18] Algorithm 1."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from satchel.errors import SatchelError
from satchel.learning.batches import DocumentBatch, LabelledDocuments, WordDropout
from satchel.learning.checkpoint import Checkpoint, check_device, deferred_interrupt, one_thread
from satchel.learning.objectives import (
    cluster_memberships,
    cosine_distances,
    criterion_of,
    euclidean_distances,
    fused_memberships,
    histograms,
    rectify,
    represent,
    standardise,
    word_shares,
)
from satchel.learning.optimizers import PartOptimizers, cosine_pace
from satchel.learning.plan import LEAST_WEIGHT, PARTS, TrainingData, TrainingPlan
from satchel.progress import Progress, no_progress
from satchel.types import BagParts, EpochRecord, Objective

DISTANCES: dict[Objective, Callable[[Tensor, Tensor], Tensor]] = {
    "entropy": euclidean_distances,
    "spherical-entropy": cosine_distances,
    "cross-entropy": cosine_distances,
}


class BagModel:
    """The parts that training moves, and the centres and moments that stay fixed."""

    def __init__(self, start: BagParts, data: TrainingData, plan: TrainingPlan, device: torch.device) -> None:
        self._plan = plan
        self._centres = torch.from_numpy(data.centres).to(device)
        self._moments = data.moments and [torch.from_numpy(part).to(device, torch.float32) for part in data.moments]
        weights = np.maximum(start.weights, np.float32(LEAST_WEIGHT))
        self.parts = {
            name: torch.from_numpy(np.array(part, dtype=np.float32)).to(device)
            for name, part in start._replace(weights=weights)._asdict().items()
        }

    def log_memberships(self, batch: DocumentBatch, rows: dict[str, Tensor]) -> Tensor:
        """How a batch's documents belong to the centres, [PT18] Eqs. (1)-(6): (n_documents, n_centres).

        rows: "words" (n_words, dim) and "weights" (n_words,) of the batch's words.
        """
        u = fused_memberships(rows["words"], self.parts["codebook"], self.parts["sigma"])
        z = histograms(word_shares(batch.values, rows["weights"]), u)
        if self._moments is not None:
            z = standardise(z, *self._moments)
        s = rectify(represent(z, self.parts["mask"]), self._plan.slope)
        return cluster_memberships(DISTANCES[self._plan.objective](s, self._centres), self._plan.m)


def as_arrays(parts: dict[str, Tensor]) -> BagParts:
    """The parts as arrays, from tensors by name."""
    words, codebook, sigma, mask, weights = (parts[name].detach().cpu().numpy() for name in PARTS)
    return BagParts(words, codebook, float(sigma), mask, weights)


BAG_NUMBERS = ("epoch", "batch", "loss_so_far")
"""The numbers in a checkpoint: whole epochs, batches of the current one, and the sum of their losses."""
Keep: TypeAlias = Callable[[Checkpoint[EpochRecord]], None]


def train(
    data: TrainingData,
    start: BagParts,
    plan: TrainingPlan,
    *,
    progress: Progress = no_progress,
    keep: Keep | None = None,
    resume: Checkpoint[EpochRecord] | None = None,
) -> tuple[BagParts, list[EpochRecord]]:
    """The optimised parts and what happened in each epoch, [PT18] Algorithm 1.

    progress: called after every batch. keep: called with a checkpoint after epochs and interrupts. resume: a checkpoint
    to go on from; the result is, byte for byte, that of a run without a break.
    """
    return _Trainer(data, start, plan, progress, keep).run(resume)


@dataclass
class _Standing:
    """The state of a run."""

    epoch: int = 0
    batch: int = 0
    loss_so_far: float = 0.0
    history: list[EpochRecord] = field(default_factory=list)


class _Trainer:
    def __init__(
        self, data: TrainingData, start: BagParts, plan: TrainingPlan, progress: Progress, keep: Keep | None
    ) -> None:
        self.plan, self.progress, self.keep = plan, progress, keep
        self.device = check_device(plan.device)
        self.data = LabelledDocuments(data.values, data.labels, self.device)
        self.validation = data.validation and LabelledDocuments(*data.validation, self.device)
        self.model = BagModel(start, data, plan, self.device)
        self.parts = self.model.parts
        self.criterion = criterion_of(plan.objective, data, self.device)
        self.optimizers = PartOptimizers(self.parts, plan)
        self.best: dict[str, Tensor] | None = None
        self.standing = _Standing()

    def run(self, resume: Checkpoint[EpochRecord] | None) -> tuple[BagParts, list[EpochRecord]]:
        if resume is not None:
            self._restore(resume)
        with one_thread(), deferred_interrupt() as self.interrupted:
            self._run_epochs()
        return as_arrays(self.best or self.parts), self.standing.history

    def _run_epochs(self) -> None:
        while self.standing.epoch < self.plan.n_epochs and not self._has_stopped():
            self._epoch()
            self._stop_if_interrupted()

    def _epoch(self) -> None:
        standing, start = self.standing, perf_counter()
        n_batches = -(-len(self.data) // self.plan.batch_size)
        total = torch.tensor(standing.loss_so_far, dtype=torch.float64, device=self.device)
        for batch in self._batches():
            total += self._step(batch, n_batches)
            standing.batch += 1
            self._report(n_batches, total)
            if self.interrupted():
                standing.loss_so_far = float(total)
                self._save()
                self._stop_if_interrupted()
        self._finish_epoch(float(total) / n_batches, perf_counter() - start)

    def _batches(self) -> Iterator[DocumentBatch]:
        """The batches that are left of this epoch."""
        plan, standing = self.plan, self.standing
        dropout = WordDropout(plan.word_dropout, plan.random_state, standing.epoch) if plan.word_dropout else None
        return self.data.batches(self._order(standing.epoch), plan.batch_size, standing.batch, dropout)

    def _step(self, batch: DocumentBatch, n_batches: int) -> Tensor:
        loss = self.criterion.of_batch(self._log_memberships(batch), batch.pi)
        self.optimizers.step(loss, batch.words, self._pace(n_batches))
        return loss.detach().double()

    def _pace(self, n_batches: int) -> float:
        if self.plan.schedule == "constant":
            return 1.0
        return cosine_pace(self.standing.epoch * n_batches + self.standing.batch, self.plan.n_epochs * n_batches)

    def _log_memberships(self, batch: DocumentBatch) -> Tensor:
        return self.model.log_memberships(batch, self.optimizers.rows_of(batch.words))

    def _finish_epoch(self, loss: float, seconds: float) -> None:
        if not np.isfinite(loss):
            raise SatchelError(
                f"training diverged in epoch {self.standing.epoch + 1}: its loss is {loss}; "
                "try a larger sigma or m, or word vectors of a smaller scale"
            )
        validation_loss = self._validation_loss()
        sigma = float(self.parts["sigma"].detach())
        record = EpochRecord(self.standing.epoch + 1, loss, sigma, validation_loss, seconds)
        self.standing = _Standing(epoch=self.standing.epoch + 1, history=[*self.standing.history, record])
        if validation_loss is not None and int(np.argmin(self._validation_losses())) == len(self.standing.history) - 1:
            self.best = {name: part.detach().clone() for name, part in self.parts.items()}
        self._save()

    def _order(self, epoch: int) -> Tensor:
        """The shuffled documents of an epoch; from seed and number alone, so that a resumed run shuffles alike."""
        order = np.random.default_rng([self.plan.random_state, epoch]).permutation(len(self.data))
        return torch.from_numpy(order).to(self.device)

    def _validation_loss(self) -> float | None:
        if not self.validation:
            return None
        order = torch.arange(len(self.validation), device=self.device)
        batches = self.validation.batches(order, self.plan.batch_size)
        with torch.no_grad():
            return self.criterion.of_all((self._log_memberships(batch), batch.pi) for batch in batches)

    def _stop_if_interrupted(self) -> None:
        if self.interrupted():
            raise KeyboardInterrupt

    def _validation_losses(self) -> list[float]:
        return [record.validation_loss for record in self.standing.history if record.validation_loss is not None]

    def _has_stopped(self) -> bool:
        losses = self._validation_losses()
        if self.plan.patience is None or not losses:
            return False
        return len(losses) - 1 - int(np.argmin(losses)) >= self.plan.patience

    def _report(self, n_batches: int, total: Tensor) -> None:
        if self.progress is no_progress:
            return  # reading numbers back from a device takes time
        epoch, n_epochs, batch = self.standing.epoch, self.plan.n_epochs, self.standing.batch
        loss, sigma = float(total) / batch, float(self.parts["sigma"].detach())
        stage = f"epoch {epoch + 1}/{n_epochs}  loss {loss:.4f}  sigma {sigma:.3f}"
        self.progress(stage, epoch * n_batches + batch, n_epochs * n_batches)

    def _save(self) -> None:
        if self.keep is None:
            return
        arrays: dict[str, NDArray[np.generic]] = {f"part.{n}": _array(p) for n, p in self.parts.items()}
        arrays |= {f"best.{n}": _array(p) for n, p in (self.best or {}).items()}
        arrays |= {f"adam.{name}": _array(tensor) for name, tensor in self.optimizers.state().items()}
        standing = self.standing
        values = standing.epoch, standing.batch, standing.loss_so_far
        self.keep(Checkpoint(arrays, dict(zip(BAG_NUMBERS, values, strict=True)), tuple(standing.history)))

    def _restore(self, checkpoint: Checkpoint[EpochRecord]) -> None:
        arrays = {name: torch.from_numpy(np.array(array)).to(self.device) for name, array in checkpoint.arrays.items()}
        with torch.no_grad():
            for name, part in _under("part.", arrays).items():
                self.parts[name].copy_(part)
        self.best = _under("best.", arrays) or None
        self.optimizers.restore(_under("adam.", arrays))
        epoch, batch, loss_so_far = (checkpoint.numbers[name] for name in BAG_NUMBERS)
        self.standing = _Standing(int(epoch), int(batch), float(loss_so_far), list(checkpoint.history))


def _array(tensor: Tensor) -> NDArray[np.generic]:
    array: NDArray[np.generic] = tensor.detach().cpu().numpy().copy()
    return array


def _under(prefix: str, arrays: dict[str, Tensor]) -> dict[str, Tensor]:
    """The tensors whose names begin with the prefix, by the rest of their names."""
    return {name.removeprefix(prefix): tensor for name, tensor in arrays.items() if name.startswith(prefix)}
