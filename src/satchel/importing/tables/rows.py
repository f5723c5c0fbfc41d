"""Rows to documents, for CSV, TSV, JSON, Excel and BEIR's form; and strict reading, which refuses damaged rows."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import chain, islice, takewhile
from pathlib import Path
from typing import Literal

from satchel.errors import DamagedFileError, InputError
from satchel.importing.decoding import one_line
from satchel.importing.source import SourceFile
from satchel.importing.tables.columns import (
    ColumnChoice,
    TableRow,
    choose_columns,
    column_names,
    flat_row,
    is_exported,
    names_columns,
    parts_exported,
    parts_of,
)
from satchel.importing.tables.text_rows import (
    COMMAS,
    TABS,
    dialect_of,
    json_line_rows,
    json_rows,
    label_lines,
    rows_below_head,
    split_rows,
)
from satchel.importing.tables.workbook import other_sheets, sheet_rows
from satchel.importing.types import Found
from satchel.storage import damaged, read_lines

SAMPLE_ROWS = 100
_SAMPLE_LINES = 200
_SAMPLE_SIZE = 1 << 20
CORPUS_NAMES = ("corpus.jsonl", "corpus.jsonl.gz")
SoundForm = Literal["csv", "tsv", "labels", "jsonl"]
_READERS: dict[SoundForm, Callable[[Iterator[tuple[int, str]]], Iterator[TableRow]]] = {
    "csv": partial(rows_below_head, dialect=COMMAS),
    "tsv": partial(rows_below_head, dialect=TABS),
    "labels": label_lines,
    "jsonl": json_line_rows,
}


def read_csv(file: SourceFile, wish: ColumnChoice | None = None) -> Iterator[Found]:
    """One document per row; the delimiter and the names of columns are detected from the first rows."""
    return _documents(file, _csv_rows(file, wish), wish)


def read_json_lines(file: SourceFile, wish: ColumnChoice | None = None) -> Iterator[Found]:
    """One document per line, which is a JSON object."""
    return _documents(file, json_line_rows(file.lines()), wish, nested=True)


def read_json(file: SourceFile, wish: ColumnChoice | None = None) -> Iterator[Found]:
    """One document per object of an array, or per line."""
    return _documents(file, json_rows(file), wish, nested=True)


def read_workbook(file: SourceFile, wish: ColumnChoice | None = None) -> Iterator[Found]:
    """One document per row of the first sheet; the other sheets are reported as skipped."""
    return _documents(file, _workbook_rows(file, wish), wish)


def corpus_of(folder: Path) -> Path | None:
    """The file that holds the documents of a folder in BEIR's form; None if there is none, or if it is a link to
    another place."""
    top = folder.resolve()
    places = (folder / name for name in CORPUS_NAMES)
    return next((path for path in places if path.is_file() and path.resolve().is_relative_to(top)), None)


def table_columns(file: SourceFile, form: str, wish: ColumnChoice | None = None) -> ColumnChoice:
    """The columns that would be read from this table."""
    if form in ("csv", "tsv"):
        rows = _csv_rows(file, wish)
    elif form == "xlsx":
        rows = _workbook_rows(file, wish)
    else:
        rows = json_rows(file) if form == "json" else json_line_rows(file.lines())
    sample = [flat_row(row.cells) for row in islice(rows, SAMPLE_ROWS) if row.cells is not None]
    if not sample:
        raise DamagedFileError("holds no row that can be read")
    return choose_columns(sample, wish)


def _documents(
    file: SourceFile, rows: Iterator[TableRow], wish: ColumnChoice | None, *, nested: bool = False
) -> Iterator[Found]:
    """One document per row. nested: cells may hold objects, and a row may be a document that a collection wrote."""
    first, failure = _first_rows(rows)
    sample = [flat_row(row.cells) for row in first if row.cells is not None]
    choice = choose_columns(sample, wish) if sample else ColumnChoice()
    for row in chain(first, rows):  # after a failure `rows` yields nothing
        if row.cells is None:
            yield file.skipped(row.problem, row.place)
        else:
            if nested and wish is None and is_exported(row.cells):
                id_, text, title, fields = parts_exported(row.cells)
            else:
                id_, text, title, fields = parts_of(flat_row(row.cells) if nested else row.cells, choice)
            yield file.record(id_, row.place, text, title, fields, number=row.number)
    if failure is not None:
        raise failure


def _first_rows(rows: Iterator[TableRow]) -> tuple[list[TableRow], Exception | None]:
    """The rows that the columns are guessed from, and the damage that ends the file among them."""
    first = list[TableRow]()
    try:
        first.extend(islice(rows, SAMPLE_ROWS))
    except Exception as error:  # raised again after the rows before it are read
        return first, error
    return first, None if first else DamagedFileError("holds no rows")


def _csv_rows(file: SourceFile, wish: ColumnChoice | None) -> Iterator[TableRow]:
    sample = _sample_lines(file)
    dialect = dialect_of(sample, file.ending)
    cells = [row.cells for row in split_rows(iter(enumerate(sample)), dialect) if row.cells]
    if not cells:
        raise DamagedFileError("holds no row that can be read")
    named = wish.named if wish else []
    cells = _of_one_width(cells, named)
    names, has_head = column_names(cells, named)
    number = 0
    for line, found, problem in split_rows(file.lines(), dialect, len(names)):
        if has_head and found is not None and [cell.strip() for cell in found] == [cell.strip() for cell in cells[0]]:
            has_head = False  # this is the head; an equal line further down is a row
            continue
        number += 1
        row = dict(zip(names, found, strict=True)) if found is not None else None
        yield TableRow(number, line, row, problem)


def _workbook_rows(file: SourceFile, wish: ColumnChoice | None) -> Iterator[TableRow]:
    """The rows below the head, as wide as those at the beginning; cells beyond that have no column and are dropped."""
    found = sheet_rows(file)
    first = list(islice(found, SAMPLE_ROWS))
    width = 1 + max((place for _, cells in first for place in cells), default=0)
    remarks = list(takewhile(lambda row: len(row[1]) < min(2, width), first))
    for line, _ in remarks:
        yield TableRow(0, line, None, "is above the table and not part of it", "row")
    sample = [[cells.get(place, "") for place in range(width)] for _, cells in first[len(remarks) :]]
    names, has_head = column_names(sample, wish.named if wish else []) if sample else ([], False)
    blank = dict.fromkeys(names, "")  # so that the first row has all columns
    for number, (line, cells) in enumerate(chain(first[len(remarks) + has_head :], found), 1):
        row = {names[place]: cell for place, cell in cells.items() if place < width}
        yield TableRow(number, line, blank | row if number == 1 else row, "", "row")
    for name in other_sheets(file):
        why = "was not read: only the first sheet of a workbook is read; save it as .csv"
        yield TableRow(0, 0, None, why, f"sheet {one_line(name)}")


def _of_one_width(rows: list[list[str]], named: list[str]) -> list[list[str]]:
    """The rows as wide as the head if the first is certainly one, else as wide as most rows: remarks may come first."""
    widths = [len(row) for row in rows]
    usual = len(rows[0]) if names_columns(rows[0], named) else max(widths, key=widths.count)
    return [row for row in rows if len(row) == usual]


def _sample_lines(file: SourceFile) -> list[str]:
    sample, size = list[str](), 0
    for _, line in islice(file.lines(), _SAMPLE_LINES):
        sample.append(line)
        size += len(line)
        if size > _SAMPLE_SIZE:
            break
    return sample


def check_choice(wish: ColumnChoice | None) -> None:
    """Raises InputError if the text columns are a bare string: each of its letters would be a column."""
    given: object = wish.text if wish is not None else ()
    if wish is not None and isinstance(given, str):
        raise InputError(f"the text columns are {given!r}; expected a tuple of names, such as ({given!r},)")


def sound_rows(path: Path, form: SoundForm) -> Iterator[tuple[int, Mapping[str, object]]]:
    """The line that each row begins on, and its cells by column.

    form: "csv" or "tsv" with names of columns in the first row, "labels" for lines of `label<TAB>text`, or "jsonl".
    """
    for row in _READERS[form](read_lines(path)):
        if row.cells is None:
            raise damaged(path, row.line, row.problem)
        yield row.line, row.cells
