"""Collections and searches."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from satchel.errors import InputError
from satchel.server.answers import CollectionInfo, FieldAnswer, SearchAnswer
from satchel.server.bodies import Search
from satchel.server.places import FAILURES, Chosen, collection_routes, shelf_of
from satchel.server.reader import Reader
from satchel.server.replies import AbsentError, as_bytes, sent
from satchel.server.shelf import Served
from satchel.server.wire import field_as_json, info_as_json, training_as_json

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
    return sent(await served.search(body))
