"""Full rankings of 20ng, judged, against the plain loop over queries as [PT18] Eqs. (15)-(16) read.

Rows: dense vectors (LSI, 64 numbers) by cosine, by distance and under a mask, and sparse tf-idf. Where 20ng is not to
be had, made-up dense vectors of the same size stand in, and the row says so.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.timing import Row, seconds
from satchel.evaluation import evaluate_retrieval
from satchel.types import FloatArray, IntArray, Vectors

N_DOCUMENTS, N_QUERIES, N_FEATURES, N_CLASSES = 11_293, 7_528, 64, 20
N_TIMED = 200
"""Queries that the plain loop is timed on; its seconds are scaled to all."""
NAMES = ("mAP (11-point)", "P@20", "interpolated P@20")
TARGET = "target 20 times on two free cores, below 1 GB"


class Judged(NamedTuple):
    """Vectors with the numbers of their classes."""

    name: str
    database: Vectors
    labels: IntArray
    queries: Vectors
    query_labels: IntArray


def vectors_of_20ng() -> list[Judged]:
    """LSI and tf-idf vectors of the real set; nothing where it does not lie here."""
    from satchel import Lsi, TfIdf
    from satchel.datasets import load, place_of

    if place_of("20ng") == "source":
        return []
    data = load("20ng")
    numbers = {label: number for number, label in enumerate(dict.fromkeys(data.train.labels))}
    labels, query_labels = (np.array([numbers[label] for label in part.labels]) for part in (data.train, data.test))
    sets = []
    for name, encoder in (("LSI, 64 numbers", Lsi(N_FEATURES)), ("tf-idf", TfIdf())):
        encoder.fit(data.train.texts)
        database, queries = (encoder.transform(part.texts) for part in (data.train, data.test))
        sets.append(Judged(f"20ng, {name}", database, labels, queries, query_labels))
    return sets


def made_up_vectors() -> Judged:
    """Vectors around the centres of their classes, near enough to 20ng that its measures come out alike."""
    rng = np.random.default_rng(0)
    centres = rng.standard_normal((N_CLASSES, N_FEATURES))
    labels, query_labels = rng.integers(0, N_CLASSES, N_DOCUMENTS), rng.integers(0, N_CLASSES, N_QUERIES)
    database, queries = (
        (0.5 * centres[some] + rng.standard_normal((len(some), N_FEATURES))).astype(np.float32)
        for some in (labels, query_labels)
    )
    return Judged("made-up vectors, 64 numbers", database, labels, queries, query_labels)


def plain_loop(
    scores_of: Callable[[int], FloatArray], labels: IntArray, query_labels: IntArray
) -> dict[str, list[float]]:
    """One query after the other: score, sort, precision and recall at every rank, interpolate, eleven points."""
    values: dict[str, list[float]] = {name: [] for name in NAMES}
    ranks = np.arange(1, len(labels) + 1)
    for number, label in enumerate(query_labels):
        order = np.argsort(-scores_of(number), kind="stable")
        found = np.cumsum(labels[order] == label)
        precision = found / ranks
        interpolated = np.maximum.accumulate(precision[::-1])[::-1]
        points = [interpolated[10 * found >= tenth * found[-1]].max() for tenth in range(11)]  # recall >= tenth / 10
        for name, value in zip(NAMES, (np.mean(points), precision[19], interpolated[19]), strict=True):
            values[name].append(float(value))
    return values


def cosines(database: Vectors, queries: Vectors) -> Callable[[int], FloatArray]:
    """The scores of one query after the other; sparse tf-idf vectors have length 1 already."""
    if not isinstance(database, np.ndarray) or not isinstance(queries, np.ndarray):
        return lambda number: (database @ queries[[number]].T).toarray()[:, 0]
    database = _unit(database)
    return lambda number: database @ (queries[number] / np.linalg.norm(queries[number]))


def distances(database: FloatArray, queries: FloatArray) -> Callable[[int], FloatArray]:
    return lambda number: -np.linalg.norm(database - queries[number], axis=1)


def run() -> list[Row]:
    dense, *sparse = vectors_of_20ng() or [made_up_vectors()]
    mask = np.linspace(0.5, 1, dense.database.shape[1], dtype=np.float32)
    rows = [
        judged(dense, cosines(dense.database, dense.queries), note=TARGET),
        judged(dense, distances(dense.database, dense.queries), metric="euclidean"),
        judged(dense, cosines(dense.database * mask, dense.queries * mask), mask=mask),
    ]
    return rows + [judged(some, cosines(some.database, some.queries)) for some in sparse]


def judged(
    data: Judged,
    scores_of: Callable[[int], FloatArray],
    *,
    metric: str = "cosine",
    mask: FloatArray | None = None,
    note: str = "",
) -> Row:
    """Ours over all queries, and the loop over the first of them, in turns."""

    def ours() -> dict[str, FloatArray]:
        result = evaluate_retrieval(
            data.database, data.labels, data.queries, data.query_labels, metric=metric, mask=mask, top=(20,)
        )
        return dict(result.per_query)

    def plain() -> dict[str, list[float]]:
        with threadpool_limits(1, "blas"):  # a second BLAS thread slows such small products down where cores are busy
            return plain_loop(scores_of, data.labels, data.query_labels[:N_TIMED])

    _check_equal(ours(), plain())
    scale = len(data.query_labels) / N_TIMED
    times = [(seconds(ours), seconds(plain) * scale) for _ in range(3)]
    mine, peers = median(pair[0] for pair in times), median(pair[1] for pair in times)
    kind = f"{metric}, masked" if mask is not None else metric
    name = f"evaluate_retrieval, {len(data.query_labels):,} full rankings of {len(data.labels):,}: {data.name}, {kind}"
    said = f"{peers / mine:.0f} times faster; peak {peak_megabytes(ours):.0f} MB; loop scaled from {N_TIMED} queries"
    return Row(
        name, mine, "plain loop over queries", peers, mine / peers, "; ".join(part for part in (said, note) if part)
    )


def _unit(vectors: FloatArray) -> FloatArray:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0)


def _check_equal(ours: dict[str, FloatArray], plain: dict[str, Sequence[float]]) -> None:
    """Equal up to the last bits of scores: nearly equal documents may change places between product and loop."""
    for name in NAMES:
        difference = np.abs(ours[name][:N_TIMED] - np.array(plain[name]))
        assert difference.mean() < 1e-5, f"{name} differs from the plain loop by {difference.max()}"
        assert np.median(difference) < 1e-12, name


def peak_megabytes(work: Callable[[], object]) -> float:
    """Largest memory that numpy and Python held at once, beyond what was there before."""
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


if __name__ == "__main__":
    from benchmarks.__main__ import as_markdown

    print(as_markdown(run()))
