"""`satchel export`: hits, marks, documents, vectors and the model, in forms that other programs read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from satchel.cli.asking import Asked, flag_of, searched, with_request
from satchel.cli.console import out, prepare_file, print_json, write_text
from satchel.cli.opened import AsJson, File, Quiet, one_of_these, opened
from satchel.errors import InputError, one_of

NOT_TEXT = ("vectors", "model")
USUAL_K = 100


@with_request(without=("explained", "compare_with"))
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
    asked: Asked,
    form: Annotated[
        str | None,
        typer.Option(
            help="csv, jsonl or ris; of hits trec too, of marks qrels; npy or parquet of vectors.",
            show_default="told by the file's ending",
            autocompletion=one_of_these("csv", "jsonl", "ris", "trec", "qrels", "npy", "parquet"),
        ),
    ] = None,
    query: Annotated[str | None, typer.Option(help="Hits of this query.")] = None,
    project: Annotated[str | None, typer.Option(help="Hits or marks of this project.")] = None,
    k: Annotated[int | None, typer.Option("-k", help="How many hits.", min=1, show_default=str(USUAL_K))] = None,
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
    of_hits = asked | {name: given for name, given in {"query": query, "k": k}.items() if given is not None}
    _refuse_ignored(what, of_hits, project)
    is_printed = str(to) == "-"
    if is_printed and what in NOT_TEXT:
        raise InputError(f"{what} cannot be printed; name a {'folder' if what == 'model' else 'file'} by --to")
    if what != "model":
        prepare_file(to, "--to")
    with opened(file) as collection:
        chosen: dict[str, Any] = {"form": form, "project": project if what == "marks" else None}
        if what == "hits":
            chosen["hits"] = searched(collection, {"k": USUAL_K} | of_hits, project=project)
        if is_printed:
            write_text(to, "".join(f"{line}\n" for line in collection.exported(what, **chosen)))
            return
        n_rows = collection.export(to, cast(Any, what), **chosen)
    if as_json:
        print_json({"what": what, "rows": n_rows, "path": str(to)})
    elif not quiet:
        counted = "the model" if what == "model" else f"{n_rows:,} {what}"
        out.print(f"{counted} in {to}", markup=False)


def _refuse_ignored(what: str, of_hits: Asked, project: str | None) -> None:
    """Refuses options that would be ignored, and hits of nothing."""
    given = [flag_of(name) for name in of_hits]
    if what != "hits" and given:
        raise InputError(f"{', '.join(given)} choose hits; leave them out, or give --what hits")
    if what not in ("hits", "marks") and project is not None:
        raise InputError("--project chooses hits or marks; leave it out, or give --what hits or --what marks")
    if what == "hits" and not given and project is None:
        raise InputError("give the --query or the --project whose hits are to be written")
