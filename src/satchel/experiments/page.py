"""The page of results, written from whatever results are saved."""

import re
from collections.abc import Sequence
from pathlib import Path

from satchel.experiments.plan import Experiment, Picture
from satchel.experiments.reading import experiments_folder, find_experiments, read_experiment

INTRODUCTION = """# Results

Written by `satchel reproduce --page docs/laboratory/results.md` from the results that `satchel reproduce … --save` has
put beside the experiments. The values in parentheses are the papers'; all others are ours.

The tables' top-k precision is **interpolated** (the highest precision at rank k or later), and is named so here.
± is half the distance between the lowest and the highest of the seeds.
"""
_KINDS = ("Table", "Figure")


def results_page() -> str:
    """The page as Markdown: tables first, then figures, then what else was measured; nothing that is not saved."""
    experiments = sorted(map(read_experiment, find_experiments()), key=_place)
    sections = [section for experiment in experiments if (section := _section(experiment))]
    return "\n".join([INTRODUCTION, *sections])


def pictures_folder(experiment: Experiment) -> Path:
    """Where an experiment's figures are drawn: under the documentation of a source tree, else beside its file."""
    folder = experiments_folder()
    docs = folder.parent / "docs"
    if docs.is_dir() and experiment.path.is_relative_to(folder):
        return docs / "laboratory" / "figures" / experiment.path.parent.relative_to(folder)
    return experiment.path.parent


def _section(experiment: Experiment) -> str:
    """An experiment's part of the page; "" where nothing of it is saved."""
    if not experiment.path.with_suffix(".md").is_file():
        return ""
    if not experiment.figures:
        return _joined([f"## {experiment.source}", experiment.shows, experiment.finding, _snippet(experiment)])
    pictures = [_picture(experiment, name, picture) for name, picture in experiment.figures.items()]
    shown = [picture for picture in pictures if picture]
    return _joined([*shown, experiment.note]) if shown else ""


def _picture(experiment: Experiment, name: str, picture: Picture) -> str:
    path = pictures_folder(experiment) / f"{name}.png"
    if not path.is_file():
        return ""
    image = f"![{picture.title}](figures/{experiment.name.rpartition('/')[0]}/{name}.png)"
    return _joined([f"## {picture.title}", picture.shows, picture.finding, image]).rstrip()


def _snippet(experiment: Experiment) -> str:
    return f'--8<-- "experiments/{experiment.name}.md"'


def _joined(parts: Sequence[str]) -> str:
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"


def _place(experiment: Experiment) -> tuple[int, int]:
    """Tables by number, figures by number, the others; equal ones stay in the order of their names."""
    kind = next((place for place, kind in enumerate(_KINDS) if kind in experiment.source), len(_KINDS))
    number = re.search(r"\d+$|(?<=Figures )\d+", experiment.source) if kind < len(_KINDS) else None
    return kind, int(number[0]) if number else 0
