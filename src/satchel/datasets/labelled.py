"""Reads texts with labels from files: the data sets' own forms, screened reviews, and tables with guessed or named
columns.

The name of a table decides its form: `.csv`, `.jsonl` (`.ndjson`, `.json`), and TSV for all others. A TSV file is
`label<TAB>text`, unless its first line names the columns. Errors name the file and the line.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from satchel.datasets.types import LabelledTexts, Review
from satchel.errors import DamagedFileError, InputError
from satchel.importing import USUAL_LABELS, USUAL_TEXTS, SoundForm, ending_of, sound_rows, usual_column
from satchel.storage import damaged, read_lines, write_lines

_TITLES, _ABSTRACTS = ("title", "primary_title"), ("abstract", "notes_abstract")
_LABELS = ("label_included", "included", "final_included", "label")


def read_labelled(path: Path, prefix: str = "") -> LabelledTexts:
    """Reads `label<TAB>text` lines; or JSON lines with "label", "text" and perhaps "id" if the name ends in .jsonl.

    A text may be empty and may contain more TABs; empty lines are skipped. If the file has no ids, an id is `prefix`
    and the line number.
    """
    path = Path(path)
    columns = list(zip(*_labelled_rows(path, prefix), strict=True)) or [(), (), ()]
    return LabelledTexts(*(list(column) for column in columns))


def write_labelled(path: Path, rows: LabelledTexts) -> None:
    """Writes JSON lines for `read_labelled`; as gzip if the name ends in .gz."""
    columns = zip(rows.ids, rows.labels, rows.texts, strict=True)
    lines = ({"id": id_, "label": label, "text": text} for id_, label, text in columns)
    write_lines(path, (json.dumps(line, ensure_ascii=False) for line in lines))


def read_review(path: Path, name: str | None = None) -> Review:
    """Reads the records of a screened review: `1<TAB>text` for included, `0<TAB>text` for excluded, or a .csv file.

    The CSV form is ASReview's, with the columns title, abstract and label_included (or included). The text is title
    and abstract, with runs of white space made one space.
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
    """Returns the string (or whole number, as a string) under `key`; the error says where it is missing."""
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
    title, abstract, label = (_review_column(path, names, usual) for usual in (_TITLES, _ABSTRACTS, _LABELS))
    for number, row in rows:
        included = str(row[label]).strip().removesuffix(".0")
        if included not in ("0", "1"):
            raise damaged(path, number, f"the label is {row[label]!r}, expected 0 or 1")
        yield included, " ".join(f"{row[title]} {row[abstract]}".split())


def _review_column(path: Path, names: list[str], usual: tuple[str, ...]) -> str:
    found = usual_column(names, usual)
    if found is None:
        there = ", ".join(names) or "none"
        raise DamagedFileError(f"{path} has the columns {there}; expected one of {', '.join(usual)}")
    return found


_FORMS: dict[str, SoundForm] = {".tsv": "tsv", ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl"}

Row = Mapping[str, object]
Label: TypeAlias = str | list[str] | None
"""The label of a training text, its labels if it has several, or None."""


class Columns(NamedTuple):
    """The names of the columns that hold the texts and the labels."""

    text: str
    label: str


class TrainingTexts(NamedTuple):
    """Training texts with their labels, and the columns that they were read from."""

    texts: list[str]
    labels: list[Label]
    columns: Columns


def is_table(path: Path) -> bool:
    """Whether a file holds columns rather than one text per line, judging by its name."""
    return ending_of(path) in _FORMS


def labelled_columns(path: Path, text: str | None = None, label: str | None = None) -> Columns:
    """Finds the columns that `read_labelled_texts` reads: the named ones, else the first with a usual name."""
    found = _column_names(path, text, label)
    of_texts = _column(path, found, "texts", text, USUAL_TEXTS)
    return Columns(of_texts, _column(path, found, "labels", label, USUAL_LABELS))


def read_labelled_texts(path: Path, text: str | None = None, label: str | None = None) -> LabelledTexts:
    """Reads texts with one label each. `text` and `label` name the columns if the guess is wrong. Ids are line
    numbers.

    A row without a label is an error that names its line. A label that is a number or true or false becomes its JSON
    text.
    """
    path = Path(path)
    columns = labelled_columns(path, text, label)
    ids, texts, labels = [], [], []
    for number, row in _rows(path, text, label):
        ids.append(str(number))
        texts.append(_text(path, number, row, columns.text))
        labels.append(_label(path, number, row, columns.label))
    return LabelledTexts(ids, texts, labels)


def read_training_texts(
    path: Path, text: str | None = None, label: str | None = None, *, labels_separated_by: str | None = None
) -> TrainingTexts:
    """Reads texts with no label (None), one, or several (a list); columns as in `read_labelled_texts`.

    A blank cell, a JSON null, NaN or empty list, and a missing key mean that there is no label. A JSON list holds
    several labels. A cell holds several only if the caller names their separator, because a label may contain commas.
    """
    if labels_separated_by == "":
        raise InputError("the separator of labels is empty; name a sign to separate labels, such as ;")
    path = Path(path)
    rows = list(_rows(path, text, label))
    found = list(dict.fromkeys(name for _, row in rows for name in row)) or _column_names(path, text, label)
    columns = Columns(
        _column(path, found, "texts", text, USUAL_TEXTS),
        _column(path, found, "labels", label, USUAL_LABELS, ", or learn from the texts alone (--unlabelled)"),
    )
    return TrainingTexts(
        [_text(path, number, row, columns.text) for number, row in rows],
        [_labels(path, number, row, columns.label, labels_separated_by) for number, row in rows],
        columns,
    )


def read_texts(path: Path, text: str | None = None) -> list[str]:
    """Reads the texts of a file of any of these forms, with or without labels."""
    path = Path(path)
    column = _column(path, _column_names(path, text, None), "texts", text, USUAL_TEXTS)
    return [_text(path, number, row, column) for number, row in _rows(path, text, None)]


def _rows(path: Path, *named: str | None) -> Iterator[tuple[int, Row]]:
    """Yields the line number and the cells by column of each row; `named` columns show whether a TSV file has a
    header."""
    form = _FORMS.get(ending_of(path), "tsv")
    return sound_rows(path, "labels" if form == "tsv" and not _has_head(path, named) else form)


def _has_head(path: Path, named: tuple[str | None, ...]) -> bool:
    """Whether the first line of a TSV file names its columns: it has two usual names, or one of those given."""
    _, first = next(read_lines(path), (0, ""))
    names = [name.strip().lower() for name in first.split("\t")]
    usual = not {*names}.isdisjoint(USUAL_TEXTS) and not {*names}.isdisjoint(USUAL_LABELS)
    return len(names) > 1 and (usual or not {*first.split("\t")}.isdisjoint(named))


def _column_names(path: Path, *named: str | None) -> list[str]:
    first = next(_rows(path, *named), None)
    if first is None:
        raise DamagedFileError(f"{path} holds no rows; expected texts with a label each")
    return list(first[1])


def _column(
    path: Path, found: list[str], what: str, named: str | None, usual: tuple[str, ...], otherwise: str = ""
) -> str:
    columns = ", ".join(found)
    if named is not None:
        if named in found:
            return named
        raise InputError(f"{path} has no column {named!r} for the {what}; its columns are {columns}")
    if (name := usual_column(found, usual)) is not None:
        return name
    raise InputError(
        f"{path} has the columns {columns}, none of them named {', '.join(usual)}; name that of the {what}{otherwise}"
    )


def _text(path: Path, number: int, row: Row, column: str) -> str:
    value = row.get(column)
    if not isinstance(value, str):
        raise damaged(path, number, f"expected a text under {column!r}, found {_shown(row, column)}")
    return value


def _label(path: Path, number: int, row: Row, column: str) -> str:
    label = _as_label(row.get(column))
    if label is None:
        raise damaged(path, number, f"expected a label under {column!r}, found {_shown(row, column)}")
    return label


def _labels(path: Path, number: int, row: Row, column: str, separator: str | None) -> Label:
    labels: dict[str, None] = {}  # a label given twice is one label
    for part in _parts(row.get(column), separator):
        label = _as_label(part)
        if label is None:
            what = f"expected a label or a list of labels under {column!r}, found {_shown(row, column)}"
            raise damaged(path, number, what)
        labels[label] = None
    return [*labels] if len(labels) > 1 else next(iter(labels), None)


def _parts(value: object, separator: str | None) -> list[object]:
    """The candidates for labels: the entries of a list, the non-blank parts of a string, or the value itself."""
    if isinstance(value, str):
        return [part for part in (value.split(separator) if separator else [value]) if part.strip()]
    if isinstance(value, list):
        return value
    return [] if value is None or value != value else [value]


def _as_label(value: object) -> str | None:
    """A label as a string (JSON text for a number, true or false); None if the value is not a label."""
    if isinstance(value, bool | int | float) and value == value:  # NaN is how some programs write "none"
        return json.dumps(value)
    return value.strip() or None if isinstance(value, str) else None


def _shown(row: Row, column: str) -> str:
    value = row.get(column)
    empty = value is None or (isinstance(value, str) and not value.strip())
    return "none" if empty else json.dumps(value, ensure_ascii=False)[:60]
