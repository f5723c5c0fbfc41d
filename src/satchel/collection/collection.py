"""The Collection: documents with their index, vectors, model, marks and projects, in a file or in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Self, cast

from satchel.collection.add import AddReport, add_documents, remove_documents
from satchel.collection.export import (
    FORMS,
    What,
    exported_lines,
    exported_rows,
    exported_vectors,
    form_of,
    write_rows,
    write_vectors,
)
from satchel.collection.model import check_dense, findings, repaired, take_model
from satchel.collection.projects import MarkedCollection, Projects
from satchel.collection.train import TrainingReport, train
from satchel.encoders import BagOfEmbeddedWords, Encoder, load_encoder
from satchel.errors import InputError, one_of, seed
from satchel.importing import ColumnChoice, Document, Skipped, paths_in, prefixed, read_documents
from satchel.progress import Progress, no_progress
from satchel.query import Request, ids_of, takes_fields_of
from satchel.search import Hits, checked_question, search
from satchel.store import MemoryStore, SqliteStore, Store, save_words
from satchel.types import FloatArray
from satchel.words import WordVectors

IN_MEMORY = ":memory:"
"""Give this in place of a path for a collection in memory, which is lost when it is closed."""


class Collection(MarkedCollection):
    """Documents in one file, or in memory, found by words and by meaning.

    `Collection.create(path)` makes the file, `Collection.open(path)` opens it; use both in a `with` block. When a
    method returns, its change is on the disk; if it fails, nothing has changed. Many may read a collection at a time,
    one may change it; a second writer waits a little, then gets a LockedCollectionError. Threads may share it.
    """

    @classmethod
    def create(
        cls,
        path: str | Path,
        *,
        words: WordVectors | None = None,
        model: Encoder | str | Path | None = None,
        random_state: int = 0,
    ) -> Self:
        """Creates a collection; an existing file is never replaced.

        words: word vectors to start from; without them the model is learned from the first documents alone. model: a
        fitted encoder, or its folder, used as it is.
        """
        if words is not None and model is not None:
            raise InputError("give words or a model, not both: a model has its own words")
        start, encoder = seed(random_state), load_encoder(model) if isinstance(model, str | Path) else model
        if encoder is not None:
            check_dense(encoder)

        def fill(store: Store) -> None:
            store.write_note("random_state", start)
            if words is not None:
                save_words(store, words)
            if encoder is not None:
                take_model(store, encoder, "given", 0.0, {})

        if str(path) == IN_MEMORY:
            memory = MemoryStore()
            with memory.writing():
                fill(memory)
            return cls(memory)
        SqliteStore.create(Path(path), fill)
        return cls.open(path)

    @classmethod
    def open(cls, path: str | Path, *, read_only: bool = False) -> Self:
        """Opens the collection in a file; a write-protected file is opened read-only."""
        return cls(SqliteStore.open(Path(path), read_only))

    def add(
        self,
        source: str | Path | Sequence[Path] | Iterable[Document | Skipped],
        *,
        form: str | None = None,
        columns: ColumnChoice | None = None,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        encoding: str | None = None,
        prefix: str = "",
        name_of: Callable[[Path], str] | None = None,
        on_progress: Progress = no_progress,
    ) -> AddReport:
        """Adds new documents and replaces changed ones; if anything fails, nothing is changed.

        source: a file, a folder or several paths, read as docs/how-to/importing.md describes (with form, columns,
        include, exclude, encoding and name_of), or documents. The collection's own files in a folder are skipped.
        prefix: put before each id, so that sources with the same ids do not replace each other; `{name}` in it is the
        name of the file or folder. name_of: a function that gives the name of a file in place of its path. The model is
        learned from the first documents that contain words; later documents are only encoded.
        """
        paths = paths_in(source)
        if paths is None:
            documents = cast(Iterable[Document | Skipped], source)
            given = prefixed(documents, prefix) if prefix else documents
            return add_documents(self._store, given, on_progress, self._snapshots.encoder)
        found = read_documents(
            paths,
            form=form,
            columns=columns,
            include=include,
            exclude=exclude,
            encoding=encoding,
            prefix=prefix,
            leave_out=[Path(f"{self.path.resolve()}{end}") for end in ("", "-wal", "-shm", "-journal")],
            whole_paths=True,
            name_of=name_of,
            on_progress=on_progress,
        )
        return add_documents(self._store, found, on_progress, self._snapshots.encoder)

    def remove(self, ids: Sequence[str]) -> int:
        """Removes documents; -> how many existed. Their marks are kept, in case they are added again."""
        return remove_documents(self._store, ids_of("ids", ids))

    @takes_fields_of(Request)
    def search(self, request: Request) -> Hits:
        """The best k documents after the first `offset`, each with a snippet and reasons; ties in the order of ids.

        mode: by words ("lexical"), by meaning ("semantic"), or both fused. like: find documents like these ids.
        filters: see `satchel.collection.Filters`. relevant, irrelevant, maybe: ids of documents, marked for this
        search; marks kept for this query or project count too, unless kept_marks is false. only_new: only unmarked
        documents that were added or changed since `projects.seen`. explained: add snippets and reasons; turn it off
        for long lists. weights: theme -> weight, set by hand (see `projects.save`), in place of the project's weights.
        area: only documents between two corners on the `map`. compare_with: other marks and weights; each hit also
        shows its rank under these. An empty query lists all documents that meet the filters.
        """
        return self.find(request)

    def find(self, request: Request) -> Hits:
        """Searches with a `Request`."""
        with self._store.reading():
            return search(self._store, self._snapshot(), request)

    def check_request(self, request: Request) -> None:
        """Raises the error that a search with this request would raise, without searching."""
        with self._store.reading():
            checked_question(self._store, self._snapshot(), request)

    @property
    def projects(self) -> Projects:
        """Named needs with their marks: `collection.projects["storage"]`."""
        return Projects(self._store, self._snapshot, self.find)

    def train(
        self,
        *,
        labels: str | None = None,
        marks: bool = False,
        encoder: BagOfEmbeddedWords | None = None,
        on_progress: Progress = no_progress,
    ) -> TrainingReport:
        """Trains the model again: on the texts, on a field with labels, or on the marks kept so far.

        encoder: an unfitted encoder with the wanted parameters; without it the present model's parameters are used. The
        old model is used until the new one is ready; then model and vectors change in one transaction.
        """
        return train(self._store, labels, marks, encoder, on_progress)

    def export(
        self,
        path: str | Path,
        what: What,
        *,
        form: str | None = None,
        hits: Hits | None = None,
        project: str | None = None,
    ) -> int:
        """Writes hits, marks, documents, vectors or the model; -> the number of rows. The file's ending gives the form.

        Forms: `satchel.collection.FORMS`. An existing file is replaced when the new one is complete.
        """
        target, form = Path(path), form_of(Path(path), what, form)
        if target.resolve() == self.path.resolve():
            raise InputError(f"{path} is the collection itself; export to another file")
        if what == "model":
            if self.model is None:
                raise InputError(f"{self.path} has no model yet; add documents first")
            self.model.save(target)
            return 1
        if target.is_dir():
            raise InputError(f"{path} is a folder; give the name of a file to write {what} to")
        if what == "vectors":
            ids, vectors = self.vectors()
            write_vectors(target, form, ids, vectors)
            return len(ids)
        with self._store.reading():
            return write_rows(target, form, exported_rows(self._store, what, hits, project))

    def exported(
        self, what: str, form: str | None = None, *, hits: Hits | None = None, project: str | None = None
    ) -> Iterator[str]:
        """Hits, marks or documents as lines in a form, without line ends; all of one moment."""
        one_of("export", what, FORMS)
        with self._store.reading():
            yield from exported_lines(self._store, what, form or FORMS[what][0], hits, project)

    def vectors(self) -> tuple[list[str], FloatArray]:
        """Ids and vectors (n_documents, n_features), in the order of ids."""
        with self._store.reading():
            return exported_vectors(self._store)

    def check(self) -> list[str]:
        """Checks whether the collection is consistent; -> a sentence for each fault."""
        with self._store.reading():
            return [finding.sentence for finding in findings(self._store)]

    def repair(self, *, on_progress: Progress = no_progress) -> list[str]:
        """Rebuilds damaged parts that can be computed from the documents: index of words, fields and vectors.

        Works in one transaction; -> one sentence for each repair. Texts and marks are not touched.
        """
        with self._store.writing():
            return repaired(self._store, on_progress)
