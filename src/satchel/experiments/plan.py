"""The plan of an experiment: data sets, protocol, methods, seeds, published values and tolerance."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from satchel.errors import InputError
from satchel.experiments.results import OWN_SCORE, Setting
from satchel.parts import Table, check
from satchel.ranking import Metric, check_metric

Values = Mapping[str, float]


@dataclass(frozen=True)
class Method:
    """One method of a table: how to build its encoder or retriever, and what was published for each distance.

    encoder, retriever: the name of a class; one of the two is given. A retriever has its own score in place of
    distances.

    distances: the distances to judge; by default those that were published, in the paper's order.
    labels: whether `fit` gets the labels of the texts. Without them nothing is trained on classes.
    dataset, tolerance: replace those of the experiment for this method. setting: values that are shown as columns.
    """

    method: str
    encoder: str = ""
    retriever: str = ""
    published: Mapping[str, Values] = field(default_factory=dict)
    distances: tuple[Metric, ...] = ()
    parameters: Mapping[str, object] = field(default_factory=dict)
    labels: bool = False
    seeds: tuple[int, ...] = (0,)
    dataset: str = ""
    tolerance: float | None = None
    setting: Setting = field(default_factory=dict)
    note: str = ""

    def __post_init__(self) -> None:
        _check_strings(self, "method", "encoder", "retriever", "note", "dataset")
        _check_tables(self, "parameters", "published", "setting")
        if bool(self.encoder) == bool(self.retriever):
            raise InputError(f"the method {self.method!r} needs an encoder or a retriever, and not both")
        named = self.distances or (() if self.retriever else self.published)
        object.__setattr__(self, "distances", tuple(map(check_metric, named)))
        if not isinstance(self.labels, bool):
            raise InputError(f"labels must be true or false, not {self.labels!r}")
        if self.tolerance is not None:
            _check_number("tolerance", self.tolerance)
        self._check_published()
        self._check_seeds()
        check("retriever" if self.retriever else "encoder", self.part)

    @property
    def part(self) -> Table:
        """The encoder or retriever with its parameters, in the form that `build` takes."""
        return {**self.parameters, "name": self.retriever or self.encoder}

    @property
    def scorings(self) -> tuple[str, ...]:
        """The names of the scores that rank documents: the distances, or the retriever's own score."""
        return (OWN_SCORE,) if self.retriever else self.distances

    @property
    def conditions(self) -> list[tuple[object, ...]]:
        """The values that identify the rows of this method, in the form of `ResultRow.condition`."""
        return [(self.method, *self.setting.items(), scoring) for scoring in self.scorings]

    def _check_published(self) -> None:
        for name, values in self.published.items():
            if name not in self.scorings:
                raise InputError(f"{name} was published for {self.method!r} but is not among its distances")
            if not isinstance(values, Mapping):
                raise InputError(f"published.{name} must be a table, not {values!r}")
            for measure, value in values.items():
                _check_number(f"published {measure}", value)

    def _check_seeds(self) -> None:
        if not self.scorings or not self.seeds or len(set(self.seeds)) < len(self.seeds):
            raise InputError(f"the method {self.method!r} needs distinct seeds and at least one published distance")
        if not all(type(seed) is int and seed >= 0 for seed in self.seeds):
            raise InputError(f"seeds must be whole numbers of at least 0, not {list(self.seeds)}")


@dataclass(frozen=True)
class Picture:
    """A figure drawn from the rows: its kind, its title, what the paper's figure shows and whether ours agrees."""

    kind: str
    title: str
    shows: str = ""
    finding: str = ""

    def __post_init__(self) -> None:
        _check_strings(self, "kind", "title", "shows", "finding")


@dataclass(frozen=True)
class Experiment:
    """One table or figure of a paper.

    path: the file it was read from; its results are saved beside it.
    judged_by: the measure that decides the verdict. tolerance: how far, in points, it may be below the published
    value. Without a tolerance, as for a figure, there is no verdict.
    columns: the measures that the table shows; by default those that were published, or else judged_by.
    across: a setting, such as "data set", whose values become the columns of the table.
    unit: the unit of the measures; "" for plain numbers. options: the arguments of the protocol.
    figures: pictures by file name. shows: what the paper's table shows. finding: whether our results agree, after the
    run.
    """

    name: str
    path: Path
    title: str
    source: str
    protocol: str
    judged_by: str
    methods: tuple[Method, ...]
    dataset: str = ""
    tolerance: float | None = None
    columns: Sequence[str] = ()
    across: str = ""
    unit: str = "percent"
    options: Mapping[str, object] = field(default_factory=dict)
    figures: Mapping[str, Picture] = field(default_factory=dict)
    shows: str = ""
    finding: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        _check_strings(self, "title", "source", "dataset", "protocol", "judged_by", "unit", "shows", "finding", "note")
        _check_tables(self, "options", "figures")
        if self.tolerance is not None:
            _check_number("tolerance", self.tolerance)
        if isinstance(self.columns, str) or not all(isinstance(name, str) for name in self.columns):
            raise InputError(f"columns must be a list of measures, not {self.columns!r}")
        conditions = [condition for method in self.methods for condition in method.conditions]
        if not conditions or len(set(conditions)) < len(conditions):
            names = [method.method for method in self.methods]
            raise InputError(f"expected at least one method, and distinct names; found {names}")
        for values in (values for method in self.methods for values in method.published.values()):
            if self.judged_by not in values:
                raise InputError(f"judged_by is {self.judged_by!r}, but only {', '.join(values)} was published")

    @property
    def datasets(self) -> list[str]:
        """All data sets, in the order of the methods."""
        return list(dict.fromkeys(self.dataset_of(method) for method in self.methods))

    def dataset_of(self, method: Method) -> str:
        return method.dataset or self.dataset

    def tolerance_of(self, method: Method) -> float | None:
        return self.tolerance if method.tolerance is None else method.tolerance


def _check_strings(owner: object, *names: str) -> None:
    for name in names:
        if not isinstance(value := getattr(owner, name), str):
            raise InputError(f"{name} must be a string, not {value!r}")


def _check_tables(owner: object, *names: str) -> None:
    for name in names:
        if not isinstance(value := getattr(owner, name), Mapping):
            raise InputError(f"{name} must be a table, not {value!r}")


def _check_number(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise InputError(f"{name} must be a number of at least 0, not {value!r}")
