"""Draws the figures of papers from saved rows: the kinds that an experiment's file may name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from satchel.experiments.figures.curves import (
    draw_components,
    draw_learning_curves,
    draw_precision_recall,
    draw_precision_scope,
    draw_recall_curves,
    draw_rounds,
    draw_spaces,
    draw_sweep,
)
from satchel.experiments.figures.topics import draw_perplexities, draw_query_lengths, draw_topic_sizes, draw_topics

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from satchel.experiments.plan import Experiment
    from satchel.experiments.results import ResultRow

DPI = 110


def draw_figures(experiment: Experiment, rows: Sequence[ResultRow], folder: Path) -> list[Path]:
    """Writes every figure of the experiment as a PNG, and returns the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, picture in experiment.figures.items():
        figure = FIGURES[picture.kind](experiment, rows)
        figure.suptitle(picture.title)
        paths.append(folder / f"{name}.png")
        figure.savefig(paths[-1], dpi=DPI)
    return paths


FIGURES: Mapping[str, Callable[[Experiment, Sequence[ResultRow]], Figure]] = {
    "precision-recall": draw_precision_recall,
    "precision-scope": draw_precision_scope,
    "spaces": draw_spaces,
    "learning-curves": draw_learning_curves,
    "sweep": draw_sweep,
    "components": draw_components,
    "feedback-rounds": draw_rounds,
    "recall-curves": draw_recall_curves,
    "query-lengths": draw_query_lengths,
    "topics": draw_topics,
    "topic-sizes": draw_topic_sizes,
    "perplexities": draw_perplexities,
}
"""The kinds of figures that an experiment's file may name."""
