"""Batches of documents, and of no more words than stand in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from satchel.learning.plan import LabelMatrix
from satchel.types import SparseArray


class Batch(NamedTuple):
    """Some documents over the words that occur in them.

    words (n_words,): which rows of the word vectors; values (n_documents, n_words): the count of each word, as it is or
    damped; pi (n_documents, n_classes): 1 where the document has the label.
    """

    words: Tensor
    values: Tensor
    pi: Tensor


class LabelledDocuments:
    """Values of words and labels on a device, cut into batches there."""

    def __init__(self, values: SparseArray, labels: LabelMatrix, device: torch.device) -> None:
        self._starts = torch.from_numpy(values.indptr).to(device, torch.int64)
        self._words = torch.from_numpy(values.indices).to(device)  # on the CPU these two share the caller's memory
        self._values = torch.from_numpy(values.data).to(device, torch.float32)
        self._pi = torch.from_numpy(labels).to(device, torch.float32)

    def __len__(self) -> int:
        return len(self._pi)

    def batch(self, documents: Tensor) -> Batch:
        """The documents at these positions."""
        first, sizes = self._starts[documents], self._starts[documents + 1] - self._starts[documents]
        row = torch.repeat_interleave(torch.arange(len(documents), device=documents.device), sizes)
        before = torch.cumsum(sizes, 0) - sizes
        entries = torch.arange(len(row), device=documents.device) + (first - before)[row]
        words, column = torch.unique(self._words[entries].long(), return_inverse=True)
        values = torch.zeros((len(documents), len(words)), device=documents.device)
        values[row, column] = self._values[entries]
        return Batch(words, values, self._pi[documents])

    def batches(self, order: Tensor, size: int, first: int = 0) -> Iterator[Batch]:
        """All documents in this order, `size` at a time, from batch number `first` on."""
        for start in range(first * size, len(order), size):
            yield self.batch(order[start : start + size])
