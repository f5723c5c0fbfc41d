"""The beginning of a file of word vectors, and the form of every complaint about one."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, NoReturn

from satchel.errors import DamagedFileError
from satchel.storage import open_unpacked

_MAX_DIM = 100_000  # a header beyond this is damage, not a word vector


class Header(NamedTuple):
    """The first line of word2vec's and fastText's files."""

    n_words: int
    dim: int


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
    with open_unpacked(path, lambda: "at the beginning") as stream:
        return stream.read(n)
