"""`satchel export`: hits, marks, documents, vectors and the model, in forms that other programs read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from satchel.cli.console import out, prepare_file, print_json, write_text
from satchel.cli.opened import AsJson, File, Mode, Quiet, Where, one_of_these, opened, read_where
from satchel.errors import InputError, one_of

if TYPE_CHECKING:
    from satchel.collection import Collection, Hits

NOT_TEXT = ("vectors", "model")


def export(
    file: File,
    what: Annotated[
        str,
        typer.Option(
            help="hits, marks, documents, vectors or model.",
            autocompletion=one_of_these("hits", "marks", "documents", "vectors", "model"),
        ),
    ],
    to: Annotated[Path, typer.Option(help="The file to write, or the model's folder; '-' prints rows.")],
    form: Annotated[
        str | None,
        typer.Option(
            help="csv, jsonl or ris; of hits trec too, of marks qrels; npy or parquet of vectors.",
            show_default="told by the file's ending",
            autocompletion=one_of_these("csv", "jsonl", "ris", "trec", "qrels", "npy", "parquet"),
        ),
    ] = None,
    query: Annotated[str | None, typer.Option(help="Hits of this query.")] = None,
    interest: Annotated[str | None, typer.Option(help="Hits or marks of this interest.")] = None,
    k: Annotated[int | None, typer.Option("-k", help="How many hits.", min=1, show_default="100")] = None,
    mode: Mode = "both",
    where: Where = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Write hits, marks, documents, vectors or the model; a file that is there is replaced when the new one is whole.

    \b
    Examples:
      satchel export papers.satchel --what hits --query "grid storage" -k 50 --to hits.ris
      satchel export papers.satchel --what marks --form qrels --to marks.qrels
      satchel export papers.satchel --what vectors --to vectors.npy
      satchel export papers.satchel --what model --to ./model
      satchel export papers.satchel --what documents --form jsonl --to - | head
    """
    from satchel.collection import FORMS

    one_of("export", what, FORMS)
    _refuse_ignored(what, {"--query": query, "-k": k, "--where": where}, interest)
    is_printed = str(to) == "-"
    if is_printed and what in NOT_TEXT:
        raise InputError(f"{what} cannot be printed; name a {'folder' if what == 'model' else 'file'} by --to")
    if what != "model":
        prepare_file(to, "--to")
    with opened(file) as collection:
        chosen: dict[str, Any] = {"form": form, "interest": interest if what == "marks" else None}
        if what == "hits":
            chosen["hits"] = _hits(collection, query, interest, k, mode, where)
        if is_printed:
            write_text(to, "".join(f"{line}\n" for line in collection.exported(what, **chosen)))
            return
        n_rows = collection.export(to, cast(Any, what), **chosen)
    if as_json:
        print_json({"what": what, "rows": n_rows, "path": str(to)})
    elif not quiet:
        counted = "the model" if what == "model" else f"{n_rows:,} {what}"
        out.print(f"{counted} in {to}", markup=False)


def _refuse_ignored(what: str, of_hits: dict[str, object], interest: str | None) -> None:
    """Refuses options that would be ignored, and hits of nothing."""
    given = [option for option, value in of_hits.items() if value is not None]
    if what != "hits" and given:
        raise InputError(f"{', '.join(given)} choose hits; leave them out, or give --what hits")
    if what not in ("hits", "marks") and interest is not None:
        raise InputError("--interest chooses hits or marks; leave it out, or give --what hits or --what marks")
    if what == "hits" and not given and interest is None:
        raise InputError("give the --query or the --interest whose hits are to be written")


def _hits(
    collection: Collection, query: str | None, interest: str | None, k: int | None, mode: str, where: list[str] | None
) -> Hits:
    filters = read_where(collection, where)
    return collection.search(query or "", k or 100, mode=cast(Any, mode), filters=filters, interest=interest)
