"""Learning with torch, numpy and scipy alone; searching and serving never import this room."""

from satchel.learning.checkpoint import Checkpoint, CheckpointFolder, fingerprint
from satchel.learning.network_plan import (
    NetworkData,
    NetworkPlan,
    NetworkShape,
    Sequences,
)
from satchel.learning.network_trainer import train_network
from satchel.learning.plan import PAPER_PARTS, PAPER_RATES, PARTS, RATES, TrainingData, TrainingPlan
from satchel.learning.trainer import train

__all__ = [
    "PAPER_PARTS",
    "PAPER_RATES",
    "PARTS",
    "RATES",
    "Checkpoint",
    "CheckpointFolder",
    "NetworkData",
    "NetworkPlan",
    "NetworkShape",
    "Sequences",
    "TrainingData",
    "TrainingPlan",
    "fingerprint",
    "train",
    "train_network",
]
