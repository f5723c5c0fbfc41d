"""The retrieval protocol of [PT18] section 4.2: every query ranks the whole database; documents of its class are
relevant."""

from __future__ import annotations

import os
import threading
from collections.abc import Hashable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from satchel.errors import InputError
from satchel.evaluation import measures
from satchel.evaluation.checks import checked_cutoffs, checked_labels, number_labels
from satchel.evaluation.measures import Values
from satchel.evaluation.relevant_ranks import PositionFinder
from satchel.types import IntArray, Vectors

if TYPE_CHECKING:
    from satchel.ranking import CompactVectors, Metric, Scorer

DEFAULT_TOP = (10, 20, 50)
DEFAULT_SCOPES = (1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)


class PrecisionScope(NamedTuple):
    """Mean precision of the first k documents for each scope k, raw and interpolated; all (n_scopes,)."""

    scopes: IntArray
    raw: Values
    interpolated: Values


@dataclass(frozen=True)
class RetrievalResult:
    """The result of `evaluate_retrieval`. All values are fractions in [0, 1]; only printing shows percent.

    measures: name -> mean over the evaluated queries.
    per_query: name -> (n_evaluated,), the values whose mean is the measure of that name.
    precision_recall (11,): mean interpolated precision at the recalls 0, 0.1, ..., 1.
    evaluated (n_evaluated,): positions of the queries that have a relevant document; n_excluded: how many queries have
    none.
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
    """Computes each query's values by name: the 11-point curve and its mean; precision (raw, interpolated) and recall
    at cut-offs.

    positions (n_queries, n_relevant): the positions of the relevant documents, from 1, ascending -> (n_queries,) each;
    the curve (n_queries, 11).
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
    """Averages values per query (`values_at_positions`) into a result; names: the values to keep per query."""
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
    """The names of the measures at each cut-off: raw and interpolated precision, and recall."""
    for k in top:
        yield from (measures.precision_name(k), measures.interpolated_precision_name(k), measures.recall_name(k))


_BLOCK_BYTES = 1 << 24  # bytes of scores held by a thread: 371 rankings of 20ng (4, 8, 16 MB: 0.57, 0.67, 0.43 s)
_MOST_THREADS = 8


class _Block(NamedTuple):
    """Queries of one class. They have the same relevant documents: columns start to stop of the sorted database."""

    rows: IntArray
    start: int
    stop: int


def evaluate_retrieval(
    database: Vectors | CompactVectors,
    database_labels: Sequence[Hashable],
    queries: Vectors | CompactVectors,
    query_labels: Sequence[Hashable],
    *,
    metric: Metric = "cosine",
    mask: ArrayLike | None = None,
    top: Sequence[int] = DEFAULT_TOP,
    scopes: Sequence[int] = DEFAULT_SCOPES,
) -> RetrievalResult:
    """Measures full rankings: mAP (11-point), recall, raw and interpolated precision, [PT18] sections 4.2 and 4.3.

    database (n_documents, n_features) and queries (n_queries, n_features): dense float32 or csr; with the cosine also
    the int8 codes of `compress`, which are converted to float32 here. mask: as in `ExactIndex.search`. top: the k of
    P@k, interpolated P@k and R@k. scopes: the points of the precision-scope curve.

    A query whose label no document has is left out of every mean and counted in `n_excluded`. A zero query finds
    nothing, so all its measures are 0. Zero documents have cosine 0; by distance they rank last. Documents with equal
    scores are in document order.
    """
    from satchel.ranking import (  # its retrievers load scikit-learn
        ExactIndex,
        check_metric,
        checked_vectors,
    )

    metric = check_metric(metric)
    documents = checked_vectors(database, "database", metric)
    query_vectors = checked_vectors(queries, "queries", metric)
    database_labels = checked_labels(database_labels, documents.shape[0], "database")
    query_labels = checked_labels(query_labels, query_vectors.shape[0], "queries")
    top, scopes = checked_cutoffs(top, "top"), checked_cutoffs(scopes, "scopes")
    classes = number_labels(database_labels)
    codes = np.array([classes[label] for label in database_labels], np.int64)
    order = np.argsort(codes, kind="stable")  # documents of a class stand side by side: its columns are one slice
    scorer = ExactIndex(documents[order], metric).scorer(query_vectors, mask)
    blocks = list(_blocks(np.array([classes.get(label, -1) for label in query_labels], np.int64), codes[order]))
    if not blocks:
        raise InputError("no query has a relevant document: the labels of queries and database share no label")
    found = _run_threads(scorer, order, blocks, tuple(sorted({*top, *scopes})))
    return _collect(blocks, found, top, scopes, n_queries=len(query_labels))


def _blocks(query_codes: IntArray, sorted_codes: IntArray) -> Iterator[_Block]:
    """Yields blocks of queries, class by class, whose scores fit into the memory of a thread."""
    step = max(1, _BLOCK_BYTES // (4 * max(1, len(sorted_codes))))
    for code in np.unique(query_codes[query_codes >= 0]).tolist():
        start, stop = np.searchsorted(sorted_codes, [code, code + 1]).tolist()
        rows = np.flatnonzero(query_codes == code)
        for first in range(0, len(rows), step):
            yield _Block(rows[first : first + step], start, stop)


def _run_threads(
    scorer: Scorer, documents: IntArray, blocks: list[_Block], cutoffs: tuple[int, ...]
) -> list[dict[str, measures.Values]]:
    """Computes the measures of every block. Each thread has its own buffers and one BLAS thread; more would only
    wait."""
    from threadpoolctl import threadpool_limits

    own = threading.local()

    def judge(block: _Block) -> dict[str, measures.Values]:
        if not hasattr(own, "finder"):
            own.finder = PositionFinder(documents)
        block_scores = scorer(block.rows)
        positions = own.finder.find(block_scores, block.start, block.stop)
        return _measure(positions, np.isneginf(block_scores.max(axis=1)), cutoffs)

    n_threads = min(_MOST_THREADS, os.cpu_count() or 1, len(blocks))
    with threadpool_limits(1, "blas"), ThreadPoolExecutor(n_threads) as pool:
        return list(pool.map(judge, blocks))


def _measure(
    positions: IntArray, finds_nothing: NDArray[np.bool_], cutoffs: tuple[int, ...]
) -> dict[str, measures.Values]:
    """Computes the values per query of one block; all are 0 for a query that finds nothing."""
    values = values_at_positions(positions, cutoffs)
    for column in values.values():
        column[finds_nothing] = 0.0
    return values


def _collect(
    blocks: list[_Block],
    found: list[dict[str, measures.Values]],
    top: tuple[int, ...],
    scopes: tuple[int, ...],
    n_queries: int,
) -> RetrievalResult:
    rows = np.concatenate([block.rows for block in blocks])
    order = np.argsort(rows)
    values = {name: np.concatenate([block[name] for block in found])[order] for name in found[0]}
    names = (measures.MAP_11, *names_at(top))
    return mean_result(values, names, scopes, evaluated=rows[order], n_excluded=n_queries - len(rows))
