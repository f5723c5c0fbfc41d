"""`satchel search`: find documents by words, by meaning, by both, and by marks."""

from __future__ import annotations

from typing import Annotated, Any, cast

import typer

from satchel.cli.hits import Ids, Run, Why, show_hits
from satchel.cli.opened import AsJson, File, Mode, Offset, Where, check_ids, opened, read_where


def search(
    file: File,
    query: Annotated[str, typer.Argument(help="What to look for; without it, documents are listed.")] = "",
    k: Annotated[int, typer.Option("-k", help="How many hits.", min=1)] = 10,
    offset: Offset = 0,
    mode: Mode = "both",
    like: Annotated[list[str] | None, typer.Option(help="The id of a document to be like; repeatable.")] = None,
    where: Where = None,
    relevant: Annotated[list[str] | None, typer.Option(help="An id: more like this; repeatable.")] = None,
    irrelevant: Annotated[list[str] | None, typer.Option(help="An id: less like this; repeatable.")] = None,
    maybe: Annotated[list[str] | None, typer.Option(help="An id: a little more like this; repeatable.")] = None,
    interest: Annotated[str | None, typer.Option(help="The query, marks and filters kept under this name.")] = None,
    unmarked: Annotated[
        bool, typer.Option("--unmarked", help="Do not count the marks kept for this query or interest.")
    ] = False,
    why: Why = False,
    as_json: AsJson = False,
    ids: Ids = False,
    run: Run = False,
) -> None:
    """Search a collection, by words and by meaning.

    Marks given here re-rank all documents at once and are not kept; `satchel mark` keeps them. Marks that were kept
    for the same query count without being given.

    \b
    Examples:
      satchel search papers.satchel "grid storage"
      satchel search papers.satchel "grid storage" --relevant a.pdf --irrelevant b.pdf --why
      satchel search papers.satchel --like a.pdf --where 'year>=2019' --where lang=en,de
      satchel search papers.satchel --interest storage -k 100 --run > storage.run
    """
    with opened(file) as collection:
        check_ids(collection, [*(like or ()), *(relevant or ()), *(irrelevant or ()), *(maybe or ())])
        hits = collection.search(
            query,
            k,
            offset=offset,
            mode=cast(Any, mode),
            like=like,
            filters=read_where(collection, where),
            relevant=relevant or (),
            irrelevant=irrelevant or (),
            maybe=maybe or (),
            interest=interest,
            kept_marks=not unmarked,
            explained=not (ids or run),
        )
        show_hits(collection, hits, why=why, as_json=as_json, ids=ids, run=run)
