"""Search processes, for more simultaneous searches than one process can answer.

Python runs one thread at a time, whatever the number of cores. So other processes open the same files read-only, and
each search goes to the process with the fewest waiting. One person alone never needs them: the first simultaneous
searches start them, and this process answers until they are ready.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, NamedTuple

from threadpoolctl import threadpool_limits

from satchel.collection import Collection, as_json
from satchel.errors import SatchelError
from satchel.server.answers import RefusedError, as_bytes, status_of
from satchel.server.bodies import Search


def searched(collection: Collection, body: Search) -> bytes:
    """Answers a search, as bytes to send."""
    return as_bytes(answer_of(collection, body))


def answer_of(collection: Collection, body: Search) -> dict[str, Any]:
    """Answers a search with its hits and the seconds that the library took."""
    started = time.perf_counter()
    hits = collection.find(body.request())
    return {**as_json(hits), "seconds": round(time.perf_counter() - started, 6)}


MOST_PROCESSES = 3
"""The most search processes; each holds the vectors in memory."""


def usual_processes() -> int:
    """One process for each core, except the core of this process."""
    return min(MOST_PROCESSES, (os.cpu_count() or 1) - 1)


class Searchers:
    """The search processes of a server, which may be none. Use them only from the event loop."""

    def __init__(self, n_processes: int) -> None:
        self._n_processes = n_processes
        self._pool: ProcessPoolExecutor | None = None
        self._waiting_to_start: list[Future[None]] = []
        self._here = self._there = 0

    @property
    def are_ready(self) -> bool:
        return self._pool is not None and all(one.done() and not one.exception() for one in self._waiting_to_start)

    async def search(self, path: Path, body: str, here: Callable[[], Awaitable[bytes]]) -> bytes:
        """Answers a search body by another process or by `here`, whichever has fewer waiting."""
        if self._here >= 1 and self._pool is None and self._n_processes:
            self._start(path)
        if self._pool is not None and self._there < self._here * self._n_processes and self.are_ready:
            found = await self._search_there(self._pool, path, body)
            if found is not None:
                return found
        self._here += 1
        try:
            return await here()
        finally:
            self._here -= 1

    async def _search_there(self, pool: ProcessPoolExecutor, path: Path, body: str) -> bytes | None:
        """Answers by another process; None if the processes have died, for example for lack of memory. They are not
        started again."""
        self._there += 1
        try:
            found = await asyncio.wrap_future(pool.submit(_search, str(path), body))
        except BrokenProcessPool:
            self._n_processes, self._waiting_to_start = 0, []
            return None
        finally:
            self._there -= 1
        if isinstance(found, _Refusal):
            raise RefusedError(found.status, found.sentence)
        return found

    def _start(self, path: Path) -> None:
        self._pool = ProcessPoolExecutor(self._n_processes, multiprocessing.get_context("spawn"), _begin)
        self._waiting_to_start = [self._pool.submit(_warm, str(path)) for _ in range(self._n_processes)]

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)


class _Refusal(NamedTuple):
    """An error of the library, sent from one process to another."""

    status: int
    sentence: str


_opened: dict[str, Collection] = {}
"""The open files of a search process."""


def _begin() -> None:
    """Prepares a search process. It ignores Ctrl-C, because the server ends it, and it ends if the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threadpool_limits(1, user_api="blas")
    threading.Thread(target=_end_with_the_server, daemon=True).start()


def _end_with_the_server() -> None:
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(0)


def _warm(path: str) -> None:
    _collection(path).search("warm", 1)


def _search(path: str, body: str) -> bytes | _Refusal:
    try:
        return searched(_collection(path), Search.model_validate_json(body))
    except SatchelError as error:
        return _Refusal(status_of(error), str(error))


def _collection(path: str) -> Collection:
    if path not in _opened:
        _opened[path] = Collection.open(path, read_only=True)
    return _opened[path]
