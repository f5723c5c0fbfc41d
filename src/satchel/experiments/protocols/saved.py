"""Protocols that only read saved rows: the choice of parameters, and curves to draw."""

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Final

from satchel.errors import InputError
from satchel.evaluation import MAP_11
from satchel.experiments.plan import Experiment, Method
from satchel.experiments.results import Outcome, ResultRow, read_results

PLATEAU: Final = 1.0  # points of mAP that count as "relatively stable"
SELECTED: Final = ("sigma (BoEW)", "sigma (RO-BoEW)", "m", "N_B", "N_K")
_PARAMETERS: Final = {
    "sigma (BoEW)": ("BoEW", "sigma"),
    "sigma (RO-BoEW)": ("RO-BoEW", "sigma"),
    "m": ("RO-BoEW", "m"),
    "N_B": ("RO-BoEW", "batch_size"),
    "N_K": ("RO-BoEW", "n_codewords"),
}


def selected_parameters(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[PT18] Table 6: for each parameter the value that its sweep chooses, for one data set and its distances.

    `sweeps` names the experiments beside this one whose saved rows are read.
    """
    sweeps = experiment.options.get("sweeps")
    if not isinstance(sweeps, list) or not sweeps:
        raise InputError(f"sweeps must be a list of experiments beside this one, not {sweeps!r}")
    rows = [row for name in sweeps for row in read_results(experiment.path.with_name(f"{name}.json"))]
    rows = [row for row in rows if row.seed == seed and row.setting["data set"] == experiment.dataset_of(method)]
    for distance in method.distances:
        own = [row for row in rows if row.distance == distance]
        chosen = {name: _chosen(own, *where) for name, where in _PARAMETERS.items()}
        yield Outcome(distance, int(chosen["N_K"]), chosen, sum(row.seconds for row in own))


def _chosen(rows: Sequence[ResultRow], method: str, parameter: str) -> float:
    curve = {
        float(row.setting[parameter]): row.measures[MAP_11]
        for row in rows
        if row.method == method and parameter in row.setting
    }
    if not curve:
        raise InputError(f"no sweep of {parameter} for {method} is saved; run the sweeps first, with --save")
    return choose(curve)


def choose(curve: dict[float, float]) -> float:
    """The middle one of the values whose measure lies within a point of the best, [PT18] Appendix B.

    "When the mAP was relatively stable for a wide range of parameters, the median value was chosen": these are the
    values next to the best one, on both sides, that are on its plateau; of two middle ones the first is chosen.
    """
    values = sorted(curve)
    best = max(values, key=lambda value: curve[value])
    first = last = values.index(best)
    while first > 0 and curve[values[first - 1]] >= curve[best] - PLATEAU:
        first -= 1
    while last + 1 < len(values) and curve[values[last + 1]] >= curve[best] - PLATEAU:
        last += 1
    return values[(first + last) // 2]


def saved_curves(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[MW] Figures 4-6 and 9-13: the rows of the experiment `rows_of` beside this one are read; nothing is run."""
    start, name = perf_counter(), experiment.options.get("rows_of")
    if not isinstance(name, str) or not name:
        raise InputError(f"rows_of must name an experiment beside this one, not {name!r}")
    wanted = {(*condition, seed) for condition in method.conditions}
    rows = read_results(experiment.path.with_name(f"{name}.json"))
    found = [row for row in rows if (*row.condition, row.seed) in wanted]
    if not found:
        raise InputError(f"{name} has saved no row of {method.method!r}, seed {seed}; run it first, with --save")
    for row in found:
        yield Outcome(row.distance, row.length, row.measures, perf_counter() - start, row.series)
