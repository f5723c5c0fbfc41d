"""Runs an experiment: every method, every seed, under the protocol that the file names."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from satchel.datasets import LabelledSet, load
from satchel.errors import InputError
from satchel.experiments.machine import machine
from satchel.experiments.methods import build_encoder
from satchel.experiments.plan import Experiment, Method
from satchel.experiments.protocols import judge_label_retrieval
from satchel.experiments.results import ResultRow, verdict


class Outcome(NamedTuple):
    """What one method gave under one distance; measures in percent."""

    distance: str
    length: int
    measures: Mapping[str, float]
    seconds: float


Protocol = Callable[[Experiment, Method, int], Iterator[Outcome]]


def run_experiment(experiment: Experiment, *, on_step: Callable[[str], None] = lambda _: None) -> list[ResultRow]:
    """All rows of an experiment; `on_step` is told of each method and seed before it runs."""
    protocol, here, rows = PROTOCOLS[experiment.protocol], machine(), []
    for method in experiment.methods:
        for seed in method.seeds:
            on_step(f"{experiment.name}: {method.method}, seed {seed}")
            rows += [_row(experiment, method, seed, outcome, here) for outcome in protocol(experiment, method, seed)]
    return sorted(rows, key=lambda row: _position(experiment, row))


def steps_of(experiment: Experiment) -> int:
    """How often `on_step` will be called."""
    return sum(len(method.seeds) for method in experiment.methods)


def label_retrieval(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """The protocol of [PT18] Tables 1, 3 and 4, one outcome per published distance."""
    data = load(experiment.dataset)
    if not isinstance(data, LabelledSet):
        raise InputError(f"{experiment.name} needs a data set with labels and a test split, not {experiment.dataset!r}")
    encoder = build_encoder(method.encoder, method.parameters, seed)
    for distance, length, result, seconds in judge_label_retrieval(data, encoder, method.distances):
        yield Outcome(distance, length, {name: round(100 * v, 3) for name, v in result.measures.items()}, seconds)


PROTOCOLS: dict[str, Protocol] = {"label-retrieval": label_retrieval}


def _row(experiment: Experiment, method: Method, seed: int, outcome: Outcome, here: str) -> ResultRow:
    published, judged_by = method.published[outcome.distance], experiment.judged_by
    return ResultRow(
        method=method.method,
        distance=outcome.distance,
        length=outcome.length,
        measures=outcome.measures,
        published=published,
        verdict=verdict(outcome.measures[judged_by], published[judged_by], experiment.tolerance),
        seconds=round(outcome.seconds, 2),
        seed=seed,
        machine=here,
        note=method.note,
    )


def _position(experiment: Experiment, row: ResultRow) -> tuple[int, int]:
    """The paper's order: methods as listed, then distances as listed; seeds keep theirs."""
    names = [method.method for method in experiment.methods]
    method = experiment.methods[names.index(row.method)]
    return names.index(row.method), list(method.published).index(row.distance)
