"""Routes of collections, searches and the map."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from satchel.collection import Collection, Progress, as_json
from satchel.errors import AbsentError, InputError
from satchel.server.answers import (
    MANY_INFOS,
    CollectionInfo,
    FieldAnswer,
    JobStarted,
    JsonAnswer,
    MapAnswer,
    ScoresAnswer,
    SearchAnswer,
    SuggestionsAnswer,
    as_bytes,
    packed,
    sent,
    takes_gzip,
)
from satchel.server.bodies import Search
from satchel.server.routes import FAILURES, Chosen, collection_routes, jobs_of, shelf_of
from satchel.server.shelf import Served

overview = APIRouter(prefix="/api/collections", tags=["collections"], responses=FAILURES)
router = collection_routes("search")
map_routes = collection_routes("map")


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


@router.get("/suggestions", response_model=SuggestionsAnswer)
async def suggestions(
    served: Chosen,
    text: Annotated[str, Query(max_length=1_000)],
    k: Annotated[int, Query(ge=1, le=50)] = 8,
) -> Response:
    """Texts that go on with what was typed: earlier queries and projects, words of the documents, titles."""

    def ask(collection: Collection) -> bytes:
        return as_bytes({"texts": collection.suggestions.of(text, k)})

    return sent(await served.answer(("suggestions", text, k), ask))


@map_routes.get(
    "/map", response_model=MapAnswer, responses={202: {"model": JobStarted, "description": "the map is being made"}}
)
async def map_(
    request: Request, served: Chosen, field: Annotated[str | None, Query(min_length=1, max_length=200)] = None
) -> Response:
    """All documents on a plane, similar ones close together. field: add the values of a field, to colour by."""
    jobs, pack = jobs_of(request), takes_gzip(request)

    def ask(collection: Collection) -> bytes:
        places = {**as_json(collection.map.places()), "fields": collection.info().fields}
        content = as_bytes(places if field is None else places | {"values": collection.map.values_of(field)})
        return packed(content) if pack else content

    if await served.read(lambda collection: collection.map.is_made()):
        return sent(await served.answer(("map", field, pack), ask))
    job = jobs.running("map", served) or jobs.start("map", served, _make)
    return JsonAnswer({"job": job.id}, 202)


def _make(collection: Collection, on_progress: Progress) -> dict[str, Any]:
    return {"documents": len(collection.map.places(on_progress=on_progress).ids)}


@map_routes.post("/map/scores", response_model=ScoresAnswer)
async def scores(request: Request, served: Chosen, body: Search) -> Response:
    """The cosine of each document to the request, in the order of the map's ids."""

    pack = takes_gzip(request)

    def ask(collection: Collection) -> bytes:
        found = collection.map.scores(**vars(body.request()))
        content = as_bytes({"scores": [round(score, 4) for score in found.tolist()]})
        return packed(content) if pack else content

    return sent(await served.answer(("scores", body.written(), pack), ask))
