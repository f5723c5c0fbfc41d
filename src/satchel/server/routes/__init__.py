"""The routes of the server, one module for each kind of thing. This module has what all of them need."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request

from satchel.errors import ReadOnlyCollectionError
from satchel.server.answers import Failure
from satchel.server.jobs import Jobs
from satchel.server.settings import Settings
from satchel.server.shelf import Served, Shelf

_FAILURES = {
    400: "what was sent cannot be used",
    401: "the token is missing or wrong",
    403: "refused: a foreign site, or a collection that can only be read",
    404: "there is no such thing here",
    408: "the body did not arrive in time",
    409: "the collection cannot do this now",
    413: "the request is too large",
    415: "the body has the wrong type",
    422: "a part of the request is missing, unknown or out of bounds",
    423: "another program is changing the collection",
    429: "too many requests",
    500: "the server failed",
    507: "the disk is full",
}
FAILURES: dict[int | str, dict[str, Any]] = {
    status: {"model": Failure, "description": said} for status, said in _FAILURES.items()
}


def collection_routes(tag: str) -> APIRouter:
    """Makes a router for addresses below one collection."""
    return APIRouter(prefix="/api/collections/{collection}", tags=[tag], responses=FAILURES)


def shelf_of(request: Request) -> Shelf:
    shelf: Shelf = request.app.state.shelf
    return shelf


def jobs_of(request: Request) -> Jobs:
    jobs: Jobs = request.app.state.jobs
    return jobs


def settings_of(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


async def _chosen(request: Request, collection: Annotated[str, Path(max_length=300)]) -> Served:
    return shelf_of(request)[collection]


def check_writable(served: Served) -> None:
    """Raises ReadOnlyCollectionError for a read-only collection, before any work starts."""
    if served.read_only:
        raise ReadOnlyCollectionError(f"{served.name} is read-only; allow writing to its file")


Chosen = Annotated[Served, Depends(_chosen)]
"""The collection that the address names."""
