"""What leaves a collection as a file."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from satchel.collection import FORMS, Collection
from satchel.errors import one_of
from satchel.server.bodies import Export, Search
from satchel.server.places import Chosen, collection_routes
from satchel.server.routes_search import check_interest, hits_of
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
    form = body.form or FORMS[body.what][0]
    one_of(f"form of {body.what}", form, FORMS[body.what])

    def write(collection: Collection) -> tuple[Path, Path]:
        folder = Path(tempfile.mkdtemp(prefix="satchel-export-"))
        try:
            return folder, _written(collection, body, form, folder)
        except BaseException:
            remove_folder(folder)
            raise

    folder, path = await served.read(write)
    kind = "application/zip" if path.suffix == ".zip" else _KINDS.get(form, _KIND_OF_REST)
    name = f"{served.name}-{path.name}"
    return FileResponse(path, media_type=kind, filename=name, background=BackgroundTask(remove_folder, folder))


def _written(collection: Collection, body: Export, form: str, folder: Path) -> Path:
    """Writes what is asked for; several files are packed into one."""
    hits = None
    if body.what == "hits":
        hits = hits_of(collection, body.search or Search(k=100, interest=body.interest))
    if body.interest is not None:
        check_interest(collection, body.interest)
    inner = folder / "files"
    inner.mkdir()
    path = inner / (body.what if form == "folder" else f"{body.what}.{form}")
    collection.export(path, body.what, form=form, hits=hits, interest=body.interest if body.what == "marks" else None)
    if form in ("folder", "npy"):
        return Path(shutil.make_archive(str(folder / body.what), "zip", inner))
    return path
