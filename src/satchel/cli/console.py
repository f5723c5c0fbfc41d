"""What the commands print with: tables, JSON, times, progress."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from satchel.errors import InputError

PIPED_WIDTH = 10_000  # where no terminal sets the width: a row of a table stays on its line, for grep and the like
_CONTROLS = (*range(32), *range(127, 160), 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_HARMLESS = {code: " " if chr(code) in "\t\n\r\x0b\x0c\x85\u2028\u2029" else "\ufffd" for code in _CONTROLS}


class _Output(Console):
    """A console that says when nobody reads it any more, so that the command line ends as it does for plain prints."""

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError


def _open_streams() -> None:
    """Output that whoever started the program closed, as `>&-` does, goes nowhere; Python has None in its place."""
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115 - for as long as the program runs
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115


_open_streams()
out = _Output(highlight=False, width=None if sys.stdout.isatty() else PIPED_WIDTH)
notes = Console(stderr=True, highlight=False)


def print_json(value: object) -> None:
    """Plain JSON on standard output, for other programs."""
    sys.stdout.write(as_json_text(value))


def as_form(result: object) -> Any:
    """A result of the library in the one form that it has as JSON."""
    from satchel.collection.forms import as_json

    return as_json(result)


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


def print_pairs(rows: Sequence[tuple[str, str]]) -> None:
    """Names and values, a row each, without a head."""
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        out.print(f"{name:<{width}}  {one_line(value)}", markup=False, soft_wrap=True)


def one_line(text: str) -> str:
    """A text as a terminal may show it, sign for sign: no line ends, nothing that moves the cursor or turns text."""
    return text.translate(_HARMLESS)


def day(seconds: float) -> str:
    """A time as a person reads it, by the clock of this machine."""
    return f"{datetime.fromtimestamp(seconds):%Y-%m-%d %H:%M}"


def print_indented(text: Text, indent: int) -> None:
    """A text that is wrapped to the width of the terminal, every line of it indented."""
    for line in text.wrap(out, max(20, out.width - indent)):
        line.rstrip()
        out.print(Text(" " * indent).append_text(line), soft_wrap=True)


@contextmanager
def stages() -> Iterator[Callable[[str, int, int], None]]:
    """A progress bar on standard error, told the stage, how much is done and how much there is (0: not known).

    Silent where there is no terminal.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[counted]}"))
    bar = Progress(*columns, TimeElapsedColumn(), console=notes, transient=True, disable=not notes.is_terminal)
    with bar:
        task = bar.add_task("starting", total=None, counted="")

        def move(stage: str, done: int, total: int) -> None:
            counted = f"{done:,}" + (f" of {total:,}" if total else "") if done else ""
            bar.update(task, description=stage, completed=done, total=total or None, counted=counted)

        yield move


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
