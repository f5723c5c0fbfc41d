"""Opening a file of word vectors, gzip or not, so that damage is reported with the place where it is."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple, NoReturn

from satchel.errors import DamagedFileError, MissingFileError

_MAX_DIM = 100_000  # a header beyond this is damage, not a word vector


class Header(NamedTuple):
    """The first line of word2vec's and fastText's files."""

    n_words: int
    dim: int


@contextmanager
def open_stream(path: Path, place: Callable[[], str]) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked if they begin as gzip does; `place()` says how far the reader has come."""
    if not path.exists():
        raise MissingFileError(f"{path} does not exist; check the path")
    if path.is_dir():
        raise DamagedFileError(f"{path} is a folder; expected a file of word vectors")
    try:
        with _opened(path) as stream:
            yield stream
    except EOFError:
        damaged(path, place(), "the gzip data end too early: the file is truncated; fetch it again")
    except (gzip.BadGzipFile, zlib.error) as error:
        damaged(path, place(), f"the gzip data are damaged ({error}); fetch the file again")


def damaged(path: Path, place: str, what: str) -> NoReturn:
    """Every complaint about a file has this form: path, place (a line or a record), what is wrong."""
    raise DamagedFileError(f"{path}, {place}: {what}") from None


def read_header(path: Path, line: bytes) -> Header:
    """`n dim` as two whole numbers, or an error that names line 1."""
    header = header_of(line)
    if header is None:
        shown = line[:60].decode("utf-8", "replace").strip()
        damaged(path, "line 1", f"expected a header of two whole numbers, words and dimensions, not {shown!r}")
    if not 1 <= header.dim <= _MAX_DIM:
        damaged(path, "line 1", f"the header says {header.dim} dimensions; expected 1 to {_MAX_DIM}")
    return header


def header_of(line: bytes) -> Header | None:
    """The header if the line is one; a GloVe file begins with a word and its vector at once."""
    parts = line.split()
    if len(parts) == 2 and all(part.isdigit() and len(part) < 19 for part in parts):
        return Header(int(parts[0]), int(parts[1]))
    return None


def first_bytes(path: Path, n: int) -> bytes:
    """The beginning of a file, unpacked; what is there, if it is shorter."""
    with open_stream(path, lambda: "at the beginning") as stream:
        return stream.read(n)


def _opened(path: Path) -> BinaryIO:
    with path.open("rb") as file:
        magic = file.read(4)
    if magic.startswith(b"\x1f\x8b"):
        return io.BufferedReader(gzip.open(path, "rb"), buffer_size=1 << 14)
    if magic == b"PK\x03\x04":
        raise DamagedFileError(f"{path} is a zip archive; unpack it and read the file inside")
    return path.open("rb")
