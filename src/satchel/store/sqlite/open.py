"""Creates collection files, and opens them after a check of their first bytes."""

from __future__ import annotations

import os
import sqlite3
import threading
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from weakref import WeakKeyDictionary

from satchel.errors import (
    CollectionError,
    DamagedCollectionError,
    InputError,
    MissingCollectionError,
    NewerCollectionError,
    NotACollectionError,
    ReadOnlyCollectionError,
)
from satchel.store.rows import checksum_of
from satchel.store.sqlite.connection import SqliteFile, plainly
from satchel.store.sqlite.schema import APPLICATION_ID, MIGRATIONS, TABLES, VERSION
from satchel.store.sqlite.words import index_all

WAIT_SECONDS = 5.0
"""The seconds that a writer waits for another writer before it gives up."""
_MAGIC = b"SQLite format 3\0"
_HEADER = 100
_EVERY_TIME = """
PRAGMA foreign_keys = ON;
PRAGMA synchronous = FULL;
PRAGMA cache_size = -65536;
PRAGMA temp_store = MEMORY;
"""
_turn = threading.Lock()
_open_here: WeakKeyDictionary[SqliteFile, tuple[int, int]] = WeakKeyDictionary()


def create_file(path: Path, fill: Callable[[SqliteFile], None]) -> None:
    """Creates and fills a collection under a temporary name in the same folder, then moves it to its place."""
    refuse_taken_name(path)
    new = path.with_name(f".{path.name}.{uuid.uuid4().hex[:12]}")
    try:
        with plainly(path):
            _make_tables(new)
            file = SqliteFile(new, _connected(new, "mode=rw"), read_only=False)
            try:
                with file.writing():
                    fill(file)
            finally:
                file.close()
        _put_in_place(new, path)
    finally:
        for leftover in (new, *(new.with_name(new.name + end) for end in ("-wal", "-shm", "-journal"))):
            leftover.unlink(missing_ok=True)


def _make_tables(path: Path) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.executescript(f"BEGIN; {TABLES} COMMIT;")
        connection.execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()


def refuse_taken_name(path: Path) -> None:
    if not path.parent.is_dir():
        raise InputError(f"cannot create {path}: there is no folder {path.parent}; make it first")
    if path.exists():
        raise InputError(f"cannot create {path}: a file of that name exists; open it, or give another name")


def _put_in_place(new: Path, path: Path) -> None:
    try:
        os.link(new, path)  # unlike a rename, a link never replaces a file that appeared meanwhile
    except FileExistsError:
        refuse_taken_name(path)
    except OSError:  # a file system without links
        new.rename(path)
    with suppress(OSError):  # if the folder can be opened, write its new entry to the disk now
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def open_file(path: Path, read_only: bool = False) -> SqliteFile:
    """Opens the collection in that file after a check of its first bytes; other files are not touched.

    The check is skipped if this process already has the file open. Under POSIX a process loses all its locks on a file
    when it closes any descriptor of it; another program that closes the file would then think it is the last one, and
    remove the journal that this process still writes to.
    """
    with _turn:
        if not _is_open_here(path):
            _check_header(path)
        file = _opened(path, read_only or not os.access(path, os.W_OK))
        _open_here[file] = _identity(path)
    return file


def _is_open_here(path: Path) -> bool:
    return path.is_file() and _identity(path) in [own for file, own in _open_here.items() if file.is_open]


def _identity(path: Path) -> tuple[int, int]:
    """A key of the file that is the same for all its names."""
    found = path.stat()
    return found.st_dev, found.st_ino


def _opened(path: Path, read_only: bool) -> SqliteFile:
    with plainly(path):
        file = SqliteFile(path, _connect(path, read_only), read_only)
        file.offer("casefold", 1, _casefold)
        try:
            version = int(file.value("PRAGMA user_version"))
            _check_version(path, version)
            if version < VERSION:
                _bring_up_to_date(file, version)
        except BaseException:
            file.close()
            raise
    return file


def _casefold(value: object) -> str:
    return str(value).casefold()


def _connect(path: Path, read_only: bool) -> sqlite3.Connection:
    try:
        return _connected(path, "mode=ro" if read_only else "mode=rw")
    except sqlite3.OperationalError:
        journal = path.with_name(path.name + "-wal")
        if not read_only or os.access(path.parent, os.W_OK) or (journal.exists() and journal.stat().st_size):
            raise
        return _connected(path, "mode=ro&immutable=1")  # a read-only folder: nobody else writes there


def _connected(path: Path, how: str) -> sqlite3.Connection:
    address = f"{path.resolve().as_uri()}?{how}"
    connection = sqlite3.connect(address, uri=True, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.executescript(_EVERY_TIME)
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _check_header(path: Path) -> None:
    if not path.exists():
        raise MissingCollectionError(f"no collection at {path}; `satchel add` or Collection.create makes one")
    if not path.is_file():
        raise NotACollectionError(f"{path} is a folder, not a collection; give the name of a .satchel file")
    with plainly(path):
        try:
            with path.open("rb") as stream:
                header = stream.read(_HEADER)
        except OSError as error:
            raise CollectionError(f"{path} cannot be read: {error.strerror}") from error
    if header[: len(_MAGIC)] != _MAGIC[: len(header)] or not header:
        raise NotACollectionError(f"{path} is not a collection; give a file that Satchel made, or another name")
    if len(header) < _HEADER:
        raise DamagedCollectionError(f"{path} is truncated after {len(header)} bytes; take another copy of the file")
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise NotACollectionError(f"{path} is an SQLite database, but not a collection; give a file that Satchel made")
    _check_version(path, int.from_bytes(header[60:64], "big"))


def _check_version(path: Path, version: int) -> None:
    if version > VERSION:
        newer = f"{path} has format version {version}, newer than version {VERSION} that this Satchel knows"
        raise NewerCollectionError(f"{newer}; install a newer Satchel")


def _bring_up_to_date(file: SqliteFile, version: int) -> None:
    if file.read_only:
        old = f"{file.path} has format version {version}, older than version {VERSION} of this Satchel"
        raise ReadOnlyCollectionError(f"{old}; open it once where it may be written to")
    file.offer("checksum_of", 4, checksum_of)
    file.offer("index_words", 0, lambda: index_all(file))
    with file.writing():
        for number in range(version, VERSION):
            for statement in MIGRATIONS[number]:
                file.run(statement)
            file.run(f"PRAGMA user_version = {number + 1}")
