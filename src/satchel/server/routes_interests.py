"""Interests: saved, reopened, what is new for them, taken to another collection."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from fastapi import Query
from starlette.responses import Response

from satchel.server.answers import InterestAnswer, Names, SearchAnswer
from satchel.server.bodies import InterestName, InterestsFile, Name, NewInterest, Search, plain_filters, plain_weights
from satchel.server.places import Chosen, collection_routes
from satchel.server.reader import Reader
from satchel.server.replies import Json
from satchel.server.searching import answer_of
from satchel.server.settings import MOST_HITS
from satchel.server.wire import interest_as_json

router = collection_routes("interests")
OneName = Annotated[Name, Query()]


@router.get("/interests", response_model=list[InterestAnswer])
async def interests(served: Chosen) -> Json:
    """All interests by name."""
    found = await served.read(lambda collection: collection.interests())
    return Json([interest_as_json(one) for one in found])


@router.post("/interests", response_model=InterestAnswer)
async def save_interest(served: Chosen, body: NewInterest) -> Json:
    """Keeps a query under a name, with the marks that were made for it; one of that name is changed."""

    def write(collection: Reader) -> dict[str, Any]:
        filters, weights = plain_filters(body.filters), plain_weights(body.weights)
        collection.check_themes(weights)
        return interest_as_json(collection.save_interest(body.name, body.query, filters=filters, weights=weights))

    return Json(await served.write(write))


@router.get("/interests/one", response_model=InterestAnswer)
async def interest(served: Chosen, name: OneName) -> Json:
    """One interest with its marks."""
    return Json(await served.read(_with(name, lambda collection: interest_as_json(collection.interest(name)))))


@router.delete("/interests/one", response_model=Names)
async def remove_interest(served: Chosen, name: OneName) -> Json:
    """Takes an interest out, and its marks."""
    await served.write(_with(name, lambda collection: collection.remove_interest(name)))
    return Json({"names": [name]})


@router.get("/interests/new", response_model=SearchAnswer)
async def new_for_interest(served: Chosen, name: OneName, k: Annotated[int, Query(ge=1, le=MOST_HITS)] = 20) -> Json:
    """Unmarked documents that came or changed since the interest was last looked at, ranked."""
    body = Search(interest=name, k=k, only_new=True)
    return Json(await served.read(lambda collection: answer_of(collection, body)))


@router.post("/interests/seen", response_model=Names)
async def seen(served: Chosen, body: InterestName) -> Json:
    """What is here now is no longer new for this interest."""
    await served.write(_with(body.name, lambda collection: collection.catch_up(body.name)))
    return Json({"names": [body.name]})


@router.get("/interests/export", responses={200: {"content": {"application/json": {"schema": {"type": "object"}}}}})
async def export_interests(served: Chosen) -> Response:
    """All interests with their marks and the texts of marked documents, for another collection."""

    def write(collection: Reader) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "interests.json"
            collection.export_interests(path)
            return path.read_bytes()

    name = {"Content-Disposition": 'attachment; filename="interests.json"'}
    return Response(await served.read(write), media_type="application/json", headers=name)


@router.post("/interests/import", response_model=Names)
async def import_interests(served: Chosen, body: InterestsFile) -> Json:
    """Takes in what an export gave; where a name is taken, the marks of both are kept."""

    def write(collection: Reader) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "interests.json"
            path.write_text(body.model_dump_json(by_alias=True, exclude_none=True), "utf-8")
            return collection.import_interests(path)

    return Json({"names": await served.write(write)})


def _with(name: str, ask: Callable[[Reader], Any]) -> Callable[[Reader], Any]:
    """The same, after a look whether there is such an interest."""

    def checked(collection: Reader) -> Any:
        collection.check_interest(name)
        return ask(collection)

    return checked
