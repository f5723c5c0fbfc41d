"""The results of reading files: documents, and what was skipped."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

FieldValue: TypeAlias = str | int | float | bool | list[str]
Fields: TypeAlias = Mapping[str, FieldValue]

NO_FIELDS: Fields = MappingProxyType({})


class Document(NamedTuple):
    """One text with an id, as a collection takes it.

    fields: what else is known about it, by name. source: the file it came from, and the place in the file, if any.
    """

    id: str
    text: str
    title: str = ""
    fields: Fields = NO_FIELDS
    source: str = ""


class Skipped(NamedTuple):
    """A file, or a place in a file, that was skipped; `reason` is one short sentence."""

    source: str
    reason: str


Found: TypeAlias = Document | Skipped
"""The items that reading yields."""

SOURCE_NAME = "{name}"
"""In a prefix of ids: the name of the file or folder that is read."""


def file_of(source: str) -> str:
    """The file that a source names, without the place inside it ("table.csv, line 3")."""
    return source.rpartition(", ")[0] or source
