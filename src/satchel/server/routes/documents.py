"""Routes of documents and marks, with undo."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query

from satchel.collection import Collection, Mark, as_json
from satchel.errors import AbsentError
from satchel.server.answers import MANY_MARKS, DocumentAnswer, JsonAnswer, MarkedAnswer, Removed, ScreeningAnswer
from satchel.server.bodies import Id, Marking, Name, Search, Undoing
from satchel.server.bodies import Query as QueryText
from satchel.server.routes import Chosen, collection_routes
from satchel.server.searchers import answer_of
from satchel.server.shelf import Served

router = collection_routes("documents")
OfQuery = Annotated[QueryText | None, Query()]
OfProject = Annotated[Name | None, Query()]


@router.get("/documents", response_model=DocumentAnswer)
async def document(
    served: Chosen, id: Annotated[Id, Query()], query: OfQuery = None, project: OfProject = None
) -> JsonAnswer:
    """A document with its text, the places of the query's words, and its best passages."""

    def ask(collection: Collection) -> dict[str, Any]:
        reading = collection.read(id, query=query or "", project=project)
        return {**as_json(reading), "mark": _mark_of(collection, id, query, project)}

    return JsonAnswer(await served.read(ask))


def _mark_of(collection: Collection, id_: str, query: str | None, project: str | None) -> str | None:
    if project is None and not (query or "").strip():
        return None
    marks = collection.marks(query=query, project=project)
    return next((mark.value for mark in marks if mark.id == id_), None)


@router.delete("/documents", response_model=Removed)
async def remove_document(served: Chosen, id: Annotated[Id, Query()]) -> JsonAnswer:
    """Removes a document; its marks are kept, in case it is added again."""
    removed = await served.write(lambda collection: collection.remove([id]))
    if not removed:
        raise AbsentError(f"there is no document {id[:200]!r} here")
    return JsonAnswer({"removed": removed})


@router.post("/marks", response_model=MarkedAnswer)
async def mark(served: Chosen, body: Marking) -> JsonAnswer:
    """Marks one document or several. Sending the same mark again changes nothing."""
    if not body.named:
        raise AbsentError("give the `id` of a document, or the `ids` of several")

    def write(collection: Collection) -> list[Mark]:
        _check_search(collection, body.search)
        return collection.mark_together(body.named, body.value, query=body.query, project=body.project)

    return JsonAnswer(await _with_hits(served, await served.write(write), body.search))


def _check_search(collection: Collection, search: Search | None) -> None:
    """Checks the search first, so that nothing is changed if its answer would be an error."""
    if search is not None:
        collection.check_request(search.request())


async def _with_hits(served: Served, marks: list[Mark], search: Search | None) -> dict[str, Any]:
    """Answers with the new marks and, if the request has a search, with its hits."""
    marked = {"marks": as_json(marks)}
    if search is None:
        return marked
    return marked | {"found": await served.read(lambda collection: answer_of(collection, search))}


@router.get("/marks", response_model=MANY_MARKS)
async def marks(served: Chosen, query: OfQuery = None, project: OfProject = None) -> JsonAnswer:
    """The present marks, oldest first: all of them, or those of a query or a project."""
    found = await served.read(lambda collection: collection.marks(query=query, project=project))
    return JsonAnswer(as_json(found))


@router.post("/undo", response_model=MarkedAnswer)
async def undo(served: Chosen, body: Undoing | None = None) -> JsonAnswer:
    """Undoes the last mark, or the last removal of a mark; send it again for the one before."""
    wanted = body or Undoing()

    def write(collection: Collection) -> list[Mark]:
        _check_search(collection, wanted.search)
        return collection.undo_together(query=wanted.query, project=wanted.project)

    return JsonAnswer(await _with_hits(served, await served.write(write), wanted.search))


@router.get("/screening", response_model=ScreeningAnswer)
async def screening(served: Chosen, query: OfQuery = None, project: OfProject = None) -> JsonAnswer:
    """The progress of a screening: what was marked and found, and an estimate of what is left."""

    def ask(collection: Collection) -> dict[str, Any]:
        own = None if project is not None else query or ""
        return dict(as_json(collection.projects.progress(project, query=own)))

    return JsonAnswer(await served.read(ask))
