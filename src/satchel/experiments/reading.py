"""Finds experiments as TOML files and reads them."""

import tomllib
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path

from satchel.errors import DamagedFileError, InputError, MissingFileError, unknown_name
from satchel.experiments.figures import FIGURES
from satchel.experiments.plan import Experiment, Method, Picture
from satchel.experiments.protocols import PROTOCOLS


def experiments_folder() -> Path:
    """Finds the folder of the TOML files: inside an installed package, or at the top of a source tree."""
    here = Path(__file__).parent
    for folder in (here / "tables", here.parents[2] / "experiments"):
        if folder.is_dir():
            return folder
    raise MissingFileError(
        "the folder of experiments was not found; install Satchel again or run it from its source tree"
    )


def find_experiments() -> dict[str, Path]:
    """Finds all experiments; name, such as `pt18/table1` -> path."""
    folder = experiments_folder()
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in sorted(folder.rglob("*.toml"))}


def read_experiment(name: str) -> Experiment:
    """Reads an experiment by its name, or from the path of a TOML file."""
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
        methods = tuple(method for row in content.pop("methods") for method in _methods(row))
        figures = {key: Picture(**table) for key, table in content.pop("figures", {}).items()}
        experiment = Experiment(name=name, path=path, methods=methods, figures=figures, **content)
        _check_names(experiment)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DamagedFileError(f"{path} is not valid TOML: {error}") from error
    except KeyError as error:
        raise InputError(f"{path} does not describe an experiment: it has no {error}") from error
    except (TypeError, AttributeError, InputError) as error:
        raise InputError(f"{path} does not describe an experiment: {error}") from error
    return experiment


def _methods(row: object) -> Iterator[Method]:
    """Yields the methods that a table describes.

    It describes one method; with `vary`, one for each value of a parameter; with `datasets`, one for each data set.
    """
    if not isinstance(row, dict):
        raise TypeError(f"a method must be a table, not {row!r}")
    row = {**row, "seeds": _tuple(row, "seeds", [0]), "distances": _tuple(row, "distances", [])}
    vary = row.pop("vary", {})
    if not isinstance(vary, Mapping) or not all(isinstance(values, list) for values in vary.values()):
        raise TypeError(f"vary must be a table of lists, not {vary!r}")
    datasets = _tuple(row, "datasets", [row.pop("dataset", "")])
    row.pop("datasets", None)
    parameters, setting = row.pop("parameters", {}), row.pop("setting", {})
    for dataset, *values in product(datasets, *vary.values()):
        own, varied = {"data set": dataset} if dataset else {}, dict(zip(vary, values, strict=True))
        yield Method(parameters=parameters | varied, setting=own | setting | varied, dataset=dataset, **row)


def _tuple(row: Mapping[str, object], name: str, default: list[object]) -> tuple[object, ...]:
    values = row.get(name, default)
    if not isinstance(values, list):
        raise TypeError(f"{name} must be a list, not {values!r}")
    return tuple(values)


def _check_names(experiment: Experiment) -> None:
    """Raises InputError unless the protocol, its measures and the kinds of figures are known."""
    if experiment.protocol not in PROTOCOLS:
        raise unknown_name("protocol", experiment.protocol, PROTOCOLS)
    _, measured, retrievers = PROTOCOLS[experiment.protocol]
    if not retrievers and (own := [m.method for m in experiment.methods if m.retriever]):
        raise InputError(f"the protocol {experiment.protocol} runs no retriever such as {own[0]!r}; give an encoder")
    published = [m for method in experiment.methods for values in method.published.values() for m in values]
    for measure in (experiment.judged_by, *published, *experiment.columns):
        if measure not in measured:
            raise unknown_name(f"measure of {experiment.protocol}", measure, measured)
    for picture in experiment.figures.values():
        if picture.kind not in FIGURES:
            raise unknown_name("kind of figure", picture.kind, FIGURES)
