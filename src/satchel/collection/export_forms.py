"""The forms in which rows leave a collection, as lines of text: CSV, JSON lines, RIS, TREC's run and judgments."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from satchel.grades import EXPORTED

Record: TypeAlias = Mapping[str, Any]
"""A row: names of columns to plain values; "fields" holds a mapping, "query" the query where there is one."""

_RIS_TAGS = {"authors": "AU", "keywords": "KW", "year": "PY", "journal": "JO", "doi": "DO", "url": "UR"}


def csv_lines(rows: Iterable[Record]) -> Iterator[str]:
    """A column a name, in the order of their first row; fields become columns of their own, after the others."""
    table = [_flat(row) for row in rows]
    names = list(dict.fromkeys(name for row in table for name in row))
    yield _csv_line(names)
    for row in table:
        yield _csv_line([row.get(name, "") for name in names])


def json_lines(rows: Iterable[Record]) -> Iterator[str]:
    for row in rows:
        yield json.dumps(row, ensure_ascii=False)


def ris_lines(rows: Iterable[Record]) -> Iterator[str]:
    """What reference managers read: title, abstract, and those fields that RIS has a tag for; a mark is a note."""
    for row in rows:
        yield from _ris(row)


def run_lines(rows: Iterable[Record]) -> Iterator[str]:
    """`query Q0 document rank score tag`; white space within ids and queries becomes an underscore."""
    for row in rows:
        yield f"{_token(row['query'])} Q0 {_token(row['id'])} {row['rank']} {row['score']!r} satchel"


def judgment_lines(rows: Iterable[Record]) -> Iterator[str]:
    """`query 0 document grade`: relevant 2, maybe 1, irrelevant 0; a project stands for its query by its name."""
    for row in rows:
        yield f"{_token(row['project'] or row['query'])} 0 {_token(row['id'])} {EXPORTED[row['value']]}"


LINES: dict[str, Callable[[Iterable[Record]], Iterator[str]]] = {
    "csv": csv_lines,
    "jsonl": json_lines,
    "ris": ris_lines,
    "trec": run_lines,
    "qrels": judgment_lines,
}
"""The lines of each form, without their ends."""


def _flat(row: Record) -> dict[str, Any]:
    own = {name: _cell(value) for name, value in row.items() if name != "fields"}
    fields = {name: _cell(value) for name, value in row.get("fields", {}).items()}
    return own | {name if name not in own else f"{name} (field)": value for name, value in fields.items()}


def _cell(value: Any) -> Any:
    return "; ".join(map(str, value)) if isinstance(value, list | tuple) else "" if value is None else value


def _csv_line(cells: list[Any]) -> str:
    line, end = io.StringIO(), "\r\n"  # the writer puts a cell in quotation marks for signs of the end, and no others
    csv.writer(line, lineterminator=end).writerow(cells)
    return line.getvalue().removesuffix(end)


def _ris(row: Record) -> Iterator[str]:
    fields = row.get("fields", {})
    yield f"TY  - {_one_line(fields.get('type') or 'GEN')}"
    yield f"ID  - {_one_line(row['id'])}"
    if row.get("title"):
        yield f"TI  - {_one_line(row['title'])}"
    for name, tag in _RIS_TAGS.items():
        value = fields.get(name)
        for one in value if isinstance(value, list) else [] if value is None else [value]:
            yield f"{tag}  - {_one_line(one)}"
    if row.get("text"):
        yield f"AB  - {_one_line(row['text'])}"
    if verdict := row.get("value") or row.get("mark"):
        yield f"N1  - {verdict}"
    yield "ER  - "
    yield ""


def _one_line(value: object) -> str:
    return " ".join(str(value).split())


def _token(name: object) -> str:
    """A word of a TREC file, in which spaces part columns."""
    return "_".join(str(name).split()) or "_"
