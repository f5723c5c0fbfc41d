"""Batches of documents, and of no more words than stand in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
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


class WordDropout(NamedTuple):
    """Leaves out each word of each document with this probability; the same batch of the same epoch loses the same."""

    probability: float
    random_state: int
    epoch: int

    def kept(self, batch: int, n: int) -> NDArray[np.bool_]:
        """Which of the n words of a batch's documents stay."""
        seed = [self.random_state, self.epoch, batch + 1]  # numpy draws the same from [a, b, 0] and [a, b], the order's
        return np.random.default_rng(seed).random(n) >= self.probability


class LabelledDocuments:
    """Values of words and labels on a device, cut into batches there."""

    def __init__(self, values: SparseArray, labels: LabelMatrix, device: torch.device) -> None:
        self._starts = torch.from_numpy(values.indptr).to(device, torch.int64)
        self._words = torch.from_numpy(values.indices).to(device)  # on the CPU these two share the caller's memory
        self._values = torch.from_numpy(values.data).to(device, torch.float32)
        self._pi = torch.from_numpy(labels).to(device, torch.float32)

    def __len__(self) -> int:
        return len(self._pi)

    def batch(self, documents: Tensor, kept: Callable[[int], NDArray[np.bool_]] | None = None) -> Batch:
        """The documents at these positions, with all their words or, given their number, those that are kept."""
        first, sizes = self._starts[documents], self._starts[documents + 1] - self._starts[documents]
        row = torch.repeat_interleave(torch.arange(len(documents), device=documents.device), sizes)
        before = torch.cumsum(sizes, 0) - sizes
        entries = torch.arange(len(row), device=documents.device) + (first - before)[row]
        if kept is not None:
            stays = torch.from_numpy(kept(len(row))).to(documents.device)
            row, entries = row[stays], entries[stays]
        words, column = torch.unique(self._words[entries].long(), return_inverse=True)
        values = torch.zeros((len(documents), len(words)), device=documents.device)
        values[row, column] = self._values[entries]
        return Batch(words, values, self._pi[documents])

    def batches(self, order: Tensor, size: int, first: int = 0, dropout: WordDropout | None = None) -> Iterator[Batch]:
        """All documents in this order, `size` at a time, from batch number `first` on."""
        for number in range(first, -(-len(order) // size)):
            documents = order[number * size : (number + 1) * size]
            yield self.batch(documents, dropout and partial(dropout.kept, number))
