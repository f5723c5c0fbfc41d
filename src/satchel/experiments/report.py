"""Writes the Markdown table of an experiment, and the page of all saved results."""

import re
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from satchel.experiments.plan import Experiment, Picture
from satchel.experiments.reading import experiments_folder, find_experiments, read_experiment
from satchel.experiments.results import ResultRow, by_condition, worst_verdict


def as_markdown(experiment: Experiment, rows: Sequence[ResultRow]) -> str:
    """Writes the paper's table with our values beside the published ones, as means over seeds with their spread."""
    published = list(dict.fromkeys(name for row in rows for name in row.published))
    measures = list(experiment.columns) or published or [experiment.judged_by]
    settings = list(dict.fromkeys(name for row in rows for name in row.setting))
    columns = [f"{name}, ours (published)" if name in published else name for name in measures]
    head = ["method", *settings, "distance", "numbers", *columns, "verdict", "seeds", "s"]
    table = [
        f"| {' | '.join(head)} |",
        f"|{' --- |' * len(head)}",
        *(_line(group, measures, published, settings, experiment.unit) for group in by_condition(rows)),
    ]
    if experiment.across:
        table = across_lines(rows, experiment.across, measures, experiment.unit)
    unit = f", in {experiment.unit}" if experiment.unit else ""
    lines = [
        f"**{experiment.source}. {experiment.title}**{unit}.{_rule(experiment, rows)}",
        "",
        *table,
        "",
        *(f"Machine: {machine}." for machine in dict.fromkeys(row.machine for row in rows)),
        *([f"\n{experiment.note}"] if experiment.note else []),
    ]
    return "\n".join(lines) + "\n"


def _rule(experiment: Experiment, rows: Sequence[ResultRow]) -> str:
    """Says how the verdicts were found; "" if there are none."""
    if worst_verdict(rows) is None:
        return ""
    own = {method.method: t for method in experiment.methods if (t := method.tolerance) is not None}
    others = "".join(f", ±{value:g} for {' and '.join(_named(own, value))}" for value in dict.fromkeys(own.values()))
    within = f"±{experiment.tolerance:g}{others}" if experiment.tolerance is not None else others.removeprefix(", ")
    return f" Verdict by {experiment.judged_by}: OK within {within}; better above, OKish below by at most twice of it."


def _named(own: dict[str, float], value: float) -> list[str]:
    return [name for name, tolerance in own.items() if tolerance == value]


def _line(rows: list[ResultRow], measures: list[str], published: list[str], settings: list[str], unit: str) -> str:
    first = rows[0]
    method = f"{first.method} ({first.note})" if first.note else first.method
    setting = [str(first.setting.get(name, "–")) for name in settings]
    values = [_value(rows, name, unit, name in published) for name in measures]
    seconds = f"{fmean(row.seconds for row in rows):.1f}"
    verdict = worst_verdict(rows) or "–"
    cells = [method, *setting, first.distance, str(first.length), *values, verdict, str(len(rows)), seconds]
    return f"| {' | '.join(cells)} |"


def _value(rows: list[ResultRow], name: str, unit: str, published: bool) -> str:
    measured = [row.measures[name] for row in rows if name in row.measures]
    if not measured:
        return "–"
    form = ".2f" if unit else "g"
    spread = f" ±{(max(measured) - min(measured)) / 2:{form}}" if len(measured) > 1 else ""
    ours = f"{fmean(measured):{form}}{spread}"
    if not published or not any(row.published for row in rows):
        return ours
    theirs = rows[0].published.get(name)
    return f"{ours} ({'not published' if theirs is None else format(theirs, form)})"


def across_lines(rows: Sequence[ResultRow], across: str, measures: Sequence[str], unit: str) -> list[str]:
    """Writes a Markdown table whose columns are the values of the setting `across`; the cells hold the measures."""
    groups = by_condition(rows)
    columns = list(dict.fromkeys(str(row.setting[across]) for row in rows))
    settings = [name for name in dict.fromkeys(name for row in rows for name in row.setting) if name != across]
    cells: dict[tuple[str, ...], dict[str, str]] = {}
    for group in groups:
        first = group[0]
        place = (first.method, *(str(first.setting.get(name, "–")) for name in settings))
        cells.setdefault(place, {})[str(first.setting[across])] = _cell_across(group, measures, unit)
    head = ["method", *settings, *columns]
    published = "; in parentheses: published" if any(row.published for row in rows) else ""
    return [
        f"| {' | '.join(head)} |",
        f"|{' --- |' * len(head)}",
        *(f"| {' | '.join([*place, *(found.get(name, '–') for name in columns)])} |" for place, found in cells.items()),
        "",
        f"Each cell: {' / '.join(measures)}, mean over {_seed_count(groups)}; ± half the span of the seeds{published}.",
    ]


def _cell_across(rows: Sequence[ResultRow], measures: Sequence[str], unit: str) -> str:
    form = ".2f" if unit else "g"
    cells = []
    for place, name in enumerate(measures):
        values = [row.measures[name] for row in rows if name in row.measures]
        spread = f" ±{(max(values) - min(values)) / 2:{form}}" if len(values) > 1 and not place else ""
        published = f" ({rows[0].published[name]:{form}})" if name in rows[0].published else ""
        cells.append(f"{fmean(values):{form}}{spread}{published}" if values else "–")
    return " / ".join(cells)


def _seed_count(groups: Sequence[Sequence[ResultRow]]) -> str:
    numbers = sorted({len(group) for group in groups})
    named = f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
    return f"{named} seed{'s' if numbers != [1] else ''}"


INTRODUCTION = """# Results

`satchel reproduce --results-page docs/laboratory/results.md` writes this page from the results that
`satchel reproduce … --save` has put beside the experiments. The values in parentheses are the papers';
all others are ours.

The tables' top-k precision is **interpolated** (the highest precision at rank k or later), and is named so here.
± is half the distance between the lowest and the highest of the seeds.
"""
_KINDS = ("Table", "Figure")


def results_page() -> str:
    """Writes the page of saved results as Markdown: tables first, then figures, then other experiments."""
    experiments = sorted(map(read_experiment, find_experiments()), key=_place)
    sections = [section for experiment in experiments if (section := _section(experiment))]
    return "\n".join([INTRODUCTION, *sections])


def pictures_folder(experiment: Experiment) -> Path:
    """The folder of an experiment's figures: under the documentation of a source tree, else beside its file."""
    folder = experiments_folder()
    docs = folder.parent / "docs"
    if docs.is_dir() and experiment.path.is_relative_to(folder):
        return docs / "laboratory" / "figures" / experiment.path.parent.relative_to(folder)
    return experiment.path.parent


def _section(experiment: Experiment) -> str:
    """An experiment's part of the page; "" if nothing of it is saved."""
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
    """Sorts tables by number, then figures by number, then the others; equal ones keep the order of their names."""
    kind = next((place for place, kind in enumerate(_KINDS) if kind in experiment.source), len(_KINDS))
    number = re.search(r"\d+$|(?<=Figures )\d+", experiment.source) if kind < len(_KINDS) else None
    return kind, int(number[0]) if number else 0
