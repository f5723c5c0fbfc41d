"""Files that are sent to be added: kept in a folder of their own for as long as they are read."""

from __future__ import annotations

import re
import shutil
import tempfile
import unicodedata
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request

from satchel.collection import Collection, Progress
from satchel.collection.forms import as_json
from satchel.errors import InputError
from satchel.importing import CORPUS_NAMES

MOST_NAME = 120
_ODD = re.compile(r"[^\w .,()+=@~!#%&'-]+")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


def safe_name(name: str, taken: set[str]) -> str:
    """The last part of a name, with nothing in it that a file system or a reader could take for more than a name."""
    last = unicodedata.normalize("NFC", name.encode("utf-8", "replace").decode()).replace("\\", "/").rpartition("/")[2]
    plain = _ODD.sub("_", last).strip(" .")
    if not plain or _RESERVED.fullmatch(plain):
        plain = f"file_{plain}".rstrip("_")
    stem, dot, ending = plain.rpartition(".")
    stem, ending = (stem or ending, f"{dot}{ending}"[:20]) if stem else (plain, "")
    stem = stem[: MOST_NAME - len(ending)]
    found, number = f"{stem}{ending}", 2
    while found.casefold() in taken:
        found, number = f"{stem} ({number}){ending}", number + 1
    taken.add(found.casefold())
    return found


async def take_files(request: Request, most: int) -> Path:
    """Writes the files of a request into a new folder, which the caller removes; -> the folder."""
    folder = Path(tempfile.mkdtemp(prefix="satchel-upload-"))
    try:
        async with request.form(max_files=most, max_fields=10) as form:
            files = [part for _, part in form.multi_items() if isinstance(part, UploadFile)]
            if not files:
                raise InputError("no file was sent; send one or several as multipart/form-data")
            await run_in_threadpool(_write, files, folder)
    except BaseException:
        remove_folder(folder)
        raise
    return folder


def _write(files: list[UploadFile], folder: Path) -> None:
    # beside a corpus in BEIR's form nothing else of a folder is read: it must not go by that name beside other files
    taken = {name.casefold() for name in CORPUS_NAMES} if len(files) > 1 else set()
    for file in files:
        with (folder / safe_name(file.filename or "file", taken)).open("xb") as target:
            file.file.seek(0)
            shutil.copyfileobj(file.file, target, 1 << 20)


def remove_folder(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def add_folder(collection: Collection, folder: Path, on_progress: Progress) -> dict[str, Any]:
    """Adds all that was sent; sources are told by the names of the files, not by where they lay meanwhile."""
    report = collection.add(folder, name_of=lambda path: str(path.relative_to(folder)), on_progress=on_progress)
    return dict(as_json(report))
