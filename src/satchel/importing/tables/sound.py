"""Tables of which every row counts, read strictly: UTF-8 alone, and the first damage is an error by its line."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Literal

from satchel.importing.tables.delimited import COMMAS, TABS, label_lines, rows_below_head
from satchel.importing.tables.json_rows import json_line_rows
from satchel.importing.tables.row import Row
from satchel.storage.files import damaged, read_lines

SoundForm = Literal["csv", "tsv", "labels", "jsonl"]
_READERS: dict[SoundForm, Callable[[Iterator[tuple[int, str]]], Iterator[Row]]] = {
    "csv": partial(rows_below_head, dialect=COMMAS),
    "tsv": partial(rows_below_head, dialect=TABS),
    "labels": label_lines,
    "jsonl": json_line_rows,
}


def sound_rows(path: Path, form: SoundForm) -> Iterator[tuple[int, Mapping[str, object]]]:
    """The line that each row begins on, and its cells by column.

    form: "csv" or "tsv" with names of columns in the first row, "labels" for lines of `label<TAB>text`, or "jsonl".
    """
    for row in _READERS[form](read_lines(path)):
        if row.cells is None:
            raise damaged(path, row.line, row.problem)
        yield row.line, row.cells
