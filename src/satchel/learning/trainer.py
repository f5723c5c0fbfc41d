"""Algorithm 1: shuffled batches, Adam on any of the five parts, checkpoints that lose nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from satchel.errors import SatchelError
from satchel.learning.batches import Batch, LabelledDocuments, WordDropout
from satchel.learning.criteria import criterion_of
from satchel.learning.devices import check_device, one_thread
from satchel.learning.interrupts import deferred_interrupt
from satchel.learning.model import BagModel, as_arrays
from satchel.learning.optimizers import PartOptimizers, cosine_pace
from satchel.learning.plan import Checkpoint, TrainingData, TrainingPlan
from satchel.types import BagParts, EpochRecord


@dataclass(frozen=True)
class Hooks:
    """Who is told: `on_batch(epoch, batch, n_batches, loss, sigma)`; `on_checkpoint` after epochs and interrupts."""

    on_batch: Callable[[int, int, int, float, float], None] | None = None
    on_checkpoint: Callable[[Checkpoint], None] | None = None


def train(
    data: TrainingData,
    start: BagParts,
    plan: TrainingPlan,
    *,
    hooks: Hooks = Hooks(),
    resume: Checkpoint | None = None,
) -> tuple[BagParts, list[EpochRecord]]:
    """The optimised parts and what happened in each epoch, [PT18] Algorithm 1.

    With `resume`, goes on where the checkpoint was taken; the result is, byte for byte, that of a run without a break.
    """
    return _Trainer(data, start, plan, hooks).run(resume)


@dataclass
class _Progress:
    """Where a run stands."""

    epoch: int = 0
    batch: int = 0
    loss_so_far: float = 0.0
    history: list[EpochRecord] = field(default_factory=list)


class _Trainer:
    def __init__(self, data: TrainingData, start: BagParts, plan: TrainingPlan, hooks: Hooks) -> None:
        self.plan, self.hooks = plan, hooks
        self.device = check_device(plan.device)
        self.data = LabelledDocuments(data.values, data.labels, self.device)
        self.validation = data.validation and LabelledDocuments(*data.validation, self.device)
        self.model = BagModel(start, data, plan, self.device)
        self.parts = self.model.parts
        self.criterion = criterion_of(plan.objective, data, self.device)
        self.optimizers = PartOptimizers(self.parts, plan)
        self.best: dict[str, Tensor] | None = None
        self.progress = _Progress()

    def run(self, resume: Checkpoint | None) -> tuple[BagParts, list[EpochRecord]]:
        if resume is not None:
            self._restore(resume)
        with one_thread(), deferred_interrupt() as self.interrupted:
            self._run_epochs()
        return as_arrays(self.best or self.parts), self.progress.history

    def _run_epochs(self) -> None:
        while self.progress.epoch < self.plan.n_epochs and not self._has_stopped():
            self._epoch()
            self._stop_if_interrupted()

    def _epoch(self) -> None:
        progress, start = self.progress, perf_counter()
        n_batches = -(-len(self.data) // self.plan.batch_size)
        total = torch.tensor(progress.loss_so_far, dtype=torch.float64, device=self.device)
        for batch in self._batches():
            total += self._step(batch, n_batches)
            progress.batch += 1
            self._tell(n_batches, total)
            if self.interrupted():
                progress.loss_so_far = float(total)
                self._save()
                self._stop_if_interrupted()
        self._finish_epoch(float(total) / n_batches, perf_counter() - start)

    def _batches(self) -> Iterator[Batch]:
        """What is left of this epoch."""
        plan, progress = self.plan, self.progress
        dropout = WordDropout(plan.word_dropout, plan.random_state, progress.epoch) if plan.word_dropout else None
        return self.data.batches(self._order(progress.epoch), plan.batch_size, progress.batch, dropout)

    def _step(self, batch: Batch, n_batches: int) -> Tensor:
        loss = self.criterion.of_batch(self._log_memberships(batch), batch.pi)
        self.optimizers.step(loss, batch.words, self._pace(n_batches))
        return loss.detach().double()

    def _pace(self, n_batches: int) -> float:
        if self.plan.schedule == "constant":
            return 1.0
        return cosine_pace(self.progress.epoch * n_batches + self.progress.batch, self.plan.n_epochs * n_batches)

    def _log_memberships(self, batch: Batch) -> Tensor:
        return self.model.log_memberships(batch, self.optimizers.rows_of(batch.words))

    def _finish_epoch(self, loss: float, seconds: float) -> None:
        if not np.isfinite(loss):
            raise SatchelError(
                f"training diverged in epoch {self.progress.epoch + 1}: its loss is {loss}; "
                "try a larger sigma or m, or word vectors of a smaller scale"
            )
        validation_loss = self._validation_loss()
        sigma = float(self.parts["sigma"].detach())
        record = EpochRecord(self.progress.epoch + 1, loss, sigma, validation_loss, seconds)
        self.progress = _Progress(epoch=self.progress.epoch + 1, history=[*self.progress.history, record])
        if validation_loss is not None and int(np.argmin(self._validation_losses())) == len(self.progress.history) - 1:
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
        return [record.validation_loss for record in self.progress.history if record.validation_loss is not None]

    def _has_stopped(self) -> bool:
        losses = self._validation_losses()
        if self.plan.patience is None or not losses:
            return False
        return len(losses) - 1 - int(np.argmin(losses)) >= self.plan.patience

    def _tell(self, n_batches: int, total: Tensor) -> None:
        if self.hooks.on_batch is not None:
            done, sigma = self.progress.batch, float(self.parts["sigma"].detach())
            self.hooks.on_batch(self.progress.epoch + 1, done, n_batches, float(total) / done, sigma)

    def _save(self) -> None:
        if self.hooks.on_checkpoint is None:
            return
        arrays: dict[str, NDArray[np.generic]] = {f"part.{n}": _array(p) for n, p in self.parts.items()}
        arrays |= {f"best.{n}": _array(p) for n, p in (self.best or {}).items()}
        arrays |= {f"adam.{name}": _array(tensor) for name, tensor in self.optimizers.state().items()}
        progress = self.progress
        self.hooks.on_checkpoint(
            Checkpoint(arrays, progress.epoch, progress.batch, progress.loss_so_far, tuple(progress.history))
        )

    def _restore(self, checkpoint: Checkpoint) -> None:
        arrays = {name: torch.from_numpy(np.array(array)).to(self.device) for name, array in checkpoint.arrays.items()}
        with torch.no_grad():
            for name, part in _under("part.", arrays).items():
                self.parts[name].copy_(part)
        self.best = _under("best.", arrays) or None
        self.optimizers.restore(_under("adam.", arrays))
        self.progress = _Progress(checkpoint.epoch, checkpoint.batch, checkpoint.loss_so_far, list(checkpoint.history))


def _array(tensor: Tensor) -> NDArray[np.generic]:
    array: NDArray[np.generic] = tensor.detach().cpu().numpy().copy()
    return array


def _under(prefix: str, arrays: dict[str, Tensor]) -> dict[str, Tensor]:
    """Those whose names begin so, by the rest of their names."""
    return {name.removeprefix(prefix): tensor for name, tensor in arrays.items() if name.startswith(prefix)}
