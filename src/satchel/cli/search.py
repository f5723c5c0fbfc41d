"""`satchel search`, `export`, `info` and `check`: show what a collection finds and holds, or write it to files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from satchel.cli.arguments import (
    AsJson,
    File,
    Quiet,
    RequestFields,
    flag_of,
    one_of_these,
    opened,
    searched,
    with_request,
)
from satchel.cli.console import (
    Ids,
    Run,
    Why,
    as_form,
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
from satchel.errors import DamagedCollectionError, InputError, one_of

if TYPE_CHECKING:
    from satchel.collection import Collection

NOT_TEXT = ("vectors", "model")
USUAL_K = 100


@with_request()
def search(
    file: File,
    request: RequestFields,
    why: Why = False,
    as_json: AsJson = False,
    ids: Ids = False,
    run: Run = False,
) -> None:
    """Search a collection, by words and by meaning.

    Marks given here re-rank all documents at once and are not saved; `satchel mark` saves them. Marks that were saved
    for the same query count without being given.

    A query may hold "a phrase", -word, AND, OR, NOT, (…), field:word, year:2019..2024, prefix* and NEAR(a b, 5).

    \b
    Examples:
      satchel search papers.satchel "grid storage"
      satchel search papers.satchel '"heat pump" noise -car author:weber'
      satchel search papers.satchel "grid storage" --relevant a.pdf --irrelevant b.pdf --why
      satchel search papers.satchel --like a.pdf --where 'year>=2019' --where lang=en,de
      satchel search papers.satchel --project storage -k 100 --run > storage.run
    """
    with opened(file) as collection:
        hits = searched(collection, request, **({"explained": False} if ids or run else {}))
        show_hits(collection, hits, why=why, as_json=as_json, ids=ids, run=run)


@with_request(without=("explained", "compare_with"))
def export(
    file: File,
    what: Annotated[
        str,
        typer.Option(
            help="What to write: hits, marks, documents, vectors or model.",
            autocompletion=one_of_these("hits", "marks", "documents", "vectors", "model"),
        ),
    ],
    to: Annotated[Path, typer.Option(help="The file to write, or the folder of the model. '-' prints the rows.")],
    request: RequestFields,
    form: Annotated[
        str | None,
        typer.Option(
            help="csv, jsonl or ris; for hits also trec, for marks also qrels; for vectors npy or parquet.",
            show_default="detected from the file's ending",
            autocompletion=one_of_these("csv", "jsonl", "ris", "trec", "qrels", "npy", "parquet"),
        ),
    ] = None,
    query: Annotated[str | None, typer.Option(help="Write the hits of this query.")] = None,
    project: Annotated[str | None, typer.Option(help="Write the hits or marks of this project.")] = None,
    k: Annotated[int | None, typer.Option("-k", help="How many hits.", min=1, show_default=str(USUAL_K))] = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Write hits, marks, documents, vectors or the model. An existing file is replaced once the new one is complete.

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
    of_hits = request | {name: given for name, given in {"query": query, "k": k}.items() if given is not None}
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


def _refuse_ignored(what: str, of_hits: RequestFields, project: str | None) -> None:
    """Refuses options that would be ignored, and hits without a query."""
    given = [flag_of(name) for name in of_hits]
    if what != "hits" and given:
        raise InputError(f"{', '.join(given)} choose hits; leave them out, or give --what hits")
    if what not in ("hits", "marks") and project is not None:
        raise InputError("--project chooses hits or marks; leave it out, or give --what hits or --what marks")
    if what == "hits" and not given and project is None:
        raise InputError("give the --query or the --project whose hits are to be written")


def info(file: File, as_json: AsJson = False) -> None:
    """Show what a collection holds: documents, fields, model, marks, projects.

    \b
    Example:
      satchel info papers.satchel
    """
    with opened(file) as collection:
        found = collection.info()
    if as_json:
        print_json(as_form(found))
        return
    print_pairs(found.rows())
    if found.trainings:
        rows = [
            (str(one.model), one.learned_from, f"{one.n_documents:,}", day(one.time), f"{one.seconds:.1f}")
            for one in found.trainings
        ]
        print_table(("model", "learned from", "documents", "when", "seconds"), rows)


def check(
    file: File,
    repair: Annotated[
        bool, typer.Option("--repair", help="Rebuild a damaged index, fields or vectors from the documents.")
    ] = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Check a collection: its pages, index, documents, vectors and model. If anything is wrong, the exit code is 1.

    The index, the fields and the vectors can be rebuilt in one transaction. Texts and marks are never changed.

    \b
    Examples:
      satchel check papers.satchel && cp papers.satchel backup/
      satchel check papers.satchel --repair
    """
    n_documents, repaired = None, list[str]()
    try:
        with opened(file) as collection:
            findings = collection.check()
            if findings and repair:
                repaired = _repair(collection, findings, quiet or as_json)
                findings = collection.check()
            n_documents = len(collection) if not findings else None
    except DamagedCollectionError as error:
        findings = [str(error)]
    if as_json:
        report = {"fits together": not findings, "documents": n_documents, "findings": findings, "repaired": repaired}
        print_json({"file": str(file), **report})
    elif not findings and not quiet:
        out.print(f"{file} is whole: {n_documents:,} documents", markup=False)
    elif findings:
        for finding in findings:
            out.print(f"{file}: {one_line(finding)}", markup=False, soft_wrap=True)
    if findings:
        raise typer.Exit(code=1)


def _repair(collection: Collection, findings: list[str], is_silent: bool) -> list[str]:
    """Repairs what was found; prints each finding, and each step before it starts."""

    def tell(sentence: str, done: int, total: int) -> None:
        if not is_silent and not done:
            out.print(f"{collection.path}: {one_line(sentence)}", markup=False, soft_wrap=True)

    for finding in findings:
        tell(finding, 0, 0)
    return collection.repair(on_progress=tell)
