"""Routes of collections and searches."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from satchel.collection import Collection, as_json
from satchel.errors import AbsentError, InputError
from satchel.server.bodies import Search
from satchel.server.places import FAILURES, Chosen, collection_routes, shelf_of
from satchel.server.replies import as_bytes, sent
from satchel.server.schemas import MANY_INFOS, CollectionInfo, FieldAnswer, SearchAnswer
from satchel.server.shelf import Served

overview = APIRouter(prefix="/api/collections", tags=["collections"], responses=FAILURES)
router = collection_routes("search")


@overview.get("", response_model=MANY_INFOS)
async def collections(request: Request) -> Response:
    """All collections of this server."""
    return sent(b"[" + b",".join([await _info(served) for served in shelf_of(request)]) + b"]")


@router.get("", response_model=CollectionInfo)
async def collection(served: Chosen) -> Response:
    """What a collection holds, and how its models were learned."""
    return sent(await _info(served))


@router.get("/fields", response_model=FieldAnswer)
async def field(served: Chosen, name: Annotated[str, Query(min_length=1, max_length=200)]) -> Response:
    """The values of a field, to filter by."""

    def ask(collection: Collection) -> bytes:
        try:
            return as_bytes(as_json(collection.field_values(name)))
        except InputError as error:
            raise AbsentError(str(error)) from error

    return sent(await served.answer(("field", name), ask))


async def _info(served: Served) -> bytes:
    def ask(collection: Collection) -> bytes:
        own = {"name": served.name, "path": served.path.name}
        places = {"read_only": collection.read_only, "has_map": collection.map.is_made()}
        return as_bytes(as_json(collection.info()) | own | places)

    return await served.answer("info", ask)


@router.post("/search", response_model=SearchAnswer)
async def search(served: Chosen, body: Search) -> Response:
    """The best documents for a query or a project, after all marks and weights that count for it."""
    return sent(await served.search(body))
