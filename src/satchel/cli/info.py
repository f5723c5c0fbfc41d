"""`satchel info` and `satchel check`: what a collection holds, and whether all of it fits together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from satchel.cli.console import as_form, day, one_line, out, print_json, print_pairs, print_table
from satchel.cli.opened import AsJson, File, Quiet, opened
from satchel.errors import DamagedCollectionError

if TYPE_CHECKING:
    from satchel.collection import Collection


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
        bool, typer.Option("--repair", help="Make index, fields and vectors anew from the documents where damaged.")
    ] = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Verify a collection: pages, index, documents, vectors, model. Exit code 1 where anything is wrong.

    What follows from the documents can be repaired, in one transaction; their texts and the marks are never touched.

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
        told = {"fits together": not findings, "documents": n_documents, "findings": findings, "repaired": repaired}
        print_json({"file": str(file), **told})
    elif not findings and not quiet:
        out.print(f"{file} is whole: {n_documents:,} documents", markup=False)
    elif findings:
        for finding in findings:
            out.print(f"{file}: {one_line(finding)}", markup=False, soft_wrap=True)
    if findings:
        raise typer.Exit(code=1)


def _repair(collection: Collection, findings: list[str], is_silent: bool) -> list[str]:
    """What is wrong, and each thing that is done about it, told before it is done."""

    def tell(sentence: str, done: int, total: int) -> None:
        if not is_silent and not done:
            out.print(f"{collection.path}: {one_line(sentence)}", markup=False, soft_wrap=True)

    for finding in findings:
        tell(finding, 0, 0)
    return collection.repair(on_progress=tell)
