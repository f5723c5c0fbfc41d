"""The panels that figures are drawn on, outside pyplot: no global state, nothing to close."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from satchel.errors import InputError, missing_extra
from satchel.evaluation.measures import Values

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from satchel.experiments.results import ResultRow


def mean_series(group: Sequence[ResultRow], series: str) -> Values:
    """The mean of a series over the seeds of a condition."""
    return np.asarray(np.mean([row.series[series] for row in group], axis=0), np.float64)


def labelled(figure: Figure, ax: Axes, x: str, y: str) -> Figure:
    """The figure, once the axes of a panel have their names, a grid and a legend."""
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.grid(visible=True, alpha=0.3)
    if ax.get_legend_handles_labels()[0]:  # an empty legend is a warning
        ax.legend(frameon=False, fontsize=8)
    return figure


def panels(n: int, n_columns: int, width: float = 4.0, height: float = 3.5) -> tuple[Figure, list[Axes]]:
    """A figure outside pyplot with n axes in rows of n_columns."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise missing_extra("drawing figures", "plots") from None
    if n < 1:
        raise InputError("there is no row to draw; run the experiment first, with --save")
    n_rows = -(-n // n_columns)
    figure = Figure(figsize=(width * n_columns, height * n_rows), layout="constrained")
    return figure, [figure.add_subplot(n_rows, n_columns, position + 1) for position in range(n)]
