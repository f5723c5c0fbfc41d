"""Progress of long work: one interface to report it, to show it and to stop the work."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Protocol

from satchel.errors import SatchelError

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

DOWNLOADING: Final = "downloading"
"""The stage whose numbers are bytes."""
READING_FILES: Final = "reading files"
"""The stage whose numbers are files; meanwhile the documents in them may be counted too."""
BAR_WIDTH = 10
BESIDE_STAGE = BAR_WIDTH + len(" 0:00:00 ") + 1
"""The characters of a line that the bar and the time take."""


class Progress(Protocol):
    """Is called with the stage of the work, how much of it is done, and the total (0 if it is not known).

    It stops the work by raising `StoppedError`; a transaction is then rolled back.
    """

    def __call__(self, stage: str, done: int, total: int, /) -> None: ...


class StoppedError(SatchelError):
    """Long work was stopped by its `Progress`; nothing was changed."""


def no_progress(stage: str, done: int, total: int, /) -> None:
    """Ignores all reports."""


@contextmanager
def shown(wanted: bool) -> Iterator[Progress]:
    """Shows progress on standard error: a bar that stays if there is a total, else a spinner that disappears.

    If standard error is not a terminal, only the bar's last state is written, because messages that disappear would
    leave empty lines in a file. If a stage has several parts, separated by commas, only those that fit the line are
    shown.
    """
    if not wanted:
        yield no_progress
        return
    bar = _Bar()
    try:
        yield bar
    finally:
        bar.stop()


class _Bar:
    """A bar or spinner that is first drawn when there is something to show."""

    def __init__(self) -> None:
        self._bar: RichProgress | None = None

    def __call__(self, stage: str, done: int, total: int, /) -> None:
        if not total and not sys.stderr.isatty():
            return
        bar = self._bar or self._start()
        text = _fitting(stage, bar.console.width - BESIDE_STAGE)
        if total:
            bar.update(bar.task_ids[0], description=text, completed=done, total=total)
        else:
            bar.reset(bar.task_ids[0], description=text, total=None)  # each stage with the time that it takes
        bar.live.transient = not total

    def stop(self) -> None:
        if self._bar is not None:
            self._bar.stop()

    def _start(self) -> RichProgress:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as RichProgress

        columns = (BarColumn(BAR_WIDTH), TimeElapsedColumn(), TextColumn("{task.description}", markup=False))
        self._bar = RichProgress(*columns, console=Console(stderr=True))
        self._bar.add_task("", total=None)
        self._bar.start()
        return self._bar


def _fitting(stage: str, room: int) -> str:
    """A stage, without its last parts if it is too long."""
    while len(stage) > room and ", " in stage:
        stage = stage.rpartition(", ")[0]
    return stage
