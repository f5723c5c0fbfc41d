"""Tables of texts of one's own: TSV, JSON lines or CSV, plain or gzip, with the columns guessed or named.

The name decides the form: `.csv`, `.jsonl` (`.ndjson`, `.json`), and TSV for all others. A TSV file is
`label<TAB>text`, unless its first line names the columns. Damage is named by file and line.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias

from satchel.datasets.types import LabelledTexts
from satchel.errors import DamagedFileError, InputError
from satchel.importing import USUAL_LABELS, USUAL_TEXTS, SoundForm, ending_of, sound_rows, usual_column
from satchel.storage import damaged, read_lines

_FORMS: dict[str, SoundForm] = {".tsv": "tsv", ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl"}

Row = Mapping[str, object]
Label: TypeAlias = str | list[str] | None
"""What is known of a text to learn from: its label, its labels where it has several, or nothing."""


class Columns(NamedTuple):
    """The names of the columns that hold the texts and the labels."""

    text: str
    label: str


class TrainingTexts(NamedTuple):
    """Texts to learn from with what is known of each, and the columns that they were read from."""

    texts: list[str]
    labels: list[Label]
    columns: Columns


def is_table(path: Path) -> bool:
    """Whether the name of a file says that it holds columns rather than one text a line."""
    return ending_of(path) in _FORMS


def labelled_columns(path: Path, text: str | None = None, label: str | None = None) -> Columns:
    """The columns that `read_labelled_texts` reads: those named, else the first with a usual name."""
    found = _column_names(path, text, label)
    of_texts = _column(path, found, "texts", text, USUAL_TEXTS)
    return Columns(of_texts, _column(path, found, "labels", label, USUAL_LABELS))


def read_labelled_texts(path: Path, text: str | None = None, label: str | None = None) -> LabelledTexts:
    """Texts with a label each; `text` and `label` name the columns where the guess is wrong. Ids are line numbers.

    A row without a label is refused by its line; a label that is a number or true or false becomes its JSON text.
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
    """Texts of which some may have no label (None) and some several (a list); columns as in `read_labelled_texts`.

    A blank cell, a JSON null, NaN or empty list and a key that is not there are no label. A JSON list is several; a
    cell is so only where it holds the separator that the caller names, because a label may have commas of its own.
    """
    if labels_separated_by == "":
        raise InputError("the separator of labels is empty; name a sign that stands between two labels, such as ;")
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
    """The texts of such a file, whether it has labels or not."""
    path = Path(path)
    column = _column(path, _column_names(path, text, None), "texts", text, USUAL_TEXTS)
    return [_text(path, number, row, column) for number, row in _rows(path, text, None)]


def _rows(path: Path, *named: str | None) -> Iterator[tuple[int, Row]]:
    """Line number and cells by column of each row; `named` columns show whether a TSV file has a head."""
    form = _FORMS.get(ending_of(path), "tsv")
    return sound_rows(path, "labels" if form == "tsv" and not _has_head(path, named) else form)


def _has_head(path: Path, named: tuple[str | None, ...]) -> bool:
    """Whether the first line of a TSV file names its columns: two that are usual, or one that is asked for."""
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
    """What should be a label each: the entries of a list, the parts of a string that are not blank, a value itself."""
    if isinstance(value, str):
        return [part for part in (value.split(separator) if separator else [value]) if part.strip()]
    if isinstance(value, list):
        return value
    return [] if value is None or value != value else [value]


def _as_label(value: object) -> str | None:
    """A label as a string, JSON text where it is a number or true or false; None where it is none."""
    if isinstance(value, bool | int | float) and value == value:  # NaN is how some programs write "none"
        return json.dumps(value)
    return value.strip() or None if isinstance(value, str) else None


def _shown(row: Row, column: str) -> str:
    value = row.get(column)
    empty = value is None or (isinstance(value, str) and not value.strip())
    return "none" if empty else json.dumps(value, ensure_ascii=False)[:60]
