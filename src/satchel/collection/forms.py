"""Results as plain values for JSON: one form for the command line, HTTP and others.

A result becomes an object with the names of its fields. Times are written as 2026-11-19T20:03:20+00:00.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from satchel.collection.map import CollectionMap
from satchel.importing import Fields
from satchel.search import Hits, Passage, Reading
from satchel.store import Region

Json: TypeAlias = Any
TIMES = ("time", "created", "added", "last_added")
"""The fields that contain seconds since 1970."""


class MapForm(NamedTuple):
    """A map in JSON: the place of each document, in the order of ids, rounded to a ten-thousandth of the side."""

    ids: list[str]
    x: list[float]
    y: list[float]
    regions: tuple[Region, ...]


class ReadingForm(NamedTuple):
    """A document in JSON, with the places of the query's words and the passages that matter."""

    id: str
    title: str
    text: str
    fields: Fields
    source: str
    added: float
    matches: tuple[tuple[int, int], ...]
    passages: tuple[Passage, ...]


def as_json(value: object) -> Json:
    """Any result, or a list or mapping of results, as plain values for JSON."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if type(value) in _SPECIAL:
        return _SPECIAL[type(value)](value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: _of_field(name, getattr(value, name)) for name in value._fields}
    if is_dataclass(value):
        return {field.name: _of_field(field.name, getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): as_json(own) for key, own in value.items()}
    if isinstance(value, Sequence | Set):
        return [as_json(own) for own in value]
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return str(value) if isinstance(value, Path) else value


def _of_field(name: str, value: object) -> Json:
    return moment(value) if name in TIMES and isinstance(value, float) else as_json(value)


def moment(seconds: float) -> str:
    """A time in ISO 8601."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _hits(hits: Hits) -> Json:
    own = {field.name: as_json(getattr(hits, field.name)) for field in fields(hits)}
    return own | {"learned": list(hits.learned)}


def _map(found: CollectionMap) -> Json:
    x, y = ([round(value, 4) for value in found.points[:, side].tolist()] for side in (0, 1))
    return as_json(MapForm(found.ids, x, y, found.regions))


def _reading(reading: Reading) -> Json:
    document = reading.document
    return as_json(
        ReadingForm(
            document.id,
            document.title,
            document.text,
            document.fields,
            document.source,
            document.added,
            reading.matches,
            reading.passages,
        )
    )


_SPECIAL: dict[type, Callable[[Any], Json]] = {Hits: _hits, CollectionMap: _map, Reading: _reading}
