"""Two callables timed in turns, so that a noisy machine is noisy for both."""

from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import NamedTuple


class Row(NamedTuple):
    """One comparison: medians in `unit`, ratio = ours / peer (below 1: we are faster, or need less)."""

    name: str
    ours: float
    peer: str
    theirs: float
    ratio: float
    note: str = ""
    unit: str = "s"


def compare(
    name: str, ours: Callable[[], object], peer: str, theirs: Callable[[], object], *, repeat: int = 5, note: str = ""
) -> Row:
    """Median seconds of both over `repeat` interleaved runs, after one run of each to warm up."""
    ours(), theirs()
    times: list[tuple[float, float]] = [(seconds(ours), seconds(theirs)) for _ in range(repeat)]
    mine, peers = median(pair[0] for pair in times), median(pair[1] for pair in times)
    return Row(name, mine, peer, peers, mine / peers, note)


def seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start
