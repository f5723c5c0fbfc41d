"""The sample collection: the documentation of the running Python's standard library.

It is real text, it is on every machine, and it needs no download. Reading it takes seconds, so the documents are kept
in the cache for each version of Python.
"""

import json
import sys
import sysconfig
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from satchel.datasets.stdlib import Entry, read_library, read_topics
from satchel.datasets.types import LabelledTexts
from satchel.errors import DamagedFileError, DownloadError, MissingFileError
from satchel.progress import Progress, no_progress
from satchel.storage import cache_folder, read_lines, write_lines

FORMAT = 1  # raise it when other documents or other texts come out of the same sources


def load_sample(on_progress: Progress = no_progress) -> LabelledTexts:
    """The sample collection: id is the qualified name, label the top-level module ("language" for language topics)."""
    kept = _cached()
    if kept is None:
        kept = _labelled(read_sample(on_progress))
        with suppress(OSError):  # without a cache it is only slower
            _keep(kept)
    return kept


def build_sample(on_progress: Progress = no_progress) -> Path:
    """Make sure that the documents lie in the cache, and say where."""
    if _cached() is None:
        try:
            _keep(_labelled(read_sample(on_progress)))
        except OSError as error:
            if isinstance(error, MissingFileError):
                raise
            raise DownloadError(f"cannot write {_cache_file()}: {error.strerror or error}") from error
    return _cache_file()


def read_sample(on_progress: Progress = no_progress) -> list[Entry]:
    """Read the documents from the running interpreter's sources: modules in order of name, then language topics."""
    folder = Path(sysconfig.get_path("stdlib"))
    entries = read_library(folder, sys.stdlib_module_names, on_progress)
    if not entries:
        raise MissingFileError(
            f"this Python has no source files of its standard library in {folder}; use a Python that ships them"
        )
    return entries + read_topics(folder / "pydoc_data" / "topics.py")


def _labelled(entries: Sequence[Entry]) -> LabelledTexts:
    return LabelledTexts([e.id for e in entries], [e.text for e in entries], [e.label for e in entries])


def _cache_file() -> Path:
    version = ".".join(str(part) for part in sys.version_info)
    return cache_folder() / "sample" / f"{sys.implementation.name}-{version}-form{FORMAT}.jsonl.gz"


def _keep(found: LabelledTexts) -> None:
    rows = zip(found.ids, found.texts, found.labels, strict=True)
    write_lines(_cache_file(), [json.dumps(len(found)), *(json.dumps(row, ensure_ascii=False) for row in rows)])


def _cached() -> LabelledTexts | None:
    """What the cache holds; None where there is nothing or it is damaged in any way: it is rebuilt then."""
    try:
        lines = [json.loads(line) for _, line in read_lines(_cache_file())]
        count, rows = lines[0], lines[1:]
        columns = [[str(value) for value in column] for column in zip(*rows, strict=True)]
        return LabelledTexts(*columns) if len(rows) == count and len(columns) == 3 else None
    except (OSError, ValueError, TypeError, IndexError, DamagedFileError):
        return None
