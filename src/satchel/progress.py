"""How far long work is: one form for everything that takes a while, and the way to stop it."""

from __future__ import annotations

from typing import Final, Protocol

from satchel.errors import SatchelError

DOWNLOADING: Final = "downloading"
"""The stage whose numbers are bytes."""
READING_FILES: Final = "reading files"
"""The stage whose numbers are files; meanwhile the documents in them may be counted too."""


class Progress(Protocol):
    """Is called with what is being done, how much of it is done, and how much there is to do (0: not known).

    It stops the work by raising `StoppedError`: what was a transaction has then not happened.
    """

    def __call__(self, stage: str, done: int, total: int, /) -> None: ...


class StoppedError(SatchelError):
    """Long work was stopped by whoever watched it; nothing was changed."""


def no_progress(stage: str, done: int, total: int, /) -> None:
    """Nobody watches."""
