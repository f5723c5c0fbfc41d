"""What is learned, how, and what comes back: the plain types between an encoder and the trainer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from satchel.errors import number_within, one_of, whole_number
from satchel.types import BagParts, Device, EpochRecord, Objective, WordUpdates

PARTS = BagParts._fields
FARTHEST = 1e6
"""Above this a softness or a fuzziness makes everything equal."""
PAPER_RATES: dict[str, float] = {"codebook": 0.01, "words": 0.01, "mask": 0.01, "sigma": 0.001}
"""η_V = η_X = η_r = 0.01 and η_σ = 0.001, [PT18] section 3.3."""


class Checkpoint(NamedTuple):
    """All that is needed to go on as if nothing had happened: arrays by name, and plain numbers."""

    arrays: dict[str, NDArray[np.generic]]
    epoch: int
    batch: int
    loss_so_far: float
    history: tuple[EpochRecord, ...]


@dataclass(frozen=True)
class TrainingPlan:
    """The parameters of [PT18] Algorithm 1.

    m: the fuzziness of Eq. (5). learned: which parts move. rates: Adam's learning rate of each part.
    word_updates: "touched" moves only the words of the batch (lazy Adam: the moments of the others rest); "all" is
    Adam as published, under which every word goes on by its momentum in every step.
    patience: with validation documents, stop after so many epochs without a lower validation loss, and keep the best.
    """

    objective: Objective = "spherical-entropy"
    m: float = 0.005
    learned: tuple[str, ...] = PARTS
    rates: dict[str, float] = field(default_factory=lambda: dict(PAPER_RATES))
    batch_size: int = 100
    n_epochs: int = 10
    word_updates: WordUpdates = "touched"
    patience: int | None = None
    random_state: int = 0
    device: Device = "cpu"

    def __post_init__(self) -> None:
        one_of("objective", self.objective, get_args(Objective))
        one_of("word updates", self.word_updates, get_args(WordUpdates))
        for part in self.learned:
            one_of("part to learn", part, PARTS)
        number_within("m", self.m, 0, FARTHEST)
        whole_number("batch_size", self.batch_size)
        whole_number("n_epochs", self.n_epochs, 0)
