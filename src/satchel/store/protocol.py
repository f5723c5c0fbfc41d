"""The protocol of a store: what search, marks and training need of the place where a collection is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from satchel.importing import FieldValue
from satchel.progress import Progress
from satchel.query import Condition
from satchel.store.fields import FieldCodes
from satchel.store.found_by_field import Holding
from satchel.store.rows import (
    FieldValues,
    Finding,
    Known,
    Prepared,
    Row,
    Sample,
    Scanned,
    Scored,
    State,
    StoredDocument,
    Summary,
)
from satchel.types import DoubleArray, FloatArray, IntArray

NO_PARTS: Mapping[int, tuple[int, int]] = MappingProxyType({})
NO_NUMBERS = np.empty(0, np.int64)
NEARNESS = "nearness"
"""The note with the least cosine at which a document counts as found by meaning alone."""
AnyRow = TypeVar("AnyRow", bound=Row)
Encode: TypeAlias = Callable[[list[str]], FloatArray]


class Store(Protocol):
    """Documents with their words, fields and vectors; the model; and what people did.

    Methods refer to documents by their numbers. Ties are in the order of ids, whatever the order of adding.
    `find_words` and `find_near` give the same scores, to the last bit, as a store that was built from scratch.
    """

    @property
    def path(self) -> Path:
        """Where the store is, for messages."""

    @property
    def read_only(self) -> bool: ...
    @property
    def is_open(self) -> bool: ...
    def close(self) -> None: ...
    def another(self) -> Store:
        """A second connection to the same store, for another thread; both share what is held in memory."""

    # one consistent moment, one transaction
    def reading(self) -> AbstractContextManager[None]:
        """Everything read within the block is of one moment, whatever others change meanwhile."""

    def writing(self) -> AbstractContextManager[None]:
        """Keeps all changes of the block when it ends, or none if it fails."""

    def state(self) -> State: ...
    def version(self) -> int:
        """A number that differs after every change that another connection made."""

    def next_change(self) -> int: ...
    def note(self, name: str, default: Any) -> Any:
        """The value stored under a name."""

    def write_note(self, name: str, value: object) -> None: ...

    # documents
    def count(self, condition: Condition | None = None) -> int: ...
    def ids(self) -> list[str]:
        """All ids, in their order."""

    def listed(self, condition: Condition | None = None) -> IntArray:
        """The numbers of the documents that meet a condition, in the order of ids."""

    def in_order(self, numbers: IntArray) -> IntArray:
        """The place of each document in the order of ids."""

    def known(self, ids: Iterable[str]) -> dict[str, Known]:
        """Id -> what is known of the document, for those of these ids that exist."""

    def documents(
        self, numbers: Sequence[int], most: int | None = None, parts: Mapping[int, tuple[int, int]] = NO_PARTS
    ) -> list[StoredDocument]:
        """The documents with these numbers, in this order.

        most: read at most this many characters of each text. parts: number -> read only this part of the text, from
        the first character to before the second.
        """

    def texts_before(self, places: Mapping[int, int], most: int) -> dict[int, tuple[str, int]]:
        """Number -> at most so many characters before a place in the text, and how many page breaks are before it."""

    def scan(self, since: int | None = None) -> Iterator[Scanned]:
        """All documents in the order of adding, or only those added or changed since a change."""

    def put(self, documents: Sequence[Prepared], change: int) -> None:
        """Writes documents with their words and fields; deletes the vectors of replaced documents."""

    def move(self, sources: Mapping[int, str]) -> int:
        """Sets a new source for unchanged documents: number -> source; -> how many file names are new.

        New names are indexed, so they are a change, although the documents stay as they are.
        """

    def remove(self, ids: Iterable[str]) -> int: ...
    def field_names(self) -> dict[str, int]:
        """Field name -> how many documents have it."""

    def fields_there(self) -> tuple[str, ...]:
        """The names of the fields that documents have; looked up once for each state of the store."""

    def field_values(self, name: str) -> FieldValues | None: ...
    def field_of_each(self, name: str) -> list[FieldValue | None]:
        """The first value of a field of each document, in the order of ids."""

    def field_codes(self, name: str) -> FieldCodes:
        """The values of a field over all documents; "id", "title", "source", "file" and "added" are fields too."""

    def holding(self, stems: Sequence[str], field: int) -> dict[str, Holding]:
        """Stem -> the documents that hold it, and those that hold it in a field, by the field's number in the index."""

    def words_beginning(self, prefix: str, most: int) -> dict[str, str]:
        """Word -> stem of the first `most` words that begin so, in the order in which they came into the collection."""

    def sizes_of(self, stems: Sequence[str]) -> dict[str, int]:
        """Stem -> the size of its entries in the index, roughly in step with how many documents hold it."""

    def queries(self) -> list[str]:
        """The queries that marks were made for, each once."""

    def with_file_name(self, name: str) -> IntArray:
        """The numbers of the documents that came from a file of this name, whatever its folder and case."""

    # words
    def with_stems(self, stems: Iterable[str], condition: Condition | None = None) -> IntArray:
        """The numbers of all documents that have one of these stems and meet the condition, ascending."""

    def find_words(
        self,
        weights: Mapping[str, float],
        depth: int,
        condition: Condition | None = None,
        also: IntArray = NO_NUMBERS,
    ) -> Scored:
        """The best `depth` documents with one of these stems, by weighted BM25 of their best passage.

        Those that tie with the last one are found too, and those of `also` that have one of the stems. In the order of
        their numbers.
        """

    def streams(self, numbers: Sequence[int]) -> tuple[NDArray[np.int32], IntArray]:
        """The words of these documents by their numbers, one document after the other, and where each begins.

        A number below 256 marks the beginning of a field; the text comes first, then the title.
        """

    def words_of(self, numbers: Iterable[int]) -> dict[int, str]:
        """Word number -> the word, in lower case."""

    def stems_beginning(self, prefix: str) -> list[str]:
        """The stems of the words that begin so, in order; accents make no difference."""

    def places_of(self, phrase: Sequence[str], numbers: Sequence[int]) -> dict[int, IntArray]:
        """Where the texts of these documents hold a phrase: document number -> its places, counted in words."""

    def some_windows(self, passages: Mapping[int, int]) -> dict[int, list[int]]:
        """Document number -> one row of `windows`, of this passage, for documents that have several."""

    def parts_of_streams(self, parts: Mapping[int, tuple[int, int]]) -> dict[int, NDArray[np.int32]]:
        """Document number -> these words of its text, by their numbers; for documents that have several passages."""

    def windows(self, numbers: Iterable[int]) -> dict[int, NDArray[np.int32]]:
        """Document number -> where its passages are, for documents that have several: (n_passages, 4), the first word,
        the word after the last, and the same places as characters."""

    def word_counts(self, stems: Iterable[str]) -> dict[str, int]:
        """Stem -> how many passages contain it; a short document is one passage."""

    # vectors
    def write_vectors(self, numbers: Sequence[int], vectors: FloatArray) -> None: ...
    def write_passage_vectors(self, vectors: Mapping[int, FloatArray]) -> None:
        """Document number -> the vectors of its passages, for documents that have several."""

    def forget_vectors(self) -> None: ...
    def vectors(self, numbers: IntArray) -> FloatArray:
        """The vectors of these documents, (n_documents, n_features)."""

    def sample(self, most: int) -> Sample: ...
    def cosines(self, query: FloatArray, mask: FloatArray | None, numbers: IntArray) -> DoubleArray:
        """The cosine of each of these documents as a whole, with the same bits as `find_near` gives."""

    def find_near(
        self, query: FloatArray, mask: FloatArray | None, depth: int, condition: Condition | None = None
    ) -> Scored:
        """The best `depth` documents whose cosine, or that of a passage, is above 0; best first, ties by id."""

    # rows and files
    def rows(self, kind: type[AnyRow], **equal: object) -> list[AnyRow]:
        """The rows whose columns have these values, in the order of their keys."""

    def last_row(self, kind: type[AnyRow], **equal: object) -> AnyRow | None: ...
    def write_rows(self, rows: Iterable[Row]) -> None: ...
    def delete_rows(self, kind: type[Row], **equal: object) -> None: ...
    def files(self, folder: str, name: str | None = None) -> dict[str, bytes]:
        """Name -> content of the files of a folder, or of one of them."""

    def write_files(self, folder: str, files: Mapping[str, bytes]) -> None:
        """Replaces what is stored there."""

    # whole
    def summary(self) -> Summary: ...
    def check(self, encode: Encode | None) -> list[Finding]:
        """Reads the whole store and lists what does not fit together. encode: computes vectors of texts, to compare."""

    def repair(self, parts: Iterable[str], on_progress: Progress) -> list[str]:
        """Rebuilds damaged parts that can be computed from the documents; one sentence for each repair."""
