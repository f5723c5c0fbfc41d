"""Answers: JSON with its schemas, and errors as one sentence with a fitting status."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, create_model
from starlette.requests import Request
from starlette.responses import Response

from satchel.collection import TIMES, Hits, Info, MapForm, Mark, Project, ReadingForm, SearchSettings
from satchel.errors import (
    AbsentError,
    CollectionError,
    DiskFullError,
    LockedCollectionError,
    MissingFileError,
    ReadOnlyCollectionError,
    SatchelError,
)
from satchel.projects import Screening
from satchel.store import FieldValues

PACKED_FROM = 100_000
"""Pack answers from this many bytes on; on loopback, sending smaller ones is faster than packing them."""
_GZIP = b"\x1f\x8b"
UNEXPECTED = "the server failed at this request; see the server's log for details"
_STATUS: tuple[tuple[type[SatchelError], int], ...] = (
    (ReadOnlyCollectionError, 403),
    (LockedCollectionError, 423),
    (DiskFullError, 507),
    (MissingFileError, 404),
    (CollectionError, 409),
)


class RefusedError(SatchelError):
    """A request that the server refuses; status: the HTTP status that says why."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class JsonAnswer(Response):
    """JSON in UTF-8; characters that UTF-8 cannot hold become question marks."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return as_bytes(content)


def as_bytes(content: object) -> bytes:
    """Converts the content to JSON bytes."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def packed(content: bytes) -> bytes:
    """Compresses the content by gzip if it is large enough."""
    return gzip.compress(content, 3, mtime=0) if len(content) > PACKED_FROM else content


def sent(content: bytes) -> Response:
    """Makes a response of JSON bytes, compressed or not."""
    headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"} if content[:2] == _GZIP else None
    return Response(content, media_type=JsonAnswer.media_type, headers=headers)


def takes_gzip(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


def failure(status: int, sentence: str, headers: dict[str, str] | None = None) -> JsonAnswer:
    """Makes the answer of an error: one sentence with a status."""
    return JsonAnswer({"error": " ".join(sentence.split())}, status, headers)


def failure_of(error: SatchelError, hidden: Sequence[tuple[str, str]] = ()) -> JsonAnswer:
    """Makes the answer of a library's error. hidden: paths of this machine, and the names to show in their place."""
    sentence = str(error)
    for path, name in hidden:
        sentence = sentence.replace(path, name)
    return failure(status_of(error), sentence)


def status_of(error: SatchelError) -> int:
    if isinstance(error, RefusedError):
        return error.status
    if isinstance(error, AbsentError):
        return 404
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 400)


@cache
def schema_of(kind: type, called: str = "", /, **more: Any) -> Any:
    """Makes the schema of a result as `as_json` writes it; more: additional fields of the answer."""
    names = kind._fields if hasattr(kind, "_fields") else [field.name for field in fields(kind)]
    hints = get_type_hints(kind)
    parts = {one: (_of_time(hints[one]) if one in TIMES else _of(hints[one]), ...) for one in names}
    every: dict[str, Any] = {**parts, **more}
    return create_model(called or kind.__name__, __doc__=kind.__doc__, **every)


def _of_time(hint: Any) -> Any:
    """Returns the type of a time field: seconds are sent as text."""
    return str if hint is float else str | None if set(get_args(hint)) == {float, NoneType} else _of(hint)


def _of(hint: Any) -> Any:
    """Returns the JSON type for a Python type."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return Union[tuple(_of(one) for one in inner)]  # noqa: UP007 - made of a list
    if origin is Literal or hint in (str, int, float, bool, NoneType):
        return hint
    if origin is tuple and inner[-1] is not Ellipsis:
        return list[Union[tuple(_of(one) for one in inner)]]  # type: ignore[misc]  # noqa: UP007
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return dict[str, _of(inner[1])]  # type: ignore[misc]
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return list[_of(inner[0])]  # type: ignore[misc]
    if isinstance(hint, type) and (hasattr(hint, "_fields") or is_dataclass(hint)):
        return schema_of(hint)
    return str if hint is Path else Any


class Failure(BaseModel):
    error: str


class Health(BaseModel):
    status: str
    version: str


class Names(BaseModel):
    names: list[str]


class SuggestionsAnswer(BaseModel):
    texts: list[str]


class Removed(BaseModel):
    removed: int


class ScoresAnswer(BaseModel):
    scores: list[float]


class JobStarted(BaseModel):
    job: str


class JobAnswer(BaseModel):
    id: str
    kind: str
    collection: str
    state: str
    step: str
    done: int
    total: int
    report: dict[str, Any] | None
    error: str | None


SearchAnswer = schema_of(Hits, "SearchAnswer", learned=(list[str], ...), seconds=(float, ...))
CollectionInfo = schema_of(Info, "CollectionInfo", name=(str, ...), read_only=(bool, ...), has_map=(bool, ...))
FieldAnswer = schema_of(FieldValues, "FieldAnswer")
DocumentAnswer = schema_of(ReadingForm, "DocumentAnswer", mark=(str | None, ...))
SettingsAnswer = schema_of(SearchSettings, "SettingsAnswer")
MarkAnswer = schema_of(Mark, "MarkAnswer")
ProjectAnswer = schema_of(Project, "ProjectAnswer")
ScreeningAnswer = schema_of(Screening, "ScreeningAnswer")
MapAnswer = schema_of(MapForm, "MapAnswer", fields=(dict[str, int], ...), values=(list[Any] | None, None))
MANY_INFOS: Any = list[CollectionInfo]  # type: ignore[valid-type]
MANY_PROJECTS: Any = list[ProjectAnswer]  # type: ignore[valid-type]
MANY_MARKS: Any = list[MarkAnswer]  # type: ignore[valid-type]
FOUND: Any = SearchAnswer | None
MarkedAnswer: Any = create_model("MarkedAnswer", marks=(MANY_MARKS, ...), found=(FOUND, None))
