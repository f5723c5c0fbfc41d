"""A search as it was sent: what it names is looked for first, and the hits go back as they travel."""

from __future__ import annotations

import time
from typing import Any

from satchel.collection import Hits
from satchel.server.bodies import Search, plain_filters, plain_weights
from satchel.server.reader import Reader
from satchel.server.replies import AbsentError, as_bytes
from satchel.server.wire import hits_as_json


def searched(collection: Reader, body: Search) -> bytes:
    """The answer, ready to be sent."""
    return as_bytes(answer_of(collection, body))


def answer_of(collection: Reader, body: Search) -> dict[str, Any]:
    """The hits as they go over the wire, with the seconds that the library took."""
    started = time.perf_counter()
    hits = hits_of(collection, body)
    return hits_as_json(hits, time.perf_counter() - started)


def hits_of(collection: Reader, body: Search) -> Hits:
    """What the library finds."""
    check_named(collection, body)
    if body.only_new and body.interest is not None:
        return collection.new_for(body.interest, body.k, offset=body.offset, mode=body.mode)
    return collection.search(
        body.query,
        body.k,
        offset=body.offset,
        mode=body.mode,
        like=body.like or None,
        filters=plain_filters(body.filters),
        interest=body.interest,
        weights=plain_weights(body.weights) if body.weights else None,
        area=None if body.area is None else _area(*body.area),
        earlier_marks=body.earlier_marks,
        earlier_weights=None if body.earlier_weights is None else plain_weights(body.earlier_weights),
    )


def _area(x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
    """Drawn from any corner to the other."""
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def check_named(collection: Reader, body: Search) -> None:
    """What a search names is here."""
    if body.only_new and body.interest is None:
        raise AbsentError("what is new is asked for an interest; give its name")
    for id_ in body.like:
        check_document(collection, id_)
    if body.interest is not None:
        collection.check_interest(body.interest)
    if body.weights or body.earlier_weights:
        collection.check_themes(plain_weights(body.weights | (body.earlier_weights or {})))


def check_document(collection: Reader, id_: str) -> None:
    if id_ not in collection:
        raise AbsentError(f"there is no document {id_[:200]!r} here")
