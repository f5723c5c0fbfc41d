"""Learning with torch, numpy and scipy alone; searching and serving never import this room."""

from satchel.learning.network_plan import (
    NetworkCheckpoint,
    NetworkData,
    NetworkPlan,
    NetworkShape,
    Sequences,
)
from satchel.learning.network_trainer import NetworkHooks, train_network
from satchel.learning.plan import PAPER_PARTS, PAPER_RATES, PARTS, RATES, Checkpoint, TrainingData, TrainingPlan
from satchel.learning.trainer import Hooks, train

__all__ = [
    "PAPER_PARTS",
    "PAPER_RATES",
    "PARTS",
    "RATES",
    "Checkpoint",
    "Hooks",
    "NetworkCheckpoint",
    "NetworkData",
    "NetworkHooks",
    "NetworkPlan",
    "NetworkShape",
    "Sequences",
    "TrainingData",
    "TrainingPlan",
    "train",
    "train_network",
]
