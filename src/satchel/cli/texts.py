"""Where a command's texts, and their labels, come from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from satchel.errors import DamagedFileError, InputError

if TYPE_CHECKING:
    from satchel.datasets import LabelledTexts

TEXT_ENDINGS = (".txt", ".md", ".rst")


class LabelledSource(NamedTuple):
    """Texts with their labels; `columns` names those of a file that they were read from."""

    texts: list[str]
    labels: list[str]
    columns: dict[str, str] | None = None


def texts_from(source: str, *, text: str | None = None, keep_empty: bool = False) -> list[str]:
    """Texts of a file, of a folder (one a file, by path) or of a data set that has a name.

    A file whose name says TSV, JSON lines or CSV gives the column of its texts; any other gives one text a line.
    keep_empty: an empty line is an empty text, so that the number of a text is that of its line.
    """
    path = Path(source)
    if path.is_dir():
        return _texts_of_folder(path)
    if path.is_file():
        return _texts_of_file(path, text, keep_empty)
    return _texts_of_dataset(source)


def labelled_texts_from(source: str, *, text: str | None = None, label: str | None = None) -> LabelledSource:
    """Labelled texts of a file (TSV, JSON lines, CSV), or the train split of a data set that has a name."""
    from satchel.datasets import labelled_columns, read_labelled_texts

    path = Path(source)
    if path.is_dir():
        raise InputError(f"{path} is a folder, whose texts have no labels; give a TSV, JSON lines or CSV file")
    if path.is_file():
        columns = labelled_columns(path, text, label)
        read = read_labelled_texts(path, text, label)
        return LabelledSource(read.texts, read.labels, columns._asdict())
    if text is not None or label is not None:
        raise InputError(f"--text and --label name columns of a file, and there is no file {source}; leave them out")
    found = _labelled_dataset(source)
    return LabelledSource(found.texts, found.labels)


def _texts_of_folder(folder: Path) -> list[str]:
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in TEXT_ENDINGS and path.is_file())
    if not paths:
        raise InputError(f"no text files in {folder}; expected files ending in {', '.join(TEXT_ENDINGS)}")
    return [_read(path) for path in paths]


def _texts_of_file(path: Path, text: str | None, keep_empty: bool) -> list[str]:
    from satchel.datasets import is_table, read_texts

    if is_table(path) or text is not None:
        return read_texts(path, text)
    lines = _read(path).removesuffix("\n").split("\n")
    return [line for line in lines if keep_empty or line.strip()]


def _texts_of_dataset(name: str) -> list[str]:
    from satchel.datasets import texts_of

    _check_name(name)
    return texts_of(name)


def _labelled_dataset(name: str) -> LabelledTexts:
    """The train split, all of a set that has no splits, or a review with its verdicts."""
    from satchel.datasets import AdHocSet, LabelledSet, LabelledTexts, Review, load

    _check_name(name)
    found = load(name)
    if isinstance(found, AdHocSet):
        raise InputError(f"the data set {name!r} has queries and judgments, not labels; choose a labelled one")
    if isinstance(found, Review):
        labels = ["included" if kept else "excluded" for kept in found.included]
        return LabelledTexts([str(number) for number in range(len(labels))], found.texts, labels)
    return found.train if isinstance(found, LabelledSet) else found


def _check_name(name: str) -> None:
    from satchel.datasets import DATASETS

    if name not in DATASETS:
        raise InputError(f"{name!r} is neither a file, a folder nor a data set; data sets: {', '.join(DATASETS)}")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DamagedFileError(f"{path} is not UTF-8 text (byte {error.start}); convert it first") from error
