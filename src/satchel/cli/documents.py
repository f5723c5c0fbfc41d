"""`satchel add` and `satchel remove`: documents into a collection's file, and out of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from satchel.cli.arguments import AsJson, File, Quiet, check_ids, listed_ids, opened
from satchel.cli.console import as_form, notes, one_line, out, print_json, progress_bar
from satchel.errors import InputError, MissingFileError, SatchelError, one_of
from satchel.progress import READING_FILES

if TYPE_CHECKING:
    from satchel.collection import AddReport, Collection
    from satchel.importing import ColumnChoice, Skipped

ROLES = ("text", "id", "title", "label", "fields")
SEVERAL = ("text", "fields")
"""Roles that more than one column may have."""
MOST_REASONS, MOST_SOURCES = 20, 3
"""How many skipped documents the report shows; --json shows all."""
MOST_TABLES = 5
"""How many tables have their columns shown."""


def _form_names(incomplete: str) -> list[str]:
    from satchel.importing import IMPORT_FORMS

    return [name for name in IMPORT_FORMS if name.startswith(incomplete)]


class ReadingOptions(NamedTuple):
    """How sources are read."""

    form: str | None
    columns: ColumnChoice | None
    include: Sequence[str]
    exclude: Sequence[str]
    encoding: str | None


def add(
    file: Annotated[
        Path, typer.Argument(help="The collection, such as papers.satchel. It is created if it does not exist.")
    ],
    sources: Annotated[list[Path], typer.Argument(metavar="SOURCE...", help="The files and folders to read.")],
    form: Annotated[
        str | None,
        typer.Option(
            help="The format of the sources, such as csv, ris or trec.",
            show_default="detected from the file names",
            autocompletion=_form_names,
        ),
    ] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            help="The columns of a table, such as text=abstract,title=name. Roles: text, id, title, label, fields.",
            show_default="guessed and shown",
        ),
    ] = None,
    include: Annotated[
        list[str] | None, typer.Option(help="In folders, read only matching files, such as '*.pdf'. Repeatable.")
    ] = None,
    exclude: Annotated[
        list[str] | None, typer.Option(help="In folders, skip matching files and folders. Repeatable.")
    ] = None,
    encoding: Annotated[
        str | None,
        typer.Option(
            help="The encoding of all files, such as cp1252 or shift_jis.", show_default="detected from the bytes"
        ),
    ] = None,
    prefix: Annotated[
        str, typer.Option(help="Text to put before each id. {name} stands for the name of the source, as in '{name}#'.")
    ] = "",
    words: Annotated[
        str | None,
        typer.Option(
            help="The word vectors a new collection starts from: a name from `satchel words list`, or a path.",
            show_default="learned from the documents",
        ),
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="The model folder that a new collection uses as it is.", show_default="none")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="The seed of a new collection. The same seed gives the same model.", min=0)
    ] = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Add documents to a collection. Unchanged documents are left alone.

    All sources are added in one transaction: when the command ends, all of it is on the disk, or nothing. Files that
    cannot be read are skipped with a reason. If nothing could be read, the exit code is 1 and no collection is created.

    \b
    Examples:
      satchel add papers.satchel ~/papers
      satchel add papers.satchel export.ris more.csv --columns text=abstract,title=name,label=topic
      satchel add notes.satchel ~/notes --include '*.md' --exclude drafts
      satchel add votes.satchel may.csv june.csv --prefix '{name}#' --encoding cp1252
    """
    reading = ReadingOptions(form, read_columns(columns or []), include or (), exclude or (), encoding)
    for source in sources:
        if not source.exists():
            raise MissingFileError(f"there is no file or folder {source}; check the path")
    if not quiet:
        _show_columns(sources, reading)
    is_new = not file.exists()
    with _created(file, words, model, seed) if is_new else _known(file, words, model, seed) as collection:
        try:
            report = _add(collection, sources, reading, prefix)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                notes.print("satchel: interrupted, and nothing was added")
            if is_new and not len(collection):
                collection.close()
                file.unlink()
            raise
        n_documents = len(collection)
    is_nothing = bool(report.skipped) and not (report.added or report.replaced or report.unchanged)
    if is_nothing and is_new:
        file.unlink()
    if as_json:
        print_json({"file": str(file), **as_form(report), "documents": n_documents})
    elif not quiet:
        _print(report, file, n_documents)
    if is_nothing:
        raise typer.Exit(code=1)


def remove(
    file: File,
    ids: Annotated[
        list[str],
        typer.Argument(
            metavar="ID...", help="The ids of the documents, as search shows them. '-' reads ids from standard input."
        ),
    ],
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Remove documents from a collection. Their marks are kept in case the documents are added again.

    \b
    Examples:
      satchel remove papers.satchel 2019/draft.pdf
      satchel search papers.satchel --where 'year<=1990' -k 100000 --ids | satchel remove papers.satchel -
    """
    ids = listed_ids(ids)
    with opened(file) as collection:
        check_ids(collection, ids)
        removed, left = collection.remove(ids), len(collection)
    if as_json:
        print_json({"removed": removed, "documents": left})
    elif not quiet:
        out.print(f"{removed:,} removed; {file} has {left:,} documents", markup=False)


def read_columns(written: Sequence[str]) -> ColumnChoice | None:
    """Reads columns as a person writes them: "text=abstract,notes,title=name"; None if nothing is written."""
    from satchel.importing import ColumnChoice

    found: dict[str, str] = {}
    for part in (part for one in written for part in re.split(rf",(?=(?:{'|'.join(ROLES)})=)", one)):
        role, sign, names = part.partition("=")
        if not sign or not names:
            raise InputError(f"--columns is {part!r}; write ROLE=NAME, such as text=abstract,title=name")
        one_of("role of a column", role, ROLES)
        found[role] = names
    parsed = {role: tuple(names.split(",")) if role in SEVERAL else names for role, names in found.items()}
    return ColumnChoice(**parsed) if parsed else None  # type: ignore[arg-type]  # each role has the kind of its name


def _created(file: Path, words: str | None, model: Path | None, seed: int | None) -> Collection:
    from satchel.collection import Collection
    from satchel.words import WordVectors

    start = None if words is None else WordVectors.load(words)
    return Collection.create(file, words=start, model=model, random_state=seed or 0)


def _known(file: Path, words: str | None, model: Path | None, seed: int | None) -> Collection:
    given = {"--words": words, "--model": model, "--seed": seed}
    if wrong := [option for option, value in given.items() if value is not None]:
        raise InputError(f"{file} already exists and has its own model; leave out {', '.join(wrong)}")
    return opened(file)


def _add(collection: Collection, sources: Sequence[Path], reading: ReadingOptions, prefix: str) -> AddReport:
    """Adds all sources in one change. The bar counts files if there are several, and documents if there is one file."""
    with progress_bar() as show:
        n_files = 1

        def on_progress(stage: str, done: int, total: int) -> None:
            nonlocal n_files
            if stage == READING_FILES:
                n_files = total
            if stage != (READING_FILES if n_files == 1 else "reading documents"):
                show(stage, done, total)

        return collection.add(sources, **reading._asdict(), prefix=prefix, on_progress=on_progress)


def _tables(sources: Sequence[Path], reading: ReadingOptions) -> list[Path]:
    """Lists the sources that are tables, and the tables in folders."""
    from satchel.importing import tables_of

    if reading.form is not None:
        return list(sources)
    globs = {"include": reading.include, "exclude": reading.exclude}
    return [table for source in sources for table in tables_of(source, **globs)]


def _show_columns(sources: Sequence[Path], reading: ReadingOptions) -> None:
    """Shows, on standard error, how the columns of the first tables are read."""
    from satchel.importing import guess_columns

    tables = _tables(sources, reading)
    for source in tables[:MOST_TABLES]:
        with suppress(SatchelError, OSError):  # no table, or one that cannot be read, as the report will say
            chosen = guess_columns(source, form=reading.form, columns=reading.columns, encoding=reading.encoding)
            parts = {"text": ", ".join(chosen.text), "id": chosen.id, "title": chosen.title, "label": chosen.label}
            roles = ", ".join(f"{role}={one_line(name)}" for role, name in parts.items() if name)
            notes.print(f"columns of {source}: {roles} (--columns changes them)", markup=False, soft_wrap=True)
    if len(tables) > MOST_TABLES and reading.form is None:
        notes.print(f"more tables, not shown: {len(tables) - MOST_TABLES:,}", markup=False)


def _print(report: AddReport, file: Path, n_documents: int) -> None:
    counts = f"{report.added:,} added, {report.replaced:,} replaced, {report.unchanged:,} unchanged"
    holds = f"{file} has {n_documents:,} documents" if file.exists() else "no collection was created"
    out.print(f"{counts}, {len(report.skipped):,} skipped; {holds}", markup=False)
    by_reason: dict[str, list[Skipped]] = {}
    for one in report.skipped:
        by_reason.setdefault(one.reason, []).append(one)
    for reason, those in list(by_reason.items())[:MOST_REASONS]:
        named = ", ".join(one_line(one.source) for one in those[:MOST_SOURCES])
        more = f" and {len(those) - MOST_SOURCES:,} more" if len(those) > MOST_SOURCES else ""
        out.print(f"skipped: {named}{more}: {one_line(reason)}", markup=False, soft_wrap=True)
    if len(by_reason) > MOST_REASONS:
        out.print(f"skipped for {len(by_reason) - MOST_REASONS:,} more reasons; --json shows all", markup=False)
    if report.clash:
        out.print(one_line(report.clash), markup=False, soft_wrap=True)
    if report.advice:
        out.print(report.advice, markup=False, soft_wrap=True)
