"""The screening loop: it shows the most promising record, takes its judgment, and learns again after a batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from satchel.errors import InputError, whole_number
from satchel.screening.model import ScreeningModel
from satchel.screening.stopping import Remaining, estimate_remaining
from satchel.types import IntArray

BATCH_SHARE = 20  # a batch is a twentieth of what was judged: 4,500 records need a hundred fits, not 4,500


class ScreeningLoop:
    """Shows one record after the other; a simulation and a person's queue both use it.

    texts (n_records,): the records. model: what learns from the judgments.
    query: its words serve as a relevant record until one is judged relevant, and a record without words serves as an
    irrelevant one until one is judged irrelevant. Without a query, judge one record of each kind first.
    batch_size: how many judgments pass before the model learns again; None: a twentieth of what was judged, at least 1.

    judgments: record -> whether it is relevant, in the order in which they came.
    """

    def __init__(
        self, texts: Sequence[str], model: ScreeningModel, query: str = "", batch_size: int | None = None
    ) -> None:
        self.n_records = len(texts)
        self.judgments: dict[int, bool] = {}
        self._model = model
        self._batch_size = None if batch_size is None else whole_number("batch_size", batch_size)
        self._stand_ins = ((self.n_records, True), (self.n_records + 1, False)) if query else ()
        self._batch: list[int] = []
        model.read([*texts, query, ""] if query else list(texts))

    def judge(self, record: int, relevant: bool) -> None:
        """Takes a judgment; a second one of the same record replaces the first."""
        self.judgments[whole_number("record", record, 0, self.n_records - 1)] = bool(relevant)

    def next_record(self) -> int | None:
        """The record to show next, the same one until it is judged; None when all are judged."""
        self._batch = [record for record in self._batch if record not in self.judgments]
        if not self._batch and len(self.judgments) < self.n_records:
            judged, _ = self._learned_from()
            self._batch = self.order()[: self._batch_size or max(1, len(judged) // BATCH_SHARE)].tolist()
        return self._batch[0] if self._batch else None

    def order(self) -> IntArray:
        """Learns from all judgments and puts the records that wait in order, best first, (n_waiting,)."""
        scores = self._model.scores(*self._learned_from())
        waiting = np.setdiff1d(np.arange(self.n_records), list(self.judgments))
        return waiting[np.argsort(-scores[waiting], kind="stable")]

    def remaining(self) -> Remaining:
        """How many relevant records are likely left among those that wait."""
        return estimate_remaining(list(self.judgments.values()), self.n_records)

    def _learned_from(self) -> tuple[IntArray, NDArray[np.bool_]]:
        """The records that the model learns from and their judgments, (n_learned,) both."""
        kinds = set(self.judgments.values())
        known = {**{record: kind for record, kind in self._stand_ins if kind not in kinds}, **self.judgments}
        if len(set(known.values())) < 2:
            raise InputError("a screening starts from a query, or from one relevant and one irrelevant record")
        return np.array(list(known), np.int64), np.array(list(known.values()), np.bool_)
