"""Screening: how many relevant records are left, and when to stop."""

from satchel.screening.stopping import Remaining, estimate_remaining, recall_chances, stopping_point

__all__ = ["Remaining", "estimate_remaining", "recall_chances", "stopping_point"]
