"""Runs judged by ir-measures: ad-hoc retrieval with graded judgments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from satchel.errors import InputError, missing_extra
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
    if not judgments:
        raise InputError("there are no judgments: without judged queries nothing can be measured")
    if not measures:
        raise InputError("no measure was asked for; name at least one, such as nDCG@10")
    ir_measures = _ir_measures()
    wanted = {name: _parse(ir_measures, name) for name in measures}
    query_ids = tuple(judgments)
    answered = {query: dict(run[query]) for query in query_ids if run.get(query)}
    values = {name: np.zeros(len(query_ids)) for name in measures}
    place = {query: number for number, query in enumerate(query_ids)}
    names = {measure: name for name, measure in wanted.items()}
    for found in ir_measures.iter_calc(list(names), {q: dict(judgments[q]) for q in query_ids}, answered):
        values[names[found.measure]][place[found.query_id]] = found.value
    return RunResult(
        measures={name: float(column.mean()) for name, column in values.items()},
        per_query=values,
        query_ids=query_ids,
        missing=tuple(query for query in query_ids if query not in answered),
    )


def _ir_measures() -> Any:
    try:
        import ir_measures
    except ImportError:
        raise missing_extra("evaluating runs", "evaluation") from None
    return ir_measures


def _parse(ir_measures: Any, name: str) -> Any:
    try:
        return ir_measures.parse_measure(name)
    except (NameError, ValueError, TypeError, SyntaxError):
        known = ", ".join(sorted(ir_measures.measures.registry))
        raise InputError(
            f"unknown measure {name!r}; write it as nDCG@10 or P(rel=2)@5, with a name from {known}"
        ) from None
