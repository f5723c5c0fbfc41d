"""The marks and the projects of a collection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from satchel.collection.viewing import ViewedCollection
from satchel.errors import InputError
from satchel.projects import (
    Mark,
    Project,
    Screening,
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
    screening,
    undo_step,
)
from satchel.query import Filters, Mode, Request, ids_of
from satchel.search import Hits, Snapshot, checked_question
from satchel.store import ProjectRow, Store
from satchel.types import MarkValue


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


class Projects:
    """The projects by name: `projects["storage"]`, `len(projects)`, `for name in projects`."""

    def __init__(self, store: Store, snapshot: Callable[[], Snapshot], find: Callable[[Request], Hits]) -> None:
        self._store, self._snapshot, self._find = store, snapshot, find

    def __getitem__(self, name: str) -> Project:
        with self._store.reading():
            return read_project(self._store, name)

    def __contains__(self, name: object) -> bool:
        return name in list(self)

    def __iter__(self) -> Iterator[str]:
        with self._store.reading():
            return iter([row.name for row in self._store.rows(ProjectRow)])

    def __len__(self) -> int:
        return len(list(self))

    def values(self) -> list[Project]:
        """All projects, in the order of their names."""
        with self._store.reading():
            return read_projects(self._store)

    def save(
        self,
        name: str,
        query: str = "",
        *,
        filters: Filters | None = None,
        weights: Mapping[int, float] | None = None,
    ) -> Project:
        """Saves a query and its marks under a name; an existing project of that name is changed.

        weights: theme -> weight: 0 ignores the theme, 1 is neutral, 2 counts it twice.
        """
        with self._store.writing():
            checked_question(self._store, self._snapshot(), Request(weights=weights))
            return save_project(self._store, name, query, filters, weights)

    def remove(self, name: str) -> None:
        """Removes a project and its marks."""
        with self._store.writing():
            remove_project(self._store, name)

    def new(self, name: str, k: int = 10, *, offset: int = 0, mode: Mode = "both") -> Hits:
        """The new documents of a project, ranked: unmarked ones that were added or changed since `seen`."""
        return self._find(Request(k=k, offset=offset, mode=mode, project=name, only_new=True))

    def seen(self, name: str) -> None:
        """Marks all present documents as seen for this project."""
        with self._store.writing():
            catch_up(self._store, name)

    def exported(self, names: Iterable[str] | None = None, *, texts: bool = True) -> dict[str, Any]:
        """Projects as plain values for JSON. texts: add the texts of marked documents, so that another collection can
        learn from them too."""
        with self._store.reading():
            return projects_as_json(self._store, names, texts)

    def take_in(self, source: str | Path | Mapping[str, Any]) -> list[str]:
        """Imports exported projects, given as values or as a file; -> their names.

        If a project of that name exists, it keeps the marks of both.
        """
        is_file = isinstance(source, str | Path)
        content = read_file(Path(source)) if isinstance(source, str | Path) else source
        with self._store.writing():
            return import_projects(self._store, content, *([str(source)] if is_file else []))

    def progress(self, name: str | None = None, *, query: str | None = None) -> Screening:
        """The progress of a screening by a project or a query, and how many relevant documents may be left."""
        if (query is None) == (name is None):
            raise InputError("progress needs a project or a query; give one of them")
        with self._store.reading():
            return screening(self._store, query, name)
