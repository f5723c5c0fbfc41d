"""The figures of [CP13]: a measure against the number of Gaussians, with what has no Gaussians as level lines."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from satchel.experiments.figures.panels import panels
from satchel.experiments.results import by_condition

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from satchel.experiments.plan import Experiment
    from satchel.experiments.results import ResultRow

NUMBER, SIZE = "n_components", "dim"
COLUMNS = 3
Points = dict[tuple[str, str], list[tuple[float, float]]]


def draw_components(experiment: Experiment, rows: Sequence[ResultRow]) -> Figure:
    """[CP13] Figures 1 and 2: the judged measure against the number of Gaussians, one panel for each data set.

    One colour for each size of the embedding, one kind of line for each method; a method without Gaussians is level.
    """
    figure, axes = panels(len(experiment.datasets), min(COLUMNS, len(experiment.datasets)), width=3.2)
    for ax, dataset in zip(axes, experiment.datasets, strict=True):
        own = [group for group in by_condition(rows) if group[0].setting["data set"] == dataset]
        _draw_lines(ax, _lines(own, experiment.judged_by))
        ax.set(title=dataset, xlabel="Gaussians", ylabel=f"{experiment.judged_by}, %")
        ax.grid(visible=True, alpha=0.3)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=COLUMNS, frameon=False, fontsize=9)
    return figure


def _lines(groups: Sequence[Sequence[ResultRow]], measure: str) -> Points:
    """The points (Gaussians, mean over seeds) of each method and size; 0 Gaussians where a method has none."""
    lines: Points = {}
    for group in groups:
        setting = group[0].setting
        point = float(setting.get(NUMBER, 0)), fmean(row.measures[measure] for row in group)
        lines.setdefault((group[0].method, str(setting.get(SIZE, ""))), []).append(point)
    return lines


def _draw_lines(ax: Axes, lines: Points) -> None:
    sizes = list(dict.fromkeys(size for _, size in lines))
    methods = list(dict.fromkeys(method for method, _ in lines))
    numbers = sorted({x for points in lines.values() for x, _ in points if x})
    for (method, size), points in lines.items():
        level = not points[0][0]
        xs, ys = (numbers, [points[0][1]] * len(numbers)) if level else zip(*sorted(points), strict=True)
        colour = f"C{sizes.index(size) if len(sizes) > 1 else methods.index(method)}"
        marker = "" if level else "os^v"[methods.index(method) % 4]
        label = f"{method}, e={size}" if size else method
        ax.plot(xs, ys, color=colour, linestyle="--" if level else "-", marker=marker, markersize=4, label=label)
    ax.set_xscale("log", base=2)
    ax.set_xticks(numbers, [f"{number:g}" for number in numbers], fontsize=8)
    ax.minorticks_off()
