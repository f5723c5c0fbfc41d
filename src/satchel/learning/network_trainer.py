"""Trains a network on chunks of texts: epochs, the rate, perplexities, checkpoints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import exp
from time import perf_counter
from typing import TypeAlias

import numpy as np
import torch
from torch import Tensor

from satchel.errors import SatchelError
from satchel.learning.batches import ChunkBatch, Chunks, Draws, draws_of_epoch
from satchel.learning.checkpoint import Checkpoint, check_device, deferred_interrupt, one_thread
from satchel.learning.networks import DocumentNetwork
from satchel.learning.optimizers import cosine_pace
from satchel.learning.plan import Arrays, NetworkData, NetworkPlan, NetworkShape
from satchel.progress import Progress, no_progress
from satchel.types import NetworkEpoch

JUDGED_AT_ONCE = 256
LARGEST_ERROR = 700.0  # its exponential is still a number


NETWORK_NUMBERS = ("rate", "halving")
"""The numbers in a checkpoint: the learning rate, and whether its halving has begun."""
Keep: TypeAlias = Callable[[Checkpoint[NetworkEpoch]], None]


def train_network(
    data: NetworkData,
    shape: NetworkShape,
    plan: NetworkPlan,
    *,
    progress: Progress = no_progress,
    keep: Keep | None = None,
    resume: Checkpoint[NetworkEpoch] | None = None,
) -> tuple[Arrays, list[NetworkEpoch]]:
    """The learned weights by name and what happened in each epoch, [MW] sections 3.2 to 3.6.

    With validation texts, the weights are those of the epoch with the lowest validation perplexity. progress: called
    after every batch. keep: called with a checkpoint after each epoch. resume: a checkpoint to go on from; the result
    is, byte for byte, that of a run without a break.
    """
    return _NetworkTrainer(data, shape, plan, progress, keep).run(resume)


class _NetworkTrainer:
    def __init__(
        self, data: NetworkData, shape: NetworkShape, plan: NetworkPlan, progress: Progress, keep: Keep | None
    ) -> None:
        self.data, self.plan, self.progress, self.keep = data, plan, progress, keep
        self.device = check_device(plan.device)
        self.documents = Chunks(data.documents, plan.chunk_length, shape.ngram, self.device)
        self.validation = data.validation and Chunks(data.validation, plan.chunk_length, shape.ngram, self.device)
        with self._seeded(0):
            network = DocumentNetwork(shape, data, plan.dropout)
            self.network = _with_words(network, data).to(self.device)
        self.optimiser = _optimiser(self.network, plan)
        self.n_steps = 0  # of an epoch, once one is drawn
        self.rate, self.halving = plan.rate, False
        self.best: dict[str, Tensor] | None = None
        self.history: list[NetworkEpoch] = []

    def run(self, resume: Checkpoint[NetworkEpoch] | None) -> tuple[Arrays, list[NetworkEpoch]]:
        if resume is not None:
            self._restore(resume)
        with one_thread(), _faster_products(self.device), deferred_interrupt() as self.interrupted:
            while len(self.history) < self.plan.max_epochs and not self._has_stopped():
                self._epoch()
        return _arrays(self.best or self.network.state_dict()), self.history

    def _epoch(self) -> None:
        epoch, start = len(self.history), perf_counter()
        rate = self.rate
        self.network.train()
        with self._seeded(epoch + 1):
            totals = self._steps(epoch)
        of_topics, of_documents, windows, words = totals.tolist()
        seconds = perf_counter() - start
        train, of_units = (self._perplexity(total, windows) for total in (of_topics, of_documents))
        record = NetworkEpoch(epoch + 1, rate, train, self._validation_perplexity(), of_units, words / seconds)
        self._learn_from_validation(record)
        self.history.append(record)
        self._report(epoch, self.n_steps)
        self._save()

    def _steps(self, epoch: int) -> Tensor:
        """Sums over the epoch: errors of topics, errors of documents, windows, words."""
        draws = list(draws_of_epoch(self.plan, self.data.topic_starts, epoch, self.device))
        totals = torch.zeros(4, dtype=torch.float64, device=self.device)
        self.n_steps = len(draws)
        for number, draw in enumerate(draws):
            self._set_rate(epoch, number, len(draws))
            totals += self._step(draw)
            self._report(epoch, number + 1)
            if self.interrupted():
                raise KeyboardInterrupt
        return totals

    def _report(self, epoch: int, step: int) -> None:
        stage = f"epoch {epoch + 1}/{self.plan.max_epochs}  {_perplexities(self.history)}"
        self.progress(stage, epoch * self.n_steps + step, self.plan.max_epochs * self.n_steps)

    def _step(self, draw: Draws) -> Tensor:
        batch = self.documents.cut(draw.documents, draw.places)
        ids = batch.ids.masked_fill(draw.forgotten, 0)
        of_topics, of_documents = self.network(ids, batch.topics, batch.documents)
        sums = _sums(of_topics, of_documents, batch)
        loss = (sums[0] + self.plan.document_weight * sums[1]) / sums[2].detach()  # the mean error of a window
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimiser.step()
        return sums.detach().double()

    def _set_rate(self, epoch: int, number: int, n_steps: int) -> None:
        pace = 1.0
        if self.plan.schedule == "cosine":
            pace = cosine_pace(epoch * n_steps + number, self.plan.max_epochs * n_steps)
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate * pace

    def _validation_perplexity(self) -> float | None:
        """Of topics, from the chunks with which the validation texts begin."""
        if not self.validation or self.data.validation is None:
            return None
        n = len(self.data.validation.topics)
        self.network.eval()
        totals = torch.zeros(4, dtype=torch.float64, device=self.device)
        with torch.no_grad():
            for texts in torch.split(torch.arange(n, device=self.device), JUDGED_AT_ONCE):
                batch = self.validation.cut(texts, torch.zeros(len(texts), device=self.device))
                of_topics, of_documents = self.network(batch.ids, batch.topics)
                totals += _sums(of_topics, of_documents, batch).double()
        return self._perplexity(float(totals[0]), float(totals[2]))

    def _perplexity(self, error: float, n_windows: float) -> float:
        if not np.isfinite(error):
            epoch = len(self.history) + 1
            raise SatchelError(f"training diverged in epoch {epoch} at rate {self.rate:g}; lower the rate")
        return exp(min(error / n_windows, LARGEST_ERROR))

    def _learn_from_validation(self, record: NetworkEpoch) -> None:
        """[MW] section 3.6: once an epoch does not lower the perplexity, the rate is halved after every epoch."""
        judged = record.validation_perplexity
        if judged is None:
            return
        before = [past.validation_perplexity for past in self.history if past.validation_perplexity is not None]
        if not before or judged < min(before):
            self.best = {name: tensor.clone() for name, tensor in self.network.state_dict().items()}
        elif self.plan.schedule == "halving":
            self.halving = True
        if self.halving:
            self.rate /= 2

    def _has_stopped(self) -> bool:
        """Halving has begun, and two epochs in a row did not help."""
        judged = [record.validation_perplexity for record in self.history if record.validation_perplexity is not None]
        return self.halving and len(judged) - 1 - int(np.argmin(judged)) >= 2

    @contextmanager
    def _seeded(self, number: int) -> Iterator[None]:
        """Seeds torch's random numbers (first weights, dropout) by seed and number; the caller's generators stay."""
        devices = [self.device] if self.device.type == "cuda" else []
        with torch.random.fork_rng(devices):
            torch.manual_seed(int(np.random.SeedSequence([self.plan.random_state, number]).generate_state(1)[0]))
            yield

    def _save(self) -> None:
        if self.keep is None:
            return
        arrays = {f"now.{name}": array for name, array in _arrays(self.network.state_dict()).items()}
        arrays |= {f"best.{name}": array for name, array in _arrays(self.best or {}).items()}
        for number, values in self.optimiser.state_dict()["state"].items():
            tensors = {name: value for name, value in values.items() if isinstance(value, Tensor)}
            arrays |= {f"optimiser.{number}.{name}": array for name, array in _arrays(tensors).items()}
        numbers = dict(zip(NETWORK_NUMBERS, (self.rate, self.halving), strict=True))
        self.keep(Checkpoint(arrays, numbers, tuple(self.history)))

    def _restore(self, checkpoint: Checkpoint[NetworkEpoch]) -> None:
        tensors = {name: torch.from_numpy(np.array(array)).to(self.device) for name, array in checkpoint.arrays.items()}
        self.network.load_state_dict(_under("now.", tensors))
        self.best = _under("best.", tensors) or None
        content = self.optimiser.state_dict()
        for name, tensor in _under("optimiser.", tensors).items():
            number, _, key = name.partition(".")
            content["state"].setdefault(int(number), {})[key] = tensor
        self.optimiser.load_state_dict(content)
        rate, halving = (checkpoint.numbers[name] for name in NETWORK_NUMBERS)
        self.rate, self.halving, self.history = float(rate), bool(halving), list(checkpoint.history)


def _perplexities(history: list[NetworkEpoch]) -> str:
    """The perplexities of the last whole epoch, as a line of text; empty before there is one."""
    if not history:
        return ""
    last = history[-1]
    parts = [f"perplexity: topics {last.train_perplexity:.3f}"]
    if last.validation_perplexity is not None:
        parts.append(f"validation {last.validation_perplexity:.3f}")
    parts += [f"documents {last.document_perplexity:.1f}", f"{last.words_per_second:,.0f} words/s"]
    return ", ".join(parts)


def _sums(of_topics: Tensor, of_documents: Tensor, batch: ChunkBatch) -> Tensor:
    """Errors of topics and of documents over the windows that count, their number, and the number of words."""
    parts = (of_topics * batch.counts).sum(), (of_documents * batch.counts).sum(), batch.counts.sum(), batch.n_words
    return torch.stack([part.float() for part in parts])


def _optimiser(network: DocumentNetwork, plan: NetworkPlan) -> torch.optim.Optimizer:
    if plan.optimiser == "sgd":
        return torch.optim.SGD(network.parameters(), lr=plan.rate, weight_decay=plan.l2)
    return torch.optim.Adam(network.parameters(), lr=plan.rate, weight_decay=plan.l2, fused=True)


def _with_words(network: DocumentNetwork, data: NetworkData) -> DocumentNetwork:
    """The network with the words' own vectors for projections, if there are any."""
    if data.words is not None:
        with torch.no_grad():
            for reader in (network.reader, network.second):
                if reader is not None:
                    reader.projection.weight.copy_(torch.from_numpy(data.words))
    return network


@contextmanager
def _faster_products(device: torch.device) -> Iterator[None]:
    """Products of float32 matrices on CUDA with 10 bits of each number's fraction."""
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high" if device.type == "cuda" else before)
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


def _arrays(tensors: dict[str, Tensor]) -> Arrays:
    return {name: tensor.detach().cpu().numpy().copy() for name, tensor in tensors.items()}


def _under(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """The tensors whose names begin with the prefix, by the rest of their names."""
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}
