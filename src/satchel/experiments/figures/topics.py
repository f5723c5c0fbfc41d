"""The figures of [MW]: measures against the length of the query, for each topic, sizes of topics, perplexities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from satchel.experiments.figures.curves import labelled, mean_series, panels
from satchel.experiments.protocols.topics import MAP, N_WORDS
from satchel.experiments.results import by_condition

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from satchel.experiments.plan import Experiment
    from satchel.experiments.results import ResultRow

SHOWN = {"success rate": "success rate, %", "mean rank": "mean rank", MAP: f"{MAP}, %", "MCC": "MCC"}
"""The four panels of [MW] Figures 4 to 6 and 11 to 13, and the labels of their axes."""


def draw_query_lengths(experiment: Experiment, rows: Sequence[ResultRow]) -> Figure:
    """[MW] Figures 4 to 6 and 11 to 13: four measures against the words in a query, one row of panels per data set."""
    named = list(_by_dataset(rows))
    figure, axes = panels(len(named) * len(SHOWN), len(SHOWN), width=2.35, height=2.4)
    for place, (dataset, groups) in enumerate(named):
        for ax, (measure, label) in zip(axes[place * len(SHOWN) :], SHOWN.items(), strict=False):
            for group in (group for group in groups if all(measure in row.series for row in group)):
                ax.plot(
                    group[0].series["words"],
                    mean_series(group, measure),
                    marker="o",
                    markersize=3,
                    label=group[0].method,
                )
            ax.set_xticks(N_WORDS)
            ax.set_title(dataset, fontsize=10)
            labelled(figure, ax, "words in the query", label)
            if ax is not axes[0] and (legend := ax.get_legend()):
                legend.remove()  # one is enough for all
    return figure


def draw_topics(experiment: Experiment, rows: Sequence[ResultRow]) -> Figure:
    """[MW] Figures 9 and 10: the success rate of each topic; panels by data set and method, lines by query length."""
    groups = by_condition(rows)
    figure, axes = panels(len(groups), 1, width=7.0, height=2.4)
    for ax, group in zip(axes, groups, strict=True):
        for n in N_WORDS:
            rates = mean_series(group, f"success rate of topics, {n} words")
            ax.plot(range(1, len(rates) + 1), rates, linewidth=1, label=f"{n} words")
        ax.set_title(f"{group[0].setting['data set']}: {group[0].method}", fontsize=10)
        labelled(figure, ax, "topic, the largest first", "success rate, %")
    return figure


def draw_topic_sizes(experiment: Experiment, rows: Sequence[ResultRow]) -> Figure:
    """[MW] Figure 7: how many train documents each topic has, one panel per data set."""
    groups = by_condition(rows)
    figure, axes = panels(len(groups), len(groups), width=4.4)
    for ax, group in zip(axes, groups, strict=True):
        sizes = group[0].series["documents of topics"]
        ax.bar(range(1, len(sizes) + 1), sizes, label=f"evenness {group[0].measures['evenness']:.2f}")
        ax.set_title(str(group[0].setting["data set"]), fontsize=10)
        labelled(figure, ax, "topic, the largest first", "train documents")
    return figure


def draw_perplexities(experiment: Experiment, rows: Sequence[ResultRow]) -> Figure:
    """Draws the perplexity after each epoch of the first seed, one panel per data set; dotted: on the training
    texts."""
    named = list(_by_dataset(rows))
    figure, axes = panels(len(named), len(named), width=4.4)
    for ax, (dataset, groups) in zip(axes, named, strict=True):
        for first, *_ in groups:
            learned = first.series["train perplexity"]
            epochs = range(1, len(learned) + 1)
            (line,) = ax.plot(epochs, first.series.get("validation perplexity", learned), label=first.method)
            ax.plot(epochs, learned, linestyle=":", color=line.get_color())
        ax.set_yscale("log")
        ax.set_title(dataset, fontsize=10)
        labelled(figure, ax, "epoch", "perplexity")
    return figure


def _by_dataset(rows: Sequence[ResultRow]) -> Iterator[tuple[str, list[list[ResultRow]]]]:
    groups = by_condition(rows)
    for dataset in dict.fromkeys(str(row.setting["data set"]) for row in rows):
        yield dataset, [group for group in groups if group[0].setting["data set"] == dataset]
