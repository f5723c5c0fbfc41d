"""What the retrieval protocol gives: measures, the values of each query, and the two curves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from satchel.evaluation.measures import Values
from satchel.types import IntArray


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
