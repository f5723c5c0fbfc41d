"""How early a screening found what was to be found: pure functions of the labels in the order shown.

found (n_shown,): whether each record shown was relevant, first shown first. The records that the screening started from
are in none of them: they were given, not found.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from satchel.evaluation.measures import Values

Found = NDArray[np.bool_]

_SLACK = 1e-9  # 0.95 · 20 is 19 records, not 20, whatever the last bit says


def recall_curve(found: Found) -> Values:
    """The share of the relevant records found among the first 1, 2, … shown, (n_shown,): ends at 1."""
    return np.asarray(np.cumsum(found) / np.count_nonzero(found))


def records_for_recall(found: Found, recall: float) -> int:
    """How many records must be shown until at least this share of the relevant ones is found."""
    wanted = max(1, math.ceil(recall * np.count_nonzero(found) - _SLACK))
    return int(np.flatnonzero(found)[wanted - 1]) + 1


def work_saved(found: Found, recall: float = 0.95) -> float:
    """WSS@recall = recall - k/n: k records of n had to be shown until that recall was reached.

    WSS@95 is (TN + FN)/n - 0.05 of Cohen et al. (2006): 0 is what records in random order save, 0.95 - 1/n the most.
    """
    return recall - records_for_recall(found, recall) / len(found)


def recall_after(found: Found, share: float = 0.1) -> float:
    """The share of the relevant records among the first ⌊share · n⌋ shown."""
    n_shown = math.floor(share * len(found) + _SLACK)
    return float(np.count_nonzero(found[:n_shown]) / np.count_nonzero(found))


def average_time_to_discovery(found: Found) -> float:
    """ATD = Σ_r before(r) / (n · n_relevant): the mean share of all records that were shown before a relevant one."""
    return float(np.flatnonzero(found).mean() / len(found))
