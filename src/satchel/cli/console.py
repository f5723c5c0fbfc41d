"""What the commands print: tables, JSON, hits, and the one progress bar."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.filesize import decimal
from rich.markup import escape
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar
from rich.table import Table
from rich.text import Text

from satchel.errors import InputError
from satchel.progress import DOWNLOADING, Progress, no_progress

if TYPE_CHECKING:
    from satchel.collection import Collection, Facet, Hit, Hits, Reasons

PIPED_WIDTH = 10_000  # without a terminal, each row of a table stays on one line, for grep and the like
_CONTROLS = (*range(32), *range(127, 160), 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_HARMLESS = {code: " " if chr(code) in "\t\n\r\x0b\x0c\x85\u2028\u2029" else "\ufffd" for code in _CONTROLS}
Why = Annotated[bool, typer.Option("--why", help="Show the scores, and what each word and theme adds to them.")]
Ids = Annotated[bool, typer.Option("--ids", help="Print only ids, one per line.")]
Run = Annotated[bool, typer.Option("--run", help="Print the hits as a TREC run.")]

INDENT = 5
MATCH = "bold yellow"
COLOURS = {"relevant": "green", "maybe": "yellow", "irrelevant": "red"}


class _Output(Console):
    """A console that raises BrokenPipeError when nobody reads it any more, as plain prints do."""

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError


def _open_streams() -> None:
    """Discards output that was closed from outside, as by `>&-`; Python has None in its place."""
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115 - for as long as the program runs
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115


_open_streams()
out = _Output(highlight=False, width=None if sys.stdout.isatty() else PIPED_WIDTH)
notes = Console(stderr=True, highlight=False)


def print_json(value: object) -> None:
    """Plain JSON on standard output, for other programs."""
    sys.stdout.write(as_json_text(value))


def as_form(result: object) -> Any:
    """The JSON form of a result of the library."""
    from satchel.collection import as_json

    return as_json(result)


def as_json_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, title: str = "") -> None:
    """Prints a table with right-aligned numbers; the text of documents is never read as markup."""
    table = Table(header_style="bold", box=None, pad_edge=False)
    for position, column in enumerate(columns):
        is_number = all(row[position].lstrip("-").replace(".", "", 1).replace(",", "").isdigit() for row in rows)
        table.add_column(column, justify="right" if is_number and rows else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(escape, row))
    if title:
        out.print(title, markup=False)
    out.print(table)


def print_pairs(rows: Sequence[tuple[str, str]]) -> None:
    """Prints names and values, one row each, without a head."""
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        out.print(f"{name:<{width}}  {one_line(value)}", markup=False, soft_wrap=True)


def one_line(text: str) -> str:
    """A text that is safe to print in a terminal: without line ends and signs that move the cursor or turn text."""
    return text.translate(_HARMLESS)


def day(seconds: float) -> str:
    """A time as a person reads it, by the clock of this machine."""
    return f"{datetime.fromtimestamp(seconds):%Y-%m-%d %H:%M}"


def print_indented(text: Text, indent: int) -> None:
    """Prints a text wrapped to the width of the terminal, with every line indented."""
    for line in text.wrap(out, max(20, out.width - indent)):
        line.rstrip()
        out.print(Text(" " * indent).append_text(line), soft_wrap=True)


@contextmanager
def progress_bar(*, lines: bool = False) -> Iterator[Progress]:
    """A progress bar on standard error. Without a terminal it is silent.

    lines: without a terminal, each new stage is printed as a plain line.
    """
    if not notes.is_terminal:
        yield _stage_lines() if lines else no_progress
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TextColumn("{task.fields[counted]}"))
    with Bar(*columns, TimeElapsedColumn(), console=notes, transient=True) as bar:
        task = bar.add_task("starting", total=None, counted="")

        def move(stage: str, done: int, total: int) -> None:
            bar.update(
                task, description=stage, completed=done, total=total or None, counted=_counted(stage, done, total)
            )

        yield move


def _counted(stage: str, done: int, total: int) -> str:
    if not done:
        return ""
    shown, of = (decimal(n) if stage == DOWNLOADING else f"{n:,}" for n in (done, total))
    return f"{shown} of {of}" if total else shown


def _stage_lines() -> Progress:
    last = ""

    def tell(stage: str, done: int, total: int) -> None:
        nonlocal last
        if stage != last:
            print(stage, file=sys.stderr)
        last = stage

    return tell


def prepare_file(path: Path | None, option: str) -> None:
    """Checks, before anything is computed, that the file of an option can be written; its folder is made."""
    if path is not None and path.is_dir():
        raise InputError(f"{option} is the folder {path}; name a file in it")
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)


def write_text(path: Path, text: str) -> None:
    """Writes a file, or standard output for the path `-`."""
    if str(path) == "-":
        sys.stdout.write(text)
    else:
        path.write_text(text, encoding="utf-8")


def show_hits(
    collection: Collection,
    hits: Hits,
    *,
    why: bool = False,
    as_json: bool = False,
    ids: bool = False,
    run: bool = False,
    more: bool = True,
) -> None:
    """Prints one page of hits in the chosen form; more: says how to see the next page."""
    if as_json + ids + run > 1:
        raise InputError("choose one of --json, --ids and --run")
    if as_json:
        print_json(as_form(hits))
        return
    for sentence in hits.notes:
        notes.print(one_line(sentence), style="dim", markup=False, soft_wrap=True)
    if hits.did_you_mean and not hits.notes:
        notes.print(one_line(f"did you mean: {hits.did_you_mean}"), style="dim", markup=False, soft_wrap=True)
    if ids:
        write_text(Path("-"), "".join(f"{hit.id}\n" for hit in hits))
    elif run:
        write_text(Path("-"), "".join(f"{line}\n" for line in collection.exported("hits", "trec", hits=hits)))
    else:
        _print_hits(hits, why, more)


def _print_hits(hits: Hits, why: bool, more: bool) -> None:
    for hit in hits:
        _print_hit(hit, why, is_answer=bool(hits.query or hits.learned or hit.reasons.words or hit.reasons.matches))
    if hits.learned:
        out.print("what the marks taught")
    for sentence in hits.learned:
        print_indented(Text(one_line(sentence)), INDENT)
    for facet in hits.facets:
        out.print(one_line(_counted_values(facet)), markup=False, soft_wrap=True)
    if not hits:
        out.print("nothing found" if not hits.total else f"no more: {hits.total:,} found in all")
    elif more and hits.total > hits[-1].rank:
        first, last = hits[0].rank, hits[-1].rank
        notes.print(f"{first:,} to {last:,} of {hits.total:,}; --offset {last} shows more", style="dim", soft_wrap=True)


def _counted_values(facet: Facet) -> str:
    """A facet on one line: year: 2021 (3), 2019 (12)."""
    values = (f"{one.value}{'' if one.to is None else f' to {one.to}'} ({one.n_documents:,})" for one in facet.values)
    return f"{facet.field}: {', '.join(values) or 'no document found has this field'}"


def _print_hit(hit: Hit, why: bool, *, is_answer: bool) -> None:
    """Title, id, snippet and reason; a document that was only listed has no score and no reason."""
    head, about = Text(f"{hit.rank:3}. "), Text()
    if hit.title:
        out.print(head.append(one_line(hit.title), style="bold"), soft_wrap=True)
        head = Text(" " * INDENT)
    about.append(one_line(hit.id), style="cyan")
    if is_answer:
        about.append(f"  {hit.score:.3f}", style="dim")
    if hit.place:
        about.append(f"  {one_line(hit.place)}")
    if hit.mark is not None:
        about.append(f"  {hit.mark}", style=COLOURS[hit.mark])
    out.print(head.append_text(about), soft_wrap=True)
    if hit.snippet.text:
        snippet = Text(one_line(hit.snippet.text))
        for start, stop in hit.snippet.matches:
            snippet.stylize(MATCH, start, stop)
        print_indented(snippet, INDENT)
    if is_answer:
        for line in _because(hit.reasons, why):
            print_indented(Text(one_line(line), style="dim"), INDENT)


def _because(reasons: Reasons, why: bool) -> list[str]:
    said = [f"because it {reasons}"]
    if not why:
        return said
    if reasons.words:
        said.append("words: " + ", ".join(f"{part.word} {part.contribution:+.2f}" for part in reasons.words))
    for theme in reasons.themes:
        said.append(f"theme {theme.codeword}: {' '.join(theme.words)} {theme.contribution:+.2f}")
    scores = [("by words (BM25)", reasons.lexical), ("by meaning (cosine)", reasons.semantic)]
    said.append("scores: " + ", ".join(f"{name} {'none' if s is None else f'{s:.3f}'}" for name, s in scores))
    return said
