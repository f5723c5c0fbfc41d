"""One function over many arguments, in this process or in several with one thread each."""

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from satchel.errors import whole_number

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

T = TypeVar("T")
R = TypeVar("R")


def run_in_order(
    function: Callable[[T], R], arguments: Sequence[T], jobs: int, on_step: Callable[[str], None]
) -> Iterator[R]:
    """The results in the order of the arguments, whatever the number of processes.

    `on_step` is told of an argument before it is run here, and after it was run elsewhere.
    """
    if whole_number("jobs", jobs) == 1 or len(arguments) < 2:
        for argument in arguments:
            on_step(str(argument))
            yield function(argument)
    else:
        yield from _in_processes(function, arguments, jobs, on_step)


def _in_processes(
    function: Callable[[T], R], arguments: Sequence[T], jobs: int, on_step: Callable[[str], None]
) -> Iterator[R]:
    pool = ProcessPoolExecutor(min(jobs, len(arguments)), multiprocessing.get_context("spawn"))
    try:
        with _one_thread_each():  # a process reads the number of its threads when it starts
            futures = [pool.submit(function, argument) for argument in arguments]
        for argument, future in zip(arguments, futures, strict=True):
            future.add_done_callback(partial(_tell, on_step, str(argument)))
        for future in futures:
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _tell(on_step: Callable[[str], None], name: str, future: Future[R]) -> None:
    if not future.cancelled():
        on_step(name)


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
