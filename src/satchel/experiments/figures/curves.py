"""The figures of [PT18] and [CP13], drawn from saved rows: only our values, because the papers print no points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from satchel.errors import InputError, missing_extra
from satchel.evaluation import PrecisionScope, RetrievalResult, Values, plot_precision_recall, plot_precision_scope
from satchel.experiments.results import by_condition

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from satchel.experiments.plan import Experiment
    from satchel.experiments.results import ResultRow


def mean_series(group: Sequence[ResultRow], series: str) -> Values:
    """The mean of a series over the seeds of a condition."""
    return np.asarray(np.mean([row.series[series] for row in group], axis=0), np.float64)


def labelled(figure: Figure, ax: Axes, x: str, y: str) -> Figure:
    """Gives the axes of a panel names, a grid and a legend, and returns the figure."""
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


MARKS = {"cosine": "o", "euclidean": "s"}
LETTERS = {"cosine": "c", "euclidean": "e"}  # the paper's letters for the distances
SIGNS = {"sigma": "initial σ", "m": "fuzziness m", "batch_size": "batch size", "n_codewords": "codewords"}


def draw_precision_recall(experiment: Experiment, rows: Sequence[ResultRow]) -> Figure:
    """[PT18] Figure 4: one panel for each data set, one curve for each method."""
    return _draw_curves(rows, plot_precision_recall)


def draw_precision_scope(experiment: Experiment, rows: Sequence[ResultRow]) -> Figure:
    """[PT18] Figure 5: one panel for each data set, one curve for each method."""
    return _draw_curves(rows, plot_precision_scope)


def draw_spaces(experiment: Experiment, rows: Sequence[ResultRow]) -> Figure:
    """[PT18] Figures 1 and 3: the document space of each row of the first seed, a colour for each class."""
    shown = [row for row in rows if row.seed == rows[0].seed]
    n_columns = min(3, len(shown)) if len(shown) != 4 else 2
    figure, axes = panels(len(shown), n_columns, width=3.4)
    for letter, ax, row in zip("abcdefghijkl", axes, shown, strict=False):
        _scatter(ax, row, experiment.options.get("classes"))
        setting = "".join(f", {value} {name.removeprefix('n_')}" for name, value in row.setting.items())
        ax.set_title(f"({letter}) {row.method}{setting}\nsilhouette {row.measures['silhouette']:.2f}", fontsize=10)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False, markerscale=2)
    return figure


def draw_learning_curves(experiment: Experiment, rows: Sequence[ResultRow]) -> Figure:
    """[PT18] Figure 2: the entropy after each epoch; the mean over seeds."""
    figure, (ax,) = panels(1, 1, width=7)
    for group in by_condition(rows):
        losses = np.mean([row.series["entropy"] for row in group], axis=0)
        if losses.size:
            ax.plot(range(1, len(losses) + 1), losses, marker="o", markersize=3, label=group[0].method)
    return labelled(figure, ax, "epoch", "entropy")


def draw_sweep(experiment: Experiment, rows: Sequence[ResultRow]) -> Figure:
    """[PT18] Figures 8 to 11: the judged measure against the parameter that varies, one panel for each data set."""
    groups = by_condition(rows)
    parameter = next(name for name in rows[0].setting if name != "data set")
    figure, axes = panels(len(experiment.datasets), len(experiment.datasets), width=4.4)
    for ax, dataset in zip(axes, experiment.datasets, strict=True):
        lines: dict[tuple[str, str], list[tuple[float, float]]] = {}
        for first, *others in (group for group in groups if group[0].setting["data set"] == dataset):
            value = fmean(row.measures[experiment.judged_by] for row in (first, *others))
            lines.setdefault((first.method, first.distance), []).append((float(first.setting[parameter]), value))
        for (method, distance), points in lines.items():
            style = "-" if method.startswith("RO") else "--"
            label = f"{method} ({LETTERS[distance]})"
            ax.plot(*zip(*points, strict=True), linestyle=style, marker=MARKS[distance], markersize=4, label=label)
        ticks = sorted({x for points in lines.values() for x, _ in points})
        ax.set_xscale("log")
        ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks], fontsize=8)
        ax.minorticks_off()
        ax.set_title(dataset, fontsize=10)
        labelled(figure, ax, SIGNS.get(parameter, parameter), f"{experiment.judged_by}, %")
    return figure


def draw_rounds(experiment: Experiment, rows: Sequence[ResultRow]) -> Figure:
    """Draws the judged measure over rounds of feedback, one panel for each data set; dotted: the same documents
    without feedback."""
    figure, axes = panels(len(experiment.datasets), min(3, len(experiment.datasets)), width=4.4)
    for ax, dataset in zip(axes, experiment.datasets, strict=True):
        for group in by_condition(rows):
            if group[0].setting.get("data set", dataset) == dataset:
                after, without = (mean_series(group, name) for name in ("with feedback", "without feedback"))
                (line,) = ax.plot(after, marker="o", markersize=4, label=group[0].method)
                ax.plot(without, linestyle=":", color=line.get_color())
        ax.set_xticks(range(len(after)))
        ax.set_title(dataset, fontsize=10)
        labelled(figure, ax, "rounds of marks", f"{experiment.judged_by}, residual, %")
    return figure


def draw_recall_curves(experiment: Experiment, rows: Sequence[ResultRow]) -> Figure:
    """Relevant records found against records shown, one panel for each review, one curve for each model."""
    reviews = list(dict.fromkeys(row.method for row in rows))
    figure, axes = panels(len(reviews), min(5, len(reviews)), width=2.2)
    for ax, review in zip(axes, reviews, strict=True):
        for group in by_condition([row for row in rows if row.method == review]):
            ax.plot(mean_series(group, "recall"), label=str(group[0].setting["model"]))
        ax.plot([0, 100], [0, 100], linestyle=":", color="grey")
        ax.set_title(review, fontsize=10)
        labelled(figure, ax, "records shown, %", "relevant found, %")
    return figure


def _draw_curves(rows: Sequence[ResultRow], plot: Callable[[dict[str, RetrievalResult], Axes], Axes]) -> Figure:
    datasets = list(dict.fromkeys(str(row.setting["data set"]) for row in rows))
    figure, axes = panels(len(datasets), len(datasets))
    for ax, dataset in zip(axes, datasets, strict=True):
        own = [group for group in by_condition(rows) if group[0].setting["data set"] == dataset]
        plot({group[0].method: _result(group) for group in own}, ax)
        ax.set_title(dataset, fontsize=10)
    return figure


def _result(group: Sequence[ResultRow]) -> RetrievalResult:
    """Turns saved rows back into curves, as means over seeds and as fractions."""

    scopes = np.array(group[0].series["scope"], np.int64)
    raw, interpolated, curve = (
        mean_series(group, name) / 100
        for name in ("raw precision at scope", "interpolated precision at scope", "precision at recall")
    )
    scope = PrecisionScope(scopes, raw, interpolated)
    return RetrievalResult(group[0].measures, {}, curve, scope, np.zeros(0, np.int64), 0)


def _scatter(ax: Axes, row: ResultRow, classes: object) -> None:
    names = classes if isinstance(classes, list) else []
    x, y, numbers = (np.array(row.series[name]) for name in ("x", "y", "class"))
    for number, name in enumerate(names):
        own = numbers == number
        ax.scatter(x[own], y[own], s=7, alpha=0.7, linewidths=0, label=name)
    ax.set_xlabel("first component", fontsize=8)
    ax.set_ylabel("second component", fontsize=8)
    ax.tick_params(labelsize=7)


NUMBER, SIZE = "n_components", "dim"
COLUMNS = 3
Points = dict[tuple[str, str], list[tuple[float, float]]]


def draw_components(experiment: Experiment, rows: Sequence[ResultRow]) -> Figure:
    """[CP13] Figures 1 and 2: the judged measure against the number of Gaussians, one panel for each data set.

    Each size of the embedding has a colour, and each method a kind of line; a method without Gaussians is a level
    line.
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
    """The points (Gaussians, mean over seeds) of each method and size; 0 Gaussians if a method has none."""
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
