"""The files of a folder in a stable order, chosen by patterns; links never lead out of the folder."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from satchel.errors import InputError
from satchel.importing.decoding import safe_id
from satchel.importing.source import SourceFile
from satchel.importing.tables import CORPUS_NAMES
from satchel.importing.types import Skipped

_NEVER_READ = ("__pycache__", "node_modules")


class Globs:
    """Patterns that include and exclude paths below a folder, with "/" between their parts.

    A pattern without a slash matches a name at any depth: "*.pdf" matches files, "drafts" a folder and all below it. A
    pattern with a slash matches the path from the top: "2024/*.txt", "**/notes/*". `*` and `?` stop at a slash, `**`
    does not.
    """

    def __init__(self, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> None:
        for name, patterns in (("include", include), ("exclude", exclude)):
            if isinstance(patterns, str):
                raise InputError(f"{name} is the string {patterns!r}; expected a list of patterns such as ['*.pdf']")
        self._include = [_compiled(pattern) for pattern in include]
        self._exclude = [_compiled(pattern) for pattern in exclude]

    def wants_file(self, path: str) -> bool:
        """Whether a file is included and not excluded. The folders above it are checked before it."""
        included = not self._include or any(pattern.fullmatch(path) for pattern in self._include)
        return included and not self.leaves_out(path)

    def leaves_out(self, path: str) -> bool:
        """Whether a file or folder is excluded, with everything below it."""
        return any(pattern.fullmatch(path) for pattern in self._exclude)


def _compiled(pattern: str) -> re.Pattern[str]:
    if not pattern.strip("/"):
        raise InputError(f"a pattern is {pattern!r}; expected one such as '*.pdf' or 'drafts/**'")
    body = pattern.strip("/")
    anywhere = "" if "/" in pattern.rstrip("/") else "(?:.*/)?"
    return re.compile(f"{anywhere}{_translated(body)}(?:/.*)?", re.DOTALL)


def _translated(pattern: str) -> str:
    """The pattern as a regular expression; brackets match one of several characters, [!…] any other one."""
    parts, place = list[str](), 0
    for found in re.finditer(r"\*\*/|\*\*|\*|\?|\[!?\]?[^\]/]*\]", pattern):
        parts.append(re.escape(pattern[place : found.start()]))
        parts.append(_SIGNS.get(found[0]) or _bracket(found[0]))
        place = found.end()
    return "".join(parts) + re.escape(pattern[place:])


_SIGNS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def _bracket(signs: str) -> str:
    inner = signs[1:-1].replace("\\", "\\\\").replace("[", "\\[")
    negated, inner = inner.startswith("!"), inner.removeprefix("!").replace("]", "\\]").replace("^", "\\^")
    try:
        re.compile(f"[{inner}]")
    except re.error:
        return re.escape(signs)
    return f"(?![/])[{'^' if negated else ''}{inner}]"


@dataclass(frozen=True)
class Source:
    """A file or folder to read, and how.

    left_out: whole paths of files to skip without a report. whole_paths: documents keep the whole path of
    their file, with links in the source resolved, so that each file has one name however its path is written. name_of:
    gives the name of a file to use instead of its path, whether it is read or skipped.
    """

    path: Path
    globs: Globs = field(default_factory=Globs)
    encoding: str | None = None
    left_out: frozenset[Path] = frozenset()
    whole_paths: bool = False
    name_of: Callable[[Path], str] | None = None

    @cached_property
    def place(self) -> Path:
        """Its real path, with links followed."""
        return self.path.resolve()

    @property
    def name(self) -> str:
        """The last part of its name."""
        return Path(self.name_of(self.path)).name if self.name_of else self.place.name

    def only_file(self, path: Path) -> SourceFile:
        """The only file to read: the source itself, or the one file in it that holds all documents."""
        below = "" if path == self.path else path.name
        return SourceFile(path, path.name, self.shown(path), self._kept(path, below), False, self.encoding)

    def file_below(self, path: str, relative: str) -> SourceFile:
        """One file of the folder."""
        there = Path(path)
        return SourceFile(there, relative, self.shown(path), self._kept(path, relative), True, self.encoding)

    def shown(self, path: Path | str) -> str:
        """The name under which a file or folder in it is reported as skipped."""
        return str(path) if self.name_of is None else self.name_of(Path(path))

    def leaves_out(self, path: Path | str) -> bool:
        """Whether a file, or the target of a link, is one of those to skip."""
        there, names = Path(path), {one.name for one in self.left_out}
        if not names or not (there.name in names or there.is_symlink()):
            return False
        try:
            return there.resolve() in self.left_out
        except RuntimeError:  # a circle of links, before Python 3.13
            return False

    def _kept(self, path: Path | str, below: str) -> str:
        if self.name_of is not None or not self.whole_paths:
            return self.shown(path)
        return f"{self.place / below}"


def files_below(source: Source) -> Iterator[SourceFile | Skipped]:
    """The wanted files of a folder in order of their paths, and those that are refused. Nothing is opened.

    Names that begin with a dot and folders that programs fill are skipped. A link to a file is read if the file
    lies in the folder; a link to a folder is never followed, because the files in the folder are found without it. In a
    folder in BEIR's form, at any depth, only the corpus is read: queries and judgments are not documents.
    """
    waiting = [_entries(source, "")]
    while waiting:
        entry = next(waiting[-1], None)
        if entry is None:
            waiting.pop()
        elif isinstance(entry, Skipped):
            yield entry
        else:
            relative = Path(entry.path).relative_to(source.path).as_posix()
            if entry.name.startswith(".") or entry.name in _NEVER_READ or source.globs.leaves_out(relative):
                continue
            if _is_folder(entry):
                waiting.append(_entries(source, relative))
            elif found := _checked(entry, relative, source):
                yield found


def _entries(source: Source, below: str) -> Iterator["os.DirEntry[str] | Skipped"]:
    """The entries of a folder in order of the names; only its corpus if it is in BEIR's form."""
    here = source.path / below
    try:
        with os.scandir(here) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError as error:
        yield Skipped(safe_id(source.shown(here)), f"the folder cannot be opened ({error.strerror or error})")
        return
    corpus = [entry for entry in entries if entry.name in CORPUS_NAMES and not _is_folder(entry)]
    yield from corpus[:1] or entries


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    return entry.is_dir(follow_symlinks=False)


def _checked(entry: "os.DirEntry[str]", relative: str, source: Source) -> SourceFile | Skipped | None:
    """The file, or the reason why it is refused; None if it is not wanted."""
    if not source.globs.wants_file(relative) or source.leaves_out(entry.path):
        return None
    problem = ""
    if entry.is_symlink():
        problem = _problem_of_link(Path(entry.path), source.place)
    elif not entry.is_file(follow_symlinks=False):
        problem = "is not a regular file"
    if problem:
        return Skipped(safe_id(source.shown(entry.path)), problem)
    return source.file_below(entry.path, relative)


def _problem_of_link(link: Path, top: Path) -> str:
    """Why a link is refused; "" for one to a regular file in the folder."""
    try:
        target = link.resolve(strict=True)
    except (OSError, RuntimeError) as error:  # before Python 3.13 a circle of links is a RuntimeError
        missing = isinstance(error, FileNotFoundError)
        return "is a link to a missing file" if missing else "is a link that leads back to itself"
    if not target.is_relative_to(top):
        return "is a link that leads out of the folder"
    if target.is_dir():
        circle = link.parent.resolve().is_relative_to(target)
        return "is a link that leads back to itself" if circle else "is a link to a folder; the folder itself is read"
    return "" if target.is_file() else "is a link to something that is not a regular file"
