"""Reads files and folders as documents; files that cannot be read are skipped with a reason.

Documents get their ids, with the prefix, and the name of their source here and nowhere else.
"""

import codecs
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from satchel.errors import DamagedFileError, InputError, MissingFileError, SatchelError, one_of
from satchel.importing.decoding import one_line, safe_id
from satchel.importing.folders import Globs, Source, files_below
from satchel.importing.formats import IMPORT_FORMS, TABLE_FORMS, form_of
from satchel.importing.source import SourceFile
from satchel.importing.tables import ColumnChoice, check_choice, corpus_of, table_columns
from satchel.importing.types import SOURCE_NAME, Document, Found, Skipped
from satchel.progress import READING_FILES, Progress, no_progress


def read_documents(
    sources: Path | str | Iterable[Path | str],
    *,
    form: str | None = None,
    columns: ColumnChoice | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    encoding: str | None = None,
    prefix: str = "",
    leave_out: Iterable[Path] = (),
    whole_paths: bool = False,
    name_of: Callable[[Path], str] | None = None,
    on_progress: Progress = no_progress,
) -> Iterator[Found]:
    """The documents of files and folders (in BEIR's form too), one at a time; what is skipped comes with the reason.

    sources: one path or several, read one after the other. form: a name of IMPORT_FORMS, if it cannot be detected
    from the file names. columns: the columns of tables, if they should not be guessed. include, exclude: patterns for
    the files of a folder, as in `Globs`. encoding: the encoding of all files, if it cannot be detected from the bytes.
    prefix: text to put before each id; `{name}` stands for the name of the file or folder. leave_out: files to skip
    without a report. whole_paths: the source of a document is the whole path of its file, so that each file has one
    name however its path is written; skipped files keep the name they were given. name_of: gives the name of a file in
    sources and reasons, instead of its path. on_progress: called with the number of files done and in all.

    A missing path and an unknown form or encoding are errors at once; a column that a single table does not have is an
    error at its first row. Everything else is `Skipped`. Ids are unique: of two documents with the same id, the first
    is kept and the second skipped.
    """
    paths = [Path(one) for one in ([sources] if isinstance(sources, Path | str) else sources)]
    for path in paths:
        _check(path, form, columns, encoding)
    globs, left_out = Globs(include, exclude), frozenset(path.resolve() for path in leave_out)
    read = [Source(path, globs, encoding, left_out, whole_paths, name_of) for path in paths]
    files = [(_prefix_for(one, prefix), _files(one, form)) for one in read]
    advice = "; a prefix keeps both" if len(read) > 1 else ""
    return _once_each(_all_documents(files, form, columns, on_progress), advice)


def paths_in(source: object) -> list[Path] | None:
    """The given path or paths; None for anything else: a list of strings may hold texts."""
    if isinstance(source, Path | str):
        return [Path(source)]
    if not isinstance(source, Sequence) or not all(isinstance(one, Path) for one in source):
        return None
    return [Path(one) for one in source] or None


def prefixed(found: Iterable[Found], prefix: str) -> Iterator[Found]:
    """The documents with the prefix before each id."""
    for one in found:
        yield one._replace(id=prefix + one.id) if isinstance(one, Document) and isinstance(one.id, str) else one


def guess_columns(
    path: Path | str, *, form: str | None = None, columns: ColumnChoice | None = None, encoding: str | None = None
) -> ColumnChoice:
    """The columns that `read_documents` chooses with the same arguments, to show and to correct."""
    path = Path(path)
    _check(path, form, columns, encoding)
    file = _single_file(Source(path, encoding=encoding), form)
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
    files = _files(Source(path, Globs(include, exclude)), None)
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
        raise MissingFileError(f"{path} holds no corpus.jsonl or corpus.jsonl.gz; it is not a folder in BEIR's form")


def _prefix_for(source: Source, prefix: str) -> str:
    return prefix.replace(SOURCE_NAME, safe_id(source.name)) if SOURCE_NAME in prefix else prefix


def _single_file(source: Source, form: str | None) -> SourceFile | None:
    """The one file to read: the path itself, or the corpus of a folder in BEIR's form; else None."""
    if not source.path.is_dir():
        return source.only_file(source.path)
    corpus = corpus_of(source.path) if form in (None, "beir", "jsonl") else None
    return source.only_file(corpus) if corpus else None


def _files(source: Source, form: str | None) -> list[SourceFile | Skipped]:
    """The files to read, and those of a folder that are refused; a list, so that its length is known."""
    single = _single_file(source, form)
    if single is None:
        return list(files_below(source))
    return [] if source.leaves_out(single.path) else [single]


def _all_documents(
    files: Sequence[tuple[str, list[SourceFile | Skipped]]],
    form: str | None,
    columns: ColumnChoice | None,
    on_progress: Progress,
) -> Iterator[Found]:
    """The documents of all files of each source, with its prefix."""
    done, total = 0, sum(len(those) for _, those in files)
    on_progress(READING_FILES, done, total)
    for prefix, those in files:
        for file in those:
            found = [file] if isinstance(file, Skipped) else _documents_of(file, form, columns)
            yield from prefixed(found, prefix) if prefix else found
            done += 1
            on_progress(READING_FILES, done, total)


def _documents_of(file: SourceFile, form: str | None, columns: ColumnChoice | None) -> Iterator[Found]:
    """The documents of one file. Any error of its reader becomes the reason why the rest is skipped."""
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
    except Exception as error:  # parsers raise undocumented errors on damaged files
        yield file.skipped(f"cannot be read ({type(error).__name__}: {_without_path(str(error), file)[:100]})")


def _sentence(error: SatchelError, file: SourceFile) -> str:
    """The message without the path, which is shown beside it."""
    return _without_path(str(error).removeprefix(os.fspath(file.path)).lstrip(" ,:"), file)


def _without_path(message: str, file: SourceFile) -> str:
    """The message with the name of the file instead of its path."""
    return one_line(message.replace(os.fspath(file.path), file.shown))


def _once_each(found: Iterator[Found], advice: str) -> Iterator[Found]:
    seen: set[str] = set()
    for one in found:
        if isinstance(one, Document):
            if one.id in seen:
                yield Skipped(
                    one.source, f"has the same id {one.id[:100]!r} as an earlier document, which was kept{advice}"
                )
                continue
            seen.add(one.id)
        yield one
