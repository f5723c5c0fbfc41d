"""A collection: one file that holds documents, their index, vectors and model, marks and interests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from satchel.collection import interests as kept
from satchel.collection.adding import AddReport, add_documents, remove_documents, take_model
from satchel.collection.asking import Asked, request_of
from satchel.collection.documents import ids_of
from satchel.collection.exporting import What, export
from satchel.collection.file import CollectionFile
from satchel.collection.filters import Filters
from satchel.collection.hits import Hits, Mode, Verdict
from satchel.collection.integrity import find_damage
from satchel.collection.interest_files import export_interests, import_interests
from satchel.collection.interests import Interest
from satchel.collection.map_places import Area
from satchel.collection.marks import Mark, mark_documents, marks_in_force, undo_step
from satchel.collection.model_files import check_dense, save_words
from satchel.collection.opening import create_file, open_file
from satchel.collection.repairing import repair
from satchel.collection.searching import search
from satchel.collection.sources import located, prefixed
from satchel.collection.training import TrainingReport, train
from satchel.collection.vectors import Progress, no_progress
from satchel.collection.viewing import ViewedCollection
from satchel.documents import BagOfEmbeddedWords, Encoder, load_encoder
from satchel.errors import InputError, seed
from satchel.importing.types import Document, Skipped
from satchel.words import WordVectors

if TYPE_CHECKING:
    from satchel.importing import ColumnChoice


class Collection(ViewedCollection):
    """Documents in one file, found by words and by meaning.

    `Collection.create(path)` makes the file, `Collection.open(path)` opens it; both are used best in a `with`. Every
    change is on the disk when its method returns, or has not happened. Many may read a collection at a time, one may
    change it; a second writer waits a little, then gets a LockedCollectionError. Threads may share a collection.
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
        """A new collection; a file of that name is never replaced.

        words: word vectors to start from; without, the model is learned from the first documents alone. model: a
        fitted encoder, or the folder of one, that is used as it is.
        """
        if words is not None and model is not None:
            raise InputError("give words or a model, not both: a model has words of its own")
        start, encoder = seed(random_state), load_encoder(model) if isinstance(model, str | Path) else model
        if encoder is not None:
            check_dense(encoder)

        def fill(file: CollectionFile) -> None:
            file.write_note("random_state", start)
            if words is not None:
                save_words(file, words)
            if encoder is not None:
                take_model(file, encoder, "given", 0.0, {})

        create_file(Path(path), fill)
        return cls.open(path)

    @classmethod
    def open(cls, path: str | Path, *, read_only: bool = False) -> Self:
        """The collection in a file. One that may not be written to is opened for reading."""
        return cls(open_file(Path(path), read_only))

    def add(
        self,
        source: str | Path | Iterable[Document | Skipped],
        *,
        form: str | None = None,
        columns: ColumnChoice | None = None,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        encoding: str | None = None,
        prefix: str = "",
        on_progress: Progress = no_progress,
    ) -> AddReport:
        """Adds documents, replaces those that changed, leaves alone those that did not; all of them, or none.

        source: a file or folder, read as docs/importing.md says (form, columns, include, exclude and encoding are for
        these), or documents. prefix: put before each id, so that sources with the same ids do not replace each other;
        `{name}` in it is the name of the file or folder. The first documents that hold words teach the collection its
        model; later ones are only encoded.
        """
        if not isinstance(source, str | Path):
            return add_documents(self._file, prefixed(source, prefix) if prefix else source, on_progress)
        from satchel.importing import read_documents

        found = read_documents(
            Path(source),
            form=form,
            columns=columns,
            include=include,
            exclude=exclude,
            encoding=encoding,
            on_file=lambda done, total: on_progress("reading files", done, total),
        )
        return add_documents(self._file, located(found, Path(source), prefix), on_progress)

    def remove(self, ids: Sequence[str]) -> int:
        """Takes documents out; -> how many were there. Their marks are kept, for the day they come again."""
        return remove_documents(self._file, ids_of("ids", ids))

    def search(
        self,
        query: str = "",
        k: int = 10,
        *,
        offset: int = 0,
        mode: Mode = "both",
        like: str | Sequence[str] | None = None,
        filters: Filters | None = None,
        relevant: Iterable[str] = (),
        irrelevant: Iterable[str] = (),
        maybe: Iterable[str] = (),
        interest: str | None = None,
        kept_marks: bool = True,
        explained: bool = True,
        weights: Mapping[int, float] | None = None,
        area: Area | None = None,
        earlier_marks: Mapping[str, Verdict] | None = None,
        earlier_weights: Mapping[int, float] | None = None,
    ) -> Hits:
        """The best k documents after the first `offset`, each with a snippet and reasons; ties in the order of ids.

        mode: by words ("lexical"), by meaning ("semantic"), or both fused. like: the id of a document, or several, that
        hits shall be like. filters: see `satchel.collection.Filters`. relevant, irrelevant, maybe: ids of documents
        that re-rank all at once; those that were marked before for this query or interest count too, unless
        kept_marks is false. explained: with snippets and reasons, which long lists can do without. weights: of themes,
        by hand (see `save_interest`), in place of those of the interest. area: only documents within (left, top, right,
        bottom) on the `map`. earlier_marks and earlier_weights: each hit tells its rank under these, too. An empty
        query lists all documents that pass the filters.
        """
        marks, kept_ones = (relevant, irrelevant, maybe), (interest, kept_marks)
        asked = Asked(query, k, offset, mode, like, filters, *marks, *kept_ones, explained)
        asked = asked._replace(weights=weights, area=area)
        return self._search(asked._replace(earlier_marks=earlier_marks, earlier_weights=earlier_weights))

    def mark(self, id_: str, value: Verdict | Literal["none"], *, query: str = "", interest: str | None = None) -> Mark:
        """Keeps a verdict on a document for a query or an interest, in whose searches it counts from now on."""
        return self.mark_together([id_], value, query=query, interest=interest)[0]

    def mark_together(
        self, ids: Sequence[str], value: Verdict | Literal["none"], *, query: str = "", interest: str | None = None
    ) -> list[Mark]:
        """Keeps the same verdict on several documents: all or none, and `undo` takes all of them back."""
        those = ids_of("ids", ids)
        with self._file.writing():
            own = query if interest is None else kept.read_interest(self._file, interest).query
            return mark_documents(self._file, those, value, own, interest)

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
        with self._file.writing():
            return undo_step(self._file, query=query, interest=interest)

    def marks(self, *, query: str | None = None, interest: str | None = None) -> list[Mark]:
        """The marks that count, oldest first: all of them, or those of a query or an interest."""
        with self._file.reading():
            return marks_in_force(self._file, query=query, interest=interest)

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
        with self._file.writing():
            return kept.save_interest(self._file, name, query, filters, weights)

    def interests(self) -> list[Interest]:
        with self._file.reading():
            return kept.read_interests(self._file)

    def interest(self, name: str) -> Interest:
        with self._file.reading():
            return kept.read_interest(self._file, name)

    def remove_interest(self, name: str) -> None:
        """Takes an interest out, and its marks."""
        with self._file.writing():
            kept.remove_interest(self._file, name)

    def new_for(self, name: str, k: int = 10, *, offset: int = 0, mode: Mode = "both") -> Hits:
        """What is new for an interest: unmarked documents that were added or changed since `catch_up`, ranked."""
        return self._search(Asked(k=k, offset=offset, mode=mode, interest=name), only_new=True)

    def catch_up(self, name: str) -> None:
        """What is here now is no longer new for this interest."""
        with self._file.writing():
            kept.catch_up(self._file, name)

    def export_interests(self, path: str | Path, names: Iterable[str] | None = None, *, texts: bool = True) -> None:
        """Writes interests as JSON. texts: with the texts of marked documents, so that another collection learns from
        them too."""
        with self._file.reading():
            export_interests(self._file, Path(path), names, texts)

    def import_interests(self, path: str | Path) -> list[str]:
        """Takes in the interests of a file; -> their names. Where a name is taken, the marks of both are kept."""
        with self._file.writing():
            return import_interests(self._file, Path(path))

    def train(
        self,
        *,
        labels: str | None = None,
        marks: bool = False,
        encoder: BagOfEmbeddedWords | None = None,
        on_progress: Progress = no_progress,
    ) -> TrainingReport:
        """Learns the model anew: from the texts, from a field that holds labels, or from the marks kept so far.

        encoder: one that is not fitted, with the parameters wanted; otherwise those of the model that is there. The old
        model serves until the new one is complete; then model and all vectors change in one transaction.
        """
        return train(self._file, labels, marks, encoder, on_progress)

    def export(
        self,
        path: str | Path,
        what: What,
        *,
        form: str | None = None,
        hits: Hits | None = None,
        interest: str | None = None,
    ) -> int:
        """Writes hits, marks, documents, vectors or the model; -> how many rows. The form is told by the file's ending.

        Forms: `satchel.collection.FORMS`. A file that is there is replaced when the new one is complete.
        """
        with self._file.reading():
            return export(self._file, self._space, Path(path), what, form, hits, interest)

    def check(self) -> list[str]:
        """Looks whether all of the file fits together; a sentence for each thing that is wrong."""
        with self._file.reading():
            return find_damage(self._file)

    def repair(self, *, on_progress: Progress = no_progress) -> list[str]:
        """Makes anew what `check` finds damaged and follows from the documents: index of words, fields, vectors.

        One transaction; -> a sentence for each thing that was done. Texts and marks are not touched.
        """
        return repair(self._file, on_progress)

    def _search(self, asked: Asked, only_new: bool = False) -> Hits:
        with self._file.reading():
            return search(self._file, self._space(), request_of(self._file, asked, only_new))
