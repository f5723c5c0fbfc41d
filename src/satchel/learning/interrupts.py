"""Ctrl-C between two steps, never inside one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def deferred_interrupt() -> Iterator[Callable[[], bool]]:
    """Holds an interrupt back and tells, when asked, whether one came; a second one is not held back.

    Only the main thread receives signals: in another one nothing is held back and nothing came. Who ignores interrupts,
    as a program in the background does, goes on ignoring them.
    """
    came = threading.Event()
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or usual in (signal.SIG_IGN, None):
        yield came.is_set
        return

    def note(number: int, frame: FrameType | None) -> None:
        came.set()
        signal.signal(signal.SIGINT, usual)

    signal.signal(signal.SIGINT, note)
    try:
        yield came.is_set
    finally:
        signal.signal(signal.SIGINT, usual)
