"""Jobs: long work in a thread of its own; requests can ask for its progress."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import shutil
import tempfile
import threading
import time
import unicodedata
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request

from satchel.collection import Collection, Progress, as_json
from satchel.errors import AbsentError, InputError, SatchelError
from satchel.importing import CORPUS_NAMES
from satchel.progress import StoppedError
from satchel.server.answers import UNEXPECTED, RefusedError
from satchel.server.shelf import Served

MOST_NAME = 120
_ODD = re.compile(r"[^\w .,()+=@~!#%&'-]+")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


def safe_name(name: str, taken: set[str]) -> str:
    """Returns the last part of a name, without characters that have a meaning for file systems or readers."""
    last = unicodedata.normalize("NFC", name.encode("utf-8", "replace").decode()).replace("\\", "/").rpartition("/")[2]
    plain = _ODD.sub("_", last).strip(" .")
    if not plain or _RESERVED.fullmatch(plain):
        plain = f"file_{plain}".rstrip("_")
    stem, dot, ending = plain.rpartition(".")
    stem, ending = (stem or ending, f"{dot}{ending}"[:20]) if stem else (plain, "")
    stem = stem[: MOST_NAME - len(ending)]
    found, number = f"{stem}{ending}", 2
    while found.casefold() in taken:
        found, number = f"{stem} ({number}){ending}", number + 1
    taken.add(found.casefold())
    return found


async def take_files(request: Request, most: int) -> Path:
    """Writes the files of a request into a new folder and returns the folder; the caller removes it."""
    folder = Path(tempfile.mkdtemp(prefix="satchel-upload-"))
    try:
        async with request.form(max_files=most, max_fields=10) as form:
            files = [part for _, part in form.multi_items() if isinstance(part, UploadFile)]
            if not files:
                raise InputError("no file was sent; send one or several as multipart/form-data")
            await run_in_threadpool(_write, files, folder)
    except BaseException:
        remove_folder(folder)
        raise
    return folder


def _write(files: list[UploadFile], folder: Path) -> None:
    # in a folder with a BEIR corpus nothing else is read: a file must not have that name beside other files
    taken = {name.casefold() for name in CORPUS_NAMES} if len(files) > 1 else set()
    for file in files:
        with (folder / safe_name(file.filename or "file", taken)).open("xb") as target:
            file.file.seek(0)
            shutil.copyfileobj(file.file, target, 1 << 20)


def remove_folder(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def add_folder(collection: Collection, folder: Path, on_progress: Progress) -> dict[str, Any]:
    """Adds all uploaded files. Their sources are the names of the files, not the temporary paths."""
    report = collection.add(folder, name_of=lambda path: str(path.relative_to(folder)), on_progress=on_progress)
    return dict(as_json(report))


Kind = Literal["upload", "train", "map"]
Work = Callable[[Collection, Progress], dict[str, Any]]
MOST_KEPT = 200
"""The number of finished jobs that are kept for questions."""
LOOK_SECONDS = 0.1
QUIET_SECONDS = 10.0
"""The seconds without news after which a stream sends a sign of life."""
GRACE_SECONDS = 15.0
"""The seconds that a stopping server lets a job run before the job must undo its changes."""
_log = logging.getLogger("satchel.server")


@dataclass
class Job:
    """A job with its progress. report: its result when it is done."""

    id: str
    kind: Kind
    collection: str
    state: Literal["running", "done", "failed"] = "running"
    step: str = "waiting"
    done: int = 0
    total: int = 0
    report: dict[str, Any] | None = None
    error: str | None = None

    def as_json(self) -> dict[str, Any]:
        return dict(vars(self))


class Jobs:
    """All jobs of a server by id. The jobs of one collection run one after the other."""

    def __init__(self, most_waiting: int, hidden: Sequence[tuple[str, str]]) -> None:
        self._most_waiting, self._hidden = most_waiting, hidden
        self._jobs: dict[str, Job] = {}
        self._turns: dict[str, ThreadPoolExecutor] = {}
        self._starting = threading.Lock()
        self.stopping = threading.Event()
        self._leave = threading.Event()

    def __getitem__(self, id_: str) -> Job:
        if id_ not in self._jobs:
            raise AbsentError(f"there is no job {id_[:100]!r}; it may have ended long ago")
        return self._jobs[id_]

    @property
    def n_running(self) -> int:
        return sum(job.state == "running" for job in list(self._jobs.values()))

    def start(self, kind: Kind, served: Served, work: Work, after: Callable[[], None] = lambda: None) -> Job:
        """Starts a job, or queues it. after: is called when the job has ended, whether or not it failed."""
        with self._starting:
            waiting = [job for job in self._jobs.values() if job.collection == served.name and job.state == "running"]
            if len(waiting) >= self._most_waiting or self.stopping.is_set():
                after()
                raise RefusedError(409, f"{len(waiting)} jobs of {served.name} are waiting already; try again later")
            job = Job(uuid.uuid4().hex, kind, served.name)
            self._forget_old()
            self._jobs[job.id] = job
            turn = self._turns.setdefault(served.name, ThreadPoolExecutor(1, thread_name_prefix=f"job {served.name}"))
            turn.submit(self._run, job, served, work, after)
        return job

    def running(self, kind: Kind, served: Served) -> Job | None:
        """Finds a job of that kind that has not ended."""
        found = (job for job in list(self._jobs.values()) if (job.kind, job.collection) == (kind, served.name))
        return next((job for job in found if job.state == "running"), None)

    def _forget_old(self) -> None:
        ended = [id_ for id_, job in self._jobs.items() if job.state != "running"]
        for id_ in ended[: max(0, len(ended) - MOST_KEPT)]:
            del self._jobs[id_]

    def _run(self, job: Job, served: Served, work: Work, after: Callable[[], None]) -> None:
        def move(step: str, done: int, total: int) -> None:
            if self._leave.is_set():
                raise StoppedError("the server was stopped, and the collection is as it was before")
            job.step, job.done, job.total = step, int(done), int(total)

        try:
            move("starting", 0, 0)
            with served.for_job() as collection:
                job.report = work(collection, move)
            job.state = "done"
        except SatchelError as error:
            job.error = self._sentence(error)
            job.state = "failed"
        except Exception:
            _log.exception("the job %s of %s failed", job.kind, served.name)
            job.error, job.state = UNEXPECTED, "failed"
        finally:
            after()

    def _sentence(self, error: SatchelError) -> str:
        sentence = " ".join(str(error).split())
        for path, name in self._hidden:
            sentence = sentence.replace(path, name)
        return sentence

    async def events(self, job: Job) -> AsyncIterator[bytes]:
        """Yields the job at every change, as server-sent events, until it has ended or the server stops."""
        sent, since = "", time.monotonic()
        while not self.stopping.is_set():
            now = json.dumps(job.as_json(), ensure_ascii=False)
            if now != sent:
                sent, since = now, time.monotonic()
                yield f"data: {now}\n\n".encode("utf-8", "replace")
            elif time.monotonic() - since > QUIET_SECONDS:
                since = time.monotonic()
                yield b": still here\n\n"
            if json.loads(sent)["state"] != "running":
                return
            await asyncio.sleep(LOOK_SECONDS)

    def close(self) -> None:
        """Waits for jobs to end. Jobs that take too long are stopped, and their changes are undone."""
        self.stopping.set()
        end = time.monotonic() + GRACE_SECONDS
        while self.n_running and time.monotonic() < end:
            time.sleep(LOOK_SECONDS)
        self._leave.set()
        for turn in self._turns.values():
            turn.shutdown(wait=True)
