"""One of several connections that read a file, with what the page asks for beside what the library tells."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from satchel.collection import Collection
from satchel.collection.file import CollectionFile
from satchel.collection.space import Space, load_space
from satchel.importing.types import FieldValue
from satchel.server.replies import AbsentError


class SharedSpace:
    """The space of a file, for all its readers."""

    def __init__(self) -> None:
        self.turn = threading.Lock()
        self.known: Space | None = None


class Reader(Collection):
    """One of several that read the same file, with what the page asks for beside."""

    def __init__(self, file: CollectionFile) -> None:
        super().__init__(file)
        self.shared = SharedSpace()

    def _space(self) -> Space:
        known = self.shared.known
        if known is not None and known.change == self._file.change:
            return known
        with self.shared.turn:
            self.shared.known = load_space(self._file, self.shared.known)
            return self.shared.known

    @property
    def version(self) -> int:
        """Another number after every change that somebody else made to the file."""
        return int(self._file.value("PRAGMA data_version"))

    def check_interest(self, name: str) -> None:
        """Refuses a name under which nothing is kept."""
        there = [one for (one,) in self._file.rows("SELECT name FROM interests ORDER BY name")]
        if name not in there:
            known = f"choose from {', '.join(there[:20])}" if there else "none is saved yet"
            raise AbsentError(f"there is no interest {name[:200]!r} here; {known}")

    def check_themes(self, themes: Iterable[int]) -> None:
        """Refuses weights of themes that the model does not have."""
        with self._file.reading():
            n_themes = self._space().vectors.shape[1]
        beyond = next((theme for theme in themes if not 0 <= theme < n_themes), None)
        if beyond is not None:
            raise AbsentError(f"there is no theme {beyond}; the model has {n_themes}, counted from 0")

    def field_of_each(self, name: str) -> list[FieldValue | None]:
        """The value of a field of each document, in the order of ids: the first of several, None where it has none."""
        with self._file.reading():
            numbers = self._file.rows("SELECT number FROM documents ORDER BY id")
            found = self._file.rows("SELECT number, value FROM fields WHERE name = ?", name)
        values: dict[int, FieldValue] = dict(reversed(found))
        return [values.get(number) for (number,) in numbers]
