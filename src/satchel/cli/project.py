"""`satchel project`: saves queries under names, with their marks, filters and weights of themes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from satchel.cli.arguments import AsJson, File, Quiet, RequestFields, opened, searched, with_request
from satchel.cli.console import (
    Ids,
    Run,
    Why,
    as_form,
    as_json_text,
    day,
    one_line,
    out,
    prepare_file,
    print_json,
    print_pairs,
    print_table,
    show_hits,
    write_text,
)

if TYPE_CHECKING:
    from satchel.collection import Collection, Project


class _FileOrCommandFirst(TyperGroup):
    """`satchel project FILE list` means `satchel project list FILE`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if len(args) > 1 and args[0] not in self.commands and args[1] in self.commands:
            args = [args[1], args[0], *args[2:]]
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_FileOrCommandFirst,
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.callback()
def _projects() -> None:
    """Keep queries with their marks under names; search them again, and see what is new.

    \b
    Examples:
      satchel project save papers.satchel storage "grid storage"
      satchel project new papers.satchel storage --seen
    """


Name = Annotated[str, typer.Argument(help="The name of the project.")]


@app.command("save")
@with_request(only=("filters", "weights"))
def save_project(
    file: File,
    name: Name,
    query: Annotated[str, typer.Argument(help="The query to keep. The marks made for it are kept too.")],
    request: RequestFields,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Save a query under a name. An existing project gets this query, these filters and weights, and keeps its marks.

    \b
    Example:
      satchel project save papers.satchel storage "grid storage" --where 'year>=2019'
    """
    with opened(file) as collection:
        collection.check_fields(request.get("filters", ()))
        saved = collection.projects.save(name, query, **request)
    if as_json:
        print_json(as_form(saved))
    elif not quiet:
        out.print(one_line(f"{saved.name}: {saved.query!r} with {_counted(saved)}"), markup=False, soft_wrap=True)


@app.command("list")
def list_projects(file: File, as_json: AsJson = False) -> None:
    """List the projects, and how many new documents each one has.

    \b
    Example:
      satchel project list papers.satchel
    """
    with opened(file) as collection:
        found = collection.projects.values()
    if as_json:
        print_json(as_form(found))
    elif found:
        rows = [(one.name, one.query, _counted(one), f"{one.new:,}", day(one.created)) for one in found]
        print_table(("project", "query", "marks", "new", "saved"), [tuple(map(one_line, row)) for row in rows])
    else:
        out.print("no projects; `satchel project save` keeps one")


@app.command("show")
def show_project(file: File, name: Name, as_json: AsJson = False) -> None:
    """Show a project: its query, filters, weights and marks.

    \b
    Example:
      satchel project show papers.satchel storage
    """
    with opened(file) as collection:
        found = collection.projects[name]
        rows = _rows(collection, found)
    if as_json:
        print_json(as_form(found))
    else:
        print_pairs(rows)


@app.command("search")
@with_request(without=("project",))
def search_project(
    file: File,
    name: Name,
    request: RequestFields,
    why: Why = False,
    as_json: AsJson = False,
    ids: Ids = False,
    run: Run = False,
) -> None:
    """Search for a project again, with all that its marks taught. A query given here replaces its own.

    \b
    Example:
      satchel project search papers.satchel storage -k 20
    """
    with opened(file) as collection:
        hits = searched(collection, request, project=name, **({"explained": False} if ids or run else {}))
        show_hits(collection, hits, why=why, as_json=as_json, ids=ids, run=run)


@app.command("new")
@with_request(without=("project", "only_new"))
def new_for_project(
    file: File,
    name: Name,
    request: RequestFields,
    seen: Annotated[
        bool, typer.Option("--seen", help="Afterwards, count everything that is there now as seen.")
    ] = False,
    why: Why = False,
    as_json: AsJson = False,
    ids: Ids = False,
) -> None:
    """Show what is new for a project: unmarked documents added or changed since it was saved, or since --seen.

    \b
    Example:
      satchel project new papers.satchel storage --seen
      satchel project new papers.satchel storage --where 'year>=2019'
    """
    with opened(file) as collection:
        hits = searched(collection, request, project=name, only_new=True)
        show_hits(collection, hits, why=why, as_json=as_json, ids=ids)
        if seen:
            collection.projects.seen(name)


@app.command("export")
def export_projects(
    file: File,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME...", help="The projects to write. Default: all.")
    ] = None,
    to: Annotated[Path, typer.Option(help="The JSON file to write. '-' prints it.")] = Path("-"),
    without_texts: Annotated[
        bool, typer.Option("--without-texts", help="Leave out the texts of marked documents.")
    ] = False,
) -> None:
    """Write projects as JSON, for another collection, with the texts of marked documents for it to learn from.

    \b
    Example:
      satchel project export papers.satchel storage --to storage.json
    """
    prepare_file(to, "--to")
    with opened(file) as collection:
        exported = collection.projects.exported(names or None, texts=not without_texts)
    write_text(to, as_json_text(exported))


@app.command("import")
def import_projects(
    file: File,
    path: Annotated[Path, typer.Argument(help="A file that `satchel project export` wrote.")],
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Import projects from a file. If a project exists already, the marks of both are kept.

    \b
    Example:
      satchel project import others.satchel storage.json
    """
    with opened(file) as collection:
        names = collection.projects.take_in(path)
    if as_json:
        print_json(names)
    elif not quiet:
        out.print(one_line(f"taken in: {', '.join(names) or 'none'}"), markup=False, soft_wrap=True)


@app.command("remove")
def remove_project(file: File, name: Name, quiet: Quiet = False, as_json: AsJson = False) -> None:
    """Remove a project and its marks.

    \b
    Example:
      satchel project remove papers.satchel storage
    """
    with opened(file) as collection:
        collection.projects.remove(name)
    if as_json:
        print_json({"removed": name})
    elif not quiet:
        out.print(one_line(f"{name} is removed"), markup=False)


def _counted(one: Project) -> str:
    """Says how many marks of each kind a project has."""
    values = list(one.marks.values())
    kinds = {value: values.count(value) for value in ("relevant", "maybe", "irrelevant")}
    return ", ".join(f"{n} {value}" for value, n in kinds.items() if n) or "no marks"


def _rows(collection: Collection, one: Project) -> list[tuple[str, str]]:
    describe = getattr(collection.model, "describe", None)  # not every encoder has themes with words
    words = {theme: f" ({' '.join(describe(theme, 3))})" if describe else "" for theme in one.weights}
    weights = [f"{theme}{words[theme]} {weight:g}" for theme, weight in one.weights.items()]
    return [
        ("project", one.name),
        ("query", one.query),
        ("filters", ", ".join(f"{field}: {wanted}" for field, wanted in one.filters.items()) or "none"),
        ("weights", ", ".join(weights) or "none"),
        *((value, id_) for id_, value in one.marks.items()),
        ("saved", day(one.created)),
        ("new", f"{one.new:,} documents"),
    ]
