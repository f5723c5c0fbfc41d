"""The server in this process: a free port, its address, and a stop that finishes what was begun."""

from __future__ import annotations

import signal
import socket
import threading
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from types import FrameType

import uvicorn
from fastapi import FastAPI
from threadpoolctl import threadpool_limits

from satchel.errors import InputError
from satchel.server.jobs import GRACE_SECONDS

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


NEXT_PORTS = 50
"""Ports that are tried after one that is taken."""


class _Server(uvicorn.Server):
    """Tells streams to end as soon as a stop is asked for: they would hold it up. To be stopped is no error."""

    def __init__(self, app: FastAPI, config: uvicorn.Config, on_start: Callable[[], None]) -> None:
        super().__init__(config)
        self._app, self._on_start = app, on_start

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._app.state.jobs.stopping.set()
        self.force_exit = self.should_exit and sig == signal.SIGINT  # a second Ctrl-C does not wait
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_start()


def bound_socket(host: str, port: int, *, exactly: bool = False) -> socket.socket:
    """A socket at the port, or at the next free one; at any free one for port 0."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    last = port if exactly or port == 0 else min(port + NEXT_PORTS, 65_535)
    for number in range(port, last + 1):
        found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # named, so that answers go at once
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host.strip("[]"), number))
        except OSError as error:
            found.close()
            if number == last or isinstance(error, socket.gaierror | PermissionError):
                raise InputError(f"cannot listen at {host}, port {number}: {error.strerror}; try another") from error
            continue
        return found
    raise AssertionError


def server_of(app: FastAPI, on_start: Callable[[], None]) -> uvicorn.Server:
    """A server that keeps no log of requests: what people search for is theirs."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="on",
        server_header=False,
        proxy_headers=False,  # whoever asks cannot say that it is another
        ws="none",
        timeout_graceful_shutdown=int(GRACE_SECONDS),
        timeout_keep_alive=30,
    )
    return _Server(app, config, on_start)


def run(app: FastAPI, listener: socket.socket, on_start: Callable[[], None], seconds: float | None = None) -> None:
    """Serves until Ctrl-C or a signal to end, or for so many seconds; what was begun is finished then."""
    server = server_of(app, on_start)
    if seconds is not None:
        threading.Timer(seconds, server.handle_exit, (signal.SIGTERM, None)).start()
    with listener, threadpool_limits(1, user_api="blas"):
        server.run([listener])
