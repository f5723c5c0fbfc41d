"""`satchel cluster`: groups of texts that are about the same, as a table and as a map."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, cast, get_args

import typer

from satchel.cli.arguments import AsJson, opened
from satchel.cli.console import as_json_text, notes, one_line, out, prepare_file, print_json, print_table, write_text
from satchel.cli.evaluate import check_picture
from satchel.errors import InputError, one_of
from satchel.parts import build, parameters_from

if TYPE_CHECKING:
    from satchel.encoders import Encoder, Groups

TABLES = (".csv", ".json")
COLLECTION = ".satchel"
MOST_SKIPPED = 3
"""How many skipped files are named; the rest are counted."""
EXAMPLES = 3
"""How many texts of a group are shown: those nearest to its centre."""


class Named(NamedTuple):
    """Texts with their ids."""

    ids: list[str]
    texts: list[str]


def cluster(
    source: Annotated[
        str, typer.Argument(help="A folder or file of documents, a collection, or the name of a data set.")
    ],
    groups: Annotated[
        int | None, typer.Option(help="How many groups to make.", min=1, show_default="√(n/2) for n texts, 2 to 20")
    ] = None,
    table: Annotated[Path | None, typer.Option(help="Write each text with its group here (.csv, .json).")] = None,
    draw: Annotated[Path | None, typer.Option(help="Draw the map of all texts here (.png, .svg, .pdf).")] = None,
    projection: Annotated[
        str | None, typer.Option("--map", help="How the map is made: t-sne or pca.", show_default="t-sne")
    ] = None,
    encoder: Annotated[
        str | None,
        typer.Option(help="The encoder whose vectors are grouped.", show_default="FisherVectors of one component"),
    ] = None,
    parameters: Annotated[
        list[str] | None, typer.Option("--set", help="A parameter of the encoder, such as dim=100.")
    ] = None,
    n_words: Annotated[int, typer.Option("--n-words", help="How many words name a group.", min=1)] = 6,
    seed: Annotated[int, typer.Option(help="The same seed gives the same groups.", min=0)] = 0,
    as_json: AsJson = False,
) -> None:
    """Group texts that are about the same, without labels, and name each group by its words.

    \b
    Examples:
      satchel cluster ~/notes --groups 8
      satchel cluster papers.csv --table groups.csv --draw map.png
      satchel cluster 20ng --groups 20 --set dim=100
    """
    from satchel.encoders import group_texts

    _check_files(table, draw, projection)
    usual = {"n_components": 1} if encoder is None else {}
    chosen = usual | parameters_from(parameters or []) | {"name": encoder or "FisherVectors"}
    model: Encoder = build("encoder", chosen, seed)
    found = _texts_of(source)
    with notes.status(f"grouping {len(found.texts):,} texts"):
        grouped = group_texts(found.texts, groups, encoder=model, n_words=n_words, random_state=seed)
    if table is not None:
        write_text(table, _as_csv(found, grouped) if table.suffix == ".csv" else as_json_text(_as_rows(found, grouped)))
    if draw is not None:
        _draw(draw, grouped, projection, seed)
    _print(found, grouped, as_json)


def _check_files(table: Path | None, draw: Path | None, projection: str | None) -> None:
    """Checks, before anything is computed, that the output files can be written."""
    from satchel.collection import Projection

    if table is not None and table.suffix not in TABLES:
        raise InputError(f"--table is {table}; tables are written to {' or '.join(TABLES)}")
    if projection is not None:
        one_of("projection", projection, get_args(Projection))
        if draw is None:
            raise InputError("--map says how to draw; name the picture too, such as --draw map.png")
    if draw is not None:
        check_picture(draw, "--draw")
    prepare_file(table, "--table")
    prepare_file(draw, "--draw")


def _texts_of(source: str) -> Named:
    from satchel.cli.texts import texts_from

    path = Path(source)
    if path.suffix == COLLECTION and path.is_file():
        with opened(path) as collection:
            ids = list(collection)
            return Named(ids, [collection[id_].text for id_ in ids])
    if path.exists():
        return _documents_below(path)
    texts = texts_from(source)
    return Named([str(number) for number in range(len(texts))], texts)


def _documents_below(path: Path) -> Named:
    """The documents of a file or folder; prints what could not be read."""
    from satchel.importing import Document, Skipped, read_documents
    from satchel.text import title_first

    found = list(read_documents(path))
    documents = [one for one in found if isinstance(one, Document)]
    skipped = [one for one in found if isinstance(one, Skipped)]
    for one in skipped[:MOST_SKIPPED]:
        notes.print(f"skipped {one_line(one.source)}: {one.reason}", markup=False, soft_wrap=True)
    if len(skipped) > MOST_SKIPPED:
        notes.print(f"skipped {len(skipped) - MOST_SKIPPED:,} more", markup=False)
    if not documents:
        raise InputError(f"no document could be read from {path}; give a folder or a file with texts")
    return Named([one.id for one in documents], [title_first(one.title, one.text) for one in documents])


def _print(found: Named, grouped: Groups, as_json: bool) -> None:
    without = int((grouped.labels < 0).sum())
    rows = [
        (number, len(group.members), list(group.words), [found.ids[one] for one in group.members[:EXAMPLES]])
        for number, group in enumerate(grouped.groups, start=1)
    ]
    if as_json:
        keys = ("group", "texts", "words", "nearest")
        shown = [dict(zip(keys, row, strict=True)) for row in rows]
        print_json({"texts": len(found.texts), "without a known word": without, "groups": shown})
        return
    cells = [
        (str(number), f"{size:,}", ", ".join(words), ", ".join(map(one_line, nearest)))
        for number, size, words, nearest in rows
    ]
    print_table(("group", "texts", "words", "nearest to its centre"), cells)
    if without:
        out.print(f"{without:,} texts hold no known word and are in no group")


def _as_rows(found: Named, grouped: Groups) -> list[dict[str, Any]]:
    """A row for each text: its group by number (from 1; None where it has none) and words, and its cosine to it."""
    return list(_rows(found, grouped))


def _rows(found: Named, grouped: Groups) -> Iterator[dict[str, Any]]:
    for id_, label, fit in zip(found.ids, grouped.labels.tolist(), grouped.fits.tolist(), strict=True):
        words = " ".join(grouped.groups[label].words) if label >= 0 else ""
        yield {"id": id_, "group": label + 1 if label >= 0 else None, "words": words, "cosine": round(fit, 4)}


def _as_csv(found: Named, grouped: Groups) -> str:
    lines = io.StringIO()
    writer = csv.DictWriter(lines, ("id", "group", "words", "cosine"), lineterminator="\n")
    writer.writeheader()
    writer.writerows(_rows(found, grouped))
    return lines.getvalue()


def _draw(path: Path, grouped: Groups, projection: str | None, seed: int) -> None:
    from satchel.collection import Projection, plane_points
    from satchel.evaluation import plot_map

    with notes.status("drawing the map"):
        points = plane_points(grouped.vectors, cast(Projection, projection or "t-sne"), seed)
        names = [" ".join([f"{number}:", *group.words[:3]]) for number, group in enumerate(grouped.groups, start=1)]
        figure = plot_map(points, grouped.labels, names).get_figure(root=True)
        if figure is not None:
            figure.savefig(path, dpi=150)
