"""The protocol of screening: screens a review to its end, starting from one relevant and one irrelevant record."""

from collections.abc import Iterator
from time import perf_counter
from typing import Final

import numpy as np

from satchel.datasets import Review
from satchel.errors import InputError
from satchel.evaluation import ScreeningResult, recall_curve, records_for_recall, simulate_screening
from satchel.experiments.plan import Experiment, Method
from satchel.experiments.protocols.retrieval import data_named
from satchel.experiments.results import Outcome, percent
from satchel.parts import build
from satchel.screening import ScreeningModel, stopping_point
from satchel.types import FloatArray

N_POINTS: Final = 101
SCREENING_MEASURES: Final = (
    "WSS@95",
    "recall after 10 %",
    "average time to discovery",
    "recall at the stop",
    "records at the stop",
    "records for 95 % recall",
)


def screening(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """Screens a review to its end. The seed draws the two records at the start; the setting `model` names the model.

    "the stop" is where `stopping_point` would have stopped, by the judgments up to there.
    """
    review = data_named(experiment.dataset_of(method))
    if not isinstance(review, Review):
        raise InputError(f"{experiment.name} needs reviews, not {experiment.dataset_of(method)!r}")
    model: ScreeningModel = build("screening model", {"name": method.setting.get("model", "both")}, seed)
    start = perf_counter()
    result = simulate_screening(review.texts, review.included, first_records(review.included, seed), model=model)
    seconds = perf_counter() - start
    measures = percent(screening_values(result))
    for distance in method.distances:
        yield Outcome(distance, len(result.order), measures, seconds, {"recall": curve_points(result)})


def first_records(included: np.ndarray, seed: int) -> tuple[int, int]:
    """Draws one relevant and one irrelevant record by the seed."""
    rng = np.random.default_rng(seed)
    relevant, irrelevant = (int(rng.choice(np.flatnonzero(included == side))) for side in (True, False))
    return relevant, irrelevant


def screening_values(result: ScreeningResult) -> dict[str, float]:
    """All measures as fractions."""
    n_shown = len(result.order)
    stop = stopping_point(result.found, n_shown) or n_shown
    return {
        "WSS@95": result.wss_at_95,
        "recall after 10 %": result.recall_after_10_percent,
        "average time to discovery": result.average_time_to_discovery,
        "recall at the stop": float(recall_curve(result.found)[stop - 1]),
        "records at the stop": stop / n_shown,
        "records for 95 % recall": records_for_recall(result.found, 0.95) / n_shown,
    }


def curve_points(result: ScreeningResult) -> list[float]:
    """The recall in percent after 0, 1, … 100 % of the records."""
    curve: FloatArray = np.concatenate([[0.0], result.recall_curve])
    places = np.linspace(0, len(curve) - 1, N_POINTS).round().astype(int)
    return [round(100 * float(value), 2) for value in curve[places]]
