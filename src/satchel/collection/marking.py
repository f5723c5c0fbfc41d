"""A collection as people mark it: marks with undo, projects, and their way to another collection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from satchel.collection.viewing import ViewedCollection
from satchel.grades import MarkValue
from satchel.projects import (
    Mark,
    Project,
    catch_up,
    import_projects,
    kept_marks,
    mark_documents,
    projects_as_json,
    read_file,
    read_project,
    read_projects,
    remove_project,
    save_project,
    undo_step,
)
from satchel.query import Filters, Request
from satchel.query.request import ids_of
from satchel.search import checked_question


class MarkedCollection(ViewedCollection):
    """What people say of documents, kept in the store."""

    def mark(
        self, id_: str, value: MarkValue | Literal["none"], *, query: str = "", project: str | None = None
    ) -> Mark:
        """Keeps a verdict on a document for a query or a project, in whose searches it counts from now on."""
        return self.mark_together([id_], value, query=query, project=project)[0]

    def mark_together(
        self, ids: Sequence[str], value: MarkValue | Literal["none"], *, query: str = "", project: str | None = None
    ) -> list[Mark]:
        """Keeps the same verdict on several documents: all or none, and `undo` takes all of them back."""
        those = ids_of("ids", ids)
        with self._store.writing():
            own = query if project is None else read_project(self._store, project).query
            return mark_documents(self._store, those, value, own, project)

    def unmark(self, id_: str, *, query: str = "", project: str | None = None) -> Mark:
        """Takes the mark of a document away; `undo` brings it back."""
        return self.mark(id_, "none", query=query, project=project)

    def undo(self, *, query: str | None = None, project: str | None = None) -> Mark | None:
        """Takes back the last mark, or the last `unmark`; again, and the one before it. None where none is left.

        With a query or a project, the last of its marks. Marks that were made together are taken back together;
        `undo_together` tells all of them.
        """
        return next(reversed(self.undo_together(query=query, project=project)), None)

    def undo_together(self, *, query: str | None = None, project: str | None = None) -> list[Mark]:
        """Takes back the last mark, or those that were made with it by `mark_together`; -> what was taken back."""
        with self._store.writing():
            self._check_project(project)
            return undo_step(self._store, query=query, project=project)

    def marks(self, *, query: str | None = None, project: str | None = None) -> list[Mark]:
        """The marks that count, oldest first: all of them, or those of a query or a project."""
        with self._store.reading():
            self._check_project(project)
            return kept_marks(self._store, query=query, project=project)

    def _check_project(self, name: str | None) -> None:
        if name is not None:
            read_project(self._store, name)

    def save_project(
        self,
        name: str,
        query: str = "",
        *,
        filters: Filters | None = None,
        weights: Mapping[int, float] | None = None,
    ) -> Project:
        """Keeps a query under a name, with the marks that were made for it; one of that name is changed.

        weights: of themes, by hand: codeword -> 0 leaves it out, 1 is neutral, 2 counts it twice.
        """
        with self._store.writing():
            checked_question(self._store, self._snapshot(), Request(weights=weights))
            return save_project(self._store, name, query, filters, weights)

    def projects(self) -> list[Project]:
        with self._store.reading():
            return read_projects(self._store)

    def project(self, name: str) -> Project:
        with self._store.reading():
            return read_project(self._store, name)

    def remove_project(self, name: str) -> None:
        """Takes a project out, and its marks."""
        with self._store.writing():
            remove_project(self._store, name)

    def catch_up(self, name: str) -> None:
        """What is here now is no longer new for this project."""
        with self._store.writing():
            catch_up(self._store, name)

    def exported_projects(self, names: Iterable[str] | None = None, *, texts: bool = True) -> dict[str, Any]:
        """Projects as plain values for JSON. texts: with the texts of marked documents, so that another collection
        learns from them too."""
        with self._store.reading():
            return projects_as_json(self._store, names, texts)

    def import_projects(self, source: str | Path | Mapping[str, Any]) -> list[str]:
        """Takes in projects that were exported, or the file of them; -> their names.

        Where a name is taken, the marks of both are kept.
        """
        is_file = isinstance(source, str | Path)
        content = read_file(Path(source)) if isinstance(source, str | Path) else source
        with self._store.writing():
            return import_projects(self._store, content, *([str(source)] if is_file else []))
