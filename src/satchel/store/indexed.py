"""Which values of a document are indexed besides its title and text, and the number of each field."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from satchel.importing import Fields, file_of
from satchel.store.index import FILE, ID, TEXT, TITLE

OWN_FIELDS = {"text": TEXT, "title": TITLE, "id": ID, "file": FILE, "source": FILE}
"""The fields of every document with their numbers in the index."""
_OTHERS, _LAST = 4, 255
_LAST_PART = re.compile(r"[^/\\]*\Z")


class FieldNumbers:
    """The number of each field by its name, in the order in which fields came; beyond the last, one for all others."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.is_changed = False
        self._numbers = {name: place for place, name in enumerate(names, start=_OTHERS)}

    def __getitem__(self, name: str) -> int:
        """The number of a field; a new name gets a new number."""
        found = self._numbers.get(name)
        if found is None:
            self.names.append(name)
            self.is_changed = True
            found = self._numbers[name] = len(self.names) - 1 + _OTHERS
        return min(found, _LAST)

    def known(self, name: str) -> list[int]:
        """The numbers that a field's name means; none if no document has it.

        Two for "source", say, if documents have a field of their own with that name.
        """
        every = (OWN_FIELDS.get(name), self._numbers.get(name))
        return [min(one, _LAST) for one in every if one is not None]


def indexed_values(id_: str, source: str, fields: Fields, numbers: FieldNumbers) -> Iterator[tuple[int, str]]:
    """The values of a document that its passages are found by, with the number of their field."""
    yield ID, id_
    if name := file_name(source):
        yield FILE, name
    for field, value in fields.items():
        for one in value if isinstance(value, list | tuple) else (value,):
            yield numbers[field], str(one)


def file_name(source: str) -> str:
    """The name of the file that a document came from, without its folders."""
    found = _LAST_PART.search(file_of(source)) if source else None
    return found.group() if found else ""


def of_documents(name: str, columns: Iterable[tuple[int, str | float]]) -> Iterator[tuple[int, str | float]]:
    """Document and value of what every document has, from its column; "file" is made of the source."""
    for number, value in columns:
        own = file_name(str(value)) if name == "file" else value
        if own != "":
            yield number, own
