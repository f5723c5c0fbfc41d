"""What reading files gives: documents, what was skipped, and the limits that bound the memory a file can use."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from satchel.errors import DamagedFileError

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


MAX_TEXT = 50_000_000  # bytes of a text file, characters of a document: a shelf of eighty books
MAX_PACKED = 500_000_000  # bytes of a file that is mostly not text, as PDF and Word
MAX_MARKUP = 200_000_000  # bytes of XML or JSON around one text: four times the text
MAX_ROW = 10_000_000  # characters of a row of CSV: a quotation mark that is never closed stops here
MAX_ID = 1_000  # characters


def too_long(limit: int) -> DamagedFileError:
    """The error for a file or record that is longer than the limit."""
    return DamagedFileError(f"is longer than {limit // 1_000_000} MB, the limit for one document; split it")
