"""The results of an experiment: one row for each method, distance and seed, with its verdict, saved as JSON."""

import json
import os
import platform
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Final, Literal, NamedTuple

from satchel.errors import DamagedFileError, MissingFileError

Verdict = Literal["better", "OK", "OKish", "FAIL"]
VERDICTS: tuple[Verdict, ...] = ("better", "OK", "OKish", "FAIL")
"""From the best to the worst."""

Setting = Mapping[str, str | int | float | bool]
OWN_SCORE: Final = "score"
"""The name of a retriever's own score, used in place of a distance."""
Series = Mapping[str, Sequence[float]]
NO_SERIES: Series = {}
_NUMBERS = re.compile(r"\[\s+([-+.,\de\s]+?)\s+\]")


class Outcome(NamedTuple):
    """The result of one method with one distance: numbers for a table, and series of numbers for a figure."""

    distance: str
    length: int
    measures: Mapping[str, float]
    seconds: float
    series: Series = NO_SERIES


@dataclass(frozen=True)
class ResultRow:
    """Measured and published values; seconds: the time to fit, encode and judge.

    published is empty and verdict None if the paper gives no number, as for a figure. setting: other values that
    identify this row, such as {"data set": "r8", "sigma": 0.4}. series: the points of a figure, by name.
    """

    method: str
    distance: str
    length: int
    measures: Mapping[str, float]
    published: Mapping[str, float]
    verdict: Verdict | None
    seconds: float
    seed: int
    machine: str
    note: str = ""
    setting: Setting = field(default_factory=dict)
    series: Series = field(default_factory=dict)

    @property
    def condition(self) -> tuple[object, ...]:
        """The values that are the same for all seeds of one condition."""
        return self.method, *self.setting.items(), self.distance


def verdict(measured: float, published: float, tolerance: float) -> Verdict:
    """Returns OK within the tolerance, better above it, OKish below by at most twice the tolerance, else FAIL."""
    difference = measured - published
    if abs(difference) <= tolerance:
        return "OK"
    if difference > 0:
        return "better"
    return "OKish" if difference >= -2 * tolerance else "FAIL"


def worst_verdict(rows: Sequence[ResultRow]) -> Verdict | None:
    """The worst verdict of the rows; None if no row has one."""
    return max((row.verdict for row in rows if row.verdict is not None), key=VERDICTS.index, default=None)


def by_condition(rows: Sequence[ResultRow]) -> list[list[ResultRow]]:
    """Groups rows that differ only by the seed."""
    groups: dict[tuple[object, ...], list[ResultRow]] = {}
    for row in rows:
        groups.setdefault(row.condition, []).append(row)
    return list(groups.values())


def percent(measures: Mapping[str, float]) -> dict[str, float]:
    """Converts fractions to percent, rounded as in rows."""
    return {name: round(100 * value, 3) for name, value in measures.items()}


def machine() -> str:
    """Describes the machine that seconds were measured on: cores, kind of processor, system, the versions that affect
    speed, and the GPU if torch was used and finds one.

    It contains nothing that names the machine or its user.
    """
    cores = os.cpu_count() or 1
    return (
        f"{cores} {'core' if cores == 1 else 'cores'} of {platform.machine()}, {platform.system()}, "
        f"Python {platform.python_version()}, numpy {version('numpy')}, scikit-learn {version('scikit-learn')}{_gpu()}"
    )


def _gpu() -> str:
    """The GPU's name; looked up only if training has imported torch, because the import takes a second."""
    torch = sys.modules.get("torch")
    return f", {torch.cuda.get_device_name()}" if torch is not None and torch.cuda.is_available() else ""


def as_json(rows: Sequence[ResultRow]) -> str:
    """Writes the rows as a JSON list, with each series of numbers on one line."""
    text = json.dumps([_without_empty(row) for row in rows], indent=1) + "\n"
    return _NUMBERS.sub(lambda match: f"[{' '.join(match[1].split())}]", text)


def write_results(path: Path, rows: Sequence[ResultRow]) -> None:
    """Saves the rows for `read_results`."""
    path.write_text(as_json(rows), encoding="utf-8")


def read_results(path: Path) -> list[ResultRow]:
    """Reads the rows that `write_results` saved."""
    if not path.is_file():
        raise MissingFileError(f"no results at {path}; `satchel reproduce --save` writes them")
    try:
        return [ResultRow(**row) for row in json.loads(path.read_text("utf-8"))]
    except (ValueError, TypeError) as error:
        raise DamagedFileError(f"{path} does not hold the results of an experiment: {error}") from error


def _without_empty(row: ResultRow) -> dict[str, object]:
    """The row as a table, without setting and series if they are empty."""
    return {name: value for name, value in asdict(row).items() if name not in ("setting", "series") or value}
