"""Simulates screening: runs the loop of `satchel.screening` to the last record and measures how early it finds the
relevant ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from satchel.errors import InputError, seed, whole_number
from satchel.evaluation.measures import Values
from satchel.parts import build
from satchel.screening import ScreeningLoop, ScreeningModel, stopping_point
from satchel.text import check_texts
from satchel.types import IntArray

Found = NDArray[np.bool_]

_SLACK = 1e-9  # absorbs rounding: 0.95 · 20 is 19 records, not 20


def recall_curve(found: Found) -> Values:
    """The share of the relevant records found among the first 1, 2, … shown, (n_shown,); the last value is 1."""
    return np.asarray(np.cumsum(found) / np.count_nonzero(found))


def records_for_recall(found: Found, recall: float) -> int:
    """The number of records that must be shown to find at least this share of the relevant ones."""
    wanted = max(1, math.ceil(recall * np.count_nonzero(found) - _SLACK))
    return int(np.flatnonzero(found)[wanted - 1]) + 1


def work_saved(found: Found, recall: float = 0.95) -> float:
    """WSS@recall = recall - k/n, if k of n records had to be shown to reach that recall.

    WSS@95 is (TN + FN)/n - 0.05 of Cohen et al. (2006). It is 0 for a random order and at most 0.95 - 1/n.
    """
    return recall - records_for_recall(found, recall) / len(found)


def recall_after(found: Found, share: float = 0.1) -> float:
    """The share of the relevant records among the first ⌊share · n⌋ shown."""
    n_shown = math.floor(share * len(found) + _SLACK)
    return float(np.count_nonzero(found[:n_shown]) / np.count_nonzero(found))


def average_time_to_discovery(found: Found) -> float:
    """ATD = Σ_r before(r) / (n · n_relevant): the mean share of all records shown before a relevant one."""
    return float(np.flatnonzero(found).mean() / len(found))


@dataclass(frozen=True)
class ScreeningResult:
    """The result of `simulate_screening`.

    order (n_shown,): positions of the records in the order shown, without the records at the start.
    found (n_shown,): which of them are relevant. All measures are shares of the records shown or found.
    """

    order: IntArray
    found: Found

    @property
    def wss_at_95(self) -> float:
        """The work saved over a random order at 95 % recall, see `work_saved`."""
        return work_saved(self.found, 0.95)

    @property
    def recall_after_10_percent(self) -> float:
        """The recall after the first tenth of the records, see `recall_after`."""
        return recall_after(self.found, 0.1)

    @property
    def average_time_to_discovery(self) -> float:
        """The mean share shown before each relevant record, see `average_time_to_discovery`."""
        return average_time_to_discovery(self.found)

    @property
    def recall_curve(self) -> Values:
        """The share found among the first 1, 2, … shown, (n_shown,)."""
        return recall_curve(self.found)

    @property
    def stop(self) -> int:
        """The number of records after which 95 % recall was likely reached, judging by the records shown up to then."""
        return stopping_point(self.found, len(self.found)) or len(self.found)

    @property
    def recall_at_stop(self) -> float:
        """The share of the relevant records found at `stop`."""
        return float(self.recall_curve[self.stop - 1])


def simulate_screening(
    texts: Sequence[str],
    included: ArrayLike,
    start: tuple[int, int] | str,
    *,
    batch_size: int | None = None,
    model: str | ScreeningModel = "both",
    random_state: int = 0,
) -> ScreeningResult:
    """Screens all texts, starting from one relevant and one irrelevant text, or from a query.

    included (n_texts,): which texts are relevant; it is read only when a text is shown. start: the positions of a
    relevant and an irrelevant text, which are then not shown; or the words of a query, and then all texts are shown.
    batch_size: how many texts are shown before the model learns again; None: a twentieth of the judged texts, at least
    one.
    model: "both" (words and vectors), "lexical", "vectors" or "package.module:Class"; or any `ScreeningModel`.
    """
    records = check_texts(texts)
    relevant = _checked_included(included, len(records))
    state = seed(random_state)
    learner: ScreeningModel = build("screening model", {"name": model}, state) if isinstance(model, str) else model
    if isinstance(start, str):
        _something_to_find(relevant, 1)
        loop = ScreeningLoop(records, learner, _checked_query(start), batch_size)
    else:
        pair = _checked_start(start, relevant)
        loop = ScreeningLoop(records, learner, batch_size=batch_size)
        for place in pair:
            loop.judge(place, relevant[place])
    n_given = len(loop.judgments)
    while (record := loop.next_record()) is not None:
        loop.judge(record, relevant[record])
    order = np.array(list(loop.judgments)[n_given:], np.int64)
    return ScreeningResult(order, relevant[order])


def _checked_included(included: ArrayLike, n_texts: int) -> Found:
    labels: NDArray[np.generic] = np.asarray(included)
    if labels.shape != (n_texts,):
        raise InputError(
            f"there are {n_texts} texts but included has the shape {labels.shape}; give one label for each text"
        )
    if labels.dtype.kind not in "biuf" or not np.isin(labels, (0, 1)).all():
        raise InputError("included must hold True or False (or 1 and 0) for each text, and nothing else")
    return labels.astype(bool)


def _checked_start(start: tuple[int, int], relevant: Found) -> tuple[int, int]:
    if not isinstance(start, Sequence) or len(start) != 2:
        raise InputError(
            f"start is {start!r}; expected a query, or the positions of one relevant and one irrelevant text"
        )
    yes, no = (whole_number("start", place, 0, len(relevant) - 1) for place in start)
    if not relevant[yes] or relevant[no]:
        raise InputError(f"start is {start!r}; the first must be a relevant text and the second an irrelevant one")
    _something_to_find(relevant, 2)
    return yes, no


def _checked_query(query: str) -> str:
    if not query.strip():
        raise InputError("start is a query without words; give words, or a relevant and an irrelevant text")
    return query


def _something_to_find(relevant: Found, at_least: int) -> None:
    if np.count_nonzero(relevant) < at_least:
        raise InputError("included holds no relevant text apart from that of start, so there is nothing to find")
