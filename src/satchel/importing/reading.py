"""Files and folders of the world to documents; what cannot be read is told and does not stop the rest."""

import codecs
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from satchel.errors import DamagedFileError, InputError, MissingFileError, SatchelError, one_of
from satchel.importing.cleaning import one_line
from satchel.importing.columns import ColumnChoice
from satchel.importing.folders import files_below
from satchel.importing.forms import IMPORT_FORMS, TABLE_FORMS, form_of
from satchel.importing.globs import Globs
from satchel.importing.source import SourceFile
from satchel.importing.tables import check_choice, corpus_of, table_columns
from satchel.importing.types import Document, Found, Skipped


def _nobody_watches(done: int, total: int) -> None:
    pass


def read_documents(
    path: Path | str,
    *,
    form: str | None = None,
    columns: ColumnChoice | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    encoding: str | None = None,
    on_file: Callable[[int, int], None] = _nobody_watches,
) -> Iterator[Found]:
    """The documents of a file or a folder (in BEIR's form too), one at a time, and what was skipped with the reason.

    form: a name of IMPORT_FORMS where the endings of the names do not tell it. columns: for tables, what is not to be
    guessed. include, exclude: patterns for the files of a folder, as in `Globs`. encoding: that of all files, where the
    bytes do not tell it. on_file: told the number of files done and of all.

    Raises at once what the caller got wrong: a path that is not there, an unknown form or encoding; a column that the
    one table named does not have is an error at its first row. All else is `Skipped`. An id is given once: of two
    documents with the same, the first is kept and the second skipped.
    """
    path = Path(path)
    _check(path, form, columns, encoding)
    globs = Globs(include, exclude)
    files = _files(path, form, globs, encoding)
    return _once_each(_all_documents(files, form, columns, on_file))


def guess_columns(
    path: Path | str, *, form: str | None = None, columns: ColumnChoice | None = None, encoding: str | None = None
) -> ColumnChoice:
    """The columns of a table that `read_documents` takes with the same arguments; to be shown, and corrected."""
    path = Path(path)
    _check(path, form, columns, encoding)
    file = _single_file(path, form, encoding)
    if file is None:
        raise InputError(f"{path} is a folder; columns are guessed for one table, or a folder in BEIR's form")
    try:
        name = form or form_of(file)
        if name in TABLE_FORMS:
            return table_columns(file, name, columns)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except DamagedFileError as error:
        raise DamagedFileError(f"{path} {_sentence(error, file)}") from None
    raise InputError(f"{path} is read as {name}, which has no columns; tables are {', '.join(TABLE_FORMS)}")


def tables_of(path: Path | str, *, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> list[Path]:
    """The tables, by the endings of their names, among the files that `read_documents` takes with these arguments."""
    path = Path(path)
    endings = {ending for name in TABLE_FORMS for ending in IMPORT_FORMS[name].endings}
    files = _files(path, None, Globs(include, exclude), None)
    return [file.path for file in files if isinstance(file, SourceFile) and file.ending in endings]


def _check(path: Path, form: str | None, columns: ColumnChoice | None, encoding: str | None) -> None:
    if form is not None:
        one_of("form", form, IMPORT_FORMS)
    check_choice(columns)
    if encoding is not None:
        try:
            codecs.lookup(encoding)
        except LookupError:
            raise InputError(
                f"unknown encoding {encoding!r}; expected one such as utf-8, cp1252 or shift_jis"
            ) from None
    if not path.exists():
        raise MissingFileError(f"there is no file or folder {path}; check the path")
    if not path.is_dir() and not path.is_file():
        raise InputError(f"{path} is neither a folder nor a regular file; give one of them")
    if form == "beir" and path.is_dir() and corpus_of(path) is None:
        raise MissingFileError(f"{path} holds no corpus.jsonl or corpus.jsonl.gz; it is no folder in BEIR's form")


def _single_file(path: Path, form: str | None, encoding: str | None) -> SourceFile | None:
    """The one file that is read: that of the path, or the corpus of a folder in BEIR's form; else None."""
    if not path.is_dir():
        return SourceFile(path, path.name, str(path), encoding=encoding)
    corpus = corpus_of(path) if form in (None, "beir", "jsonl") else None
    return SourceFile(corpus, corpus.name, str(corpus), encoding=encoding) if corpus else None


def _files(path: Path, form: str | None, globs: Globs, encoding: str | None) -> list[SourceFile | Skipped]:
    """What is to be read, and what of a folder is refused unread; a list, so that its length is known."""
    single = _single_file(path, form, encoding)
    return [single] if single else list(files_below(path, globs, encoding))


def _all_documents(
    files: list[SourceFile | Skipped],
    form: str | None,
    columns: ColumnChoice | None,
    on_file: Callable[[int, int], None],
) -> Iterator[Found]:
    on_file(0, len(files))
    for done, file in enumerate(files, start=1):
        if isinstance(file, Skipped):
            yield file
        else:
            yield from _documents_of(file, form, columns)
        on_file(done, len(files))


def _documents_of(file: SourceFile, form: str | None, columns: ColumnChoice | None) -> Iterator[Found]:
    """The documents of one file; whatever its reader fails with becomes the reason why the rest of it is skipped."""
    try:
        name = form or form_of(file)
        yield from IMPORT_FORMS[name].read(file, columns)
    except InputError as error:
        if not file.in_folder:
            raise InputError(f"{file.shown}: {error}") from None
        yield file.skipped(_sentence(error, file))
    except SatchelError as error:
        yield file.skipped(_sentence(error, file))
    except OSError as error:
        yield file.skipped(f"cannot be opened ({error.strerror or type(error).__name__})")
    except Exception as error:  # parsers fail on damaged files in ways that they do not name
        yield file.skipped(f"cannot be read ({type(error).__name__}: {one_line(str(error))[:100]})")


def _sentence(error: SatchelError, file: SourceFile) -> str:
    """The message without the path, which stands beside it."""
    return one_line(str(error).removeprefix(os.fspath(file.path)).lstrip(" ,:"))


def _once_each(found: Iterator[Found]) -> Iterator[Found]:
    seen: set[str] = set()
    for one in found:
        if isinstance(one, Document):
            if one.id in seen:
                yield Skipped(one.source, f"has the id {one.id[:100]!r} of an earlier document, which was kept")
                continue
            seen.add(one.id)
        yield one
