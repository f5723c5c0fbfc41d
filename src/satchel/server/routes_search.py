"""Collections and searches."""

from __future__ import annotations

import time
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from satchel.collection import Hits
from satchel.errors import InputError
from satchel.server.answers import CollectionInfo, FieldAnswer, SearchAnswer
from satchel.server.bodies import Search, plain_filters, plain_weights
from satchel.server.places import FAILURES, Chosen, collection_routes, shelf_of
from satchel.server.replies import AbsentError, as_bytes, sent
from satchel.server.shelf import Reader, Served
from satchel.server.wire import field_as_json, hits_as_json, info_as_json, training_as_json

overview = APIRouter(prefix="/api/collections", tags=["collections"], responses=FAILURES)
router = collection_routes("search")


@overview.get("", response_model=list[CollectionInfo])
async def collections(request: Request) -> Response:
    """All collections of this server."""
    return sent(b"[" + b",".join([await _info(served) for served in shelf_of(request)]) + b"]")


@router.get("", response_model=CollectionInfo)
async def collection(served: Chosen) -> Response:
    """What a collection holds, and how its models were learned."""
    return sent(await _info(served, with_trainings=True))


@router.get("/fields", response_model=FieldAnswer)
async def field(served: Chosen, name: Annotated[str, Query(min_length=1, max_length=200)]) -> Response:
    """The values of a field, to filter by."""

    def ask(collection: Reader) -> bytes:
        try:
            return as_bytes(field_as_json(collection.field_values(name)))
        except InputError as error:
            raise AbsentError(str(error)) from error

    return sent(await served.answer(("field", name), ask))


async def _info(served: Served, with_trainings: bool = False) -> bytes:
    def ask(collection: Reader) -> bytes:
        info = collection.info()
        told = info_as_json(served.name, info, collection.read_only, collection.has_map())
        more = {"trainings": [training_as_json(one) for one in info.trainings]} if with_trainings else {}
        return as_bytes(told | more)

    return await served.answer(("info", with_trainings), ask)


@router.post("/search", response_model=SearchAnswer)
async def search(served: Chosen, body: Search) -> Response:
    """The best documents for a query or an interest, after all marks and weights that count for it."""
    return sent(await served.answer(body.model_dump_json(), lambda collection: as_bytes(answer_of(collection, body))))


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
