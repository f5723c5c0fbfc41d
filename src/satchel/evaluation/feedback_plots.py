"""Curves over rounds of feedback and over a screening. Nothing is shown or saved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from satchel.errors import InputError
from satchel.evaluation.feedback_result import FeedbackResult
from satchel.evaluation.measures import MAP_11, Values, precision_name
from satchel.evaluation.plots import blank_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw_feedback(results: Mapping[str, FeedbackResult]) -> Figure:
    """mAP and P@10 on the residual collection and mAP with frozen marks over the rounds, one colour for each result."""
    figure = blank_figure(13)
    plot_feedback_rounds(results, figure.add_subplot(1, 3, 1))
    plot_feedback_rounds(results, figure.add_subplot(1, 3, 2), measure=precision_name(10))
    plot_feedback_rounds(results, figure.add_subplot(1, 3, 3), frozen=True)
    return figure


def plot_feedback_rounds(
    results: Mapping[str, FeedbackResult], ax: Axes | None = None, *, measure: str = MAP_11, frozen: bool = False
) -> Axes:
    """A measure before any mark and after each round; dotted in the same colour: without feedback, same documents.

    On the residual collection a curve may fall although feedback helps: what is easily found is marked and leaves.
    """
    if not results:
        raise InputError("there is no result to draw; give a mapping from names to results")
    ax = blank_figure(6).add_subplot() if ax is None else ax
    n_rounds = max(len(result.rounds) for result in results.values())
    for name, result in results.items():
        after, without = result.curve(measure, frozen=frozen)
        (line,) = ax.plot(100 * after, marker="o", markersize=4, label=name)
        ax.plot(100 * without, linestyle=":", color=line.get_color())
    ax.plot([], linestyle=":", color="grey", label="without feedback")
    ax.set_xticks(range(n_rounds + 1))
    ax.set_xlabel("rounds of marks")
    ax.set_ylabel(f"{measure} (%), {'marks frozen at the top' if frozen else 'residual collection'}")
    return _finished(ax)


def draw_screening(recall_curves: Mapping[str, Values], stops: Mapping[str, float] | None = None) -> Figure:
    """Recall against the share of records that were shown; dotted: records in random order.

    recall_curves: name -> (n_shown,), the share of the relevant records found among the first 1, 2, ... shown.
    stops: name -> the share of records after which one would have stopped, marked on the curve.
    """
    figure = blank_figure(6)
    ax = figure.add_subplot()
    for name, curve in recall_curves.items():
        shares = 100 * np.arange(len(curve) + 1) / max(1, len(curve))
        recall = 100 * np.concatenate([[0.0], curve])
        (line,) = ax.plot(shares, recall, label=name)
        if stops is not None and name in stops:
            place = 100 * stops[name]
            ax.plot(place, np.interp(place, shares, recall), "o", color=line.get_color(), label="the stop")
    ax.plot([0, 100], [0, 100], linestyle=":", color="grey", label="random order")
    ax.set_xlabel("records shown (%)")
    ax.set_ylabel("relevant records found (%)")
    _finished(ax)
    return figure


def _finished(ax: Axes) -> Axes:
    ax.grid(visible=True, alpha=0.3)
    ax.legend(frameon=False)
    return ax
