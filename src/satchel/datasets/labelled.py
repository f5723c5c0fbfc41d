"""Texts with a label each (`label<TAB>text` or JSON lines), and the records of a review (`0|1<TAB>text` or CSV)."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from satchel.datasets.types import LabelledTexts, Review
from satchel.errors import DamagedFileError
from satchel.importing import sound_rows, usual_column
from satchel.storage import damaged, write_lines

_TITLES, _ABSTRACTS = ("title", "primary_title"), ("abstract", "notes_abstract")
_LABELS = ("label_included", "included", "final_included", "label")


def read_labelled(path: Path, prefix: str = "") -> LabelledTexts:
    """Read `label<TAB>text` lines, or JSON lines with "label", "text" and perhaps "id" where the name says .jsonl.

    A text may be empty and may hold further TABs; empty lines are passed over. Where the file has no ids, an id is
    the line number after `prefix`.
    """
    path = Path(path)
    columns = list(zip(*_labelled_rows(path, prefix), strict=True)) or [(), (), ()]
    return LabelledTexts(*(list(column) for column in columns))


def write_labelled(path: Path, rows: LabelledTexts) -> None:
    """Write JSON lines that `read_labelled` reads; gzip where the name ends in .gz."""
    columns = zip(rows.ids, rows.labels, rows.texts, strict=True)
    lines = ({"id": id_, "label": label, "text": text} for id_, label, text in columns)
    write_lines(path, (json.dumps(line, ensure_ascii=False) for line in lines))


def read_review(path: Path, name: str | None = None) -> Review:
    """Read the records of a screened review: `1<TAB>text` for included, `0<TAB>text` for excluded, or a .csv file.

    The CSV form is ASReview's: columns title, abstract and label_included (or included); the text is title and
    abstract, with runs of white space made one space.
    """
    path = Path(path)
    rows = list(_csv_records(path) if ".csv" in path.suffixes else _label_records(path))
    included = np.array([label == "1" for label, _ in rows], dtype=np.bool_)
    return Review(name or path.name.split(".")[0], [text for _, text in rows], included)


def _labelled_rows(path: Path, prefix: str) -> Iterator[tuple[str, str, str]]:
    for number, row in sound_rows(path, "jsonl" if ".jsonl" in path.suffixes else "labels"):
        label = string(path, number, row, "label")
        if not label:
            raise damaged(path, number, "expected a label, found none")
        yield string(path, number, row, "id", f"{prefix}{number}"), string(path, number, row, "text"), label


def string(path: Path, number: int, row: Mapping[str, object], key: str, default: str | None = None) -> str:
    """The string (or whole number, as a string) under `key`; the error says where it is missing."""
    value = row.get(key, default)
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise damaged(path, number, f"expected a string under {key!r}" if key in row else f"the key {key!r} is missing")


def _label_records(path: Path) -> Iterator[tuple[str, str]]:
    for number, row in sound_rows(path, "labels"):
        if row["label"] not in ("0", "1"):
            raise damaged(path, number, "expected 0 or 1, a TAB and a text")
        yield str(row["label"]), str(row["text"])


def _csv_records(path: Path) -> Iterator[tuple[str, str]]:
    rows = list(sound_rows(path, "csv"))
    names = list(rows[0][1]) if rows else []
    title, abstract, label = (_column(path, names, usual) for usual in (_TITLES, _ABSTRACTS, _LABELS))
    for number, row in rows:
        included = str(row[label]).strip().removesuffix(".0")
        if included not in ("0", "1"):
            raise damaged(path, number, f"the label is {row[label]!r}, expected 0 or 1")
        yield included, " ".join(f"{row[title]} {row[abstract]}".split())


def _column(path: Path, names: list[str], usual: tuple[str, ...]) -> str:
    found = usual_column(names, usual)
    if found is None:
        there = ", ".join(names) or "none"
        raise DamagedFileError(f"{path} has the columns {there}; expected one of {', '.join(usual)}")
    return found
