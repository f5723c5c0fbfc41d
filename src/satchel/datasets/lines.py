"""Lines of text files, gzip or not: in, with the place of any damage; out, whole or not at all."""

import gzip
import io
import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from satchel.errors import DamagedFileError, MissingFileError


@contextmanager
def open_bytes(path: Path) -> Iterator[BinaryIO]:
    """The file's content, unpacked where it begins like gzip; damage and absence become our errors."""
    if not path.is_file():
        raise MissingFileError(f"there is no file {path}")
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            if packed:
                with gzip.open(raw) as unpacked:
                    yield cast(BinaryIO, unpacked)
            else:
                yield raw
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise DamagedFileError(f"{path} is a damaged or truncated gzip file; fetch it again") from error


def read_lines(path: Path, encoding: str = "utf-8") -> Iterator[tuple[int, str]]:
    """Line number (from 1) and line, without its end; only "\\n" ends a line, and a "\\r" before it is dropped."""
    with open_bytes(path) as stream:
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
    """Write UTF-8 lines, gzip where the name ends in .gz (same lines, same bytes); the file appears when whole."""
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


def _write_all(stream: BinaryIO, lines: Iterable[str]) -> None:
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="\n")
    text.writelines(f"{line}\n" for line in lines)
    text.flush()
    text.detach()
