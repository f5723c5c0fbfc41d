"""Answers: JSON, and errors as one sentence with a fitting status."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from satchel.errors import (
    AbsentError,
    CollectionError,
    DiskFullError,
    LockedCollectionError,
    MissingFileError,
    ReadOnlyCollectionError,
    SatchelError,
)

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
    """A request that is refused, with the status that says why."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Json(Response):
    """JSON in UTF-8; characters that UTF-8 cannot hold become question marks."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return as_bytes(content)


def as_bytes(content: object) -> bytes:
    """The content as JSON bytes."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def packed(content: bytes) -> bytes:
    """The content packed by gzip, if that is worth it."""
    return gzip.compress(content, 3, mtime=0) if len(content) > PACKED_FROM else content


def sent(content: bytes) -> Response:
    """A response with ready JSON bytes, packed or not."""
    headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"} if content[:2] == _GZIP else None
    return Response(content, media_type=Json.media_type, headers=headers)


def takes_gzip(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


def failure(status: int, sentence: str, headers: dict[str, str] | None = None) -> Json:
    """An error as the API tells it."""
    return Json({"error": " ".join(sentence.split())}, status, headers)


def failure_of(error: SatchelError, hidden: Sequence[tuple[str, str]] = ()) -> Json:
    """The library's error as an answer. hidden: paths of this machine, and the names to show in their place."""
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
