"""SQLite's errors as sentences: which of our exceptions each one is, and what to do about it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from satchel.errors import (
    CollectionError,
    DamagedCollectionError,
    DiskFullError,
    LockedCollectionError,
    ReadOnlyCollectionError,
)

_SENTENCES: dict[str, tuple[type[CollectionError], str]] = {
    "SQLITE_BUSY": (LockedCollectionError, "is being changed by another program; try again when that is done"),
    "SQLITE_LOCKED": (LockedCollectionError, "is being changed by another program; try again when that is done"),
    "SQLITE_READONLY": (ReadOnlyCollectionError, "cannot be written to; allow writing to the file and its folder"),
    "SQLITE_PERM": (ReadOnlyCollectionError, "cannot be written to; allow writing to the file and its folder"),
    "SQLITE_FULL": (DiskFullError, "finds no room left on the disk, so nothing was changed; free some and try again"),
    "SQLITE_CORRUPT": (DamagedCollectionError, "is damaged or truncated; take another copy of the file"),
    "SQLITE_NOTADB": (DamagedCollectionError, "is damaged or truncated; take another copy of the file"),
    "SQLITE_CANTOPEN": (CollectionError, "cannot be opened; look whether the file and its folder may be read"),
    "SQLITE_NOMEM": (CollectionError, "does not fit in memory"),
    "SQLITE_TOOBIG": (
        CollectionError,
        "cannot hold a value of more than a thousand million bytes; nothing was changed",
    ),
    "SQLITE_INTERRUPT": (CollectionError, "was interrupted, and nothing was changed"),
}
_WRITING = ("SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC", "SQLITE_IOERR_TRUNCATE", "SQLITE_IOERR_SHMSIZE")


@contextmanager
def plainly(path: Path) -> Iterator[None]:
    """Whatever SQLite says within the block is said again as one of our errors, in a sentence."""
    try:
        yield
    except sqlite3.Error as error:
        raise in_plain_words(path, error) from error


def in_plain_words(path: Path, error: sqlite3.Error) -> CollectionError:
    """The same error as one of ours."""
    name = str(getattr(error, "sqlite_errorname", "") or "")
    if name in _WRITING:
        what = "cannot be written to the disk, so nothing was changed; look whether it is full or at a limit"
        return DiskFullError(f"{path} {what}")
    for code, (kind, what) in _SENTENCES.items():
        if name == code or name.startswith(f"{code}_"):
            return kind(f"{path} {what}")
    if isinstance(error, sqlite3.DatabaseError) and "no such" in str(error):
        return DamagedCollectionError(f"{path} lacks a part of a collection ({error}); take another copy of the file")
    return CollectionError(f"{path} cannot be used: {error}; see `satchel check`")
