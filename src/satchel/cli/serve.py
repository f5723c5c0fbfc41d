"""`satchel serve` and `satchel demo`: show collections, or a sample of this machine's own Python, on a local page."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

import satchel
from satchel.cli.arguments import AsJson, opened
from satchel.cli.console import Why, notes, out, show_hits
from satchel.errors import InputError, SatchelError, missing_extra

if TYPE_CHECKING:
    from satchel.collection import Collection
    from satchel.datasets import LabelledTexts

PORT = 8765
TOUR = (
    ("compress a folder into an archive", "Found by words and by meaning; each hit says why it is there."),
    ("send an email with an attachment", "A theme is a group of words that the collection itself taught."),
    ("wait for several threads to finish", "Modules, classes, functions, methods and language topics are documents."),
)
MARKED = "concurrent.futures."
"""The tour repeats its last query with the best hit of this kind marked as relevant."""


def serve(
    files: Annotated[list[Path], typer.Argument(help="The collections, such as papers.satchel.")],
    host: Annotated[
        str, typer.Option(help="The address to listen on. Any other than this machine's own needs a token.")
    ] = ("127.0.0.1"),
    port: Annotated[
        int, typer.Option(help="If the port is in use, the next free one is taken. 0 takes any free port.", max=65_535)
    ] = PORT,
    browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
    token: Annotated[
        bool, typer.Option("--token", help="Require a token even on this machine. It is made now and shown once.")
    ] = False,
    processes: Annotated[
        int | None,
        typer.Option(
            help="How many processes help when several searches come at once. Default: one per core, less one.", min=0
        ),
    ] = None,
) -> None:
    """Serve collections on a local page, to search, mark and watch the ranking learn. Ctrl-C ends it.

    \b
    Examples:
      satchel serve papers.satchel
      satchel serve papers.satchel patents.satchel --port 9000 --no-open
    """
    serve_page(files, host=host, port=port, browser=browser, with_token=token, processes=processes)


def serve_page(
    files: Sequence[Path],
    *,
    host: str = "127.0.0.1",
    port: int = PORT,
    browser: bool = True,
    with_token: bool = False,
    processes: int | None = None,
    seconds: float | None = None,
) -> None:
    """Serves until it is stopped, or for this many seconds; prints the address once it answers."""
    try:
        from satchel.server import Settings, bound_socket, create_app, is_loopback, new_token, run, usual_processes
    except ImportError as error:
        raise missing_extra("the page", "server") from error
    token = new_token() if with_token or not is_loopback(host) else None
    helping = usual_processes() if processes is None else processes
    app = create_app(files, Settings.of_host(host, token, processes=helping))
    listener = bound_socket(host, port)
    shown = "127.0.0.1" if host in ("0.0.0.0", "::", "") else f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listener.getsockname()[1]}/" + (f"?token={token}" if token else "")

    def announce() -> None:
        out.print(f"Satchel is at {address} — Ctrl-C ends it.", markup=False, soft_wrap=True)
        if token:
            out.print("The token in the address is shown this once; whoever has it may search and change.")
        if browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    run(app, listener, announce, seconds)


def demo(
    query: Annotated[str | None, typer.Argument(help="What to look for. Without it, you get a short tour.")] = None,
    k: Annotated[int, typer.Option("-k", help="How many hits.", min=1)] = 5,
    why: Why = False,
    as_json: AsJson = False,
    page: Annotated[bool, typer.Option("--page", help="After the tour, serve the collection on a local page.")] = False,
    seconds: Annotated[
        float | None,
        typer.Option(
            help="Stop the page after this many seconds.",
            min=0,
            envvar="SATCHEL_DEMO_SECONDS",
            show_default="until Ctrl-C",
        ),
    ] = None,
) -> None:
    """Search the documentation of this machine's Python, as a collection.

    \b
    Examples:
      satchel demo "compress a folder into an archive"
      satchel demo --page
    """
    with _sample_collection() as collection:
        if query is None and not as_json:
            _tour(collection)
            if page:
                _serve(collection.path, seconds)
            return
        query = TOUR[0][0] if query is None else query
        hits = collection.search(query, min(k, len(collection)))
        if not hits:
            raise InputError(f"no word of the query {query!r} is known to this collection; try other words")
        show_hits(collection, hits, why=why, as_json=as_json, more=False)


def _serve(path: Path, seconds: float | None) -> None:
    """Serves the page until it is stopped. In CI, where nobody can stop it, it ends as soon as it has started."""
    if seconds is None and os.environ.get("CI"):
        seconds = 0
    serve_page([path], browser=seconds is None and sys.stdout.isatty(), seconds=seconds)


@contextmanager
def _sample_collection() -> Iterator[Collection]:
    """Opens the sample as a collection. It is cached, and made again if the cache cannot be read or written."""
    from satchel.datasets import load
    from satchel.storage import cache_folder
    from satchel.store import FILE_VERSION

    with notes.status("reading the standard library's documentation"):
        sample = load("sample")
    digest = hashlib.sha256("\0".join(sample.texts).encode()).hexdigest()[:16]
    name = f"{satchel.__version__}-format{FILE_VERSION}-{digest}"  # a file of another format has another name
    path = cache_folder() / "sample" / name / "python.satchel"
    with tempfile.TemporaryDirectory() as folder:
        found = _kept(path) or opened(_made(sample, path, Path(folder)))
        with found:
            yield found


def _kept(path: Path) -> Collection | None:
    with suppress(SatchelError, OSError):
        return opened(path)
    return None


def _made(sample: LabelledTexts, path: Path, folder: Path) -> Path:
    """Makes the collection, moves it into the cache when it is complete, and returns its path."""
    from satchel.collection import Collection, Document

    rows = zip(sample.ids, sample.texts, sample.labels, strict=True)
    made = folder / path.name
    with notes.status("making a collection of it, once"), Collection.create(made) as collection:
        collection.add(Document(id_, text, fields={"module": label}) for id_, text, label in rows)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.{os.getpid()}")
        part.write_bytes(made.read_bytes())
        return part.replace(path)
    return made


def _tour(collection: Collection) -> None:
    out.print(f"[bold]{len(collection):,} documents[/] in one file: the documentation of this machine's Python.\n")
    for query, remark in TOUR:
        out.print(f'[bold cyan]satchel demo "{query}"[/]')
        show_hits(collection, collection.search(query, 3), more=False)
        out.print(f"[dim]{remark}[/]\n")
    _show_a_mark(collection, TOUR[-1][0])
    out.print(f'Now yours: [bold]satchel demo[/] "…", or [bold]satchel search[/] {escape(str(collection.path))} "…"')
    out.print("Your own documents: [bold]satchel add[/] mine.satchel ~/documents, then search mine.satchel.")


def _show_a_mark(collection: Collection, query: str) -> None:
    """Shows the same query after a mark, which re-ranks everything."""
    found = next((hit.id for hit in collection.search(query, 200) if hit.id.startswith(MARKED)), None)
    if found is not None:
        out.print(f'[bold cyan]satchel search … "{query}" --relevant {escape(found)}[/]')
        show_hits(collection, collection.search(query, 3, relevant=[found]), more=False)
        out.print("[dim]One mark re-ranks everything at once, and nothing is encoded again.[/]\n")
