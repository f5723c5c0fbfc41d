"""Runs the server in this process: finds a free port, and finishes running requests when stopped."""

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
"""The upper ends of the histogram's buckets, in seconds."""


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
        """All counts in the text form of Prometheus; gauges: name -> present value."""
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
"""The number of ports that are tried after one that is in use."""


class _Server(uvicorn.Server):
    """Ends streams at once when the server is stopped, because they would delay it. A stop is not an error."""

    def __init__(self, app: FastAPI, config: uvicorn.Config, on_start: Callable[[], None]) -> None:
        super().__init__(config)
        self._app, self._on_start = app, on_start

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._app.state.jobs.stopping.set()
        self.force_exit = self.should_exit and sig == signal.SIGINT  # a second Ctrl-C stops at once
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_start()


def bound_socket(host: str, port: int, *, exactly: bool = False) -> socket.socket:
    """Opens a socket at the port. If the port is in use, the next free one is taken; port 0 takes any free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    last = port if exactly or port == 0 else min(port + NEXT_PORTS, 65_535)
    for number in range(port, last + 1):
        found = socket.socket(
            family, socket.SOCK_STREAM, socket.IPPROTO_TCP
        )  # named explicitly, so that answers are sent at once
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
    """Makes a server that keeps no log of requests, because searches are private."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="on",
        server_header=False,
        proxy_headers=False,  # a client cannot claim another address
        ws="none",
        timeout_graceful_shutdown=int(GRACE_SECONDS),
        timeout_keep_alive=30,
    )
    return _Server(app, config, on_start)


def run(app: FastAPI, listener: socket.socket, on_start: Callable[[], None], seconds: float | None = None) -> None:
    """Serves until Ctrl-C, a signal, or the given number of seconds; finishes running requests before it ends."""
    server = server_of(app, on_start)
    if seconds is not None:
        threading.Timer(seconds, server.handle_exit, (signal.SIGTERM, None)).start()
    with listener, threadpool_limits(1, user_api="blas"):
        server.run([listener])
