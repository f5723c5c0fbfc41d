"""What the commands print with: tables, JSON, progress."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from satchel.errors import InputError

PIPED_WIDTH = 10_000  # where no terminal sets the width: a row of a table stays on its line, for grep and the like

out = Console(highlight=False, width=None if sys.stdout.isatty() else PIPED_WIDTH)
notes = Console(stderr=True, highlight=False)


def print_json(value: object) -> None:
    """Plain JSON on standard output, for other programs."""
    sys.stdout.write(as_json_text(value))


def as_json_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, title: str = "") -> None:
    """A table with the numbers right-aligned; documents' text is never read as markup."""
    table = Table(header_style="bold", box=None, pad_edge=False)
    for position, column in enumerate(columns):
        is_number = all(row[position].lstrip("-").replace(".", "", 1).replace(",", "").isdigit() for row in rows)
        table.add_column(column, justify="right" if is_number and rows else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(escape, row))
    if title:
        out.print(title, markup=False)
    out.print(table)


@contextmanager
def steps(total: int) -> Iterator[Callable[[str], None]]:
    """A progress bar on standard error that moves when a step is named; plain lines where there is no terminal."""
    if not notes.is_terminal:
        yield lambda step: print(step, file=sys.stderr)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}/{task.total}"))
    with Progress(*columns, TimeElapsedColumn(), console=notes, transient=True) as bar:
        task = bar.add_task("starting", total=total, completed=-1)
        yield lambda step: bar.update(task, description=escape(step), advance=1)


@contextmanager
def download_bar(name: str) -> Iterator[Callable[[int, int | None], None]]:
    """A progress bar for a download, called with bytes done and bytes in all; silent where there is no terminal."""
    columns = (TextColumn(escape(name)), BarColumn(), DownloadColumn())
    with Progress(*columns, console=notes, transient=True, disable=not notes.is_terminal) as bar:
        task = bar.add_task(name, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def prepare_file(path: Path | None, option: str) -> None:
    """Before anything is computed: the file that an option names can be written, and its folder is there."""
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
