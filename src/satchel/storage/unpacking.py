"""One way to open a file that may be packed with gzip."""

import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from satchel.errors import DamagedFileError, MissingFileError

_BUFFER = 1 << 14  # lines are cut in C from this buffer; gzip's own readline is Python


@contextmanager
def open_unpacked(path: Path, place: Callable[[], str] | None = None) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked if they begin as gzip does, whatever its name.

    place: says how far the reader has come, for the sentence about gzip data that are damaged or truncated.
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
