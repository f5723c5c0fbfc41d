"""`satchel mark`: saves marks on documents in a collection, takes them back, lists them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from satchel.cli.arguments import AsJson, File, Quiet, check_ids, listed_ids, opened
from satchel.cli.console import as_form, day, notes, one_line, out, print_json, print_table
from satchel.errors import InputError

if TYPE_CHECKING:
    from satchel.collection import Mark


def mark(
    file: File,
    ids: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ID...", help="The ids of the documents, as search shows them. '-' reads ids from standard input."
        ),
    ] = None,
    relevant: Annotated[bool, typer.Option("--relevant", help="Mark as relevant.")] = False,
    irrelevant: Annotated[bool, typer.Option("--irrelevant", help="Mark as irrelevant.")] = False,
    maybe: Annotated[bool, typer.Option("--maybe", help="Mark as maybe.")] = False,
    none: Annotated[bool, typer.Option("--none", help="Remove their marks.")] = False,
    query: Annotated[
        str | None, typer.Option(help="Mark them for this query. Its next search learns from the marks.")
    ] = None,
    project: Annotated[str | None, typer.Option(help="Mark them for the project with this name.")] = None,
    undo: Annotated[
        bool,
        typer.Option(
            "--undo", help="Take back the last marks that were made together. Give it again for those before."
        ),
    ] = False,
    listing: Annotated[bool, typer.Option("--list", help="List all marks, or those of a query or a project.")] = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Mark documents as relevant or not, for a query or a project.

    Marks are saved in the collection. Searches for the same query or project learn from them, and so does
    `satchel train FILE --marks`.

    \b
    Examples:
      satchel mark papers.satchel a.pdf c.pdf --relevant --query "grid storage"
      satchel mark papers.satchel b.pdf --irrelevant --project storage
      satchel search papers.satchel "wind" --ids | satchel mark papers.satchel - --irrelevant --query "grid storage"
      satchel mark papers.satchel --undo
      satchel mark papers.satchel --list
    """
    values = {"relevant": relevant, "irrelevant": irrelevant, "maybe": maybe, "none": none}
    chosen = [value for value, is_given in values.items() if is_given]
    if query is not None and project is not None:
        raise InputError("marks are for a query or for a project; give one of --query and --project")
    if len(chosen) + undo + listing != 1:
        raise InputError("choose one of --relevant, --irrelevant, --maybe, --none, --undo and --list")
    if bool(ids) != bool(chosen):
        raise InputError(f"name the documents to mark as {chosen[0]}" if chosen else "--undo and --list take no ids")
    if listing:
        _list(file, query, project, as_json)
    elif undo:
        _undo(file, query, project, quiet, as_json)
    else:
        _mark(file, listed_ids(ids or ()), chosen[0], query, project, quiet, as_json)


def _mark(
    file: Path, ids: list[str], value: str, query: str | None, project: str | None, quiet: bool, as_json: bool
) -> None:
    with opened(file) as collection:
        check_ids(collection, ids)
        made = collection.mark_together(ids, cast(Any, value), query=query or "", project=project)
    if as_json:
        print_json(as_form(made))
    elif not quiet:
        for one in made:
            out.print(_sentence(one), markup=False, soft_wrap=True)
        if not query and project is None:
            unused = "this mark is for no query: only `satchel train --marks` learns from it; give --query or --project"
            notes.print(unused, soft_wrap=True)


def _undo(file: Path, query: str | None, project: str | None, quiet: bool, as_json: bool) -> None:
    with opened(file) as collection:
        undone = collection.undo_together(query=query, project=project)
    if as_json:
        print_json({"undone": as_form(undone)})
    elif not undone:
        raise InputError(f"no mark is left in {file} to be taken back")
    elif not quiet:
        for one in undone:
            out.print(f"taken back: {_sentence(one)}", markup=False, soft_wrap=True)


def _list(file: Path, query: str | None, project: str | None, as_json: bool) -> None:
    with opened(file) as collection:
        marks = collection.marks(query=query, project=project)
    if as_json:
        print_json(as_form(marks))
    elif marks:
        rows = [(one.id, one.value, one.query, one.project or "", day(one.time)) for one in marks]
        print_table(("document", "mark", "query", "project", "when"), [tuple(map(one_line, row)) for row in rows])
    else:
        out.print("no marks")


def _sentence(one: Mark) -> str:
    what = "not marked" if one.value == "none" else one.value
    context = f" for the project {one.project!r}" if one.project else f" for {one.query!r}" if one.query else ""
    return one_line(f"{one.id} is {what}{context}")
