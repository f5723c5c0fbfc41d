"""Rows of text files: CSV and TSV with any delimiter, lines with labels, and JSON.

A row that is damaged is reported and skipped. Python's strict reader of CSV finds a wrong row only at the end of its
quotation, perhaps far below. So the lines of a row are kept until it is complete. If it is damaged, its first line is
skipped and the others are read again. Such a row mostly ends at the next line with a quotation mark. In a malicious
file it may not. Once more text has been read again than for the first time, whole rows are skipped, so the time stays
in proportion to the size. Of JSON, only one row is held in memory.
"""

import csv
import json
import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from satchel.errors import DamagedFileError
from satchel.importing.decoding import SAMPLE, text_of, text_pieces
from satchel.importing.source import SourceFile
from satchel.importing.tables.columns import TableRow, names_in
from satchel.importing.types import MAX_ROW, MAX_TEXT, too_long


class Dialect(NamedTuple):
    """The delimiter of the cells, and whether they may be quoted."""

    delimiter: str
    quoted: bool


COMMAS, TABS = Dialect(",", True), Dialect("\t", False)


class Split(NamedTuple):
    """The cells of a row and the line that it begins on; if it is damaged, None and the problem."""

    line: int
    cells: list[str] | None
    problem: str = ""


class _Lines:
    """An iterator of lines that can go back to the second line of the row that is being read."""

    def __init__(self, lines: Iterator[tuple[int, str]]) -> None:
        self._lines = lines
        self._again: deque[tuple[int, str]] = deque()
        self.row: list[tuple[int, str]] = []
        self._size = 0
        self._read = self._read_anew = 0  # characters

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        if self._size > MAX_ROW:
            raise csv.Error(f"a row of more than {MAX_ROW // 1_000_000} million characters")
        number, line = self._again.popleft() if self._again else self._fresh()
        self.row.append((number, line))
        self._size += len(line)
        return line.replace("\0", " ").replace("\r", " ") + "\n"

    def _fresh(self) -> tuple[int, str]:
        number, line = next(self._lines)
        self._read += len(line)
        return number, line

    def begin_row(self) -> None:
        self.row, self._size = [], 0

    def give_up_first_line(self) -> int:
        """Go back to the second line of the row, unless too much was read again; returns how many lines were
        skipped."""
        others = self.row[1:]
        self._read_anew += sum(len(line) for _, line in others)
        if self._read_anew > 2 * self._read + MAX_ROW:
            return len(self.row)
        self._again.extendleft(reversed(others))
        return 1


def split_rows(
    lines: Iterator[tuple[int, str]], dialect: Dialect, width: int | None = 0, *, keep_blank: bool = False
) -> Iterator[Split]:
    """The rows of numbered lines; blank ones are skipped, unless they have all their cells and should be kept.

    width: how many cells a row must have; 0 for any number, None for as many as in the first row.
    """
    source = _Lines(lines)
    reader = _reader(source, dialect)
    while True:
        source.begin_row()
        try:
            cells = _next_row(reader)
        except StopIteration:
            return
        except csv.Error as error:
            problem = f"is not sound CSV ({error})"
        else:
            is_blank = not any(cell and not cell.isspace() for cell in cells)
            if is_blank and not (keep_blank and len(cells) == width):
                continue
            width = len(cells) if width is None else width
            problem = _wrong_width(cells, width)
            if not problem:
                yield Split(source.row[0][0], cells[: width or None])
                continue
        given_up = source.give_up_first_line()
        passed_over = f"; {given_up} lines were skipped" if given_up > 1 else ""
        yield Split(source.row[0][0], None, problem + passed_over)
        reader = _reader(source, dialect)


def rows_below_head(lines: Iterator[tuple[int, str]], dialect: Dialect) -> Iterator[TableRow]:
    """Rows below a first row that names the columns. A quoted row with only blank cells is a row, too."""
    found = split_rows(lines, dialect, None, keep_blank=dialect.quoted)
    head = next(found, None)
    if head and head.cells is None:
        yield TableRow(0, head.line, None, head.problem)
        return
    names = names_in(head.cells) if head and head.cells else []
    for number, (line, cells, problem) in enumerate(found, start=1):
        yield TableRow(number, line, dict(zip(names, cells, strict=True)) if cells is not None else None, problem)


def label_lines(lines: Iterable[tuple[int, str]]) -> Iterator[TableRow]:
    """Rows of lines without a head: the first TAB separates "label" and "text"; the text may hold further TABs."""
    filled = ((place, line) for place, line in lines if line and not line.isspace())
    for number, (place, line) in enumerate(filled, start=1):
        label, tab, text = line.partition("\t")
        cells = {"label": label, "text": text} if tab else None
        yield TableRow(number, place, cells, "" if tab else "expected a label, a TAB and a text")


def dialect_of(sample: list[str], ending: str) -> Dialect:
    """The delimiter that gives most rows of the sample the same number of cells; the usual one for the ending if it
    fits.

    Quotation marks count, but in TSV only where they enclose cells: most TSV files know no quoting.
    """
    usual = "\t" if ending in (".tsv", ".tab") else ","
    shares = {sign: _share_of_equal_rows(sample, sign) for sign in (usual, *",\t;|")}
    best = max(shares, key=lambda sign: (shares[sign] >= 0.9 and sign == usual, shares[sign]))
    delimiter = best if shares[best] >= 0.5 else usual
    return Dialect(delimiter, delimiter != "\t" or _encloses_cells(sample))


def _reader(lines: _Lines, dialect: Dialect) -> "Iterator[list[str]]":
    if not dialect.quoted:
        return csv.reader(lines, delimiter=dialect.delimiter, quoting=csv.QUOTE_NONE, strict=True)
    return csv.reader(lines, delimiter=dialect.delimiter, skipinitialspace=True, strict=True)


def _next_row(reader: Iterator[list[str]]) -> list[str]:
    """The next row; the csv module's limit for a cell is global, so it is restored afterwards."""
    limit = csv.field_size_limit(2 * MAX_ROW)
    try:
        return next(reader)
    finally:
        csv.field_size_limit(limit)


def _wrong_width(cells: list[str], width: int) -> str:
    """The problem of a row with too few cells, or too many that are not blank; "" if there is none."""
    if not width or len(cells) == width or (len(cells) > width and not "".join(cells[width:]).strip()):
        return ""
    return f"has {len(cells)} {'cell' if len(cells) == 1 else 'cells'}, expected {width}"


def _share_of_equal_rows(sample: list[str], delimiter: str) -> float:
    rows = [
        row.cells for row in split_rows(iter(enumerate(sample)), Dialect(delimiter, delimiter != "\t")) if row.cells
    ]
    widths = [len(cells) for cells in rows]
    usual = max(set(widths), key=widths.count, default=1)
    return widths.count(usual) / len(widths) if usual > 1 else 0.0


def _encloses_cells(sample: list[str]) -> bool:
    cells = [cell.strip() for line in sample for cell in line.split("\t")]
    enclosed = any(len(cell) > 1 and cell[0] == cell[-1] == '"' for cell in cells)
    return enclosed and all(row.cells for row in split_rows(iter(enumerate(sample)), Dialect("\t", True)))


_BETWEEN = re.compile(r"[\s,]*")
_DECODER = json.JSONDecoder()


def json_line_rows(lines: Iterable[tuple[int, str]]) -> Iterator[TableRow]:
    """One row per line; a line that is not a JSON object is reported and skipped."""
    filled = ((place, line) for place, line in lines if line and not line.isspace())
    for number, (place, line) in enumerate(filled, start=1):
        yield _row(number, place, line)


def json_rows(file: SourceFile) -> Iterator[TableRow]:
    """The rows of a .json file: of an array, of lines, or one row if the file is one object."""
    with file.opened() as stream:
        begin = next(text_pieces(stream, file.encoding), "").lstrip("\ufeff \t\r\n")
    if begin.startswith("["):
        yield from _array_rows(file)
    elif len(lines := begin.splitlines()) > 1 and _row(1, 1, lines[0]).cells is not None:
        yield from json_line_rows(file.lines())
    else:
        yield _row(1, 0, text_of(file.content(), file.encoding).removeprefix("\ufeff"), unit="")


def _row(number: int, line: int, text: str, unit: str = "line") -> TableRow:
    if len(text) > MAX_TEXT:
        return TableRow(number, line, None, str(too_long(MAX_TEXT)), unit)
    try:
        value = json.loads(text)
    except RecursionError:
        return TableRow(number, line, None, "is nested too deep", unit)
    except ValueError as error:
        return TableRow(number, line, None, f"is not JSON ({' '.join(str(error).split())[:100]})", unit)
    return _checked(number, line, value, unit)


def _checked(number: int, line: int, value: object, unit: str) -> TableRow:
    if not isinstance(value, dict):
        return TableRow(number, line, None, "is not a JSON object in braces", unit)
    return TableRow(number, line, value, "", unit)


def _array_rows(file: SourceFile) -> Iterator[TableRow]:
    """The objects of an array one by one, from a buffer that grows if one does not fit; damage ends the reading."""
    number, place, wanted = 0, 0, SAMPLE
    with file.opened() as stream:
        pieces = text_pieces(stream, file.encoding)
        buffer = next(pieces).lstrip("\ufeff \t\r\n")[1:]
        while True:
            place = _BETWEEN.match(buffer, place).end()  # type: ignore[union-attr]  # it matches nothing, too
            if buffer.startswith("]", place):
                return
            try:
                value, place = _DECODER.raw_decode(buffer, place)
            except (ValueError, RecursionError) as error:
                more = _up_to(pieces, wanted) if len(buffer) - place <= MAX_TEXT else ""
                if not more or isinstance(error, RecursionError):
                    raise DamagedFileError(f"is not JSON after row {number}: the rest was not read") from None
                buffer, place, wanted = buffer[place:] + more, 0, 2 * wanted  # a long object is not tried too often
                continue
            number, wanted = number + 1, SAMPLE
            yield _checked(number, number, value, "row")


def _up_to(pieces: Iterator[str], size: int) -> str:
    """The next pieces, until they have `size` characters or end."""
    taken, length = list[str](), 0
    while length < size and (piece := next(pieces, "")):
        taken.append(piece)
        length += len(piece)
    return "".join(taken)
