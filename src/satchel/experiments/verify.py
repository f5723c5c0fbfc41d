"""Checks that a committed result holds every figure in the documentation.

A figure is a decimal number in README.md or docs/**/*.md. Code does not count (so write parameters and formulas in
code style), nor do addresses, sections of papers, and versions of Python. A section may use the results that it names:
by a snippet, by a picture, in code style (`pt18/table3`), or in a comment `<!-- figures: pt18/table3, benchmarks/peers
-->`. A result holds a number if one of its values rounds to it: a published value, a setting, or a mean over seeds,
methods or settings. A sentence that compares may also give the difference of two values of one measure that the table
shows.

Tables that are written from rows must match the rows. A wrong number is missed if it happens to be another value of
the same result. When figures were changed at random, the check found six in ten, and nine in ten of those with two
decimals in tables.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np

from satchel.errors import InputError
from satchel.experiments.reading import experiments_folder, find_experiments, read_experiment
from satchel.experiments.report import as_markdown
from satchel.experiments.results import ResultRow, by_condition, read_results
from satchel.types import DoubleArray

MOST_EXCEPTIONS = 40
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_NO_FIGURE = re.compile(
    r"<!--.*?-->|`[^`]*`|\]\([^)]*\)|^\[\w+\]: .*$|^--8<--.*$|<su[bp]>.*?</su[bp]>"
    r"|\b(?:[Ss]ections?|Python|Apache-) ?\d[\d.]*(?:(?:, | and | to |–)\d[\d.]*)*",
    re.MULTILINE | re.DOTALL,
)
_NUMBER = re.compile(r"(?<![\w.,])\d*\.\d+(?![\w]|\.\d)")
_HEADING = re.compile(r"^#+ ", re.MULTILINE)
_COMMENT = re.compile(r"<!-- figures: (.*?) -->", re.DOTALL)
_NAMED = re.compile(
    r"(?<=[` ])([\w-]+/[\w-]+)`|^--8<-- \"(?:experiments/)?([\w/-]+)\.md\"$|\]\([./\w-]*figures/([\w/-]+)\.png\)",
    re.MULTILINE,
)
_COMPARES = re.compile(
    r"\b(above|below|behind|better|worse|more|less|higher|lower|longer|far|between|differ\w*|gain\w*|los\w+|leads?"
    r"|points?|gives?|rais\w+|fall\w*|over|by|within|chang\w+|brings?|adds?|matter|cost\w*)\b"
)


class Figure(NamedTuple):
    """A decimal number on a page, with the results that its section names."""

    file: str
    line: int
    number: str
    compared: bool
    results: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.number} (looked for in {', '.join(self.results) or 'no result'})"


class HeldFigures(NamedTuple):
    """The numbers of a result: its values, and the differences of two values of one measure; both ascending."""

    values: DoubleArray
    differences: DoubleArray

    def holds(self, figure: Figure) -> bool:
        pools = (self.values, self.differences) if figure.compared else (self.values,)
        return any(_rounds_to(number, pool) for pool in pools for number in _written(figure.number))


class Verified(NamedTuple):
    """The result of a verification. faults: a sentence for each fault; empty if there is none."""

    n_figures: int
    n_exceptions: int
    faults: tuple[str, ...]


def verify_documentation(top: Path | None = None) -> Verified:
    """Verifies the pages of a source tree. top: its folder; by default the one that contains this package."""
    top = top or experiments_folder().parent
    if not (top / "docs").is_dir():
        raise InputError(f"{top} holds no docs/; figures are verified in a source tree of Satchel")
    pages = [top / "README.md", *sorted((top / "docs").rglob("*.md"))]
    drawn = _pictures()
    figures = [figure for page in pages for figure in _figures(page, top, drawn)]
    held = {name: _held(top, name) for name in {name for figure in figures for name in figure.results}}
    exceptions = _exceptions(top / "docs" / "laboratory" / "exceptions.toml")
    missing = [one for one in figures if not any(held[name].holds(one) for name in one.results)]
    needed = {(one.file, one.number) for one in missing}
    faults = [str(one) for one in missing if (one.file, one.number) not in exceptions]
    faults += [f"{file}: {number} is held now and needs no exception" for file, number in [*{*exceptions} - needed]]
    if len(exceptions) > MOST_EXCEPTIONS:
        faults.append(f"{len(exceptions)} exceptions are listed; at most {MOST_EXCEPTIONS} may be")
    return Verified(len(figures), len(exceptions), (*faults, *_changed_tables()))


def _figures(page: Path, top: Path, drawn: Mapping[str, str]) -> Iterator[Figure]:
    text, file = _FENCE.sub(_blank, page.read_text("utf-8")), page.relative_to(top).as_posix()
    starts = [0, *(match.start() for match in _HEADING.finditer(text)), len(text)]
    for start, stop in pairwise(starts):
        results, section = _results_named(text[start:stop], drawn), _NO_FIGURE.sub(_blank, text[start:stop])
        for match in _NUMBER.finditer(section):
            line = text.count("\n", 0, start + match.start()) + 1
            said = _sentence(section, match.start())
            compared = not said.lstrip().startswith("|") and bool(_COMPARES.search(said))
            yield Figure(file, line, match[0], compared, results)


def _blank(match: re.Match[str]) -> str:
    """Replaces all but line ends by spaces, so that positions stay the same."""
    return re.sub(r"[^\n]", " ", match[0])


def _results_named(section: str, drawn: Mapping[str, str]) -> tuple[str, ...]:
    listed = [name.strip() for comment in _COMMENT.findall(section) for name in comment.split(",")]
    named = [name for groups in _NAMED.findall(section) for name in groups if name]
    every = dict.fromkeys(drawn.get(name, name) for name in [*listed, *named])
    return tuple(name for name in every if _is_result(name))


def _is_result(name: str) -> bool:
    return name.startswith("benchmarks/") or name in find_experiments()


def _pictures() -> dict[str, str]:
    """Finds which experiment draws each picture, such as pt18/figure8."""
    drawn: dict[str, str] = {}
    for name in find_experiments():
        drawn |= {f"{name.rpartition('/')[0]}/{picture}": name for picture in read_experiment(name).figures}
    return drawn


def _sentence(text: str, place: int) -> str:
    """Finds the sentence around a position; a row of a table counts as one."""
    before = max(text.rfind(end, 0, place) + len(end) for end in (". ", ".\n", "\n\n", "\n| "))
    after = [found for end in (". ", ".\n", "\n\n", " |\n") if (found := text.find(end, place)) >= 0]
    return text[before : min(after, default=len(text))]


def _written(number: str) -> Iterator[str]:
    """Yields the number as written, and a fraction of three digits or more also in percent, as in results."""
    yield number
    whole, _, digits = number.partition(".")
    if whole in ("", "0") and len(digits) > 2:
        yield f"{digits[:2]}.{digits[2:]}"


def _rounds_to(number: str, pool: DoubleArray) -> bool:
    half = 0.5 * 10.0 ** -len(number.partition(".")[2]) + 1e-9
    low, high = np.searchsorted(pool, [float(number) - half, float(number) + half])
    return bool(low < high)


def _held(top: Path, name: str) -> HeldFigures:
    if name.startswith("benchmarks/"):
        paths = [path for ending in (".md", ".json") if (path := top / f"{name}{ending}").is_file()]
        text = "\n".join(path.read_text("utf-8") for path in paths).replace(",", " ")
        numbers = np.asarray([float(one) for one in re.findall(r"\d+(?:\.\d+)?", text)])
        return HeldFigures(np.unique(numbers), np.empty(0))
    path = top / "experiments" / f"{name}.json"
    return _held_by(read_results(path), _shown(name)) if path.is_file() else HeldFigures(np.empty(0), np.empty(0))


def _shown(name: str) -> set[str]:
    """The measures that an experiment shows: those of its table and the one that it is judged by."""
    experiment = read_experiment(name)
    published = {name for method in experiment.methods for values in method.published.values() for name in values}
    return {experiment.judged_by, *experiment.columns, *published}


def _held_by(rows: Sequence[ResultRow], shown: set[str]) -> HeldFigures:
    groups = by_condition(rows)
    means = [_means(group) for group in groups]
    values = [value for mean in means for value in mean.values()]
    values += [fmean(every) for every in _marginal(groups, means).values()]
    values += [float(one) for row in rows for one in row.setting.values() if isinstance(one, int | float)]
    values += [value for row in rows for value in row.published.values()]
    differences = []
    for measure in shown:
        having = [(group[0], mean[measure]) for group, mean in zip(groups, means, strict=True) if measure in mean]
        differences += [a - b for (one, a), (other, b) in combinations(having, 2) if _comparable(one, other)]
        differences += [mean - one.published[measure] for one, mean in having if measure in one.published]
    return HeldFigures(np.unique(np.abs(values)), np.unique(np.abs(differences)))


def _means(group: Sequence[ResultRow]) -> dict[str, float]:
    """The mean over seeds of each measure, and of the seconds."""
    return {name: fmean(row.measures[name] for row in group if name in row.measures) for name in group[0].measures}


def _marginal(
    groups: Sequence[Sequence[ResultRow]], means: Sequence[dict[str, float]]
) -> dict[tuple[object, ...], list[float]]:
    """Groups the means of a measure that are averaged together: by method, or by the values of some settings."""
    gathered: dict[tuple[object, ...], list[float]] = {}
    for (row, *_), mean in zip(groups, means, strict=True):
        parts = [("method", row.method), *((name, value) for name, value in row.setting.items() if name != "data set")]
        for chosen in (some for size in range(1, len(parts) + 1) for some in combinations(parts, size)):
            for name, value in mean.items():
                gathered.setdefault((row.distance, name, *chosen), []).append(value)
    return gathered


def _comparable(one: ResultRow, other: ResultRow) -> bool:
    """Whether two conditions differ only by the method, or only by one setting."""
    if one.distance != other.distance:
        return False
    differ = sum(one.setting.get(name) != other.setting.get(name) for name in {*one.setting, *other.setting})
    return differ + (one.method != other.method) == 1


def _exceptions(path: Path) -> dict[tuple[str, str], str]:
    """Reads the figures that no committed result holds; (file, number) -> reason."""
    if not path.is_file():
        return {}
    listed = tomllib.loads(path.read_text("utf-8")).get("exceptions", [])
    for one in listed:
        if {*one} != {"file", "number", "date", "reason"}:
            raise InputError(f"{path}: an exception has file, number, date and reason, not {', '.join(one)}")
    return {(one["file"], one["number"]): one["reason"] for one in listed}


def _changed_tables() -> Iterator[str]:
    """Yields a sentence for each committed table that does not match its rows."""
    for name, path in find_experiments().items():
        rows, table = path.with_suffix(".json"), path.with_suffix(".md")
        if rows.is_file() and table.read_text("utf-8") != as_markdown(read_experiment(name), read_results(rows)):
            cure = f"`satchel reproduce {name} --redraw` writes it"
            yield f"experiments/{name}.md is not the table of {rows.name}; {cure}"
