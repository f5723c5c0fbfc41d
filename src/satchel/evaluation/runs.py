"""Runs judged by ir-measures: ad-hoc retrieval with graded judgments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from satchel.errors import InputError, missing_extra, whole_number
from satchel.evaluation.checks import checked_judgments, checked_run
from satchel.evaluation.measures import Values
from satchel.types import Judgments, Run

DEFAULT_MEASURES = ("nDCG@10", "AP", "P@10", "R@100")


@dataclass(frozen=True)
class RunResult:
    """The outcome of `evaluate_run`; values are fractions, as ir-measures gives them.

    measures: name -> mean over all judged queries. per_query: name -> (n_queries,), in the order of query_ids.
    missing: judged queries that the run does not answer; they count 0.
    """

    measures: Mapping[str, float]
    per_query: Mapping[str, Values]
    query_ids: tuple[str, ...]
    missing: tuple[str, ...]

    def __str__(self) -> str:
        """A table; ad-hoc measures are printed as fractions, as usual there."""
        width = max(len(name) for name in self.measures)
        lines = [f"{name:<{width}}  {value:.4f}" for name, value in self.measures.items()]
        unanswered = f", {len(self.missing)} not answered (counted 0)" if self.missing else ""
        return "\n".join([*lines, f"{len(self.query_ids)} queries{unanswered}"])


def evaluate_run(run: Run, judgments: Judgments, measures: Sequence[str] = DEFAULT_MEASURES) -> RunResult:
    """Any measure that ir-measures knows, by its name there: nDCG@10, AP, P@10, R@100, RR@10, P(rel=2)@5, ...

    Means go over every judged query: one that the run does not answer, or that has no relevant document, counts 0.
    Queries without judgments are not looked at. Ties are broken by document id (see `run_from_ranking`).
    """
    if isinstance(measures, str):
        raise InputError(f"measures must be a list of names, not the string {measures!r}; write [{measures!r}]")
    if not isinstance(measures, Sequence):
        raise InputError(f"measures must be a list of names, not {measures!r}; write [{measures!r}]")
    if not judgments:
        raise InputError("there are no judgments: without judged queries nothing can be measured")
    if not measures:
        raise InputError("no measure was asked for; name at least one, such as nDCG@10")
    ir_measures = _ir_measures()
    wanted = {name: _parse(ir_measures, name) for name in measures}
    query_ids = tuple(judgments)
    graded, scored = checked_judgments(judgments), checked_run(run)
    answered = {query: scored[query] for query in query_ids if scored.get(query)}
    found = _computed(ir_measures, set(wanted.values()), answered, graded)
    values = {
        name: np.array([found.get((measure, query), 0.0) for query in query_ids]) for name, measure in wanted.items()
    }
    return RunResult(
        measures={name: float(column.mean()) for name, column in values.items()},
        per_query=values,
        query_ids=query_ids,
        missing=tuple(query for query in query_ids if query not in answered),
    )


def _computed(ir_measures: Any, wanted: set[Any], run: Run, judgments: Judgments) -> dict[tuple[Any, str], float]:
    """The value of each measure for each query that ir-measures answers for."""
    try:
        found = list(ir_measures.iter_calc(wanted, judgments, run))
    except Exception as error:  # its providers raise whatever they please
        names = ", ".join(sorted(map(str, wanted)))
        raise InputError(f"ir-measures cannot compute {names} here ({_first_line(error)}); ask for others") from error
    return {(metric.measure, metric.query_id): float(metric.value) for metric in found}


def _ir_measures() -> Any:
    try:
        import ir_measures
    except ImportError:
        raise missing_extra("evaluating runs", "evaluation") from None
    return ir_measures


def _parse(ir_measures: Any, name: str) -> Any:
    try:
        measure = ir_measures.parse_measure(name)
    except (AttributeError, NameError, ValueError, TypeError, SyntaxError):
        known = ", ".join(sorted(ir_measures.measures.registry))
        raise InputError(
            f"unknown measure {name!r}; write it as nDCG@10 or P(rel=2)@5, with a name from {known}"
        ) from None
    for setting in ("cutoff", "rel"):  # trec_eval ends the whole program where one of these is 0
        if setting in measure.params:
            whole_number(f"the {setting} of the measure {name!r}", measure.params[setting])
    try:
        measure.validate_params()
    except (AssertionError, KeyError) as error:
        raise InputError(f"the measure {name!r} cannot be used as it stands: {_first_line(error)}") from None
    return measure


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
