"""How often each route was asked, how it ended and how long it took, in the text form that Prometheus reads."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper ends of the histogram's classes, in seconds."""


class Metrics:
    """Counts since the server started. Threads may share it."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._classes: dict[str, list[int]] = defaultdict(lambda: [0] * (len(BOUNDS) + 1))
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        with self._turn:
            self._requests[method, route, status] += 1
            self._classes[route][bisect_left(BOUNDS, seconds)] += 1
            self._seconds[route] += seconds

    def text(self, gauges: dict[str, float]) -> str:
        """All counts; gauges: name -> value of this moment."""
        with self._turn:
            lines = [*self._request_lines(), *self._duration_lines()]
        for name, value in gauges.items():
            lines += [f"# TYPE satchel_{name} gauge", f"satchel_{name} {value:g}"]
        return "\n".join(lines) + "\n"

    def _request_lines(self) -> Iterator[str]:
        yield "# TYPE satchel_requests_total counter"
        for (method, route, status), number in sorted(self._requests.items()):
            yield f'satchel_requests_total{{method="{method}",route="{route}",status="{status}"}} {number}'

    def _duration_lines(self) -> Iterator[str]:
        yield "# TYPE satchel_request_seconds histogram"
        for route, classes in sorted(self._classes.items()):
            total = 0
            for bound, number in zip((*map(str, BOUNDS), "+Inf"), classes, strict=True):
                total += number
                yield f'satchel_request_seconds_bucket{{route="{route}",le="{bound}"}} {total}'
            yield f'satchel_request_seconds_sum{{route="{route}"}} {self._seconds[route]:.6f}'
            yield f'satchel_request_seconds_count{{route="{route}"}} {total}'
