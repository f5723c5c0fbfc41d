"""Runs: makes them from rankings, reads and writes them in TREC's form, and measures them with ir-measures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from satchel.errors import InputError, missing_extra, whole_number
from satchel.evaluation.checks import checked_judgments, checked_ranking, checked_run
from satchel.evaluation.measures import Values
from satchel.storage import damaged, read_lines, write_lines
from satchel.types import Judgments, Ranking, Run

DEFAULT_MEASURES = ("nDCG@10", "AP", "P@10", "R@100")


@dataclass(frozen=True)
class RunResult:
    """The result of `evaluate_run`; values are fractions, as ir-measures gives them.

    measures: name -> mean over all judged queries. per_query: name -> (n_queries,), in the order of query_ids.
    missing: judged queries that the run does not answer; they count as 0.
    """

    measures: Mapping[str, float]
    per_query: Mapping[str, Values]
    query_ids: tuple[str, ...]
    missing: tuple[str, ...]

    def __str__(self) -> str:
        """A table; the measures are printed as fractions, as usual for ad-hoc search."""
        width = max(len(name) for name in self.measures)
        lines = [f"{name:<{width}}  {value:.4f}" for name, value in self.measures.items()]
        unanswered = f", {len(self.missing)} not answered (counted 0)" if self.missing else ""
        return "\n".join([*lines, f"{len(self.query_ids)} queries{unanswered}"])


def evaluate_run(run: Run, judgments: Judgments, measures: Sequence[str] = DEFAULT_MEASURES) -> RunResult:
    """Computes any measure that ir-measures knows, by its name there: nDCG@10, AP, P@10, RR@10, P(rel=2)@5, ...

    The mean is over all judged queries. A query that the run does not answer, or that has no relevant document, counts
    as 0. Queries without judgments are ignored. Document ids decide ties (see `run_from_ranking`).
    """
    if isinstance(measures, str):
        raise InputError(f"measures must be a list of names, not the string {measures!r}; write [{measures!r}]")
    if not isinstance(measures, Sequence):
        raise InputError(f"measures must be a list of names, not {measures!r}; write [{measures!r}]")
    if not judgments:
        raise InputError("there are no judgments; give the judgments of at least one query")
    if not measures:
        raise InputError("there are no measures; name at least one, such as nDCG@10")
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
    """Computes each measure for each query that ir-measures has an answer for."""
    try:
        found = list(ir_measures.iter_calc(wanted, judgments, run))
    except Exception as error:  # its providers raise errors of any type
        names = ", ".join(sorted(map(str, wanted)))
        raise InputError(
            f"ir-measures cannot compute {names} here ({_first_line(error)}); choose other measures"
        ) from error
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
    for setting in ("cutoff", "rel"):  # trec_eval ends the whole program if one of these is 0
        if setting in measure.params:
            whole_number(f"the {setting} of the measure {name!r}", measure.params[setting])
    try:
        measure.validate_params()
    except (AssertionError, KeyError) as error:
        raise InputError(f"the measure {name!r} cannot be used as it stands: {_first_line(error)}") from None
    return measure


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


_LOWEST = np.float32(-1e38)  # replaces -inf, which other readers of runs refuse; smaller numbers remain below it
_COLUMNS = "query Q0 document rank score tag"


def read_run(path: Path) -> dict[str, dict[str, float]]:
    """Reads a TREC run, plain or gzip: `query Q0 document rank score tag` on each line.

    The score decides the order, as in trec_eval; rank and tag are ignored. A document may appear only once for a
    query.
    """
    path = Path(path)
    run: dict[str, dict[str, float]] = {}
    for number, line in read_lines(path):
        columns = line.split()
        if not columns:
            continue
        if len(columns) != 6:
            raise damaged(path, number, f"has {len(columns)} columns, expected 6 ({_COLUMNS})")
        documents = run.setdefault(columns[0], {})
        if columns[2] in documents:
            raise damaged(path, number, f"names document {columns[2]!r} again for query {columns[0]!r}")
        documents[columns[2]] = _score(path, number, columns[4])
    return run


def write_run(path: Path, run: Run, tag: str = "satchel") -> None:
    """Writes a run in TREC's form, best first, with full scores; as gzip if the name ends in .gz.

    Documents with equal scores keep their order in the file, but other programs may order them by document id.
    """
    _check_id(tag, "tag")
    lines = []
    for query, documents in checked_run(run).items():
        _check_id(query, "query id")
        ranked = sorted(documents.items(), key=lambda item: -item[1])
        for rank, (document, score) in enumerate(ranked, start=1):
            _check_id(document, "document id")
            lines.append(f"{query} Q0 {document} {rank} {score!r} {tag}")
    write_lines(Path(path), lines)


def run_from_ranking(
    ranking: Ranking, query_ids: Sequence[str], document_ids: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Makes a run from a ranking: positions become ids, and empty places (-1) are dropped.

    trec_eval and ir-measures order equal scores by document id. To keep the ranking's own order, a score that is not
    below the one before it is lowered to the next smaller float32. Other scores are unchanged.
    """
    ids, scores = checked_ranking(ranking)
    if len(ids) != len(query_ids):
        raise InputError(f"the ranking has {len(ids)} queries but {len(query_ids)} query ids were given")
    if ids.size and ids.max() >= len(document_ids):
        raise InputError(f"the ranking names document {ids.max()} but only {len(document_ids)} document ids were given")
    run: dict[str, dict[str, float]] = {}
    for query, row, values in zip(query_ids, ids.tolist(), np.maximum(scores, _LOWEST).tolist(), strict=True):
        if query in run:
            raise InputError(f"query id {query!r} appears twice; ids must be distinct")
        found = [(document_ids[place], value) for place, value in zip(row, values, strict=True) if place >= 0]
        run[query] = _strictly_falling(found)
    return run


def _strictly_falling(found: list[tuple[str, float]]) -> dict[str, float]:
    """Makes each score smaller than the one before, in single precision, because trec_eval keeps no more digits."""
    falling: dict[str, float] = {}
    last = math.inf
    for document, score in found:
        last = score if score < last else float(np.nextafter(np.float32(last), np.float32(-np.inf)))
        falling[document] = last
    return falling


def _score(path: Path, number: int, value: str) -> float:
    try:
        score = float(value)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise damaged(path, number, f"the score is {value!r}, expected a finite number")
    return score


def _check_id(name: str, what: str) -> None:
    if name.split() != [name]:
        raise InputError(
            f"the {what} {name!r} cannot stand in a TREC run: white space separates its columns; rename it"
        )
