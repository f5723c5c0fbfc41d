"""Runs in TREC's form, and runs made from rankings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from satchel.errors import InputError
from satchel.evaluation.checks import checked_ranking, checked_run
from satchel.storage import damaged, read_lines, write_lines
from satchel.types import Ranking, Run

_LOWEST = np.float32(
    -1e38
)  # stands for -inf, which other readers of runs refuse; there is room for smaller ones below it
_COLUMNS = "query Q0 document rank score tag"


def read_run(path: Path) -> dict[str, dict[str, float]]:
    """Read a TREC run: `query Q0 document rank score tag` on each line, gzip or not.

    The score decides the order, as in trec_eval; rank and tag are not kept. A document may stand once for a query.
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
    """Write a run in TREC's form, best first, gzip where the name ends in .gz; scores are written in full.

    Equal scores stand in the run's own order in the file, but readers of the form may break such ties by document id.
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
    """The run of a ranking: positions become ids, and empty places (-1) are dropped.

    trec_eval and ir-measures break ties by document id. So that the ranking's own order stands, a score that does not
    lie below the one before it is lowered to the next smaller float32; other scores stay as they are.
    """
    ids, scores = checked_ranking(ranking)
    if len(ids) != len(query_ids):
        raise InputError(f"the ranking has {len(ids)} queries but {len(query_ids)} query ids were given")
    if ids.size and ids.max() >= len(document_ids):
        raise InputError(f"the ranking names document {ids.max()} but only {len(document_ids)} document ids were given")
    run: dict[str, dict[str, float]] = {}
    for query, row, values in zip(query_ids, ids.tolist(), np.maximum(scores, _LOWEST).tolist(), strict=True):
        if query in run:
            raise InputError(f"query id {query!r} stands twice; ids must be distinct")
        found = [(document_ids[place], value) for place, value in zip(row, values, strict=True) if place >= 0]
        run[query] = _strictly_falling(found)
    return run


def _strictly_falling(found: list[tuple[str, float]]) -> dict[str, float]:
    """Each score smaller than the one before, in single precision: trec_eval keeps no more of them."""
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
        raise InputError(f"the {what} {name!r} cannot stand in a TREC run: white space parts its columns; rename it")
