"""A search as it was sent, answered as it travels."""

from __future__ import annotations

import time
from typing import Any

from satchel.collection import Collection
from satchel.collection.forms import as_json
from satchel.server.bodies import Search
from satchel.server.replies import as_bytes


def searched(collection: Collection, body: Search) -> bytes:
    """The answer, ready to be sent."""
    return as_bytes(answer_of(collection, body))


def answer_of(collection: Collection, body: Search) -> dict[str, Any]:
    """The hits with the seconds that the library took."""
    started = time.perf_counter()
    hits = collection.find(body.request())
    return {**as_json(hits), "seconds": round(time.perf_counter() - started, 6)}
