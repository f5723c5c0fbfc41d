"""Routes of the map and of the scores that colour it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query, Request
from starlette.responses import Response

from satchel.collection import Collection, Progress, as_json
from satchel.server.bodies import Search
from satchel.server.places import Chosen, collection_routes, jobs_of
from satchel.server.replies import Json, as_bytes, packed, sent, takes_gzip
from satchel.server.schemas import JobStarted, MapAnswer, ScoresAnswer

router = collection_routes("map")


@router.get(
    "/map", response_model=MapAnswer, responses={202: {"model": JobStarted, "description": "the map is being made"}}
)
async def map_(
    request: Request, served: Chosen, field: Annotated[str | None, Query(min_length=1, max_length=200)] = None
) -> Response:
    """All documents on a plane, similar ones close together. field: add the values of a field, to colour by."""
    jobs, pack = jobs_of(request), takes_gzip(request)

    def ask(collection: Collection) -> bytes:
        told = {**as_json(collection.map.places()), "fields": collection.info().fields}
        content = as_bytes(told if field is None else told | {"values": collection.map.values_of(field)})
        return packed(content) if pack else content

    if await served.read(lambda collection: collection.map.is_made()):
        return sent(await served.answer(("map", field, pack), ask))
    job = jobs.running("map", served) or jobs.start("map", served, _make)
    return Json({"job": job.id}, 202)


def _make(collection: Collection, on_progress: Progress) -> dict[str, Any]:
    return {"documents": len(collection.map.places(on_progress=on_progress).ids)}


@router.post("/map/scores", response_model=ScoresAnswer)
async def scores(request: Request, served: Chosen, body: Search) -> Response:
    """The cosine of each document to the request, in the order of the map's ids."""

    pack = takes_gzip(request)

    def ask(collection: Collection) -> bytes:
        found = collection.map.scores(**vars(body.request()))
        content = as_bytes({"scores": [round(score, 4) for score in found.tolist()]})
        return packed(content) if pack else content

    return sent(await served.answer(("scores", body.written(), pack), ask))
