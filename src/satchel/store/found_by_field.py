"""The part of a local store that knows the values of fields and the names of files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from satchel.query import Condition, Value
from satchel.store.fields import FieldCodes, codes_of
from satchel.store.index import FILE, Block, StemScores
from satchel.text import Analysed
from satchel.types import IntArray

if TYPE_CHECKING:
    from satchel.store.local import LoadedArrays

UNCACHED = "source"
"""May change while the state of the store stays the same: a folder that was moved."""


class KnowsFields(ABC):
    """Counts, orders and finds documents by values of fields; what it reads of a field stays in memory."""

    @abstractmethod
    def arrays(self) -> LoadedArrays: ...
    @abstractmethod
    def _allowed(self, condition: Condition) -> IntArray: ...
    @abstractmethod
    def _scored(self, arrays: LoadedArrays, stems: list[str]) -> list[StemScores]: ...
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
        for one in self._scored(arrays, list(stems)):
            found[arrays.words.document[one.passages]] = True
        if condition is not None:
            allowed = np.zeros(len(found), np.bool_)
            allowed[arrays.numbers[self._allowed(condition)]] = True
            found &= allowed
        return np.flatnonzero(found)

    def with_file_name(self, name: str) -> IntArray:
        """The numbers of the documents that came from a file of this name, whatever its folder and case."""
        stems, table = sorted(set(Analysed(name).stems)), self.arrays().words
        holding = {stem: np.zeros(len(table.first), np.bool_) for stem in stems}
        for stem, segment, block in self._blocks(stems) if stems else ():
            entries = table.in_force(segment, block.of(block.fields == FILE))
            holding[stem][table.document[entries.passages]] = True
        if not holding or not np.logical_and.reduce(list(holding.values())).any():
            return np.empty(0, np.int64)
        return self.field_codes("file").with_value(name)
