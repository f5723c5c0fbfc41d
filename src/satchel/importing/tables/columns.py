"""The columns of tables: named by the caller, else guessed from their names and the length of their texts."""

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from satchel.errors import InputError
from satchel.importing.decoding import clean_text, one_line
from satchel.importing.types import FieldValue

USUAL_IDS = ("id", "_id", "docno", "doc_id", "docid", "document_id", "record_id", "pmid", "doi", "uid", "uuid", "key")
USUAL_TITLES = ("title", "primary_title", "headline", "heading", "subject", "name")
USUAL_TEXTS = (
    *("text", "document", "body", "content", "abstract", "sentence", "message", "description"),
    *("notes_abstract", "full_text", "fulltext", "contents", "summary", "comment", "review"),
)
USUAL_LABELS = (
    *("label", "class", "category", "topic", "target", "labels", "categories", "label_included", "included"),
)
USUAL_NAMES = frozenset((*USUAL_IDS, *USUAL_TITLES, *USUAL_TEXTS, *USUAL_LABELS))
_LARGEST = 2**63 - 1  # the largest whole number that a database keeps
_DEEPEST = 5
_EXPORTED = {"id", "title", "text", "source", "fields"}  # the keys of a document as a collection writes it
_LONGEST_NAME = 60  # characters of a column's name, if the first line names columns
_WHOLE = re.compile(r"-?(?:0|[1-9]\d{0,17})")
_DECIMAL = re.compile(r"-?(?:0|[1-9]\d{0,17})\.\d{1,17}")

Cells = Mapping[str, object]


class TableRow(NamedTuple):
    """A row: its number, from 1; the line on which it begins; its cells by column, or the problem that it has.

    unit: what `line` counts; without a line, it names the place itself.
    """

    number: int
    line: int
    cells: Mapping[str, object] | None
    problem: str = ""
    unit: str = "line"

    @property
    def place(self) -> str:
        """Its place in the file, in words."""
        return f"{self.unit} {self.line}" if self.line else self.unit


class ColumnChoice(NamedTuple):
    """The columns of a table. In a request, missing ones are guessed; in an answer, it names what is read.

    text: several columns are joined by a blank line. label: a column kept as it is written, never as a number. fields:
    the other columns to keep; None for all.
    """

    text: tuple[str, ...] = ()
    id: str | None = None
    title: str | None = None
    label: str | None = None
    fields: tuple[str, ...] | None = None

    @property
    def named(self) -> list[str]:
        """All columns that it names."""
        return [*self.text, *filter(None, (self.id, self.title, self.label)), *(self.fields or ())]


class RowParts(NamedTuple):
    """The parts of a row."""

    id: str
    text: str
    title: str
    fields: dict[str, FieldValue]


def choose_columns(sample: Sequence[Cells], wish: ColumnChoice | None = None) -> ColumnChoice:
    """The columns to read: those requested, else those with usual names, else the longest column as the text."""
    wish = wish or ColumnChoice()
    names = list(dict.fromkeys(name for row in sample for name in row))
    for name in wish.named:
        if name not in names:
            raise InputError(f"there is no column {name!r}; the columns are {', '.join(names)}")
    free = [name for name in names if name not in wish.named]
    text = wish.text or tuple(filter(None, (usual_column(free, USUAL_TEXTS),)))
    free = [name for name in free if name not in text]
    id_ = wish.id or usual_column(free, USUAL_IDS)
    title = wish.title or usual_column(free, USUAL_TITLES)
    label = wish.label or usual_column(free, USUAL_LABELS)
    text = text or _longest(sample, [name for name in free if name not in (id_, title, label)])
    return ColumnChoice(text, id_, title, label, wish.fields)


def usual_column(names: Iterable[str], usual: Sequence[str]) -> str | None:
    """The name that comes first in the list of usual ones, whatever its case; None if there is none."""
    by_small_letters = {name.strip().lower(): name for name in reversed([*names])}
    return next((by_small_letters[name] for name in usual if name in by_small_letters), None)


def parts_of(row: Cells, choice: ColumnChoice) -> RowParts:
    """The id, text, title and fields of a row; blank cells are left out."""
    texts = (as_text(row.get(name)) for name in choice.text)
    fields: dict[str, FieldValue] = {}
    spoken_for = {choice.id, choice.title, *choice.text}
    for name, value in row.items():
        wanted = name == choice.label or (choice.fields is None or name in choice.fields)
        if wanted and (name not in spoken_for or name == choice.label):
            found = _label(value) if name == choice.label else _field(value)
            if found is not None:
                fields[one_line(name)] = found
    return RowParts(
        as_text(row.get(choice.id)) if choice.id else "",
        "\n\n".join(text for text in texts if text.strip()),
        as_text(row.get(choice.title)) if choice.title else "",
        fields,
    )


def is_exported(row: Cells) -> bool:
    """Whether a row is a document that a collection wrote, whose fields have their names and kinds already."""
    return row.keys() == _EXPORTED and isinstance(row["fields"], dict)


def parts_exported(row: Cells) -> RowParts:
    """The parts of a document that a collection wrote: its fields are unchanged, its source is the file read now."""
    fields = row["fields"] if isinstance(row["fields"], Mapping) else {}
    kept = {one_line(str(name)): value for name, given in fields.items() if (value := field_value(given)) is not None}
    return RowParts(as_text(row["id"]), as_text(row["text"]), as_text(row["title"]), kept)


def as_text(value: object) -> str:
    """A value as text: lists line by line, nothing as ""."""
    found = field_value(value)
    if isinstance(found, list):
        return "\n".join(found)
    return "" if found is None else str(found)


def flat_row(row: Mapping[str, object], prefix: str = "", depth: int = 0) -> dict[str, object]:
    """The row with nested objects flattened: {"about": {"year": 1}} has the column "about.year"."""
    flat: dict[str, object] = {}
    for name, value in row.items():
        if isinstance(value, dict) and depth < _DEEPEST:
            flat |= flat_row(value, f"{prefix}{name}.", depth + 1)
        else:
            flat[f"{prefix}{name}"] = value
    return flat


def field_value(value: object) -> FieldValue | None:
    """A JSON value as a field value: lists become lists of texts; null and numbers that are not finite become None."""
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if abs(value) <= _LARGEST else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [entry if isinstance(entry, str) else json.dumps(entry, ensure_ascii=False) for entry in value]
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else None


def column_names(rows: Sequence[Sequence[str]], named: Iterable[str] = ()) -> tuple[list[str], bool]:
    """The names of a table's columns from its first rows, and whether the first row holds them.

    A column without a name is called "column 3", for example, and the second column of a name gets "(2)". If there is
    no head and the second of two columns has the longer texts, they are "label" and "text".
    """
    first = [cell.strip() for cell in rows[0]]
    if _is_head(first, rows[1:], set(named)):
        return names_in(first), True
    if len(first) == 2 and _mean_length(rows, 0) < _mean_length(rows, 1):
        return ["label", "text"], False
    return [f"column {number}" for number in range(1, len(first) + 1)], False


def names_in(head: Sequence[str]) -> list[str]:
    """The names of the columns that a head gives, all different."""
    return _distinct([cell.strip() or f"column {number}" for number, cell in enumerate(head, 1)])


def names_columns(cells: Sequence[str], named: Iterable[str] = ()) -> bool:
    """Whether a row is certainly a head: short cells, no numbers, and one of them a usual or given name."""
    stripped, asked_for = [cell.strip() for cell in cells], set(named)
    known = any(cell.lower() in USUAL_NAMES or cell in asked_for for cell in stripped)
    return known and not any(len(cell) > _LONGEST_NAME or _is_number(cell) for cell in stripped)


def _is_head(first: list[str], below: Sequence[Sequence[str]], named: set[str]) -> bool:
    """Whether a row is certainly a head; or its cells are short, all different, no numbers, and unlike those below."""
    if names_columns(first, named):
        return True
    if any(len(cell) > _LONGEST_NAME or _is_number(cell) for cell in first):
        return False
    unlike = any(
        _mean_length(below, place) > 3 * len(cell) or all(_is_number(row[place]) for row in below if len(row) > place)
        for place, cell in enumerate(first)
    )
    return bool(below) and len(set(first)) == len(first) and all(first) and unlike


def _longest(sample: Sequence[Cells], names: Sequence[str]) -> tuple[str, ...]:
    lengths = {name: sum(len(value) for row in sample if isinstance(value := row.get(name), str)) for name in names}
    best = max(lengths, key=lambda name: lengths[name], default=None)
    return (best,) if best is not None and lengths[best] else ()


def _mean_length(rows: Sequence[Sequence[str]], place: int) -> float:
    cells = [len(row[place].strip()) for row in rows if len(row) > place]
    return sum(cells) / len(cells) if cells else 0.0


def _is_number(cell: str) -> bool:
    return bool(_WHOLE.fullmatch(cell.strip()) or _DECIMAL.fullmatch(cell.strip()))


def _distinct(names: list[str]) -> list[str]:
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
    if len(seen) == len(names):
        return names
    counts: dict[str, int] = {}
    found = []
    for name in names:
        counts[name] = counts.get(name, 0) + 1
        found.append(name if counts[name] == 1 else f"{name} ({counts[name]})")
    return found


def _field(value: object) -> FieldValue | None:
    """A value as a field; a cell that looks like a number becomes a number, so that filters can compare it."""
    found = field_value(value)
    if isinstance(found, list):
        return [one_line(entry) for entry in found] or None
    if not isinstance(found, str):
        return found
    cell = clean_text(found)
    if _WHOLE.fullmatch(cell):
        return int(cell)
    return float(cell) if _DECIMAL.fullmatch(cell) else cell or None


def _label(value: object) -> FieldValue | None:
    found = field_value(value)
    if isinstance(found, list):
        return [one_line(entry) for entry in found if entry.strip()] or None
    return one_line(as_text(value)) or None
