"""What importing finds: documents, and what could not be read with the reason."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

FieldValue: TypeAlias = str | int | float | bool | list[str]
Fields: TypeAlias = Mapping[str, FieldValue]

NO_FIELDS: Fields = MappingProxyType({})


class Document(NamedTuple):
    """One text with an id that no other document of the same reading has.

    source: the file as it was named, and the place in it where the file holds several documents.
    """

    id: str
    text: str
    title: str = ""
    fields: Fields = NO_FIELDS
    source: str = ""


class Skipped(NamedTuple):
    """A file, or a place in one, that gave no document; `reason` is one short sentence."""

    source: str
    reason: str


Found: TypeAlias = Document | Skipped
