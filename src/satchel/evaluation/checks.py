"""Checks the arguments of the protocols: labels, cut-offs, rankings, runs, judgments."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from satchel.errors import InputError, whole_number
from satchel.types import FloatArray, IntArray, Judgments, Ranking, Run


def checked_labels(labels: Iterable[Hashable], n_vectors: int, name: str) -> list[Hashable]:
    """Returns the labels as a list; raises InputError unless there is one for each vector."""
    found = listed(labels, f"{name}: the labels")
    if len(found) != n_vectors:
        raise InputError(f"{name}: {n_vectors} vectors but {len(found)} labels; give one label for each vector")
    return found


def listed(labels: Iterable[Hashable], name: str) -> list[Hashable]:
    """Returns the labels as a list; raises InputError if one cannot be hashed."""
    if isinstance(labels, str | bytes) or not isinstance(labels, Iterable):
        raise InputError(f"{name} must be a list, one for each document, not {type(labels).__name__}")
    found = list(labels)
    for position, label in enumerate(found):
        try:
            hash(label)
        except TypeError:
            kind = type(label).__name__
            raise InputError(f"{name} hold a {kind} at {position}; a label must be a string or a number") from None
    return found


def number_labels(labels: Sequence[Hashable]) -> dict[Hashable, int]:
    """Numbers the distinct labels in the order of their first appearance."""
    return {label: number for number, label in enumerate(dict.fromkeys(labels))}


def checked_cutoffs(cutoffs: Iterable[int], name: str) -> tuple[int, ...]:
    """Returns the cut-offs in the given order; raises InputError unless all are whole numbers of at least 1."""
    if isinstance(cutoffs, str | bytes) or not isinstance(cutoffs, Iterable):
        raise InputError(f"{name} must be a list of whole numbers, not {cutoffs!r}; write [{cutoffs!r}]")
    return tuple(whole_number(name, k) for k in cutoffs)


def checked_ranking(ranking: Ranking) -> tuple[IntArray, FloatArray]:
    """Returns ids as whole numbers and their scores, both (n_queries, k)."""
    if not isinstance(ranking, tuple) or len(ranking) != 2:
        raise InputError(f"a Ranking of ids and scores is expected, not {type(ranking).__name__}")
    ids, scores = np.asarray(ranking[0]), np.asarray(ranking[1])
    if ids.ndim != 2 or ids.shape != scores.shape or ids.dtype.kind not in "iu" or scores.dtype.kind not in "iuf":
        raise InputError(
            f"the ranking has ids {ids.shape} of {ids.dtype} and scores {scores.shape} of {scores.dtype}; "
            "expected whole numbers and numbers, both (n_queries, k)"
        )
    return ids.astype(np.int64, copy=False), scores.astype(np.float32, copy=False)


def checked_run(run: Run) -> dict[str, dict[str, float]]:
    """Copies a run with its scores as plain floats."""
    return {query: {d: _score(s, query, d) for d, s in row} for query, row in _rows(run, "run", "scores")}


def checked_judgments(judgments: Judgments) -> dict[str, dict[str, int]]:
    """Copies judgments with their grades as plain ints."""
    return {query: {d: _grade(g, query, d) for d, g in row} for query, row in _rows(judgments, "judgments", "grades")}


def _rows(
    table: Mapping[str, Mapping[str, float]], name: str, values: str
) -> Iterator[tuple[str, list[tuple[str, float]]]]:
    if not isinstance(table, Mapping) or not all(isinstance(row, Mapping) for row in table.values()):
        raise InputError(f"the {name} must map query ids to mappings from document ids to {values}")
    for query, row in table.items():
        yield _id(query), [(_id(document), value) for document, value in row.items()]


def _id(name: object) -> str:
    if isinstance(name, str):
        return name
    raise InputError(f"the id {name!r} is of type {type(name).__name__}; ids of queries and documents must be strings")


def _grade(grade: float, query: str, document: str) -> int:
    try:
        if int(grade) == grade:
            return int(grade)
    except (TypeError, ValueError, OverflowError):
        pass
    raise InputError(f"the grade of document {document!r} for query {query!r} is {grade!r}; expected a whole number")


def _score(score: float, query: str, document: str) -> float:
    try:
        number = float(score)
    except (TypeError, ValueError):
        number = math.nan
    if math.isfinite(number):
        return number
    raise InputError(f"the score of document {document!r} for query {query!r} is {score!r}; expected a finite number")
