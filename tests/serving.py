"""A server of a small collection, asked without a network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from made_collections import make_collection
from satchel.server import Settings, create_app

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
