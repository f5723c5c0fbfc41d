"""Reads the texts of a command, and their labels, from files, folders and data sets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from satchel.errors import DamagedFileError, InputError

if TYPE_CHECKING:
    from satchel.datasets import Label, LabelledTexts

TEXT_ENDINGS = (".txt", ".md", ".rst")


class LabelledSource(NamedTuple):
    """Texts, and for each of them a label, several, or None. columns: the columns of the file that they come from."""

    texts: list[str]
    labels: list[Label]
    columns: dict[str, str] | None = None

    @property
    def classes(self) -> list[str]:
        """All labels, in the order of their first text."""
        sets = ([label] if isinstance(label, str) else label or [] for label in self.labels)
        return list(dict.fromkeys(label for labels in sets for label in labels))

    @property
    def n_labelled(self) -> int:
        """How many texts have a label."""
        return sum(label is not None for label in self.labels)


def texts_from(source: str, *, text: str | None = None, keep_empty: bool = False) -> list[str]:
    """Reads the texts of a file, of a folder (one per file, by path) or of a named data set.

    The name of a file says whether it is a table (TSV, JSON lines, CSV); other files have one text per line.
    keep_empty: an empty line is an empty text, so that the number of a text is the number of its line.
    """
    path = Path(source)
    if path.is_dir():
        return _texts_of_folder(path)
    if path.is_file():
        return _texts_of_file(path, text, keep_empty)
    return _texts_of_dataset(source)


def labelled_texts_from(
    source: str, *, text: str | None = None, label: str | None = None, separator: str | None = None
) -> LabelledSource:
    """Reads the labelled texts of a file (TSV, JSON lines, CSV), or the train split of a named data set.

    In a file some texts may have no label, and some several: a JSON list, or a cell with `separator` between labels.
    """
    path = Path(source)
    if path.is_dir():
        raise InputError(f"{path} is a folder, whose texts have no labels; give a TSV, JSON lines or CSV file")
    if path.is_file():
        return _labelled_file(path, text, label, separator)
    if text is not None or label is not None or separator is not None:
        options = "--text, --label and --separator"
        raise InputError(f"{options} say how to read a file, and there is no file {source}; leave them out")
    found = _labelled_dataset(source)
    return LabelledSource(found.texts, [*found.labels])


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


def _labelled_file(path: Path, text: str | None, label: str | None, separator: str | None) -> LabelledSource:
    from satchel.datasets import read_training_texts

    read = read_training_texts(path, text, label, labels_separated_by=separator)
    found = LabelledSource(read.texts, read.labels, read.columns._asdict())
    if found.n_labelled == 0:
        under = f"no row of {path} has a label under {read.columns.label!r}"
        raise InputError(f"{under}; name another column by --label, or learn from the texts alone by --unlabelled")
    return found


def _texts_of_dataset(name: str) -> list[str]:
    from satchel.datasets import texts_of

    _check_name(name)
    return texts_of(name)


def _labelled_dataset(name: str) -> LabelledTexts:
    """Reads the train split; or the whole set if it has no splits; or a review, whose labels say what was included."""
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
