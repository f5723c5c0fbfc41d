"""One function over many arguments, in this process or in several with one thread each."""

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import contextmanager
from typing import TypeVar

from satchel.errors import whole_number
from satchel.progress import Progress, no_progress

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

T = TypeVar("T")
R = TypeVar("R")


def run_in_order(
    function: Callable[[T], R], arguments: Sequence[T], jobs: int, on_progress: Progress = no_progress
) -> Iterator[R]:
    """The results in the order of the arguments, whatever the number of processes.

    on_progress is told of an argument before and after it is run here, and after it was run elsewhere.
    """
    if whole_number("jobs", jobs) == 1 or len(arguments) < 2:
        for done, argument in enumerate(arguments):
            on_progress(str(argument), done, len(arguments))
            result = function(argument)
            on_progress(str(argument), done + 1, len(arguments))
            yield result
    else:
        yield from _in_processes(function, arguments, jobs, on_progress)


def _in_processes(function: Callable[[T], R], arguments: Sequence[T], jobs: int, on_progress: Progress) -> Iterator[R]:
    """Told from here and not from the thread that a result arrives in, where nothing could be stopped."""
    pool = ProcessPoolExecutor(min(jobs, len(arguments)), multiprocessing.get_context("spawn"))
    try:
        with _one_thread_each():  # a process reads the number of its threads when it starts
            futures = {pool.submit(function, argument): str(argument) for argument in arguments}
        running = set(futures)
        for future in futures:
            while future in running:
                ended, running = wait(running, return_when=FIRST_COMPLETED)
                for done, one in enumerate(ended, start=len(futures) - len(running) - len(ended) + 1):
                    on_progress(futures[one], done, len(futures))
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
