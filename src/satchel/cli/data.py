"""`satchel data`: the data sets that Satchel knows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from satchel.cli.console import notes, one_line, out, print_json, print_table, progress_bar
from satchel.errors import InputError, one_of

if TYPE_CHECKING:
    from satchel.importing import Skipped

app = typer.Typer(help="List and fetch public data sets.", no_args_is_help=True, rich_markup_mode=None)


@app.command("list")
def list_data(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """The data sets, and where each one lies.

    That is $SATCHEL_DATA ("data folder"), the cache, or only the data set's source.
    """
    from satchel.datasets import DATASETS, place_of

    rows = [
        {
            "name": name,
            "kind": entry.kind,
            "rows": entry.rows,
            "place": place_of(name),
            "description": entry.description,
        }
        for name, entry in DATASETS.items()
    ]
    if as_json:
        print_json(rows)
    else:
        columns = ("name", "kind", "rows", "place", "description")
        print_table(columns, [tuple(str(row[column]) for column in columns) for row in rows])


@app.command("get")
def get_data(
    name: Annotated[str, typer.Argument(help="A name from `satchel data list`.")],
) -> None:
    """Fetch a data set into the cache, verified by checksum.

    \b
    Example:
      satchel data get r8
    """
    from satchel.datasets import fetch

    with progress_bar() as on_progress:
        path = fetch(name, on_progress=on_progress)
    out.print(f"{name} lies in {path}", markup=False)


@app.command("make")
def make_data(
    name: Annotated[str, typer.Argument(help="A licensed set: tdt, robust04, trec12 or clef03.")],
    documents: Annotated[Path, typer.Argument(help="The folder with its documents, unpacked.")],
    topics: Annotated[list[Path], typer.Option(help="Topics; of TDT the table of relevance. May be given again.")],
    judgments: Annotated[list[Path] | None, typer.Option(help="TREC's qrels. May be given again.")] = None,
    parts: Annotated[list[str] | None, typer.Option("--part", help="title, desc, narr.", show_default="title")] = None,
) -> None:
    """Make a licensed data set from a copy of your own, and keep it in the cache.

    \b
    Examples:
      satchel data make robust04 disks45 --topics topics.301-450 --topics topics.601-700 --judgments qrels.txt
      satchel data make tdt stories --topics tdt2_topic_rel.complete_annot.v3.3
    """
    from satchel.datasets import LICENSED
    from satchel.storage import cache_folder

    one_of("licensed set", name, LICENSED)
    folder = cache_folder() / name
    if LICENSED[name] == "ad hoc":
        if not judgments:
            raise InputError(f"{name} needs the judgments of its topics; name their file with --judgments")
        kept = _keep_judged(folder, documents, topics, judgments, parts or ["title"])
    else:
        if judgments or parts:
            raise InputError(f"{name} has stories by topic and takes neither --judgments nor --part")
        kept = _keep_stories(folder, documents, topics)
    out.print(f"{name} lies in {folder}: {kept}", markup=False, soft_wrap=True)


def _keep_judged(folder: Path, documents: Path, topics: list[Path], judgments: list[Path], parts: list[str]) -> str:
    from satchel.datasets import TopicPart, read_trec_set, write_beir

    wanted = cast(list[TopicPart], parts)
    found = read_trec_set(folder.name, documents, topics, judgments, wanted, _tell)
    rows = list(zip(found.documents.ids, found.documents.titles, found.documents.texts, strict=True))
    write_beir(folder, rows, list(zip(found.queries.ids, found.queries.texts, strict=True)), found.judgments)
    return f"{len(rows):,} documents, {len(found.queries):,} queries, {len(found.judged_queries()):,} of them judged"


def _keep_stories(folder: Path, stories: Path, topics: list[Path]) -> str:
    from satchel.datasets import LabelledTexts, read_tdt, write_labelled

    found = read_tdt(stories, topics, on_skipped=_tell)
    write_labelled(folder / "test.jsonl.gz", LabelledTexts([], [], []))
    write_labelled(folder / "train.jsonl.gz", found)
    return f"{len(found):,} stories on {len(set(found.labels))} topics"


def _tell(skipped: Skipped) -> None:
    notes.print(f"skipped {one_line(skipped.source)}: {skipped.reason}", markup=False, soft_wrap=True)
