"""The page and its files, health and metrics."""

from __future__ import annotations

import mimetypes
import time
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse, Response

import satchel
from satchel.errors import AbsentError
from satchel.server.answers import Health, JsonAnswer
from satchel.server.routes import FAILURES, jobs_of, shelf_of
from satchel.server.running import Metrics

PAGE = Path(__file__).parents[1] / "page"
_KINDS = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}
router = APIRouter(responses=FAILURES)


@router.get("/", include_in_schema=False)
async def page() -> Response:
    return _file("index.html")


@router.get("/favicon.ico", include_in_schema=False)
async def icon() -> Response:
    return RedirectResponse("/page/icon.svg", 308)


@router.get("/page/{name:path}", include_in_schema=False)
async def page_file(name: str) -> Response:
    return _file(name)


def _file(name: str) -> Response:
    """A file of the page by its name; names that lead to other folders are refused."""
    known = {path.relative_to(PAGE).as_posix(): path for path in PAGE.rglob("*") if path.is_file()}
    if name not in known:
        raise AbsentError("the page has no such file")
    path = known[name]
    return FileResponse(path, media_type=_KINDS.get(path.suffix) or mimetypes.guess_type(name)[0])


@router.get("/api/health", response_model=Health, tags=["server"])
async def health() -> JsonAnswer:
    """Whether the server is alive."""
    return JsonAnswer({"status": "ok", "version": satchel.__version__})


@router.get(
    "/metrics", tags=["server"], response_class=PlainTextResponse, responses={200: {"content": {"text/plain": {}}}}
)
async def metrics(request: Request) -> PlainTextResponse:
    """Counts and times of requests, in the text form of Prometheus."""
    counted: Metrics = request.app.state.metrics
    gauges = {"collections": float(len(list(shelf_of(request)))), "jobs_running": float(jobs_of(request).n_running)}
    gauges["cpu_seconds"] = time.process_time()
    return PlainTextResponse(counted.text(gauges), media_type="text/plain; version=0.0.4")
