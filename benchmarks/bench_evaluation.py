"""Full rankings of 20ng's size, judged, against the plain loop over queries as [PT18] Eqs. (15)-(16) read."""

import tracemalloc
from collections.abc import Callable
from statistics import median

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.timing import Row, seconds
from satchel.evaluation import evaluate_retrieval
from satchel.types import FloatArray, IntArray

N_DOCUMENTS, N_QUERIES, N_FEATURES, N_CLASSES = 11_293, 7_528, 64, 20
N_TIMED = 300
"""Queries that the plain loop is timed on; its seconds are scaled to all."""
NAMES = ("mAP (11-point)", "P@20", "interpolated P@20")


def made_up_vectors(n: int, centres: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
    """Vectors around the centres of their classes, near enough to 20ng that its measures come out alike."""
    labels = rng.integers(0, N_CLASSES, n)
    vectors = 0.5 * centres[labels] + rng.standard_normal((n, N_FEATURES))
    return vectors.astype(np.float32), labels


def plain_loop(
    database: FloatArray, labels: IntArray, queries: FloatArray, query_labels: IntArray
) -> dict[str, list[float]]:
    """One query after the other: score, sort, precision and recall at every rank, interpolate, eleven points."""
    values: dict[str, list[float]] = {name: [] for name in NAMES}
    ranks = np.arange(1, len(database) + 1)
    database = database / np.linalg.norm(database, axis=1, keepdims=True)
    for query, label in zip(queries, query_labels, strict=True):
        scores = database @ (query / np.linalg.norm(query))
        order = np.argsort(-scores, kind="stable")
        found = np.cumsum(labels[order] == label)
        precision = found / ranks
        interpolated = np.maximum.accumulate(precision[::-1])[::-1]
        points = [interpolated[10 * found >= tenth * found[-1]].max() for tenth in range(11)]  # recall >= tenth / 10
        for name, value in zip(NAMES, (np.mean(points), precision[19], interpolated[19]), strict=True):
            values[name].append(float(value))
    return values


def run() -> list[Row]:
    rng = np.random.default_rng(0)
    centres = rng.standard_normal((N_CLASSES, N_FEATURES))
    database, labels = made_up_vectors(N_DOCUMENTS, centres, rng)
    queries, query_labels = made_up_vectors(N_QUERIES, centres, rng)

    def ours() -> dict[str, FloatArray]:
        return dict(evaluate_retrieval(database, labels.tolist(), queries, query_labels.tolist(), top=(20,)).per_query)

    def plain() -> dict[str, list[float]]:
        with threadpool_limits(1, "blas"):  # a second BLAS thread slows such small products down where cores are busy
            return plain_loop(database, labels, queries[:N_TIMED], query_labels[:N_TIMED])

    _check_equal(ours(), plain())
    times = [(seconds(ours), seconds(plain) * N_QUERIES / N_TIMED) for _ in range(5)]
    mine, peers = median(pair[0] for pair in times), median(pair[1] for pair in times)
    name = f"evaluate_retrieval, {N_QUERIES:,} full rankings of {N_DOCUMENTS:,}"
    note = f"{peers / mine:.0f} times faster; peak {peak_megabytes(ours):.0f} MB; loop scaled from {N_TIMED} queries"
    return [Row(name, mine, "plain loop over queries", peers, mine / peers, note)]


def _check_equal(ours: dict[str, FloatArray], plain: dict[str, list[float]]) -> None:
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
    for row in run():
        print(row)
