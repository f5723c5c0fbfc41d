"""Callables timed in turns, so that a noisy machine is noisy for all."""

from collections.abc import Callable, Mapping, Sequence
from statistics import median, quantiles
from time import perf_counter, process_time
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


class Taken(NamedTuple):
    """Seconds of one piece of work: CPU time of this process, all threads together, and on the clock."""

    cpu: float
    wall: float


class Spread(NamedTuple):
    """Seconds of many pieces of work."""

    median: Taken
    p95: Taken


def taken(work: Callable[[], object]) -> Taken:
    wall, cpu = perf_counter(), process_time()
    work()
    return Taken(process_time() - cpu, perf_counter() - wall)


def in_turn(
    works: Mapping[str, Callable[[str], object]], asked: Sequence[str], warm: Sequence[str] = ()
) -> dict[str, list[Taken]]:
    """Asks every query of each, after others to warm up; another one begins with each query."""
    names = list(works)
    for query in warm:
        for name in names:
            works[name](query)
    times: dict[str, list[Taken]] = {name: [] for name in names}
    for turn, query in enumerate(asked):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            times[name].append(taken(lambda name=name, query=query: works[name](query)))  # type: ignore[misc]
    return times


def spread(times: Sequence[Taken]) -> Spread:
    """Median and 95th percentile; CPU time and time on the clock each for itself."""
    cpu, wall = ([getattr(one, kind) for one in times] for kind in Taken._fields)
    return Spread(Taken(median(cpu), median(wall)), Taken(_p95(cpu), _p95(wall)))


def together(*parts: Sequence[Taken]) -> list[Taken]:
    """The same queries asked of several, one after the other."""
    return [Taken(sum(one.cpu for one in turn), sum(one.wall for one in turn)) for turn in zip(*parts, strict=True)]


def _p95(values: Sequence[float]) -> float:
    return quantiles(values, n=20, method="inclusive")[-1]
