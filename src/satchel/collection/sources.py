"""Where documents come from: one name for each place, however it is spelled, and ids that tell sources apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from satchel.importing.types import Document, Found

SOURCE_NAME = "{name}"
"""In a prefix: the name of the file or folder that is read."""


def located(found: Iterable[Found], path: Path, prefix: str = "") -> Iterator[Found]:
    """The documents of a file or folder under its whole path, links followed, so that it has one name alone.

    prefix: put before each id; `{name}` in it stands for the name of the file or folder.
    """
    given, place = str(path), path.resolve()
    before = prefix.replace(SOURCE_NAME, place.name)
    for one in found:
        if isinstance(one, Document):
            source = f"{place}{one.source[len(given) :]}" if one.source.startswith(given) else one.source
            yield one._replace(id=before + one.id, source=source)
        else:
            yield one


def prefixed(found: Iterable[Found], prefix: str) -> Iterator[Found]:
    """The documents with the prefix before each id."""
    for one in found:
        yield one._replace(id=prefix + one.id) if isinstance(one, Document) and isinstance(one.id, str) else one


def file_of(source: str) -> str:
    """The file that a source names, without the place inside it ("table.csv, line 3")."""
    return source.rpartition(", ")[0] or source
