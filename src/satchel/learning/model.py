"""The five parts on a device, and what a batch of documents is as a function of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from satchel.learning.batches import Batch
from satchel.learning.fused import fused_memberships
from satchel.learning.objectives import (
    cluster_memberships,
    cosine_distances,
    euclidean_distances,
    histograms,
    rectify,
    represent,
    standardise,
    word_shares,
)
from satchel.learning.plan import LEAST_WEIGHT, PARTS, TrainingData, TrainingPlan
from satchel.types import BagParts, Objective

DISTANCES: dict[Objective, Callable[[Tensor, Tensor], Tensor]] = {
    "entropy": euclidean_distances,
    "spherical-entropy": cosine_distances,
    "cross-entropy": cosine_distances,
}


class BagModel:
    """Parts that move; centres, and moments where there are any, that do not."""

    def __init__(self, start: BagParts, data: TrainingData, plan: TrainingPlan, device: torch.device) -> None:
        self._plan = plan
        self._centres = torch.from_numpy(data.centres).to(device)
        self._moments = data.moments and [torch.from_numpy(part).to(device, torch.float32) for part in data.moments]
        weights = np.maximum(start.weights, np.float32(LEAST_WEIGHT))
        self.parts = {
            name: torch.from_numpy(np.array(part, dtype=np.float32)).to(device)
            for name, part in start._replace(weights=weights)._asdict().items()
        }

    def log_memberships(self, batch: Batch, rows: dict[str, Tensor]) -> Tensor:
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
    """Tensors by name, of this epoch or of the best one, as the encoder takes them."""
    words, codebook, sigma, mask, weights = (parts[name].detach().cpu().numpy() for name in PARTS)
    return BagParts(words, codebook, float(sigma), mask, weights)
