"""A server of a small collection, asked without a network."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from made_collections import make_collection
from satchel.server import Settings, create_app
from satchel.server.running import bound_socket, server_of

BASE = "/api/collections/own"


@contextmanager
def serving(folder: Path, settings: Settings | None = None, n_documents: int = 40) -> Iterator[TestClient]:
    """Answers for own.satchel in the folder, which is made where it is not there."""
    path = folder / "own.satchel"
    if not path.exists():
        make_collection(folder, n_documents).close()
    with TestClient(create_app([path], settings), base_url="http://localhost") as client:
        yield client


def end_of(client: TestClient, job: str) -> dict[str, Any]:
    """The last event of a job."""
    events = [line for line in client.get(f"/api/jobs/{job}/events").text.splitlines() if line.startswith("data: ")]
    last: dict[str, Any] = json.loads(events[-1].removeprefix("data: "))
    return last


@contextmanager
def listening(paths: list[Path], settings: Settings | None = None) -> Iterator[str]:
    """A server on a port of its own, in a thread; its address."""
    app, listener = create_app(paths, settings), bound_socket("127.0.0.1", 0)
    started = threading.Event()
    server = server_of(app, started.set)
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    assert started.wait(30)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.handle_exit(signal.SIGTERM, None)
        thread.join()
        listener.close()
