"""Routes of jobs: adding files, training, and their progress."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.responses import StreamingResponse

from satchel.collection import Collection, Progress, as_json
from satchel.errors import InputError
from satchel.server.answers import JobAnswer, JobStarted, JsonAnswer
from satchel.server.bodies import TrainingBody
from satchel.server.jobs import add_folder, remove_folder, take_files
from satchel.server.routes import FAILURES, Chosen, check_writable, collection_routes, jobs_of, settings_of

router = collection_routes("jobs")
progress = APIRouter(prefix="/api/jobs", tags=["jobs"], responses=FAILURES)
JobId = Annotated[str, Path(max_length=100)]
_FILES = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {
                        "files": {"type": "array", "minItems": 1, "items": {"type": "string", "format": "binary"}}
                    },
                    "required": ["files"],
                }
            }
        },
    }
}


@router.post("/upload", status_code=202, response_model=JobStarted, openapi_extra=_FILES)
async def upload(request: Request, served: Chosen) -> JsonAnswer:
    """Adds the uploaded files; the job's report lists what was added, what was skipped, and why."""
    check_writable(served)
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise InputError("files are sent as multipart/form-data")
    folder = await take_files(request, settings_of(request).limits.upload_files)

    def add(collection: Collection, on_progress: Progress) -> dict[str, Any]:
        return add_folder(collection, folder, on_progress)

    job = jobs_of(request).start("upload", served, add, after=lambda: remove_folder(folder))
    return JsonAnswer({"job": job.id}, 202)


@router.post("/train", status_code=202, response_model=JobStarted)
async def train(request: Request, served: Chosen, body: TrainingBody) -> JsonAnswer:
    """Trains the model again; the old model is used until the new one is ready."""
    check_writable(served)

    def learn(collection: Collection, on_progress: Progress) -> dict[str, Any]:
        report = collection.train(labels=body.labels, marks=body.marks, on_progress=on_progress)
        return dict(as_json(report))

    return JsonAnswer({"job": jobs_of(request).start("train", served, learn).id}, 202)


@progress.get("/{id}", response_model=JobAnswer)
async def job(request: Request, id: JobId) -> JsonAnswer:
    """The progress of a job; its report when it is done."""
    return JsonAnswer(jobs_of(request)[id].as_json())


@progress.get(
    "/{id}/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def job_events(request: Request, id: JobId) -> StreamingResponse:
    """The progress of a job as server-sent events, one for each change, until the job has ended."""
    jobs = jobs_of(request)
    return StreamingResponse(jobs.events(jobs[id]), media_type="text/event-stream")
