"""Batches of documents, and of no more words than stand in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from satchel.types import IntArray, SparseArray


class Batch(NamedTuple):
    """Some documents over the words that occur in them.

    words (n_words,): which rows of the word vectors; shares (n_documents, n_words): count over document length;
    pi (n_documents, n_classes): 1 where the document has the label.
    """

    words: Tensor
    shares: Tensor
    pi: Tensor


class LabelledCounts:
    """Counts and labels on a device, cut into batches there."""

    def __init__(self, counts: SparseArray, labels: IntArray, n_classes: int, device: torch.device) -> None:
        lengths = np.maximum(np.asarray(counts.sum(axis=1), dtype=np.float32), 1)
        self._starts = torch.from_numpy(counts.indptr.astype(np.int64)).to(device)
        self._words = torch.from_numpy(counts.indices).to(device)  # on the CPU these two share the counts' memory
        self._counts = torch.from_numpy(counts.data).to(device)
        self._lengths = torch.from_numpy(lengths).to(device)
        self._pi = torch.nn.functional.one_hot(torch.from_numpy(labels), n_classes).to(device, torch.float32)

    def __len__(self) -> int:
        return len(self._pi)

    def batch(self, documents: Tensor) -> Batch:
        """The documents at these positions."""
        first, sizes = self._starts[documents], self._starts[documents + 1] - self._starts[documents]
        row = torch.repeat_interleave(torch.arange(len(documents), device=documents.device), sizes)
        before = torch.cumsum(sizes, 0) - sizes
        entries = torch.arange(len(row), device=documents.device) + (first - before)[row]
        words, column = torch.unique(self._words[entries].long(), return_inverse=True)
        shares = torch.zeros((len(documents), len(words)), device=documents.device)
        shares[row, column] = self._counts[entries] / self._lengths[documents][row]
        return Batch(words, shares, self._pi[documents])

    def batches(self, order: Tensor, size: int, first: int = 0) -> Iterator[Batch]:
        """All documents in this order, `size` at a time, from batch number `first` on."""
        for start in range(first * size, len(order), size):
            yield self.batch(order[start : start + size])
