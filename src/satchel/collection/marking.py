"""A collection as people mark it: marks with undo, interests, and their way to another collection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from satchel.collection.viewing import ViewedCollection
from satchel.grades import MarkValue
from satchel.projects import (
    Interest,
    Mark,
    catch_up,
    import_interests,
    interests_as_json,
    kept_marks,
    mark_documents,
    read_file,
    read_interest,
    read_interests,
    remove_interest,
    save_interest,
    undo_step,
)
from satchel.query import Filters, Request
from satchel.query.request import ids_of
from satchel.search import checked_question


class MarkedCollection(ViewedCollection):
    """What people say of documents, kept in the store."""

    def mark(
        self, id_: str, value: MarkValue | Literal["none"], *, query: str = "", interest: str | None = None
    ) -> Mark:
        """Keeps a verdict on a document for a query or an interest, in whose searches it counts from now on."""
        return self.mark_together([id_], value, query=query, interest=interest)[0]

    def mark_together(
        self, ids: Sequence[str], value: MarkValue | Literal["none"], *, query: str = "", interest: str | None = None
    ) -> list[Mark]:
        """Keeps the same verdict on several documents: all or none, and `undo` takes all of them back."""
        those = ids_of("ids", ids)
        with self._store.writing():
            own = query if interest is None else read_interest(self._store, interest).query
            return mark_documents(self._store, those, value, own, interest)

    def unmark(self, id_: str, *, query: str = "", interest: str | None = None) -> Mark:
        """Takes the mark of a document away; `undo` brings it back."""
        return self.mark(id_, "none", query=query, interest=interest)

    def undo(self, *, query: str | None = None, interest: str | None = None) -> Mark | None:
        """Takes back the last mark, or the last `unmark`; again, and the one before it. None where none is left.

        With a query or an interest, the last of its marks. Marks that were made together are taken back together;
        `undo_together` tells all of them.
        """
        return next(reversed(self.undo_together(query=query, interest=interest)), None)

    def undo_together(self, *, query: str | None = None, interest: str | None = None) -> list[Mark]:
        """Takes back the last mark, or those that were made with it by `mark_together`; -> what was taken back."""
        with self._store.writing():
            self._check_interest(interest)
            return undo_step(self._store, query=query, interest=interest)

    def marks(self, *, query: str | None = None, interest: str | None = None) -> list[Mark]:
        """The marks that count, oldest first: all of them, or those of a query or an interest."""
        with self._store.reading():
            self._check_interest(interest)
            return kept_marks(self._store, query=query, interest=interest)

    def _check_interest(self, name: str | None) -> None:
        if name is not None:
            read_interest(self._store, name)

    def save_interest(
        self,
        name: str,
        query: str = "",
        *,
        filters: Filters | None = None,
        weights: Mapping[int, float] | None = None,
    ) -> Interest:
        """Keeps a query under a name, with the marks that were made for it; one of that name is changed.

        weights: of themes, by hand: codeword -> 0 leaves it out, 1 is neutral, 2 counts it twice.
        """
        with self._store.writing():
            checked_question(self._store, self._snapshot(), Request(weights=weights))
            return save_interest(self._store, name, query, filters, weights)

    def interests(self) -> list[Interest]:
        with self._store.reading():
            return read_interests(self._store)

    def interest(self, name: str) -> Interest:
        with self._store.reading():
            return read_interest(self._store, name)

    def remove_interest(self, name: str) -> None:
        """Takes an interest out, and its marks."""
        with self._store.writing():
            remove_interest(self._store, name)

    def catch_up(self, name: str) -> None:
        """What is here now is no longer new for this interest."""
        with self._store.writing():
            catch_up(self._store, name)

    def exported_interests(self, names: Iterable[str] | None = None, *, texts: bool = True) -> dict[str, Any]:
        """Interests as plain values for JSON. texts: with the texts of marked documents, so that another collection
        learns from them too."""
        with self._store.reading():
            return interests_as_json(self._store, names, texts)

    def import_interests(self, source: str | Path | Mapping[str, Any]) -> list[str]:
        """Takes in interests that were exported, or the file of them; -> their names.

        Where a name is taken, the marks of both are kept.
        """
        is_file = isinstance(source, str | Path)
        content = read_file(Path(source)) if isinstance(source, str | Path) else source
        with self._store.writing():
            return import_interests(self._store, content, *([str(source)] if is_file else []))
