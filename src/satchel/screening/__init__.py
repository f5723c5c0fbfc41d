"""Screening: which record comes next, how many relevant ones are left, and when to stop."""

from satchel.screening.loop import ScreeningLoop
from satchel.screening.model import ScreeningModel
from satchel.screening.stopping import Remaining, estimate_remaining, recall_chances, stopping_point

__all__ = [
    "Remaining",
    "ScreeningLoop",
    "ScreeningModel",
    "estimate_remaining",
    "recall_chances",
    "stopping_point",
]
