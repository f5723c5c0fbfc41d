"""What an experiment is: a TOML file with data set, protocol, methods, seeds, published values and tolerance."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from satchel.errors import DamagedFileError, InputError, MissingFileError, unknown_name
from satchel.ranking import Metric, check_metric

Values = Mapping[str, float]


@dataclass(frozen=True)
class Method:
    """One method of a table: how to build its encoder, and what was published for each distance, in percent."""

    method: str
    encoder: str
    published: Mapping[str, Values]
    parameters: Mapping[str, object] = field(default_factory=dict)
    seeds: tuple[int, ...] = (0,)
    note: str = ""

    @property
    def distances(self) -> list[Metric]:
        """The distances that were published, in the paper's order."""
        return [check_metric(name) for name in self.published]


@dataclass(frozen=True)
class Experiment:
    """One table or figure of a paper.

    judged_by: the measure that decides the verdict; tolerance: how many points it may differ from the published value.
    """

    name: str
    title: str
    source: str
    dataset: str
    protocol: str
    judged_by: str
    tolerance: float
    methods: tuple[Method, ...]
    note: str = ""


def experiments_folder() -> Path:
    """Where the tables lie: inside an installed package, or at the top of a source tree."""
    here = Path(__file__).parent
    for folder in (here / "tables", here.parents[2] / "experiments"):
        if folder.is_dir():
            return folder
    raise MissingFileError(
        "the folder of experiments was not found; install Satchel again or run it from its source tree"
    )


def find_experiments() -> dict[str, Path]:
    """All experiments by name, such as `pt18/table1`."""
    folder = experiments_folder()
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in sorted(folder.rglob("*.toml"))}


def read_experiment(name: str) -> Experiment:
    """An experiment by its name, or from the path of a TOML file."""
    known = find_experiments()
    path = Path(name) if name.endswith(".toml") else known.get(name)
    if path is None:
        raise unknown_name("experiment", name, known)
    if not path.is_file():
        raise MissingFileError(f"no experiment file at {name}")
    return _parse(path.with_suffix("").name if name.endswith(".toml") else name, path)


def _parse(name: str, path: Path) -> Experiment:
    try:
        with path.open("rb") as file:
            content = tomllib.load(file)
        methods = tuple(_method(row) for row in content.pop("methods"))
        return Experiment(name=name, methods=methods, **content)
    except tomllib.TOMLDecodeError as error:
        raise DamagedFileError(f"{path} is not valid TOML: {error}") from error
    except (KeyError, TypeError) as error:
        raise InputError(f"{path} does not describe an experiment: {error}") from error


def _method(row: dict[str, object]) -> Method:
    seeds = row.pop("seeds", [0])
    if not isinstance(seeds, list):
        raise TypeError(f"seeds must be a list of integers, not {seeds!r}")
    return Method(seeds=tuple(seeds), **row)  # type: ignore[arg-type]
