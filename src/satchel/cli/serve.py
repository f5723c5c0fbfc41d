"""`satchel serve`: collections on a local page, and as an HTTP API."""

from __future__ import annotations

import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from satchel.cli.console import out
from satchel.errors import missing_extra

PORT = 8765


def serve(
    files: Annotated[list[Path], typer.Argument(help="The collections, such as papers.satchel.")],
    host: Annotated[str, typer.Option(help="The address to listen at; any but this machine's own needs a token.")] = (
        "127.0.0.1"
    ),
    port: Annotated[
        int, typer.Option(help="The next free one is taken where it is in use; 0: any.", max=65_535)
    ] = PORT,
    browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
    token: Annotated[
        bool, typer.Option("--token", help="Ask for a token, which is made now and shown once, on this machine too.")
    ] = False,
    processes: Annotated[
        int | None,
        typer.Option(help="That help when several searches come at once; by default one for each core but one.", min=0),
    ] = None,
) -> None:
    """Serve collections on a local page: search, mark, watch the ranking learn. Ctrl-C ends it.

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
    """Serves until it is stopped, or for so many seconds; the address is printed when it answers."""
    try:
        from satchel.server.app import create_app
        from satchel.server.running import bound_socket, run
        from satchel.server.searchers import usual_processes
        from satchel.server.settings import Settings, is_loopback, new_token
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
