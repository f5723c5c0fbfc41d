"""The part of a local store that knows the values of fields and the names of files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from satchel.lru import Lru
from satchel.query import Condition, Value
from satchel.store.fields import FieldCodes, codes_of
from satchel.store.index import FILE, Block, PassageTable
from satchel.store.index.coding import Numbers
from satchel.text import Analysed
from satchel.types import IntArray

UNCACHED = "source"
"""May change while the state of the store stays the same: a folder that was moved."""


class FieldArrays(Protocol):
    """What is needed of the arrays of one moment."""

    @property
    def numbers(self) -> IntArray: ...
    @property
    def words(self) -> PassageTable: ...
    @property
    def by_field(self) -> Lru[FieldCodes]: ...


class Holding(NamedTuple):
    """The documents that hold a stem anywhere, and those that hold it in one field: each once, in no order."""

    anywhere: IntArray
    in_field: IntArray


class KnowsFields(ABC):
    """Counts, orders and finds documents by values of fields; what it reads of a field stays in memory."""

    @abstractmethod
    def arrays(self) -> FieldArrays: ...
    @abstractmethod
    def _allowed(self, condition: Condition) -> IntArray: ...
    @abstractmethod
    def _passages_with(self, stems: list[str]) -> Iterable[Numbers]:
        """The passages that hold each of these stems."""

    @abstractmethod
    def _blocks(self, stems: Sequence[str]) -> Iterator[tuple[str, int, Block]]: ...
    @abstractmethod
    def _rows_of_field(self, name: str) -> Iterable[tuple[int, Value]]:
        """Document and value of a field, or of what every document has; a document's values follow each other."""

    def field_codes(self, name: str) -> FieldCodes:
        """The values of a field over all documents; "id", "title", "source", "file" and "added" are fields too."""
        if name == UNCACHED:
            return codes_of(self._rows_of_field(name))
        return self.arrays().by_field.of(name, lambda: codes_of(self._rows_of_field(name)))

    def with_stems(self, stems: Iterable[str], condition: Condition | None = None) -> IntArray:
        """The numbers of all documents that have one of these stems and meet the condition, ascending."""
        arrays = self.arrays()
        found = np.zeros(len(arrays.words.first), np.bool_)
        for passages in self._passages_with(list(stems)):
            found[arrays.words.document[passages]] = True
        if condition is not None:
            allowed = np.zeros(len(found), np.bool_)
            allowed[arrays.numbers[self._allowed(condition)]] = True
            found &= allowed
        return np.flatnonzero(found)

    def holding(self, stems: Sequence[str], field: int) -> dict[str, Holding]:
        """Stem -> the documents that hold it, and those that hold it in a field, by the field's number in the index."""
        table = self.arrays().words
        found: dict[str, list[Holding]] = {stem: [] for stem in dict.fromkeys(stems)}
        for stem, segment, block in self._blocks(list(found)) if found else ():
            own = table.in_force(segment, block)
            documents = table.document[own.passages]
            found[stem].append(Holding(_distinct(documents), _distinct(documents[own.fields == field])))
        return {stem: Holding(*map(_joined, zip(*parts, strict=True))) for stem, parts in found.items() if parts}

    def with_file_name(self, name: str) -> IntArray:
        """The numbers of the documents that came from a file of this name, whatever its folder and case."""
        stems = sorted(set(Analysed(name).stems))
        held = self.holding(stems, FILE)
        if not stems or any(stem not in held or not len(held[stem].in_field) for stem in stems):
            return np.empty(0, np.int64)
        if not len(reduce(np.intersect1d, [one.in_field for one in held.values()])):
            return np.empty(0, np.int64)
        return self.field_codes("file").with_value(name)


def _distinct(documents: NDArray[np.integer]) -> IntArray:
    """Each document once, in the order in which they come; those of one document follow each other."""
    first = np.ones(len(documents), np.bool_)
    first[1:] = documents[1:] != documents[:-1]
    return documents[first].astype(np.int64)


def _joined(parts: Sequence[IntArray]) -> IntArray:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def size_of_each(parts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Stem -> the sum of its sizes."""
    sizes: dict[str, int] = {}
    for stem, size in parts:
        sizes[stem] = sizes.get(stem, 0) + size
    return sizes
