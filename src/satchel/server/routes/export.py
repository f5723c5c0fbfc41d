"""Routes of exports: downloads files of a collection."""

from __future__ import annotations

import asyncio
import io
import re
import zipfile
from collections.abc import AsyncIterator, Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from typing import TypeVar
from urllib.parse import quote

import numpy as np
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from satchel.collection import Collection, Hits, Request, as_json, parquet_bytes
from satchel.errors import InputError
from satchel.server.answers import as_bytes
from satchel.server.bodies import Export, ExportedHits, ExportedMarks
from satchel.server.routes import Chosen, collection_routes
from satchel.server.shelf import Served

T = TypeVar("T")
router = collection_routes("export")
_KINDS = {"csv": "text/csv", "jsonl": "application/x-ndjson", "ris": "application/x-research-info-systems"}
_BINARY = {"schema": {"type": "string", "format": "binary"}}
_ZIP, _KIND_OF_REST = "application/zip", "application/octet-stream"
_LINES_AT_ONCE = 500
_ODD = re.compile(r"[^\w .()+=@~!#&'-]", flags=re.ASCII)


@router.post(
    "/export",
    response_class=Response,
    responses={200: {"content": dict.fromkeys((*_KINDS.values(), _ZIP, _KIND_OF_REST), _BINARY)}},
)
async def export(served: Chosen, body: Export) -> Response:
    """A file of hits, marks, documents, vectors or the model; several files come as a zip archive."""
    if body.what in ("vectors", "model"):
        packed = body.form != "parquet"
        ending = f"{body.what}.zip" if packed else f"{body.what}.{body.form}"
        content = await served.read(lambda collection: _files(collection, body.what, body.form))
        return Response(content, media_type=_ZIP if packed else _KIND_OF_REST, headers=_named(served.name, ending))
    lines = _Lines(served, body)
    first = await lines.begun()
    kind, name = _KINDS.get(body.form, _KIND_OF_REST), _named(served.name, f"{body.what}.{body.form}")
    return _Streamed(lines, first, media_type=kind, headers=name)


def _named(collection: str, ending: str) -> dict[str, str]:
    """Makes the header with the file's name; only its second form has characters outside plain ASCII."""
    name = f"{collection}-{ending}"
    whole = quote(name.encode("utf-8", "replace"), safe="")
    return {"Content-Disposition": f"attachment; filename=\"{_ODD.sub('_', name)}\"; filename*=UTF-8''{whole}"}


class _Lines:
    """The lines of an export, all from the same moment, read by one thread with a separate connection."""

    def __init__(self, served: Served, body: Export) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="exporting")
        self._lines = _read(served, body)

    async def begun(self) -> list[str]:
        """Reads the first lines; an error before them becomes an error answer."""
        try:
            return await self.some()
        except BaseException:
            await self.end()
            raise

    async def some(self) -> list[str]:
        """Reads the next lines; empty at the end."""
        return await self._ask(lambda: list(islice(self._lines, _LINES_AT_ONCE)))

    async def end(self) -> None:
        """Closes the connection, whether or not all lines were read."""
        await asyncio.shield(self._ask(self._lines.close))
        self._thread.shutdown(wait=False)

    async def _ask(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)


class _Streamed(StreamingResponse):
    """Reads lines while sending them; closes their connection at the end, or when the client is gone."""

    def __init__(self, lines: _Lines, first: list[str], media_type: str, headers: dict[str, str]) -> None:
        super().__init__(self._parts(first), media_type=media_type, headers=headers)
        self._lines = lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._lines.end()

    async def _parts(self, part: list[str]) -> AsyncIterator[bytes]:
        while part:
            yield "".join(f"{line}\n" for line in part).encode("utf-8", "replace")
            part = await self._lines.some()


def _read(served: Served, body: Export) -> Generator[str]:
    with served.for_export() as collection, collection.reading():
        project = body.project if isinstance(body, ExportedMarks) else None
        hits = _hits(collection, body) if isinstance(body, ExportedHits) else None
        yield from collection.exported(body.what, body.form, hits=hits, project=project)


def _hits(collection: Collection, body: ExportedHits) -> Hits:
    """Finds the hits of the search; without a search, all that the project finds, or all documents."""
    if body.search is None:
        return collection.find(Request(k=max(1, len(collection)), project=body.project))
    request = body.search.request()
    return collection.find(request if body.project is None else replace(request, project=body.project))


def _files(collection: Collection, what: str, form: str) -> bytes:
    """Vectors or the model; several files as a zip archive."""
    if form == "npy":
        ids, vectors = collection.vectors()
        array = io.BytesIO()
        np.save(array, vectors, allow_pickle=False)
        return _zipped({"vectors.npy": array.getvalue(), "vectors.ids.json": as_bytes(as_json(ids))})
    if form == "parquet":
        return parquet_bytes(*collection.vectors())
    if collection.model is None:
        raise InputError(f"{collection.path} has no model yet; add documents first")
    return _zipped({f"{what}/{name}": content for name, content in collection.model.files().items()})


def _zipped(files: dict[str, bytes]) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return archive.getvalue()
