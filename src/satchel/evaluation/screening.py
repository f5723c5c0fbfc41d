"""A simulated screening: show the record that looks best, learn from the answer, go on to the last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from satchel.errors import InputError, seed, whole_number
from satchel.evaluation import screening_measures as measures
from satchel.evaluation.measures import Values
from satchel.evaluation.screening_measures import Found
from satchel.evaluation.screening_model import ScreeningModel
from satchel.parts import build
from satchel.screening import stopping_point
from satchel.text import check_texts
from satchel.types import IntArray

BATCH_SHARE = 20  # a batch is a twentieth of what was judged: a hundred fits for 4,500 records, not 4,500


@dataclass(frozen=True)
class ScreeningResult:
    """The outcome of `simulate_screening`.

    order (n_shown,): positions of the records as they were shown; those it started from are not among them.
    found (n_shown,): which of them were relevant. All measures are fractions of what was shown or found.
    """

    order: IntArray
    found: Found

    @property
    def wss_at_95(self) -> float:
        """Work saved over random order when 95 % are found, see `screening_measures.work_saved`."""
        return measures.work_saved(self.found, 0.95)

    @property
    def recall_after_10_percent(self) -> float:
        """The share found in the first tenth, see `screening_measures.recall_after`."""
        return measures.recall_after(self.found, 0.1)

    @property
    def average_time_to_discovery(self) -> float:
        """The mean share shown before each relevant record, see `screening_measures.average_time_to_discovery`."""
        return measures.average_time_to_discovery(self.found)

    @property
    def recall_curve(self) -> Values:
        """The share found among the first 1, 2, … shown, (n_shown,)."""
        return measures.recall_curve(self.found)

    @property
    def stop(self) -> int:
        """After how many records 95 % recall was likely reached, by the judgments up to then, see `stopping`."""
        return stopping_point(self.found, len(self.found)) or len(self.found)

    @property
    def recall_at_stop(self) -> float:
        """The share that was really found by then."""
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
    """Screens all texts, beginning with one relevant and one irrelevant text, or with a query.

    included (n_texts,): which texts are relevant; looked at only when a text is shown. start: the positions of a
    (relevant, irrelevant) text, which are then not shown; or the words of a query: then nothing is known and all are.
    batch_size: so many are shown before the model learns again; None: a twentieth of what was judged, at least one.
    model: "both" words and vectors, "lexical", "vectors" or "package.module:Class"; or any `ScreeningModel`.
    """
    records = check_texts(texts)
    relevant = _checked_included(included, len(records))
    if batch_size is not None:
        whole_number("batch_size", batch_size)
    state = seed(random_state)
    learner: ScreeningModel = build("screening model", {"name": model}, state) if isinstance(model, str) else model
    if isinstance(start, str):
        # nobody is shown the query, nor the record without words, which stands for all that is unlike the query
        read, relevant = (
            [*records, _checked_query(start), ""],
            np.append(_something_to_find(relevant, 1), [True, False]),
        )
        known = (len(records), len(records) + 1)
    else:
        read, known = records, _checked_start(start, relevant)
    learner.read(read)
    order = _screen(learner, relevant, known, batch_size, stand_ins=isinstance(start, str))
    return ScreeningResult(order, relevant[order])


def _screen(
    model: ScreeningModel, relevant: Found, known: tuple[int, int], batch_size: int | None, stand_ins: bool
) -> IntArray:
    """The order in which all but the known records are shown.

    stand_ins: each of the two known gives way to the first record shown that was judged as it is.
    """
    shown, n_shown = np.empty(len(relevant) - 2, np.int64), 0
    waiting = np.ones(len(relevant), bool)
    waiting[list(known)] = False
    while n_shown < len(shown):
        found = relevant[shown[:n_shown]]
        kept = [place for place in known if not (stand_ins and (found == relevant[place]).any())]
        judged = np.append(np.array(kept, np.int64), shown[:n_shown])
        scores = np.where(waiting, model.scores(judged, relevant[judged]), -np.inf)
        size = min(batch_size or max(1, len(judged) // BATCH_SHARE), len(shown) - n_shown)
        best = np.argsort(-scores, kind="stable")[:size]
        shown[n_shown : n_shown + size], waiting[best] = best, False
        n_shown += size
    return shown


def _checked_included(included: ArrayLike, n_texts: int) -> Found:
    labels: NDArray[np.generic] = np.asarray(included)
    if labels.shape != (n_texts,):
        raise InputError(f"there are {n_texts} texts but included has the shape {labels.shape}; give one label a text")
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
        raise InputError("start is a query without words; give some, or the positions of a relevant and another text")
    return query


def _something_to_find(relevant: Found, at_least: int) -> Found:
    if np.count_nonzero(relevant) < at_least:
        raise InputError("included holds no relevant text beside that of start: there is nothing to find")
    return relevant
