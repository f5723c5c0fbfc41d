"""The map, and the scores that colour it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query, Request

from satchel.collection import Collection, Progress
from satchel.server.answers import JobStarted, MapAnswer, ScoresAnswer
from satchel.server.bodies import Search, plain_weights
from satchel.server.places import Chosen, collection_routes, jobs_of
from satchel.server.replies import Json
from satchel.server.routes_search import check_named
from satchel.server.shelf import Reader
from satchel.server.wire import map_as_json

router = collection_routes("map")


@router.get(
    "/map", response_model=MapAnswer, responses={202: {"model": JobStarted, "description": "the map is being made"}}
)
async def map_(
    request: Request, served: Chosen, field: Annotated[str | None, Query(min_length=1, max_length=200)] = None
) -> Json:
    """All documents on a plane, near ones near each other. field: with the values of a field, to colour by."""

    def ask(collection: Reader) -> dict[str, Any] | None:
        if not collection.has_map():
            return None
        told = map_as_json(collection.map(), collection.info().fields)
        return told if field is None else told | {"values": collection.field_values(field)}

    jobs = jobs_of(request)
    found = await served.read(ask)
    if found is not None:
        return Json(found)
    job = jobs.running("map", served) or jobs.start("map", served, _make)
    return Json({"job": job.id}, 202)


def _make(collection: Collection, on_progress: Progress) -> dict[str, Any]:
    return {"documents": len(collection.map(on_progress=on_progress).ids)}


@router.post("/map/scores", response_model=ScoresAnswer)
async def scores(served: Chosen, body: Search) -> Json:
    """How near each document of the map is to what is asked, in the order of the map's ids."""

    def ask(collection: Reader) -> list[float]:
        check_named(collection, body)
        weights = plain_weights(body.weights) if body.weights else None
        found = collection.scores(body.query, like=body.like or None, interest=body.interest, weights=weights)
        return [round(score, 4) for score in found.tolist()]

    return Json({"scores": await served.read(ask)})
