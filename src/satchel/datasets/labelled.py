"""Texts with a label each (`label<TAB>text` or JSON lines), and the records of a review (`0|1<TAB>text` or CSV)."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from satchel.datasets.types import LabelledTexts, Review
from satchel.errors import DamagedFileError
from satchel.storage.files import damaged, open_unpacked, read_lines, write_lines

_TITLES, _ABSTRACTS = ("title", "primary_title"), ("abstract", "notes_abstract")
_LABELS = ("label_included", "included", "final_included", "label")


def read_labelled(path: Path, prefix: str = "") -> LabelledTexts:
    """Read `label<TAB>text` lines, or JSON lines with "label", "text" and perhaps "id" where the name says .jsonl.

    A text may be empty and may hold further TABs; empty lines are passed over. Where the file has no ids, an id is
    the line number after `prefix`.
    """
    path = Path(path)
    rows = _json_rows(path, prefix) if ".jsonl" in path.suffixes else _tab_rows(path, prefix)
    columns = list(zip(*rows, strict=True)) or [(), (), ()]
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
    rows = list(_csv_records(path) if ".csv" in path.suffixes else _tab_records(path))
    included = np.array([label == "1" for label, _ in rows], dtype=np.bool_)
    return Review(name or path.name.split(".")[0], [text for _, text in rows], included)


def _tab_rows(path: Path, prefix: str) -> Iterator[tuple[str, str, str]]:
    for number, line in read_lines(path):
        if not line:
            continue
        label, tab, text = line.partition("\t")
        if not tab or not label:
            raise damaged(path, number, "expected a label, a TAB and a text")
        yield f"{prefix}{number}", text, label


def _json_rows(path: Path, prefix: str) -> Iterator[tuple[str, str, str]]:
    for number, row in read_json_rows(path):
        id_ = string(path, number, row, "id", f"{prefix}{number}")
        yield id_, string(path, number, row, "text"), string(path, number, row, "label")


def read_json_rows(path: Path) -> Iterator[tuple[int, Mapping[str, object]]]:
    """Line number and object of each line that is not empty."""
    for number, line in read_lines(path):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise damaged(path, number, f"is not JSON ({error})") from error
        if not isinstance(row, dict):
            raise damaged(path, number, "expected a JSON object in braces")
        yield number, row


def string(path: Path, number: int, row: Mapping[str, object], key: str, default: str | None = None) -> str:
    """The string (or whole number, as a string) under `key`; the error says where it is missing."""
    value = row.get(key, default)
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise damaged(path, number, f"expected a string under {key!r}" if key in row else f"the key {key!r} is missing")


def _tab_records(path: Path) -> Iterator[tuple[str, str]]:
    for number, line in read_lines(path):
        label, tab, text = line.partition("\t")
        if line and (not tab or label not in ("0", "1")):
            raise damaged(path, number, "expected 0 or 1, a TAB and a text")
        if line:
            yield label, text


def _csv_records(path: Path) -> Iterator[tuple[str, str]]:
    with open_unpacked(path) as raw:
        text = io.TextIOWrapper(raw, encoding="utf-8-sig", newline="")
        rows = csv.DictReader(text)
        try:
            fields = [name.strip() for name in rows.fieldnames or ()]
            rows.fieldnames = fields
            title, abstract, label = (_column(path, fields, names) for names in (_TITLES, _ABSTRACTS, _LABELS))
            for row in rows:
                yield _csv_label(path, rows.line_num, row[label]), _joined(row[title], row[abstract])
        except (csv.Error, UnicodeDecodeError) as error:
            raise DamagedFileError(f"{path}, line {rows.line_num + 1}: {error}") from error
        finally:
            text.detach()


def _column(path: Path, fields: list[str], names: tuple[str, ...]) -> str:
    for name in names:
        if name in fields:
            return name
    raise DamagedFileError(f"{path} has the columns {', '.join(fields) or 'none'}; expected one of {', '.join(names)}")


def _csv_label(path: Path, number: int, value: str | None) -> str:
    label = (value or "").strip().removesuffix(".0")
    if label not in ("0", "1"):
        raise damaged(path, number, f"the label is {value!r}, expected 0 or 1")
    return label


def _joined(*parts: str | None) -> str:
    return " ".join(" ".join(part or "" for part in parts).split())
