"""Learning with torch; searching and serving never import this room."""

from satchel.learning.batches import Chunks
from satchel.learning.checkpoint import Checkpoint, CheckpointFolder, check_device, fingerprint
from satchel.learning.network_trainer import NETWORK_NUMBERS, train_network
from satchel.learning.networks import DocumentNetwork
from satchel.learning.plan import (
    PAPER_PARTS,
    PAPER_RATES,
    PARTS,
    RATES,
    NetworkData,
    NetworkPlan,
    NetworkShape,
    Sequences,
    TrainingData,
    TrainingPlan,
)
from satchel.learning.trainer import BAG_NUMBERS, train

__all__ = [
    "BAG_NUMBERS",
    "NETWORK_NUMBERS",
    "PAPER_PARTS",
    "PAPER_RATES",
    "PARTS",
    "RATES",
    "Checkpoint",
    "CheckpointFolder",
    "Chunks",
    "DocumentNetwork",
    "NetworkData",
    "NetworkPlan",
    "NetworkShape",
    "Sequences",
    "TrainingData",
    "TrainingPlan",
    "check_device",
    "fingerprint",
    "train",
    "train_network",
]
