"""What stands between everything that thinks and everything that stores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar

from satchel.importing import FieldValue
from satchel.progress import Progress
from satchel.query import Condition
from satchel.store.rows import (
    FieldValues,
    Finding,
    Known,
    Leg,
    Prepared,
    Row,
    Sample,
    Scanned,
    State,
    StoredDocument,
    Summary,
)
from satchel.types import FloatArray, IntArray

AnyRow = TypeVar("AnyRow", bound=Row)
Encode: TypeAlias = Callable[[list[str]], FloatArray]


class Store(Protocol):
    """Documents with their words, fields and vectors; the model; and what people did.

    Documents have numbers, by which everything here calls them. Ties stand in the order of ids, whenever documents
    came. `find_words` and `find_near` give the same scores, to the last bits, as a store that was built afresh.
    """

    @property
    def path(self) -> Path:
        """Where it is, for sentences."""

    @property
    def read_only(self) -> bool: ...
    @property
    def is_open(self) -> bool: ...
    def close(self) -> None: ...
    def another(self) -> Store:
        """A second way into the same store, for another thread; both share what is held in memory."""

    # one consistent moment, one transaction
    def reading(self) -> AbstractContextManager[None]:
        """All that is read within the block is of one moment, whatever others change meanwhile."""

    def writing(self) -> AbstractContextManager[None]:
        """All that is changed within the block is kept when it ends, or nothing is."""

    def state(self) -> State: ...
    def version(self) -> int:
        """Another number after every change that somebody else made, of whatever kind."""

    def next_change(self) -> int: ...
    def note(self, name: str, default: Any) -> Any:
        """A value that is kept under a name."""

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
        """Those of these documents that are there."""

    def documents(self, numbers: Sequence[int], most: int | None = None) -> list[StoredDocument]:
        """The documents of these numbers, in their order; most: so many characters of each text."""

    def scan(self, since: int | None = None) -> Iterator[Scanned]:
        """All documents in the order in which they came, or those that came or changed since a change."""

    def put(self, documents: Sequence[Prepared], change: int) -> None:
        """Writes documents with their words and fields; the vectors of those that are replaced go."""

    def move(self, sources: Mapping[int, str]) -> None:
        """Documents by number that did not change are found elsewhere now."""

    def remove(self, ids: Iterable[str]) -> int: ...
    def field_names(self) -> dict[str, int]:
        """The fields there are, and how many documents have each."""

    def field_values(self, name: str) -> FieldValues | None: ...
    def field_of_each(self, name: str) -> list[FieldValue | None]:
        """The first value of a field of each document, in the order of ids."""

    # words
    def find_words(self, weights: Mapping[str, float], depth: int, condition: Condition | None = None) -> Leg:
        """The best `depth` documents that have one of these stems, and those that tie, by BM25 and weight; no order."""

    def word_counts(self, stems: Iterable[str]) -> dict[str, int]:
        """In how many documents each stem stands."""

    # vectors
    def write_vectors(self, numbers: Sequence[int], vectors: FloatArray) -> None: ...
    def forget_vectors(self) -> None: ...
    def vectors(self, numbers: IntArray) -> FloatArray:
        """The vectors of these documents, (n_documents, n_features)."""

    def sample(self, most: int) -> Sample: ...
    def find_near(
        self, query: FloatArray, mask: FloatArray | None, depth: int, condition: Condition | None = None
    ) -> Leg:
        """The best `depth` documents whose cosine is above 0, best first, ties in the order of ids."""

    # rows and files
    def rows(self, kind: type[AnyRow], **equal: object) -> list[AnyRow]:
        """The rows of which these columns have these values, by key."""

    def last_row(self, kind: type[AnyRow], **equal: object) -> AnyRow | None: ...
    def write_rows(self, rows: Iterable[Row]) -> None: ...
    def delete_rows(self, kind: type[Row], **equal: object) -> None: ...
    def files(self, folder: str, name: str | None = None) -> dict[str, bytes]:
        """The files of a folder by name, or one of them."""

    def write_files(self, folder: str, files: Mapping[str, bytes]) -> None:
        """In place of those that are there."""

    # whole
    def summary(self) -> Summary: ...
    def check(self, encode: Encode | None) -> list[Finding]:
        """What does not fit together, after all of it was read. encode: gives the vectors of texts, to compare."""

    def repair(self, parts: Iterable[str], on_progress: Progress) -> list[str]:
        """Makes anew those parts that follow from the documents; a sentence for each thing that was done."""
