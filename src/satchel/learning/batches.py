"""The input of one step of training: batches of documents for the bag, chunks of texts for networks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from satchel.learning.plan import LabelMatrix, NetworkPlan, Sequences
from satchel.types import IntArray, SparseArray


class DocumentBatch(NamedTuple):
    """Some documents over the words that occur in them.

    words (n_words,): which rows of the word vectors; values (n_documents, n_words): the count of each word, as it is or
    damped; pi (n_documents, n_classes): 1 if the document has the label.
    """

    words: Tensor
    values: Tensor
    pi: Tensor


class WordDropout(NamedTuple):
    """Leaves out each word of each document with this probability; a batch of an epoch always loses the same words."""

    probability: float
    random_state: int
    epoch: int

    def kept(self, batch: int, n: int) -> NDArray[np.bool_]:
        """Which of the n words of a batch's documents stay."""
        seed = [self.random_state, self.epoch, batch + 1]  # + 1: [a, b, 0] draws what [a, b], the order, draws
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

    def batch(self, documents: Tensor, kept: Callable[[int], NDArray[np.bool_]] | None = None) -> DocumentBatch:
        """The documents at these positions. kept: says which of n words stay; None: all."""
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
        return DocumentBatch(words, values, self._pi[documents])

    def batches(
        self, order: Tensor, size: int, first: int = 0, dropout: WordDropout | None = None
    ) -> Iterator[DocumentBatch]:
        """All documents in this order, `size` at a time, from batch number `first` on."""
        for number in range(first, -(-len(order) // size)):
            documents = order[number * size : (number + 1) * size]
            yield self.batch(documents, dropout and partial(dropout.kept, number))


class ChunkBatch(NamedTuple):
    """Chunks of W words: ids (n_chunks, W), topics and documents (n_chunks,), windows that count (n_chunks, n_windows).

    n_words: how many words are read.
    """

    ids: Tensor
    topics: Tensor
    documents: Tensor
    counts: Tensor
    n_words: Tensor


class Chunks:
    """The texts on a device, from which chunks are cut."""

    def __init__(self, texts: Sequences, length: int, ngram: int | None, device: torch.device) -> None:
        self._ids = torch.from_numpy(texts.ids.astype(np.int64)).to(device)
        self._starts = torch.from_numpy(texts.starts).to(device)
        self._topics = torch.from_numpy(texts.topics).to(device)
        self._position = torch.arange(length, device=device)
        self._ngram = ngram

    def cut(self, documents: Tensor, places: Tensor) -> ChunkBatch:
        """Cuts one chunk from each of these documents; a place (0 to 1) is a share of its possible beginnings.

        A document shorter than the chunk is read whole and filled up with `<unk>`. Windows that reach into the filling
        do not count, except the first one of a text that is shorter than a window.
        """
        first, lengths = self._starts[documents], self._starts[documents + 1] - self._starts[documents]
        room = (lengths - len(self._position)).clamp(min=0)
        begin = first + torch.minimum((places * (room + 1)).long(), room)
        inside = self._position < lengths[:, None]
        where = (begin[:, None] + self._position).clamp(max=len(self._ids) - 1)
        ids = torch.where(inside, self._ids[where], 0)
        return ChunkBatch(ids, self._topics[documents], documents, self._counted(lengths), inside.sum())

    def _counted(self, lengths: Tensor) -> Tensor:
        if self._ngram is None:
            return self._position < lengths[:, None]
        window = self._position[: len(self._position) - self._ngram + 1]
        return (window + self._ngram <= lengths[:, None]) | (window == 0)


class Draws(NamedTuple):
    """The random choices of a step: which documents, where their chunks begin, which words are read as `<unk>`."""

    documents: Tensor
    places: Tensor
    forgotten: Tensor


def draws_of_epoch(plan: NetworkPlan, topic_starts: IntArray, epoch: int, device: torch.device) -> Iterator[Draws]:
    """All random choices of an epoch, made from the seed and its number, so that a resumed run makes the same ones."""
    random = np.random.default_rng([plan.random_state, epoch])
    batches = documents_of_epoch(plan, topic_starts, epoch, random)
    n = sum(map(len, batches))
    places = np.where(random.random(n) < plan.beginnings, 0.0, random.random(n)).astype(np.float32)
    forgotten = torch.from_numpy(_forgotten(plan, n, random)).to(device)
    documents, start = torch.from_numpy(np.concatenate(batches)).to(device), torch.from_numpy(places).to(device)
    sizes = [len(batch) for batch in batches]
    for parts in zip(*(torch.split(drawn, sizes) for drawn in (documents, start, forgotten)), strict=True):
        yield Draws(*parts)


def documents_of_epoch(
    plan: NetworkPlan, topic_starts: IntArray, epoch: int, random: np.random.Generator
) -> list[IntArray]:
    """The documents of each step of an epoch, those of a topic next to each other.

    With a batch_size, every document once, shuffled. Without one, as in [MW] section 3.2, each step takes the next
    document of each topic and starts over if a topic has no more. An epoch then has as many steps as it takes to
    read as many documents as there are, and the next epoch goes on from there.
    """
    n_documents, n_topics = int(topic_starts[-1]), len(topic_starts) - 1
    if plan.batch_size is not None:
        order, n_steps = random.permutation(n_documents), -(-n_documents // plan.batch_size)
        return [np.sort(part) for part in np.array_split(order, n_steps)]
    n_steps = -(-n_documents // n_topics)
    steps = np.arange(epoch * n_steps, (epoch + 1) * n_steps)
    columns = [_in_turn(topic_starts[c], topic_starts[c + 1], steps, [plan.random_state, c]) for c in range(n_topics)]
    return list(np.stack(columns, axis=1))


def _in_turn(first: int, last: int, steps: IntArray, entropy: list[int]) -> IntArray:
    """The documents of these steps: those from `first` to `last` in turn, shuffled anew in each round."""
    rounds, place = np.divmod(steps, last - first)
    order = {r: np.random.default_rng([*entropy, r]).permutation(last - first) for r in np.unique(rounds).tolist()}
    turns: IntArray = first + np.array([order[r][p] for r, p in zip(rounds.tolist(), place.tolist(), strict=True)])
    return turns


def _forgotten(plan: NetworkPlan, n: int, random: np.random.Generator) -> NDArray[np.bool_]:
    """Which words of each chunk are read as `<unk>`, (n, W): one at a random place, or each with a probability."""
    if plan.unknown is not None:
        return random.random((n, plan.chunk_length), dtype=np.float32) < plan.unknown
    place = random.integers(0, plan.chunk_length, n)
    one: NDArray[np.bool_] = np.arange(plan.chunk_length) == place[:, None]
    return one
