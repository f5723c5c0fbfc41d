"""The collections of a server, each with several readers and one writer, outside the event loop.

Threads can share a Collection, but they take turns. So each file is opened several times; the model and the vectors,
which are large, are loaded once for all. All changes of one file go through one thread.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from satchel.collection import Collection
from satchel.errors import AbsentError, InputError, LockedCollectionError, SatchelError
from satchel.server.answers import RefusedError
from satchel.server.bodies import Search
from satchel.server.searchers import Searchers, searched

MOST_BYTES = 64_000_000


class Memory:
    """A cache of the last answers, by request and by the version of the file."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._n_bytes = 0
        self._turn = threading.Lock()
        self._answers: OrderedDict[Hashable, tuple[int, bytes, int]] = OrderedDict()

    def recall(self, key: Hashable, version: int) -> bytes | None:
        """Returns the answer to the same request at the same version; None if it is not cached."""
        with self._turn:
            found = self._answers.get(key)
            if found is None or found[0] != version:
                return None
            self._answers.move_to_end(key)
            return found[1]

    def keep(self, key: Hashable, version: int, answer: bytes) -> None:
        """Caches an answer. version: read before the answer was computed, so that a change in between makes it old."""
        n_bytes = len(answer) + len(repr(key))  # a request may be longer than its answer
        if n_bytes > self._most_bytes // 2:
            return
        with self._turn:
            *_, before = self._answers.pop(key, (0, b"", 0))
            self._answers[key] = (version, answer, n_bytes)
            self._n_bytes += n_bytes - before
            while self._n_bytes > self._most_bytes:
                self._n_bytes -= self._answers.popitem(last=False)[1][2]


T = TypeVar("T")
N_READERS = 4
MOST_EXPORTS = 8
"""The most exports of one collection at a time: each holds a thread, and keeps deleted data in the file meanwhile."""
PATIENCE_SECONDS = 60.0
"""The seconds that a change waits for a job of this server that is writing."""


class Served:
    """One collection, with the name that requests use."""

    def __init__(self, name: str, path: Path, reading: ThreadPoolExecutor, searchers: Searchers) -> None:
        self.name, self.path = name, path
        self._reading, self._searchers = reading, searchers
        self._readers: queue.LifoQueue[Collection] = queue.LifoQueue()
        self._opened: list[Collection] = []
        self._writing = ThreadPoolExecutor(1, thread_name_prefix=f"writing {name}")
        self.busy, self._exporting = threading.Lock(), threading.BoundedSemaphore(MOST_EXPORTS)
        for _ in range(N_READERS):
            self._readers.put(self._open())
        self._writer, self._watcher = self._open(), self._open()
        self._memory = Memory()

    def _open(self) -> Collection:
        collection = self._opened[0].another() if self._opened else Collection.open(self.path)
        self._opened.append(collection)
        return collection

    @property
    def read_only(self) -> bool:
        return self._writer.read_only

    async def read(self, question: Callable[[Collection], T]) -> T:
        """Runs a question on the collection in a thread of the pool."""
        return await asyncio.get_running_loop().run_in_executor(self._reading, self._ask, question)

    def _ask(self, question: Callable[[Collection], T]) -> T:
        with self._reader() as collection:
            return question(collection)

    @contextmanager
    def _reader(self) -> Iterator[Collection]:
        collection = self._readers.get()
        try:
            yield collection
        finally:
            self._readers.put(collection)

    async def answer(self, key: Hashable, question: Callable[[Collection], bytes]) -> bytes:
        """Answers a question; from the cache, by its key, if nothing has changed since."""
        return await self._remembered(key, lambda: self.read(question))

    async def search(self, body: Search) -> bytes:
        """Answers a search, from the cache too; search processes help with simultaneous searches."""
        key = body.written()

        def here() -> Awaitable[bytes]:
            return self.read(lambda collection: searched(collection, body))

        return await self._remembered(key, lambda: self._searchers.search(self.path, key, here))

    async def _remembered(self, key: Hashable, find: Callable[[], Awaitable[bytes]]) -> bytes:
        version = self._watcher.version
        known = self._memory.recall(key, version)
        if known is not None:
            return known
        answer = await find()
        self._memory.keep(key, version, answer)
        return answer

    def warm(self) -> None:
        """Loads what a first search needs; the first request reports any error."""
        with suppress(SatchelError):
            self._ask(lambda collection: collection.search("warm", 1))

    async def write(self, change: Callable[[Collection], T]) -> T:
        """Changes the collection, one change after the other; waits while a job of this server is writing."""
        return await asyncio.get_running_loop().run_in_executor(self._writing, self._change, change)

    def _change(self, change: Callable[[Collection], T]) -> T:
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return change(self._writer)
            except LockedCollectionError:
                if not self.busy.locked() or time.monotonic() > end:
                    raise

    @contextmanager
    def for_job(self) -> Iterator[Collection]:
        """A separate connection for a job; one job at a time."""
        with self.busy, self._writer.another() as collection:
            yield collection

    @contextmanager
    def for_export(self) -> Iterator[Collection]:
        """A separate connection for an export, which may be read slowly."""
        if not self._exporting.acquire(blocking=False):
            raise RefusedError(429, f"{MOST_EXPORTS} files of {self.name} are being exported; try again later")
        try:
            with self._writer.another() as collection:
                yield collection
        finally:
            self._exporting.release()

    def close(self) -> None:
        """Finishes running changes, then closes the file."""
        self._writing.shutdown(wait=True)
        for collection in self._opened:
            collection.close()


class Shelf:
    """All collections by name."""

    def __init__(self, paths: Sequence[Path], processes: int = 0) -> None:
        if not paths:
            raise InputError("give the file of a collection to serve, or several")
        self._searchers = Searchers(processes)
        self._reading = ThreadPoolExecutor(N_READERS, thread_name_prefix="reading")
        self._served: dict[str, Served] = {}
        try:
            for name, path in names_of(paths).items():
                self._served[name] = Served(name, path, self._reading, self._searchers)
        except BaseException:
            self.close()
            raise

    def __iter__(self) -> Iterator[Served]:
        return iter(self._served.values())

    def __getitem__(self, name: str) -> Served:
        if name not in self._served:
            there = ", ".join(self._served)
            raise AbsentError(f"there is no collection {name!r} here; choose from {there}")
        return self._served[name]

    @property
    def paths(self) -> list[tuple[str, str]]:
        """The paths of the files, with the names that requests use."""
        known = {str(path): served.path.name for served in self for path in (served.path, served.path.resolve())}
        return sorted(known.items(), key=lambda pair: -len(pair[0]))

    def warm(self) -> None:
        """Starts to load the collections, so that the first search does not wait."""
        for served in self:
            self._reading.submit(served.warm)

    def close(self) -> None:
        self._searchers.close()
        self._reading.shutdown(wait=True)
        for served in self:
            served.close()


def names_of(paths: Sequence[Path]) -> dict[str, Path]:
    """Names the files: by the stem, with a number if another file has the same stem."""
    named: dict[str, Path] = {}
    for path in dict.fromkeys(path.resolve() for path in paths):
        stem, number = path.stem, 2
        name = stem
        while name in named:
            name, number = f"{stem}-{number}", number + 1
        named[name] = path
    return named
