"""Interests: saved, reopened, what is new for them, taken to another collection."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import Query
from starlette.responses import Response

from satchel.collection import Collection, Request
from satchel.collection.forms import as_json
from satchel.query.request import MOST_HITS
from satchel.server.bodies import InterestName, InterestsFile, Name, NewInterest, Search
from satchel.server.places import Chosen, collection_routes
from satchel.server.replies import Json
from satchel.server.schemas import MANY_INTERESTS, InterestAnswer, Names, SearchAnswer
from satchel.server.searching import answer_of

router = collection_routes("interests")
OneName = Annotated[Name, Query()]


@router.get("/interests", response_model=MANY_INTERESTS)
async def interests(served: Chosen) -> Json:
    """All interests by name."""
    found = await served.read(lambda collection: collection.interests())
    return Json(as_json(found))


@router.post("/interests", response_model=InterestAnswer)
async def save_interest(served: Chosen, body: NewInterest) -> Json:
    """Keeps a query under a name, with the marks that were made for it; one of that name is changed."""

    def write(collection: Collection) -> dict[str, Any]:
        return dict(as_json(collection.save_interest(**body.plain())))

    return Json(await served.write(write))


@router.get("/interests/one", response_model=InterestAnswer)
async def interest(served: Chosen, name: OneName) -> Json:
    """One interest with its marks."""
    return Json(await served.read(lambda collection: as_json(collection.interest(name))))


@router.delete("/interests/one", response_model=Names)
async def remove_interest(served: Chosen, name: OneName) -> Json:
    """Takes an interest out, and its marks."""
    await served.write(lambda collection: collection.remove_interest(name))
    return Json({"names": [name]})


@router.get("/interests/new", response_model=SearchAnswer)
async def new_for_interest(
    served: Chosen, name: OneName, k: Annotated[int, Query(ge=1, le=MOST_HITS)] = Request.k
) -> Json:
    """Unmarked documents that came or changed since the interest was last looked at, ranked."""
    body = Search.model_validate({"interest": name, "k": k, "only_new": True})
    return Json(await served.read(lambda collection: answer_of(collection, body)))


@router.post("/interests/seen", response_model=Names)
async def seen(served: Chosen, body: InterestName) -> Json:
    """What is here now is no longer new for this interest."""
    await served.write(lambda collection: collection.catch_up(body.name))
    return Json({"names": [body.name]})


@router.get("/interests/export", responses={200: {"content": {"application/json": {"schema": {"type": "object"}}}}})
async def export_interests(served: Chosen) -> Response:
    """All interests with their marks and the texts of marked documents, for another collection."""

    def write(collection: Collection) -> bytes:
        return json.dumps(collection.exported_interests(), ensure_ascii=False, indent=1).encode("utf-8", "replace")

    name = {"Content-Disposition": 'attachment; filename="interests.json"'}
    return Response(await served.read(write), media_type="application/json", headers=name)


@router.post("/interests/import", response_model=Names)
async def import_interests(served: Chosen, body: InterestsFile) -> Json:
    """Takes in what an export gave; where a name is taken, the marks of both are kept."""

    def write(collection: Collection) -> list[str]:
        return collection.import_interests(body.plain())

    return Json({"names": await served.write(write)})
