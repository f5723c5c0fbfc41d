"""The part of a collection that keeps marks, with undo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from satchel.collection.viewing import ViewedCollection
from satchel.grades import MarkValue
from satchel.projects import (
    Mark,
    kept_marks,
    mark_documents,
    read_project,
    undo_step,
)
from satchel.query import ids_of


class MarkedCollection(ViewedCollection):
    """A collection with marks on its documents."""

    def mark(
        self, id_: str, value: MarkValue | Literal["none"] | None, *, query: str = "", project: str | None = None
    ) -> Mark:
        """Marks a document for a query or a project, whose searches learn from it; None removes the mark."""
        return self.mark_together([id_], value, query=query, project=project)[0]

    def mark_together(
        self,
        ids: Sequence[str],
        value: MarkValue | Literal["none"] | None,
        *,
        query: str = "",
        project: str | None = None,
    ) -> list[Mark]:
        """Gives several documents the same mark: all of them or none. `undo` undoes all of them together."""
        those = ids_of("ids", ids)
        with self._store.writing():
            own = query if project is None else read_project(self._store, project).query
            return mark_documents(self._store, those, "none" if value is None else value, own, project)

    def undo(self, *, query: str | None = None, project: str | None = None) -> Mark | None:
        """Undoes the last mark, or the last removal of a mark; call it again for the one before. None if none is left.

        With a query or a project, only its marks count. Marks made together are undone together; `undo_together`
        returns all of them.
        """
        return next(reversed(self.undo_together(query=query, project=project)), None)

    def undo_together(self, *, query: str | None = None, project: str | None = None) -> list[Mark]:
        """Undoes the last mark and those made with it by `mark_together`; -> the undone marks."""
        with self._store.writing():
            self._check_project(project)
            return undo_step(self._store, query=query, project=project)

    def marks(self, *, query: str | None = None, project: str | None = None) -> list[Mark]:
        """The present marks, oldest first: all of them, or those of a query or a project."""
        with self._store.reading():
            self._check_project(project)
            return kept_marks(self._store, query=query, project=project)

    def _check_project(self, name: str | None) -> None:
        if name is not None:
            read_project(self._store, name)
