"""Documents, marks and what is taken back."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query

from satchel.collection import Collection, Mark
from satchel.server.answers import DocumentAnswer, MarkAnswer, MarkedAnswer, Removed, ScreeningAnswer
from satchel.server.bodies import Id, Marking, Name, Search, Undoing
from satchel.server.bodies import Query as QueryText
from satchel.server.places import Chosen, collection_routes
from satchel.server.reader import Reader
from satchel.server.replies import AbsentError, Json
from satchel.server.searching import answer_of, check_document, check_named
from satchel.server.shelf import Served
from satchel.server.wire import mark_as_json, marks_as_json

router = collection_routes("documents")
OfQuery = Annotated[QueryText | None, Query()]
OfInterest = Annotated[Name | None, Query()]


@router.get("/documents", response_model=DocumentAnswer)
async def document(
    served: Chosen, id: Annotated[Id, Query()], query: OfQuery = None, interest: OfInterest = None
) -> Json:
    """A document with its text, where the words of the query stand in it, and its best passages."""

    def ask(collection: Reader) -> dict[str, Any]:
        check_document(collection, id)
        if interest is not None:
            collection.check_interest(interest)
        reading = collection.read(id, query=query or "", interest=interest)
        told = reading.document
        return {
            "id": told.id,
            "title": told.title,
            "text": told.text,
            "fields": dict(told.fields),
            "source": told.source,
            "added": told.added,
            "matches": [list(span) for span in reading.matches],
            "passages": [{"start": start, "stop": stop, "share": share} for start, stop, share in reading.passages],
            "mark": _mark_of(collection, id, query, interest),
        }

    return Json(await served.read(ask))


def _mark_of(collection: Collection, id_: str, query: str | None, interest: str | None) -> str | None:
    if interest is None and not (query or "").strip():
        return None
    marks = collection.marks(query=query, interest=interest)
    return next((mark.value for mark in marks if mark.id == id_), None)


@router.delete("/documents", response_model=Removed)
async def remove_document(served: Chosen, id: Annotated[Id, Query()]) -> Json:
    """Takes a document out; its marks are kept, for the day it comes again."""
    removed = await served.write(lambda collection: collection.remove([id]))
    if not removed:
        raise AbsentError(f"there is no document {id[:200]!r} here")
    return Json({"removed": removed})


@router.post("/marks", response_model=MarkedAnswer)
async def mark(served: Chosen, body: Marking) -> Json:
    """Keeps a verdict on one document or on several. Sent again, it changes nothing."""
    if not body.named:
        raise AbsentError("give the id of a document, or ids of several")

    def write(collection: Reader) -> list[Mark]:
        _check_owner(collection, body)
        for id_ in body.named:
            check_document(collection, id_)
        return collection.mark_together(body.named, body.value, query=body.query, interest=body.interest)

    return Json(await _told(served, marks_as_json(await served.write(write)), body.search))


def _check_owner(collection: Reader, body: Marking | Undoing) -> None:
    """What a change names is here, so that nothing is changed where the answer would be an error."""
    if body.interest is not None:
        collection.check_interest(body.interest)
    if body.search is not None:
        check_named(collection, body.search)


async def _told(served: Served, marked: dict[str, Any], search: Search | None) -> dict[str, Any]:
    """What was marked, and in the same answer what is found now, where that is asked for."""
    if search is None:
        return marked
    return marked | {"found": await served.read(lambda collection: answer_of(collection, search))}


@router.get("/marks", response_model=list[MarkAnswer])
async def marks(served: Chosen, query: OfQuery = None, interest: OfInterest = None) -> Json:
    """The marks that count, oldest first: all of them, or those of a query or an interest."""
    found = await served.read(lambda collection: collection.marks(query=query, interest=interest))
    return Json([mark_as_json(one) for one in found])


@router.post("/undo", response_model=MarkedAnswer)
async def undo(served: Chosen, body: Undoing | None = None) -> Json:
    """Takes the last mark back, or the last taking away of one; again, and the one before it."""
    asked = body or Undoing()

    def write(collection: Reader) -> list[Mark]:
        _check_owner(collection, asked)
        return collection.undo_together(query=asked.query, interest=asked.interest)

    return Json(await _told(served, marks_as_json(await served.write(write)), asked.search))


@router.get("/screening", response_model=ScreeningAnswer)
async def screening(served: Chosen, query: OfQuery = None, interest: OfInterest = None) -> Json:
    """How far a screening is: what was marked and found, and an estimate of what is left."""

    def ask(collection: Reader) -> dict[str, Any]:
        if interest is not None:
            collection.check_interest(interest)
        told = collection.screening(query=None if interest is not None else query or "", interest=interest)
        return {
            "documents": told.n_documents,
            "marked": told.n_marked,
            "relevant": told.n_relevant,
            "finds": list(told.finds),
            "remaining": None if told.remaining is None else told.remaining._asdict(),
            "chance": told.chance,
        }

    return Json(await served.read(ask))
