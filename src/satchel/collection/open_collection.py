"""A collection while it is open: what it holds, how it looks in a notebook, and what search keeps in memory."""

from __future__ import annotations

import html
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from satchel.collection.adding import count
from satchel.collection.documents import COLUMNS, StoredDocument, is_unicode, read_document
from satchel.collection.file import CollectionFile
from satchel.collection.info import Info, read_info
from satchel.collection.space import Space, load_space
from satchel.errors import InputError


class OpenCollection:
    """The documents by id, in the manner of a mapping, and the numbers of the file."""

    def __init__(self, file: CollectionFile) -> None:
        self._file = file
        self._known: Space | None = None

    @property
    def path(self) -> Path:
        return self._file.path

    @property
    def read_only(self) -> bool:
        return self._file.read_only

    def close(self) -> None:
        """Gives the file free; nothing can be asked of the collection any more. Closing twice does no harm."""
        self._known = None
        self._file.close()

    def info(self) -> Info:
        with self._file.reading():
            return read_info(self._file)

    def describe(self, theme: int) -> list[str]:
        """Words that speak for a theme: a codeword of the model."""
        with self._file.reading():
            return self._space().describe(theme)

    def __len__(self) -> int:
        with self._file.reading():
            return count(self._file)

    def __contains__(self, id_: object) -> bool:
        if not isinstance(id_, str) or not is_unicode(id_):
            return False
        with self._file.reading():
            return self._file.value("SELECT 1 FROM documents WHERE id = ?", id_) is not None

    def __getitem__(self, id_: str) -> StoredDocument:
        with self._file.reading():
            rows = self._file.rows(f"SELECT {COLUMNS} FROM documents WHERE id = ?", id_)
        if not rows:
            raise KeyError(id_)
        return read_document(rows[0])

    def _stored(self, id_: str) -> StoredDocument:
        """The document, or the sentence for one that is not there."""
        try:
            return self[id_]
        except KeyError:
            raise InputError(f"no document {id_!r} is in {self.path}; give the id of a hit") from None

    def __iter__(self) -> Iterator[str]:
        """The ids, in their order."""
        with self._file.reading():
            return iter([id_ for (id_,) in self._file.rows("SELECT id FROM documents ORDER BY id")])

    def __repr__(self) -> str:
        if not self._file.is_open:
            return f"<Collection {self.path}, closed>"
        return f"<Collection {self.path}, {len(self):,} documents>"

    def _repr_html_(self) -> str:
        return self.info()._repr_html_() if self._file.is_open else html.escape(repr(self))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _space(self) -> Space:
        self._known = load_space(self._file, self._known)
        return self._known
