"""Learning with torch, numpy and scipy alone; searching and serving never import this room."""

from satchel.learning.plan import PAPER_RATES, PARTS, Checkpoint, TrainingPlan
from satchel.learning.trainer import Hooks, TrainingData, train

__all__ = [
    "PAPER_RATES",
    "PARTS",
    "Checkpoint",
    "Hooks",
    "TrainingData",
    "TrainingPlan",
    "train",
]
