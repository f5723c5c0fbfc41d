"""The files below a folder in a stable order; links never lead out of it, nor round in a circle."""

import os
from collections.abc import Iterator
from pathlib import Path

from satchel.importing.cleaning import safe_id
from satchel.importing.globs import Globs
from satchel.importing.source import SourceFile
from satchel.importing.tables import CORPUS_NAMES
from satchel.importing.types import Skipped

_NEVER_READ = ("__pycache__", "node_modules")


def files_below(folder: Path, globs: Globs, encoding: str | None = None) -> Iterator[SourceFile | Skipped]:
    """The wanted files in order of their paths, and what is refused; nothing is opened.

    Names that begin with a dot, and folders that programs fill, are passed over. A link to a file is read if the file
    lies in the folder; a link to a folder is never followed, because what lies in the folder is found without it. Of a
    folder in BEIR's form, wherever it lies, the corpus alone is read: queries and judgments are no documents.
    """
    top = folder.resolve()
    waiting = [_entries(folder, top, "")]
    while waiting:
        entry = next(waiting[-1], None)
        if entry is None:
            waiting.pop()
        elif isinstance(entry, Skipped):
            yield entry
        else:
            relative = _relative(entry, folder)
            if entry.name.startswith(".") or entry.name in _NEVER_READ or globs.leaves_out(relative):
                continue
            if _is_folder(entry):
                waiting.append(_entries(folder, top, relative))
            elif found := _checked(entry, relative, top, globs, encoding):
                yield found


def _entries(folder: Path, top: Path, below: str) -> Iterator["os.DirEntry[str] | Skipped"]:
    """What a folder holds, in order of the names; its corpus alone if it is in BEIR's form."""
    here = folder / below
    try:
        with os.scandir(here) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError as error:
        yield Skipped(safe_id(str(here)), f"the folder cannot be opened ({error.strerror or error})")
        return
    corpus = [entry for entry in entries if entry.name in CORPUS_NAMES and not _is_folder(entry)]
    yield from corpus[:1] or entries


def _relative(entry: "os.DirEntry[str]", folder: Path) -> str:
    return Path(entry.path).relative_to(folder).as_posix()


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    return entry.is_dir(follow_symlinks=False)


def _checked(
    entry: "os.DirEntry[str]", relative: str, top: Path, globs: Globs, encoding: str | None
) -> SourceFile | Skipped | None:
    """The file; the reason why it is refused; or None where nobody asked for it."""
    if not globs.wants_file(relative):
        return None
    shown = entry.path
    if entry.is_symlink():
        problem = _problem_of_link(Path(entry.path), top)
        if problem:
            return Skipped(safe_id(shown), problem)
    elif not entry.is_file(follow_symlinks=False):
        return Skipped(safe_id(shown), "is not a regular file")
    return SourceFile(Path(entry.path), relative, shown, in_folder=True, encoding=encoding)


def _problem_of_link(link: Path, top: Path) -> str:
    """Why a link is refused; "" for one to a regular file in the folder."""
    try:
        target = link.resolve(strict=True)
    except (OSError, RuntimeError) as error:  # before Python 3.13 a circle of links is a RuntimeError
        missing = isinstance(error, FileNotFoundError)
        return "is a link to what does not exist" if missing else "is a link that leads round in a circle"
    if not target.is_relative_to(top):
        return "is a link that leads out of the folder"
    if target.is_dir():
        circle = link.parent.resolve().is_relative_to(target)
        return "is a link that leads round in a circle" if circle else "is a link to a folder that is read at its place"
    return "" if target.is_file() else "is a link to what is not a regular file"
