"""Draws precision curves, rounds of feedback, screenings and maps. Nothing is shown on a screen or saved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from satchel.errors import InputError, missing_extra
from satchel.evaluation.feedback_result import FeedbackResult
from satchel.evaluation.measures import MAP_11, RECALL_POINTS, Values, precision_name
from satchel.evaluation.retrieval import RetrievalResult
from satchel.types import FloatArray, IntArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation
    from matplotlib.transforms import Bbox

POINTS_AN_INCH = 72
NAME_PADDING = 3.0
"""The padding of a name's frame, in points."""
_STYLES = ("-", "--", "-.", ":")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def plot_precision_recall(results: Mapping[str, RetrievalResult], ax: Axes | None = None) -> Axes:
    """Draws the mean interpolated precision at the recalls 0, 10, ..., 100 %, one curve for each named result."""
    ax = _prepared(results, ax, "recall (%)", "interpolated precision (%)")
    for (name, result), look in zip(results.items(), _looks(), strict=False):
        ax.plot([100 * point for point in RECALL_POINTS], 100 * result.precision_recall, label=name, **look)
    ax.set_xlim(0, 100)
    return _finished(ax)


def plot_precision_scope(
    results: Mapping[str, RetrievalResult], ax: Axes | None = None, *, interpolated: bool = True
) -> Axes:
    """Draws the mean precision of the first k documents against k: interpolated as in the paper, or raw."""
    kind = "interpolated precision (%)" if interpolated else "raw precision (%)"
    ax = _prepared(results, ax, "scope (documents returned)", kind)
    for (name, result), look in zip(results.items(), _looks(), strict=False):
        curve = result.precision_scope
        ax.plot(curve.scopes, 100 * (curve.interpolated if interpolated else curve.raw), label=name, **look)
    ax.set_xlim(left=0)
    return _finished(ax)


def draw_curves(results: Mapping[str, RetrievalResult]) -> Figure:
    """Draws both curves side by side on a new figure."""
    figure = blank_figure(10)
    plot_precision_recall(results, figure.add_subplot(1, 2, 1))
    plot_precision_scope(results, figure.add_subplot(1, 2, 2))
    return figure


def blank_figure(width: float, height: float = 4) -> Figure:
    """Creates a figure without pyplot, so there is no global state and nothing to close."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise missing_extra("drawing curves", "plots") from None
    return Figure(figsize=(width, height), layout="constrained")


def _prepared(results: Mapping[str, RetrievalResult], ax: Axes | None, x: str, y: str) -> Axes:
    if not results:
        raise InputError("there is no result to draw; give a mapping from names to results")
    ax = blank_figure(6).add_subplot() if ax is None else ax
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    return ax


def _finished(ax: Axes) -> Axes:
    ax.set_ylim(0, 100)
    return _with_legend(ax)


def _with_legend(ax: Axes) -> Axes:
    ax.grid(visible=True, alpha=0.3)
    ax.legend(frameon=False)
    return ax


def _looks() -> Iterator[dict[str, Any]]:
    """Yields line styles and markers that differ in black and white too; the colours come from the axes."""
    for style, marker in zip(cycle(_STYLES), cycle(_MARKERS), strict=False):
        yield {"linestyle": style, "marker": marker, "markersize": 4, "linewidth": 1.5}


def draw_feedback(results: Mapping[str, FeedbackResult]) -> Figure:
    """Draws mAP and P@10 on the residual collection, and mAP with frozen marks, over the rounds; one colour for each
    result."""
    figure = blank_figure(13)
    plot_feedback_rounds(results, figure.add_subplot(1, 3, 1))
    plot_feedback_rounds(results, figure.add_subplot(1, 3, 2), measure=precision_name(10))
    plot_feedback_rounds(results, figure.add_subplot(1, 3, 3), frozen=True)
    return figure


def plot_feedback_rounds(
    results: Mapping[str, FeedbackResult], ax: Axes | None = None, *, measure: str = MAP_11, frozen: bool = False
) -> Axes:
    """Draws a measure before any mark and after each round; dotted: the same documents without feedback.

    On the residual collection a curve may fall although feedback helps, because documents that are easy to find are
    marked first and then removed.
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
    return _with_legend(ax)


def draw_screening(recall_curves: Mapping[str, Values], stops: Mapping[str, float] | None = None) -> Figure:
    """Draws recall against the share of records shown; dotted: records in random order.

    recall_curves: name -> (n_shown,), the share of the relevant records found among the first 1, 2, ... shown.
    stops: name -> the share of records at which the screening could have stopped; it is marked on the curve.
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
    _with_legend(ax)
    return figure


def plot_map(points: FloatArray, labels: IntArray, names: Sequence[str], ax: Axes | None = None) -> Axes:
    """Draws a dot for each text in the colour of its group, and each group's name at its centre. Label -1 is grey.

    Names that would overlap are moved up or down.
    """
    if len(points) != len(labels):
        raise InputError(f"{len(points)} points but {len(labels)} labels; give one label for each point")
    ax = blank_figure(9, 7).add_subplot() if ax is None else ax
    size = float(np.clip(15_000 / max(1, len(points)), 4, 40))
    grey = labels < 0
    ax.scatter(points[grey, 0], points[grey, 1], s=size, color="lightgrey", linewidths=0)
    ax.set_xticks([])
    ax.set_yticks([])
    notes = []
    for number, name in enumerate(names):
        own = points[labels == number]
        if len(own):
            colour = _colour(number, len(names))
            ax.scatter(own[:, 0], own[:, 1], s=size, color=colour, alpha=0.75, linewidths=0)
            notes.append(_noted(ax, name, np.median(own, axis=0), colour))
    _move_apart(ax, notes)
    return ax


def _colour(number: int, n_groups: int) -> tuple[float, float, float]:
    """Returns one of ten strong colours, followed by ten pale ones if there are more than ten groups."""
    from matplotlib import colormaps

    strong_and_pale = colormaps["tab20"].colors  # type: ignore[attr-defined]
    place = number % 20 if n_groups > 10 else number % 10
    found: tuple[float, float, float] = strong_and_pale[2 * (place % 10) + place // 10]
    return found


def _noted(ax: Axes, name: str, place: FloatArray, colour: tuple[float, float, float]) -> Annotation:
    return ax.annotate(
        name, (float(place[0]), float(place[1])), (0, 0), textcoords="offset points", fontsize=8, ha="center",
        va="center", bbox={"boxstyle": "round,pad=0.2", "fc": "white", "ec": colour, "alpha": 0.8},
    )  # fmt: skip


def _move_apart(ax: Axes, notes: list[Annotation]) -> None:
    """Moves each name up or down, by steps of its height, to the nearest free place; earlier names stay."""
    figure = ax.get_figure(root=True)
    if figure is None or not notes:
        return
    figure.draw_without_rendering()  # computes the layout and so the sizes
    taken: list[Bbox] = []
    for note in notes:
        own = note.get_window_extent().padded(NAME_PADDING * figure.dpi / POINTS_AN_INCH)
        steps = sorted(range(-len(notes), len(notes) + 1), key=abs)
        places = [own.translated(0, step * own.height) for step in steps]
        step, place = next(
            (found for found in zip(steps, places, strict=True) if not any(found[1].overlaps(one) for one in taken)),
            (0, own),
        )
        note.set_position((0, step * own.height * POINTS_AN_INCH / figure.dpi))
        taken.append(place)
