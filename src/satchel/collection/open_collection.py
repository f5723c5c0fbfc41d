"""A collection while it is open: what it holds, how it looks in a notebook, and what search keeps in memory."""

from __future__ import annotations

import html
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Self

from satchel.collection.info import Info, read_info
from satchel.encoders import Encoder
from satchel.query.request import is_unicode
from satchel.search import Snapshots, missing
from satchel.search.snapshot import Snapshot
from satchel.store import Store, StoredDocument


class OpenCollection:
    """The documents by id, in the manner of a mapping, and the numbers of the store."""

    def __init__(self, store: Store, snapshots: Snapshots | None = None) -> None:
        self._store = store
        self._snapshots = snapshots or Snapshots()

    def another(self) -> Self:
        """A second way into the same collection, for another thread; both share what is held in memory."""
        return type(self)(self._store.another(), self._snapshots)

    @property
    def path(self) -> Path:
        return self._store.path

    @property
    def read_only(self) -> bool:
        return self._store.read_only

    @property
    def version(self) -> int:
        """Another number after every change that somebody else made."""
        return self._store.version()

    @property
    def model(self) -> Encoder | None:
        """The encoder that serves now, as it is; None before there are documents."""
        with self._store.reading():
            return self._snapshot().model.encoder

    def close(self) -> None:
        """Gives the store free; nothing can be asked of the collection any more. Closing twice does no harm."""
        self._store.close()

    def reading(self) -> AbstractContextManager[None]:
        """All that is asked within the block is of one moment, whatever others change meanwhile."""
        return self._store.reading()

    def info(self) -> Info:
        with self._store.reading():
            return read_info(self._store)

    def describe(self, theme: int) -> list[str]:
        """Words that speak for a theme: a codeword of the model."""
        with self._store.reading():
            return self._snapshot().model.describe(theme)

    def __len__(self) -> int:
        with self._store.reading():
            return self._store.count()

    def __contains__(self, id_: object) -> bool:
        if not isinstance(id_, str) or not is_unicode(id_):
            return False
        with self._store.reading():
            return id_ in self._store.known([id_])

    def __getitem__(self, id_: str) -> StoredDocument:
        with self._store.reading():
            known = self._store.known([id_])
            if id_ not in known:
                raise KeyError(id_)
            return self._store.documents([known[id_].number])[0]

    def _stored(self, id_: str) -> StoredDocument:
        """The document, or the sentence for one that is not there."""
        try:
            return self[id_]
        except KeyError:
            raise missing(self._store, id_) from None

    def __iter__(self) -> Iterator[str]:
        """The ids, in their order."""
        with self._store.reading():
            return iter(self._store.ids())

    def __repr__(self) -> str:
        if not self._store.is_open:
            return f"<Collection {self.path}, closed>"
        return f"<Collection {self.path}, {len(self):,} documents>"

    def _repr_html_(self) -> str:
        return self.info()._repr_html_() if self._store.is_open else html.escape(repr(self))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _snapshot(self) -> Snapshot:
        return self._snapshots.of(self._store)
