"""Workbooks of Excel (.xlsx): the rows of the first sheet; cells are texts, numbers as they are written, or dates."""

import posixpath
import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from satchel.errors import DamagedFileError
from satchel.importing.packed_xml import Archive, Attributes, opened_archive
from satchel.importing.source import SourceFile
from satchel.importing.types import MAX_MARKUP

_MAIN, _PARTS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_TEXTS, _STYLES = "xl/sharedStrings.xml", "xl/styles.xml"
_COLUMN = re.compile(r"[A-Z]{1,3}")
_MOST_COLUMNS = 16_384
_DATE_FORMATS = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))  # Excel's own, by number
_NO_LETTERS_OF_A_FORMAT = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
_TRUTHS = {"0": "false", "1": "true"}

Cells = dict[int, str]
"""The cells of a row that are not blank, by the place of their column, from 0."""


def sheet_rows(file: SourceFile) -> Iterator[tuple[int, Cells]]:
    """Number and cells of each row of the first sheet that has any."""
    with opened_archive(file, "Excel file", _MAIN) as archive:
        (_, part), *_ = _sheets(archive)
        texts, styles, given = _Texts(), _Styles(), 0
        for name, elements in ((_TEXTS, texts), (_STYLES, styles)):
            if name in archive.names:
                archive.tell(name, elements)
        rows = _Rows(texts.found, styles.dates, _first_day(archive))
        for _ in archive.telling(part, rows):
            for number, cells in rows.taken():
                given += sum(map(len, cells.values()))  # any number of cells may hold the same text of the list
                if given > MAX_MARKUP:
                    raise DamagedFileError(f"holds more than {MAX_MARKUP // 1_000_000} MB of text; split it")
                yield number, cells


def other_sheets(file: SourceFile) -> list[str]:
    """The names of all sheets but the first."""
    with opened_archive(file, "Excel file", _MAIN) as archive:
        return [name for name, _ in _sheets(archive)[1:]]


def _sheets(archive: Archive) -> list[tuple[str, str]]:
    """Name and part of each sheet, in the order in which Excel shows them."""
    book, parts = Attributes("sheet"), Attributes("Relationship")
    archive.tell(_MAIN, book)
    if _PARTS in archive.names:
        archive.tell(_PARTS, parts)
    targets = {one.get("Id", ""): one.get("Target", "") for one in parts.found["Relationship"]}
    named = ((one.get("name", ""), _path(targets.get(_reference(one), ""))) for one in book.found["sheet"])
    sheets = [(name, part) for name, part in named if part in archive.names]
    if not sheets:
        raise DamagedFileError("is not an Excel file: it holds no sheet")
    return sheets


def _reference(sheet: dict[str, str]) -> str:
    return next((value for name, value in sheet.items() if name.endswith(" id")), "")


def _path(target: str) -> str:
    return posixpath.normpath(posixpath.join("/xl", target)).removeprefix("/")


def _first_day(archive: Archive) -> datetime:
    """The day that dates are counted from."""
    about = Attributes("workbookPr")
    archive.tell(_MAIN, about)
    is_later = any(one.get("date1904") in ("1", "true") for one in about.found["workbookPr"])
    return datetime(1904, 1, 1) if is_later else datetime(1899, 12, 30)


class _Texts:
    """The texts that cells refer to by position; phonetic guides are left out."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._parts: list[str] = []
        self._in_text = self._spoken = 0

    def start(self, name: str, _: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        self._in_text += tag == "t"
        self._spoken += tag == "rPh"

    def end(self, name: str) -> None:
        tag = name.rpartition(" ")[2]
        self._in_text -= tag == "t"
        self._spoken -= tag == "rPh"
        if tag == "si":
            self.found.append("".join(self._parts))
            self._parts = []

    def data(self, data: str) -> None:
        if self._in_text and not self._spoken:
            self._parts.append(data)


class _Styles:
    """The styles, which cells refer to by position, that show a number as a date or a time."""

    def __init__(self) -> None:
        self.dates: set[int] = set()
        self._formats: set[int] = set(_DATE_FORMATS)
        self._is_of_cells, self._place = False, 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag, number = name.rpartition(" ")[2], attributes.get("numFmtId", "")
        if tag == "cellXfs":
            self._is_of_cells = True
        elif tag == "numFmt" and number.isdecimal() and _shows_a_date(attributes.get("formatCode", "")):
            self._formats.add(int(number))
        elif tag == "xf" and self._is_of_cells:
            if number.isdecimal() and int(number) in self._formats:
                self.dates.add(self._place)
            self._place += 1

    def end(self, name: str) -> None:
        if name.rpartition(" ")[2] == "cellXfs":
            self._is_of_cells = False

    def data(self, _: str) -> None:
        pass


def _shows_a_date(code: str) -> bool:
    return any(letter in "ymdhs" for letter in _NO_LETTERS_OF_A_FORMAT.sub("", code).lower())


class _Rows:
    """Gathers rows; the caller takes them as they are completed."""

    def __init__(self, texts: list[str], date_styles: set[int], first_day: datetime) -> None:
        self._texts, self._date_styles, self._first_day = texts, date_styles, first_day
        self._rows: list[tuple[int, Cells]] = []
        self._cells: Cells = {}
        self._number, self._column = 0, -1
        self._kind, self._style = "n", ""
        self._parts: list[str] = []
        self._in_value = 0

    def taken(self) -> list[tuple[int, Cells]]:
        """The rows completed since the last call."""
        rows, self._rows = self._rows, []
        return rows

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        if tag == "row":
            number = attributes.get("r", "")
            self._number = int(number) if number.isdecimal() and len(number) < 8 else self._number + 1
            self._cells, self._column = {}, -1
        elif tag == "c":
            self._column = _column(attributes.get("r", "")) if "r" in attributes else self._column + 1
            self._kind, self._style, self._parts = attributes.get("t", "n"), attributes.get("s", ""), []
        self._in_value += tag in ("v", "t")

    def end(self, name: str) -> None:
        tag = name.rpartition(" ")[2]
        self._in_value -= tag in ("v", "t")
        if tag == "c":
            value = self._value("".join(self._parts))
            if value.strip():
                self._cells[self._column] = value
        elif tag == "row" and self._cells:
            self._rows.append((self._number, self._cells))

    def data(self, data: str) -> None:
        if self._in_value:
            self._parts.append(data)

    def _value(self, written: str) -> str:
        if self._kind == "s":
            return self._texts[int(written)] if written.isdecimal() and int(written) < len(self._texts) else ""
        if self._kind == "n" and self._style.isdecimal() and int(self._style) in self._date_styles:
            return self._date(written)
        return _TRUTHS.get(written, written) if self._kind == "b" else "" if self._kind == "e" else written

    def _date(self, written: str) -> str:
        """The day, the time of day, or both; the number unchanged if it is neither."""
        try:
            days = float(written)
            moment = self._first_day + timedelta(seconds=round(days * 86_400))
        except (ValueError, OverflowError):
            return written
        if 0 <= days < 1:
            return f"{moment:%H:%M:%S}"
        return moment.date().isoformat() if days == int(days) else moment.isoformat()


def _column(place: str) -> int:
    """The column of a cell from its letters: A is 0, AA is 26."""
    found = _COLUMN.match(place)
    number = 0
    for letter in found[0] if found else "":
        number = 26 * number + ord(letter) - ord("A") + 1
    if not 1 <= number <= _MOST_COLUMNS:
        raise DamagedFileError(f"holds a cell at {place[:20]!r}, where no column is")
    return number - 1
