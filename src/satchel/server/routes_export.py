"""What leaves a collection as a file."""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from starlette.responses import Response, StreamingResponse

from satchel.collection import Collection, Request
from satchel.collection.forms import as_json
from satchel.server.bodies import Export, ExportedHits, ExportedMarks
from satchel.server.places import Chosen, collection_routes
from satchel.server.replies import as_bytes

router = collection_routes("export")
_KINDS = {"csv": "text/csv", "jsonl": "application/x-ndjson", "ris": "application/x-research-info-systems"}
_BINARY = {"schema": {"type": "string", "format": "binary"}}
_ZIP, _KIND_OF_REST = "application/zip", "application/octet-stream"
_LINES_AT_ONCE = 500


@router.post(
    "/export",
    response_class=Response,
    responses={200: {"content": dict.fromkeys((*_KINDS.values(), _ZIP, _KIND_OF_REST), _BINARY)}},
)
async def export(served: Chosen, body: Export) -> Response:
    """A file of hits, marks, documents, vectors or the model; what is several files comes as a zip archive."""
    if body.what in ("vectors", "model"):
        packed = body.form != "parquet"
        ending = f"{body.what}.zip" if packed else f"{body.what}.{body.form}"
        content = await served.read(lambda collection: _files(collection, body.what, body.form))
        return Response(content, media_type=_ZIP if packed else _KIND_OF_REST, headers=_named(served.name, ending))
    lines = await _Lines.of(served.another(), body)
    kind = _KINDS.get(body.form, _KIND_OF_REST)
    return StreamingResponse(lines.stream(), media_type=kind, headers=_named(served.name, f"{body.what}.{body.form}"))


def _named(collection: str, ending: str) -> dict[str, str]:
    plain = f"{collection}-{ending}".encode("ascii", "replace").decode().replace('"', "_").replace("?", "_")
    return {"Content-Disposition": f'attachment; filename="{plain}"'}


class _Lines:
    """Lines that are read while they are sent: all of one moment, by one thread with a connection of its own."""

    def __init__(self, collection: Collection, body: Export) -> None:
        self._collection, self._body = collection, body
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="exporting")
        self._lines: Iterator[str] = iter(())
        self._first: list[str] = []

    @classmethod
    async def of(cls, collection: Collection, body: Export) -> _Lines:
        """The lines, after the first ones were read: what goes wrong before is told as an error."""
        lines = cls(collection, body)
        try:
            lines._first = await lines._ask(lines._begun)
        except BaseException:
            await lines._end()
            raise
        return lines

    async def stream(self) -> AsyncIterator[bytes]:
        try:
            part = self._first
            while part:
                yield "".join(f"{line}\n" for line in part).encode("utf-8", "replace")
                part = await self._ask(self._next)
        finally:
            await self._end()

    def _begun(self) -> list[str]:
        body, hits, interest = self._body, None, None
        if isinstance(body, ExportedHits):
            every = Request(k=max(1, len(self._collection)), interest=body.interest)
            hits = self._collection.find(every if body.search is None else body.search.request())
        elif isinstance(body, ExportedMarks):
            interest = body.interest
        self._lines = self._collection.exported(body.what, body.form, hits=hits, interest=interest)
        return self._next()

    def _next(self) -> list[str]:
        return list(islice(self._lines, _LINES_AT_ONCE))

    async def _ask(self, work: object) -> list[str]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)  # type: ignore[arg-type]

    async def _end(self) -> None:
        def close() -> list[str]:
            getattr(self._lines, "close", lambda: None)()
            self._collection.close()
            return []

        await asyncio.shield(self._ask(close))
        self._thread.shutdown(wait=False)


def _files(collection: Collection, what: str, form: str) -> bytes:
    """Vectors or the model; several files as a zip archive."""
    if form == "npy":
        ids, vectors = collection.vectors()
        array = io.BytesIO()
        np.save(array, vectors, allow_pickle=False)
        return _zipped({"vectors.npy": array.getvalue(), "vectors.ids.json": as_bytes(as_json(ids))})
    with TemporaryDirectory(prefix="satchel-export-") as folder:
        target = Path(folder) / (what if form == "folder" else f"{what}.{form}")
        collection.export(target, "model" if what == "model" else "vectors", form=form)
        if target.is_file():
            return target.read_bytes()
        return _zipped({f"{what}/{path.name}": path.read_bytes() for path in sorted(target.iterdir())})


def _zipped(files: dict[str, bytes]) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return archive.getvalue()
