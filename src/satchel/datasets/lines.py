"""Lines of text files, gzip or not: in, with the place of any damage; out, whole or not at all."""

import gzip
import io
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

from satchel.errors import DamagedFileError
from satchel.storage.unpacking import open_unpacked


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
