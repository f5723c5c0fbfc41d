"""What leaves a collection as a file."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from satchel.server.bodies import Export, ExportedHits, ExportedMarks, Search
from satchel.server.places import Chosen, collection_routes
from satchel.server.reader import Reader
from satchel.server.searching import hits_of
from satchel.server.uploads import remove_folder

router = collection_routes("export")
_KINDS = {"csv": "text/csv", "jsonl": "application/x-ndjson", "ris": "application/x-research-info-systems"}
_BINARY = {"schema": {"type": "string", "format": "binary"}}
_KIND_OF_REST = "application/octet-stream"


@router.post(
    "/export",
    response_class=FileResponse,
    responses={200: {"content": dict.fromkeys((*_KINDS.values(), "application/zip", _KIND_OF_REST), _BINARY)}},
)
async def export(served: Chosen, body: Export) -> FileResponse:
    """A file of hits, marks, documents, vectors or the model; what is several files comes as a zip archive."""

    def write(collection: Reader) -> tuple[Path, Path]:
        folder = Path(tempfile.mkdtemp(prefix="satchel-export-"))
        try:
            return folder, _written(collection, body, folder)
        except BaseException:
            remove_folder(folder)
            raise

    folder, path = await served.read(write)
    kind = "application/zip" if path.suffix == ".zip" else _KINDS.get(body.form, _KIND_OF_REST)
    name = f"{served.name}-{path.name}"
    return FileResponse(path, media_type=kind, filename=name, background=BackgroundTask(remove_folder, folder))


def _written(collection: Reader, body: Export, folder: Path) -> Path:
    """Writes what is asked for; several files are packed into one."""
    hits, interest = None, None
    if isinstance(body, ExportedHits):
        hits = hits_of(collection, body.search or Search(k=100, interest=body.interest))
    elif isinstance(body, ExportedMarks) and body.interest is not None:
        interest = body.interest
        collection.check_interest(interest)
    inner = folder / "files"
    inner.mkdir()
    path = inner / (body.what if body.form == "folder" else f"{body.what}.{body.form}")
    collection.export(path, body.what, form=body.form, hits=hits, interest=interest)
    if body.form in ("folder", "npy"):
        return Path(shutil.make_archive(str(folder / body.what), "zip", inner))
    return path
