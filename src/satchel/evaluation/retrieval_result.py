"""What the retrieval protocol gives: measures, the values of each query, and the two curves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from satchel.evaluation import measures
from satchel.evaluation.measures import Values
from satchel.types import IntArray

DEFAULT_TOP = (10, 20, 50)
DEFAULT_SCOPES = (1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)


class PrecisionScope(NamedTuple):
    """Mean precision of the first k documents for each scope k, raw and interpolated; all (n_scopes,)."""

    scopes: IntArray
    raw: Values
    interpolated: Values


@dataclass(frozen=True)
class RetrievalResult:
    """The outcome of `evaluate_retrieval`. All values are fractions in [0, 1]; only printing shows percent.

    measures: name -> mean over the evaluated queries.
    per_query: name -> (n_evaluated,), the values whose mean is the measure of that name.
    precision_recall (11,): mean interpolated precision at the recalls 0, 0.1, ..., 1.
    evaluated (n_evaluated,): positions of the queries that have a relevant document; n_excluded: how many have none.
    """

    measures: Mapping[str, float]
    per_query: Mapping[str, Values]
    precision_recall: Values
    precision_scope: PrecisionScope
    evaluated: IntArray
    n_excluded: int

    def __str__(self) -> str:
        """A table in percent, as the paper prints it."""
        width = max(len(name) for name in self.measures)
        lines = [f"{name:<{width}}  {100 * value:6.2f} %" for name, value in self.measures.items()]
        excluded = f", {self.n_excluded} without a relevant document left out" if self.n_excluded else ""
        return "\n".join([*lines, f"{len(self.evaluated)} queries{excluded}"])


def values_at_positions(positions: IntArray, cutoffs: Sequence[int]) -> dict[str, Values]:
    """Values of each query by name: the 11-point curve, its mean; precision (raw, interpolated) and recall at cut-offs.

    positions (n_queries, n_relevant): where the relevant documents stand, from 1, ascending -> (n_queries,) each; the
    curve (n_queries, 11).
    """
    best = measures.best_precision_from(positions)
    values = {measures.CURVE: measures.precision_at_recalls(best)}
    values[measures.MAP_11] = measures.average_precision_11(values[measures.CURVE])
    for k in cutoffs:
        found = measures.n_found(positions, k)
        values[measures.precision_name(k)] = measures.precision(found, k)
        values[measures.interpolated_precision_name(k)] = measures.interpolated_precision(found, k, best)
        values[measures.recall_name(k)] = measures.recall(found, positions.shape[1])
    return values


def mean_result(
    values: Mapping[str, Values],
    names: Sequence[str],
    scopes: Sequence[int],
    evaluated: IntArray,
    n_excluded: int,
) -> RetrievalResult:
    """The result from per-query values by name (`values_at_positions`); names: those that are kept per query."""
    per_query = {name: values[name] for name in names}
    scope = PrecisionScope(
        np.array(scopes),
        np.array([values[measures.precision_name(k)].mean() for k in scopes]),
        np.array([values[measures.interpolated_precision_name(k)].mean() for k in scopes]),
    )
    return RetrievalResult(
        measures={name: float(column.mean()) for name, column in per_query.items()},
        per_query=per_query,
        precision_recall=values[measures.CURVE].mean(axis=0),
        precision_scope=scope,
        evaluated=evaluated,
        n_excluded=n_excluded,
    )


def names_at(top: Sequence[int]) -> Iterator[str]:
    """The names of what is measured at each cut-off: raw and interpolated precision, and recall."""
    for k in top:
        yield from (measures.precision_name(k), measures.interpolated_precision_name(k), measures.recall_name(k))
