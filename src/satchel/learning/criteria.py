"""What a step lowers, and by what validation documents are judged."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from satchel.errors import InputError
from satchel.learning.objectives import cross_entropy, entropy, entropy_of_sums
from satchel.learning.plan import TrainingData
from satchel.types import Objective


class Criterion(Protocol):
    """A loss of log memberships (n_documents, n_centres) under labels pi (n_documents, n_classes)."""

    def of_batch(self, log_w: Tensor, pi: Tensor) -> Tensor:
        """With derivatives."""

    def of_all(self, batches: Iterable[tuple[Tensor, Tensor]]) -> float:
        """The loss of all documents together, which does not depend on how they stand in batches; in float64."""


def criterion_of(objective: Objective, data: TrainingData, device: torch.device) -> Criterion:
    """The one of that name."""
    return CrossEntropy(data, device) if objective == "cross-entropy" else Entropy()


class Entropy:
    """Of clusters, whatever the distance that made them."""

    def of_batch(self, log_w: Tensor, pi: Tensor) -> Tensor:
        return entropy(log_w, pi)

    def of_all(self, batches: Iterable[tuple[Tensor, Tensor]]) -> float:
        h, n, n_documents = torch.zeros((), dtype=torch.float64), torch.zeros((), dtype=torch.float64), 0
        for log_w, pi in batches:
            w = log_w.double().exp().cpu()
            h, n, n_documents = h + pi.double().cpu().T @ w, n + w.sum(dim=0), n_documents + len(w)
        return float(entropy_of_sums(h, n, n_documents))


class CrossEntropy:
    """Of the documents' classes, each with one centre or more."""

    def __init__(self, data: TrainingData, device: torch.device) -> None:
        for labels in (data.labels, *(data.validation[1:] if data.validation else ())):
            without = np.setdiff1d(np.flatnonzero(labels.any(axis=0)), data.centre_classes)
            if len(without):
                raise InputError(f"class {without[0]} has documents but no centre; the cross-entropy needs one of each")
            if not labels.any(axis=1).all():
                position = int(np.argmin(labels.any(axis=1)))
                raise InputError(f"document {position} has no label; the cross-entropy needs one or more of each")
        self._classes = torch.from_numpy(data.centre_classes).to(device)

    def of_batch(self, log_w: Tensor, pi: Tensor) -> Tensor:
        return cross_entropy(log_w, pi, self._classes)

    def of_all(self, batches: Iterable[tuple[Tensor, Tensor]]) -> float:
        total, n_documents = 0.0, 0
        for log_w, pi in batches:
            total += len(log_w) * float(cross_entropy(log_w.double(), pi, self._classes))
            n_documents += len(log_w)
        return total / n_documents
