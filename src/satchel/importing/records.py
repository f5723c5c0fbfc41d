"""The lines of a file with their numbers, and records gathered from them within a bound."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from satchel.importing.decoding import text_lines
from satchel.importing.limits import MAX_TEXT
from satchel.importing.source import SourceFile


def numbered_lines(file: SourceFile) -> Iterator[tuple[int, str]]:
    """Line number, from 1, and line, in the encoding that the file is found to have; one line at a time."""
    with file.opened() as stream:
        yield from enumerate(text_lines(stream, file.encoding), start=1)


@dataclass
class Gathered:
    """The lines of a record so far; what goes beyond the bound is counted and not kept."""

    begin: int = 0
    lines: list[str] = field(default_factory=list)
    size: int = 0

    def add(self, line: str) -> None:
        """One line more."""
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


class Row(NamedTuple):
    """A row of a table: its number, its place in words, its cells by column; where it is damaged, why instead.

    exported: the object of a row that a collection wrote, whose fields have their names and kinds already.
    """

    number: int
    place: str
    cells: Mapping[str, object] | None
    problem: str = ""
    exported: Mapping[str, object] | None = None
