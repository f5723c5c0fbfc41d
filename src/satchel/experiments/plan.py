"""What an experiment is: a TOML file with data set, protocol, methods, seeds, published values and tolerance."""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from satchel.errors import DamagedFileError, InputError, MissingFileError, unknown_name
from satchel.experiments.methods import check_parameters
from satchel.experiments.protocols import MEASURED
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

    def __post_init__(self) -> None:
        _check_strings(self, "method", "encoder", "note")
        _check_table("parameters", self.parameters)
        _check_table("published", self.published)
        for name, values in self.published.items():
            check_metric(name)
            _check_table(f"published.{name}", values)
            for measure, value in values.items():
                _check_number(f"published {measure}", value)
        if not self.published or not self.seeds or len(set(self.seeds)) < len(self.seeds):
            raise InputError(f"the method {self.method!r} needs distinct seeds and a published distance, one at least")
        if not all(type(seed) is int and seed >= 0 for seed in self.seeds):
            raise InputError(f"seeds must be whole numbers of at least 0, not {list(self.seeds)}")
        check_parameters(self.encoder, self.parameters)


@dataclass(frozen=True)
class Experiment:
    """One table or figure of a paper.

    path: the file it was read from, beside which its results are saved.
    judged_by: the measure that decides the verdict; tolerance: how many points it may differ from the published value.
    """

    name: str
    path: Path
    title: str
    source: str
    dataset: str
    protocol: str
    judged_by: str
    tolerance: float
    methods: tuple[Method, ...]
    note: str = ""

    def __post_init__(self) -> None:
        _check_strings(self, "title", "source", "dataset", "protocol", "judged_by", "note")
        _check_number("tolerance", self.tolerance)
        if self.protocol not in MEASURED:
            raise unknown_name("protocol", self.protocol, MEASURED)
        measured, names = MEASURED[self.protocol], [method.method for method in self.methods]
        if not names or len(set(names)) < len(names):
            raise InputError(f"methods must have distinct names, and there must be one at least; found {names}")
        for values in (values for method in self.methods for values in method.published.values()):
            if self.judged_by not in values:
                raise InputError(f"judged_by is {self.judged_by!r}, but only {', '.join(values)} was published")
            for measure in values:
                if measure not in measured:
                    raise unknown_name(f"measure of {self.protocol}", measure, measured)


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
        return Experiment(name=name, path=path, methods=methods, **content)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DamagedFileError(f"{path} is not valid TOML: {error}") from error
    except KeyError as error:
        raise InputError(f"{path} does not describe an experiment: it has no {error}") from error
    except (TypeError, InputError) as error:
        raise InputError(f"{path} does not describe an experiment: {error}") from error


def _method(row: object) -> Method:
    if not isinstance(row, dict):
        raise TypeError(f"a method must be a table, not {row!r}")
    seeds = row.pop("seeds", [0])
    if not isinstance(seeds, list):
        raise TypeError(f"seeds must be a list of whole numbers, not {seeds!r}")
    return Method(seeds=tuple(seeds), **row)


def _check_strings(owner: object, *names: str) -> None:
    for name in names:
        if not isinstance(value := getattr(owner, name), str):
            raise InputError(f"{name} must be a string, not {value!r}")


def _check_table(name: str, value: object) -> None:
    if not isinstance(value, Mapping):
        raise InputError(f"{name} must be a table, not {value!r}")


def _check_number(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise InputError(f"{name} must be a number of at least 0, not {value!r}")
