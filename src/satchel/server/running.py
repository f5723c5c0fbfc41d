"""The server in this process: a free port, its address, and a stop that finishes what was begun."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable
from types import FrameType

import uvicorn
from fastapi import FastAPI
from threadpoolctl import threadpool_limits

from satchel.errors import InputError
from satchel.server.jobs import GRACE_SECONDS

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
