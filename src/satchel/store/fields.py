"""The values of one field over all documents, as arrays: to count values among documents, and to sort documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from satchel.query import Value
from satchel.store.amounts import amount_of
from satchel.text import without_accents
from satchel.types import DoubleArray, IntArray

MOST_FIELDS_KEPT = 32
"""The number of fields whose values stay in memory."""
OF_DOCUMENT = ("id", "title", "source", "file", "added")
"""What every document has, besides its fields; "file" is the name of its file, "added" the time when it first came."""


@dataclass(frozen=True)
class FieldCodes:
    """The values of a field. Numbers that are written as text count as numbers, so that 2019 and "2019" are one value.

    values: each one once. numbers, codes (n_rows,): documents, and the place of their value in `values`; a document
    with several values has several rows, one after the other, in the order of its values.
    """

    values: Sequence[str | int | float]
    numbers: IntArray
    codes: NDArray[np.int32]

    @cached_property
    def ranks(self) -> NDArray[np.int32]:
        """The place of each value in ascending order, (n_values,): numbers, then texts, without case and accents."""
        order = sorted(range(len(self.values)), key=lambda code: _order_of(self.values[code]))
        ranks = np.empty(len(order), np.int32)
        ranks[order] = np.arange(len(order), dtype=np.int32)
        return ranks

    @cached_property
    def amounts(self) -> DoubleArray:
        """Each value as a number, (n_values,); NaN for one that does not read like a number."""
        found = (amount_of(value) for value in self.values)
        return np.array([np.nan if amount is None else amount for amount in found], np.float64)

    @cached_property
    def having(self) -> IntArray:
        """The documents that have a value, ascending."""
        return np.unique(self.numbers)

    @cached_property
    def first_ranks(self) -> NDArray[np.int32]:
        """The rank of each document's first value, (largest number + 1,); -1 if it has none."""
        found = np.full(int(self.numbers.max(initial=-1)) + 1, -1, np.int32)
        found[self.numbers[::-1]] = self.ranks[self.codes[::-1]]  # the first of a document is written last
        return found

    @cached_property
    def by_folded(self) -> Mapping[str, list[int]]:
        """Value as text without case -> its places in `values`."""
        found: dict[str, list[int]] = {}
        for code, value in enumerate(self.values):
            found.setdefault(str(value).casefold(), []).append(code)
        return found

    def counts(self, documents: NDArray[np.bool_]) -> IntArray:
        """How many of these documents have each value, (n_values,). documents (largest number + 1,): which ones."""
        own = self.codes[documents[self.numbers]]
        return np.bincount(own, minlength=len(self.values)).astype(np.int64)

    def with_value(self, *texts: str) -> IntArray:
        """The documents that have one of these values, by the text of values without case; ascending."""
        codes = [code for text in texts for code in self.by_folded.get(text.casefold(), ())]
        return np.unique(self.numbers[np.isin(self.codes, codes)]) if codes else np.empty(0, np.int64)

    def ordered(self, documents: IntArray, places: IntArray, *, descending: bool) -> IntArray:
        """The order of these documents by their first value; documents without one are last. places: to break ties."""
        ranks = np.full(len(documents), -1, np.int64)
        known = documents < len(self.first_ranks)
        ranks[known] = self.first_ranks[documents[known]]
        return np.lexsort((places, -ranks if descending else ranks, ranks < 0))


def codes_of(rows: Iterable[tuple[int, Value]]) -> FieldCodes:
    """The codes of a field from pairs of document and value; a document's pairs follow each other."""
    known: dict[str | int | float, int] = {}
    numbers, codes = list[int](), list[int]()
    for number, value in rows:
        numbers.append(number)
        codes.append(known.setdefault(plain_value(value), len(known)))
    return FieldCodes(list(known), np.array(numbers, np.int64), np.array(codes, np.int32))


def plain_value(value: Value) -> str | int | float:
    """The value; a whole number that is written as text, as in "2019", as a number, and true and false as 1 and 0."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and len(value) < 16 and value.isascii() and value.removeprefix("-").isdigit():
        return int(value) if str(int(value)) == value else value
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _order_of(value: str | int | float) -> tuple[bool, float, str, str]:
    amount = amount_of(value)
    if amount is not None:
        return False, amount, "", str(value)
    folded = str(value).casefold()
    return True, 0.0, (folded if folded.isascii() else without_accents(folded)).strip(), str(value)
