"""Files and folders: where they are looked for, how they are read with the place of any damage, and how they are
written whole or not at all.
"""

import gzip
import io
import os
import shutil
import sys
import uuid
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from satchel.errors import DamagedFileError, InputError, MissingFileError


def data_folder() -> Path | None:
    """The folder that $SATCHEL_DATA names, or None if it is not set."""
    named = os.environ.get("SATCHEL_DATA")
    if not named:
        return None
    folder = Path(named).expanduser()
    if not folder.is_dir():
        raise InputError(
            f"SATCHEL_DATA is {named!r}, which is not a folder; set it to the folder of the data or unset it"
        )
    return folder


def cache_folder() -> Path:
    """The folder for what Satchel downloads or derives: $SATCHEL_CACHE, else `satchel` in the platform's cache place.

    It need not exist yet; the code that writes into it creates it.
    """
    named = os.environ.get("SATCHEL_CACHE")
    return Path(named).expanduser() if named else _platform_cache() / "satchel"


def find(relative: str) -> Path | None:
    """The file or folder with this relative name (forward slashes) in the data folder, else in the cache, else None."""
    parts = _checked_parts(relative)
    for place in (data_folder(), cache_folder()):
        if place is not None and place.joinpath(*parts).exists():
            return place.joinpath(*parts)
    return None


def _checked_parts(relative: str) -> tuple[str, ...]:
    """The parts of a relative name; raises InputError if it could lead out of the folder that it is looked up in."""
    path = PurePosixPath(relative)
    if not path.parts or path.is_absolute() or ".." in path.parts or any(sign in relative for sign in "\\:\0"):
        raise InputError(
            f"{relative!r} cannot be looked up in the data folder; "
            "give a relative name with forward slashes, without '..', ':' and backslashes"
        )
    return path.parts


def _platform_cache() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return Path(local) if local else Path.home() / "AppData" / "Local"
    named = os.environ.get("XDG_CACHE_HOME", "")
    return Path(named) if Path(named).is_absolute() else Path.home() / ".cache"


_BUFFER = 1 << 14  # lines are cut in C from this buffer; gzip's own readline is Python


@contextmanager
def open_unpacked(path: Path, place: Callable[[], str] | None = None) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked if they begin like gzip; the name does not matter.

    place: gives the reader's position, for the error about damaged or truncated gzip data.
    """
    if not path.exists():
        raise MissingFileError(f"{path} does not exist; check the path")
    if path.is_dir():
        raise DamagedFileError(f"{path} is a folder; expected a file")
    try:
        with _opened(path) as stream:
            yield stream
    except EOFError:
        raise _damaged(path, place, "end too early: the file is truncated") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise _damaged(path, place, f"are damaged ({error})") from None


def read_lines(path: Path, encoding: str = "utf-8") -> Iterator[tuple[int, str]]:
    """Line number (from 1) and line, without its end; only "\\n" ends a line, and a "\\r" before it is dropped."""
    number = 0
    with open_unpacked(path, lambda: f"after line {number}") as stream:
        for number, raw in enumerate(stream, start=1):
            try:
                line = raw.decode(encoding)
            except UnicodeDecodeError as error:
                raise damaged(path, number, f"is not {encoding.upper()} text") from error
            if number == 1:
                line = line.removeprefix("\ufeff")
            yield number, line.removesuffix("\n").removesuffix("\r")


def damaged(path: Path, number: int, what: str) -> DamagedFileError:
    """The error for a line that cannot be read: path, line number, and what is wrong there."""
    return DamagedFileError(f"{path}, line {number}: {what}")


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write UTF-8 lines, gzip if the name ends in .gz (same lines, same bytes); the file appears when whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as raw:
            if path.name.endswith(".gz"):
                with gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=6, mtime=0) as packed:
                    _write_all(cast(BinaryIO, packed), lines)
            else:
                _write_all(raw, lines)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _opened(path: Path) -> BinaryIO:
    with path.open("rb") as file:
        magic = file.read(4)
    if magic == b"PK\x03\x04":
        raise DamagedFileError(f"{path} is a zip archive; unpack it and read the file inside")
    if magic.startswith(b"\x1f\x8b"):
        return io.BufferedReader(gzip.open(path, "rb"), buffer_size=_BUFFER)
    return path.open("rb")


def _damaged(path: Path, place: Callable[[], str] | None, what: str) -> DamagedFileError:
    where = f"{path}, {place()}" if place else str(path)
    return DamagedFileError(f"{where}: the gzip data {what}; fetch it again")


def _write_all(stream: BinaryIO, lines: Iterable[str]) -> None:
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="\n")
    text.writelines(f"{line}\n" for line in lines)
    text.flush()
    text.detach()


@contextmanager
def whole_folder(target: Path) -> Iterator[Path]:
    """An empty folder to write files into; when the block ends without an error, it replaces `target`.

    A reader sees the old folder or the new one, never half of one. After an error the old one is there as it was, and
    nothing is left beside it. Whether `target` may be replaced is for the caller to check.
    """
    target = target.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    new = _unused_sibling(target, "new")
    try:
        new.mkdir()
        yield new
        for path in new.iterdir():
            _write_through(path)
        _put_in_place(new, target)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _put_in_place(new: Path, target: Path) -> None:
    """Renames `new` to `target`; an old folder steps aside first, and comes back if that fails."""
    if not target.exists():
        new.rename(target)
        return
    old = target.rename(_unused_sibling(target, "old"))
    try:
        new.rename(target)
    except BaseException:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _unused_sibling(target: Path, role: str) -> Path:
    """A hidden name beside `target`, so that a rename stays on one disk."""
    return target.with_name(f".{target.name}.{role}-{uuid.uuid4().hex[:12]}")


def _write_through(path: Path) -> None:
    """Makes sure that a file's bytes are on the disk before the rename is."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())
