"""A file to import: its bytes and lines within limits, and the documents made from it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from satchel.errors import DamagedFileError
from satchel.importing.decoding import clean_text, one_line, safe_id, text_lines
from satchel.importing.types import MAX_ID, MAX_TEXT, NO_FIELDS, Document, Fields, Found, Skipped, too_long
from satchel.storage import open_unpacked


@dataclass(frozen=True)
class SourceFile:
    """A file to read, and its names.

    path: where it is opened. name: its path below the folder that is read, else its file name; the id of a file that
    is one document. shown: its name in reports of skipped files. kept: the source that its documents keep. in_folder:
    ids inside it follow its name, so that two files of one folder may both count from 1.
    """

    path: Path
    name: str
    shown: str
    kept: str
    in_folder: bool = False
    encoding: str | None = None

    @property
    def ending(self) -> str:
        """The file ending that decides the format: in lower case, without ".gz"."""
        return ending_of(self.path)

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """The bytes of the file; gzip is unpacked."""
        with open_unpacked(self.path) as stream:
            yield stream

    def lines(self) -> Iterator[tuple[int, str]]:
        """Line number, from 1, and line, in the given or detected encoding; one line at a time."""
        with self.opened() as stream:
            yield from enumerate(text_lines(stream, self.encoding), start=1)

    def content(self, limit: int = MAX_TEXT) -> bytes:
        """All bytes of the file, unpacked. A file with more than `limit` bytes is refused."""
        with self.opened() as stream:
            data = stream.read(limit + 1)
        if len(data) > limit:
            raise too_long(limit)
        if not data:
            raise DamagedFileError("is empty")
        return data

    def whole(self, text: str, title: str = "", fields: Fields = NO_FIELDS) -> Document:
        """The whole file as one document. Without a title, it gets the words of its file name."""
        if len(text) > MAX_TEXT:
            raise too_long(MAX_TEXT)
        text = clean_text(text)
        if not text:
            raise DamagedFileError("holds no text")
        title = one_line(title) or self._name_in_words()
        return Document(safe_id(self.name), text, title, _clean(fields), _at(self.kept))

    def record(
        self, id_: str, place: str, text: str, title: str = "", fields: Fields = NO_FIELDS, *, number: int
    ) -> Found:
        """One of several documents in the file. If `id_` is blank, `number` is used."""
        if len(text) > MAX_TEXT:
            return self.skipped(str(too_long(MAX_TEXT)), place)
        text, title = clean_text(text), one_line(title)
        if not text and not title:
            return self.skipped("holds no text", place)
        known = safe_id(id_.strip())
        if len(known) > MAX_ID:
            return self.skipped(f"has an id of {len(known)} characters; an id may have {MAX_ID}", place)
        return Document(self._id_of(known, number), text, title, fields, _at(self.kept, place))

    def skipped(self, reason: str, place: str = "") -> Skipped:
        """The report of this file, or of a place in it."""
        return Skipped(_at(self.shown, place), reason)

    def _id_of(self, known: str, number: int) -> str:
        if known:
            return f"{safe_id(self.name)}#{known}" if self.in_folder else known
        return f"{safe_id(self.name)}#{number}"

    def _name_in_words(self) -> str:
        stem = PurePosixPath(self.name.removesuffix(".gz")).stem
        return " ".join(one_line(stem).replace("_", " ").replace("-", " ").split())


@dataclass
class Gathered:
    """The lines of a record so far. Lines beyond the limit are counted but not kept."""

    begin: int = 0
    lines: list[str] = field(default_factory=list)
    size: int = 0

    def add(self, line: str) -> None:
        """Adds one line."""
        self.size += len(line) + 1
        if self.size <= MAX_TEXT:
            self.lines.append(line)

    @property
    def too_long(self) -> bool:
        """Whether lines are missing because there were too many."""
        return self.size > MAX_TEXT

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines)


def ending_of(path: Path) -> str:
    """The file ending that decides the format: in lower case, without ".gz"."""
    return PurePosixPath(path.name.lower().removesuffix(".gz")).suffix


def _at(file: str, place: str = "") -> str:
    return f"{safe_id(file)}, {place}" if place else safe_id(file)


def _clean(fields: Fields) -> Fields:
    """Fields without control characters; those of rows are clean already."""
    return {name: one_line(value) if isinstance(value, str) else value for name, value in fields.items()}
