"""The application: its routes behind the guard, with collections that stay open while it runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

import satchel
from satchel.errors import SatchelError
from satchel.server.answers import failure, failure_of
from satchel.server.guard import Guard
from satchel.server.jobs import Jobs
from satchel.server.routes import documents, export, page, projects, search
from satchel.server.routes import jobs as jobs_
from satchel.server.routes import settings as settings_
from satchel.server.running import Metrics
from satchel.server.settings import Settings
from satchel.server.shelf import Shelf

ROUTERS = (
    page.router,
    search.overview,
    search.router,
    settings_.router,
    documents.router,
    projects.router,
    search.map_routes,
    jobs_.router,
    jobs_.progress,
    export.router,
)


def create_app(paths: Sequence[str | Path], settings: Settings | None = None) -> FastAPI:
    """Creates the server of these collections. They are opened at once and closed when the application ends."""
    settings, metrics = settings or Settings(), Metrics()
    shelf = Shelf([Path(path) for path in paths], settings.processes)
    jobs = Jobs(settings.limits.jobs, shelf.paths)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        shelf.warm()
        try:
            yield
        finally:
            await asyncio.to_thread(jobs.close)
            await asyncio.to_thread(shelf.close)

    app = FastAPI(
        title="Satchel",
        version=satchel.__version__,
        summary="Finds documents by meaning and learns from your marks.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # these pages load scripts from other sites
        redoc_url=None,
        redirect_slashes=False,
        lifespan=life,
    )
    app.state.settings, app.state.shelf, app.state.jobs, app.state.metrics = settings, shelf, jobs, metrics
    for router in ROUTERS:
        app.include_router(router)
    app.add_middleware(Guard, settings=settings, metrics=metrics)
    _tell_errors(app, shelf)
    return app


def _tell_errors(app: FastAPI, shelf: Shelf) -> None:
    """Makes every error an answer of one sentence, wherever the error comes from."""
    hidden = shelf.paths

    @app.exception_handler(SatchelError)
    async def of_library(request: Request, error: SatchelError) -> Response:
        return failure_of(error, hidden)

    @app.exception_handler(RequestValidationError)
    async def of_body(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(str(part)[:60] for part in first["loc"] if part != "body") or "the body"
        return failure(422, f"{place}: {first['msg'][:300]}")

    @app.exception_handler(HTTPException)
    async def of_framework(request: Request, error: HTTPException) -> Response:
        said = {404: "there is nothing at this address", 405: "this address does not take this method"}
        sentence = said.get(error.status_code, str(error.detail))
        return failure(error.status_code, sentence, dict(error.headers or {}))
