"""Results as JSON to keep and as a Markdown table to read."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean

from satchel.errors import DamagedFileError, MissingFileError
from satchel.experiments.plan import Experiment
from satchel.experiments.results import ResultRow


def as_json(rows: Sequence[ResultRow]) -> str:
    """The rows as a JSON list."""
    return json.dumps([asdict(row) for row in rows], indent=1) + "\n"


def write_results(path: Path, rows: Sequence[ResultRow]) -> None:
    """Keeps the rows for `read_results`."""
    path.write_text(as_json(rows), encoding="utf-8")


def read_results(path: Path) -> list[ResultRow]:
    """The rows that `write_results` wrote."""
    if not path.is_file():
        raise MissingFileError(f"no results at {path}; `satchel reproduce --save` writes them")
    try:
        return [ResultRow(**row) for row in json.loads(path.read_text("utf-8"))]
    except (ValueError, TypeError) as error:
        raise DamagedFileError(f"{path} does not hold the results of an experiment: {error}") from error


def as_markdown(experiment: Experiment, rows: Sequence[ResultRow]) -> str:
    """The paper's table with ours beside theirs: means over seeds, and the spread where there are several."""
    measures = list(dict.fromkeys(name for row in rows for name in row.published))
    head = [
        "method",
        "distance",
        "numbers",
        *(f"{name}, ours (published)" for name in measures),
        "verdict",
        "seeds",
        "s",
    ]
    lines = [
        f"**{experiment.source}. {experiment.title}**, in percent. Verdict by {experiment.judged_by}: "
        f"OK within ±{experiment.tolerance:g}, OKish within ±{2 * experiment.tolerance:g}.",
        "",
        f"| {' | '.join(head)} |",
        f"|{' --- |' * len(head)}",
        *(_line(group, measures) for group in _by_condition(rows)),
        "",
        f"Machine: {rows[0].machine}.",
        *([f"\n{experiment.note}"] if experiment.note else []),
    ]
    return "\n".join(lines) + "\n"


def worst_verdict(rows: Sequence[ResultRow]) -> str:
    return max((row.verdict for row in rows), key=("OK", "OKish", "FAIL").index)


def _by_condition(rows: Sequence[ResultRow]) -> list[list[ResultRow]]:
    groups: dict[tuple[str, str], list[ResultRow]] = {}
    for row in rows:
        groups.setdefault((row.method, row.distance), []).append(row)
    return list(groups.values())


def _line(rows: list[ResultRow], measures: list[str]) -> str:
    first = rows[0]
    method = f"{first.method} ({first.note})" if first.note else first.method
    values = [_value([row.measures[name] for row in rows], first.published.get(name)) for name in measures]
    seconds = f"{fmean(row.seconds for row in rows):.1f}"
    cells = [method, first.distance, str(first.length), *values, worst_verdict(rows), str(len(rows)), seconds]
    return f"| {' | '.join(cells)} |"


def _value(measured: list[float], published: float | None) -> str:
    spread = f" ±{(max(measured) - min(measured)) / 2:.2f}" if len(measured) > 1 else ""
    theirs = "not published" if published is None else f"{published:.2f}"
    return f"{fmean(measured):.2f}{spread} ({theirs})"
