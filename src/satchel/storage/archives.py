"""Take named members out of zip and tar archives without trusting the archive.

Only regular files are read, a member never chooses where it is written, and no member may grow beyond a bound.
"""

import gzip
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from satchel.errors import DamagedFileError, MissingFileError

MAX_MEMBER_BYTES = 1 << 31
CHUNK = 1 << 16

_DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    gzip.BadGzipFile,
    lzma.LZMAError,
    zlib.error,
    EOFError,
    RuntimeError,  # an encrypted member, or a way of packing that Python does not know
    ValueError,
)


def read_members(
    archive: Path, wanted: Callable[[str], bool], *, max_bytes: int = MAX_MEMBER_BYTES
) -> Iterator[tuple[str, bytes]]:
    """Name and content of each wanted regular file, in the archive's order; links and devices are skipped."""
    with _damage_named(archive):
        for name, stream in _files(archive, wanted):
            yield name, b"".join(_bounded(archive, name, stream, max_bytes))


def extract_members(
    archive: Path, members: Mapping[str, str], folder: Path, *, max_bytes: int = MAX_MEMBER_BYTES
) -> list[Path]:
    """Write the named members (name in the archive -> file name wanted) into `folder`; raises an error if one is
    missing.

    The file names are the caller's, so no name inside the archive can lead out of the folder.
    """
    written = {}
    with _damage_named(archive):
        for name, stream in _files(archive, members.__contains__):
            path = folder / members[name]
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as out:
                out.writelines(_bounded(archive, name, stream, max_bytes))
            written[name] = path
    missing = [name for name in members if name not in written]
    if missing:
        raise MissingFileError(f"{archive.name} holds no regular file {missing[0]!r}; it is not the archive expected")
    return [written[name] for name in members]


def _files(archive: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, IO[bytes]]]:
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as opened:
            for info in opened.infolist():
                if not info.is_dir() and not _is_link(info) and wanted(info.filename):
                    with opened.open(info) as stream:
                        yield info.filename, stream
        return
    with tarfile.open(archive, "r|*") as tar:  # one pass: a tar has no directory
        for member in tar:
            if member.isreg() and wanted(member.name.removeprefix("./")):
                content = tar.extractfile(member)
                if content is not None:
                    yield member.name.removeprefix("./"), content


def _is_link(info: zipfile.ZipInfo) -> bool:
    return (info.external_attr >> 28) == 0o12  # the file type in the upper bits of a Unix mode


def _bounded(archive: Path, name: str, stream: IO[bytes], max_bytes: int) -> Iterator[bytes]:
    """The pieces of the stream, counted while they are unpacked: a header may lie about the size."""
    done = 0
    while piece := stream.read(CHUNK):
        done += len(piece)
        if done > max_bytes:
            raise DamagedFileError(f"{name!r} in {archive.name} unpacks to more than {max_bytes} bytes; it was refused")
        yield piece


@contextmanager
def _damage_named(archive: Path) -> Iterator[None]:
    if not archive.is_file():
        raise MissingFileError(f"there is no archive {archive}")
    try:
        yield
    except (DamagedFileError, MissingFileError):
        raise
    except _DAMAGE as error:
        raise DamagedFileError(f"{archive} is damaged, or is not a zip or tar archive: {error}") from error
