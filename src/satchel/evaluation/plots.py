"""The two curves of [PT18] section 4.3. Each function takes an axis and returns it; nothing is shown or saved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import cycle
from typing import TYPE_CHECKING, Any

from satchel.errors import InputError, missing_extra
from satchel.evaluation.measures import RECALL_POINTS
from satchel.evaluation.retrieval_result import RetrievalResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_STYLES = ("-", "--", "-.", ":")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def plot_precision_recall(results: Mapping[str, RetrievalResult], ax: Axes | None = None) -> Axes:
    """Mean interpolated precision at the recalls 0, 10, ..., 100 %, one curve for each named result."""
    ax = _prepared(results, ax, "recall (%)", "interpolated precision (%)")
    for (name, result), look in zip(results.items(), _looks(), strict=False):
        ax.plot([100 * point for point in RECALL_POINTS], 100 * result.precision_recall, label=name, **look)
    ax.set_xlim(0, 100)
    return _finished(ax)


def plot_precision_scope(
    results: Mapping[str, RetrievalResult], ax: Axes | None = None, *, interpolated: bool = True
) -> Axes:
    """Mean precision of the first k documents against k: interpolated as in the paper, or raw."""
    kind = "interpolated precision (%)" if interpolated else "raw precision (%)"
    ax = _prepared(results, ax, "scope (documents returned)", kind)
    for (name, result), look in zip(results.items(), _looks(), strict=False):
        curve = result.precision_scope
        ax.plot(curve.scopes, 100 * (curve.interpolated if interpolated else curve.raw), label=name, **look)
    ax.set_xlim(left=0)
    return _finished(ax)


def draw_curves(results: Mapping[str, RetrievalResult]) -> Figure:
    """Both curves side by side on a figure of their own."""
    figure = blank_figure(10)
    plot_precision_recall(results, figure.add_subplot(1, 2, 1))
    plot_precision_scope(results, figure.add_subplot(1, 2, 2))
    return figure


def blank_figure(width: float, height: float = 4) -> Figure:
    """A figure outside pyplot: no global state, nothing to close."""
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
    ax.grid(visible=True, alpha=0.3)
    ax.legend(frameon=False)
    return ax


def _looks() -> Iterator[dict[str, Any]]:
    """Line styles and markers that stay apart in black and white; colours come from the axis."""
    for style, marker in zip(cycle(_STYLES), cycle(_MARKERS), strict=False):
        yield {"linestyle": style, "marker": marker, "markersize": 4, "linewidth": 1.5}
