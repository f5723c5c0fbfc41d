"""What search keeps in memory: the model, and the vectors in one index. Loaded once, until the collection changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from satchel.collection.file import CollectionFile
from satchel.collection.model_files import load_model, model_number
from satchel.collection.postings import Sizes, read_sizes
from satchel.collection.recent import Recent
from satchel.collection.vectors import read_vectors
from satchel.documents import Encoder
from satchel.errors import DamagedCollectionError
from satchel.ranking import ExactIndex
from satchel.ranking.spelling import SimilarWords
from satchel.types import FloatArray, IntArray

N_RANKINGS = 16
_CONTROLLER = ThreadpoolController()


def one_blas_thread() -> Any:
    """A context in which products of matrices take one thread: the same bits every time, and sooner for one query."""
    return _CONTROLLER.limit(limits=1, user_api="blas")


@dataclass(frozen=True)
class Space:
    """The documents of one moment, in the order of their ids, in which ties stand, whenever they came.

    numbers (n_documents,): of the documents. vectors (n_documents, n_features): rows in the same order; no columns
    where there is no model yet. model: its number. rebuilt: how often the vectors were repaired. rankings: of the last
    requests; the next page, or the list after a mark with the ranks before it, needs them again. word_counts: in how
    many documents words stand, as far as asked. sizes: how many words the documents have.
    """

    change: int
    model: int
    encoder: Encoder | None
    numbers: IntArray
    vectors: FloatArray
    sizes: Sizes
    rebuilt: int = 0
    descriptions: dict[int, list[str]] = field(default_factory=dict)
    rankings: Recent[Any] = field(default_factory=lambda: Recent(N_RANKINGS))
    word_counts: dict[str, int] = field(default_factory=dict)

    @cached_property
    def index(self) -> ExactIndex:
        return ExactIndex(self.vectors)

    @cached_property
    def similar_words(self) -> SimilarWords:
        """The words that the model knows, by their spelling; none where it has no vocabulary."""
        vocabulary = getattr(self.encoder, "vocabulary_", None)
        return SimilarWords(() if vocabulary is None else vocabulary.words)

    @cached_property
    def _by_number(self) -> IntArray:
        return np.argsort(self.numbers, kind="stable")

    def positions(self, numbers: IntArray) -> IntArray:
        """Where the documents of these numbers stand, all of which must be there."""
        order = self._by_number
        return order[np.searchsorted(self.numbers, numbers, sorter=order)]

    def describe(self, codeword: int) -> list[str]:
        """Words that speak most for a codeword; none where the encoder has none."""
        if codeword not in self.descriptions:
            tell = getattr(self.encoder, "describe", None)
            self.descriptions[codeword] = [] if tell is None else tell(codeword, 5)
        return self.descriptions[codeword]


def load_space(file: CollectionFile, known: Space | None) -> Space:
    """The space of this moment; what is known already is kept where nothing has changed.

    known may be of a later moment, where several connections share it: then its vectors may be of other texts.
    """
    file.refuse_changing()
    change = file.change
    if known is not None and known.change == change:
        return known
    model, rebuilt = model_number(file), int(file.note("rebuilt", 0))
    is_earlier = known is not None and known.change < change
    before = known if known is not None and is_earlier and (known.model, known.rebuilt) == (model, rebuilt) else None
    encoder = load_model(file) if before is None else before.encoder
    by_id = np.array(file.rows("SELECT number FROM documents ORDER BY id"), np.int64).reshape(-1)
    vectors = np.empty((len(by_id), 0), np.float32) if encoder is None else _vectors(file, encoder, by_id, before)
    sizes = read_sizes(file, by_id) if before is None else read_sizes(file, by_id, before.sizes, before.change)
    space = Space(change, model, encoder, by_id, vectors, sizes, rebuilt)
    if before is not None:
        space.descriptions.update(before.descriptions)
        if "similar_words" in vars(before):  # they are of the model, and take a while to read
            vars(space)["similar_words"] = before.similar_words
    return space


def _vectors(file: CollectionFile, encoder: Encoder, by_id: IntArray, before: Space | None) -> FloatArray:
    """The vectors of documents of these numbers, (n_documents, n_features); only what came since is read."""
    n_features = encoder.transform([""]).shape[1]
    numbers, found = read_vectors(file, n_features, -1 if before is None else before.change)
    if before is not None and len(before.numbers) and before.vectors.shape[1] == n_features:
        old = before._by_number[~np.isin(before.numbers[before._by_number], numbers)]  # by rising number
        order = np.argsort(np.concatenate([before.numbers[old], numbers]), kind="stable")
        numbers = np.concatenate([before.numbers[old], numbers])[order]
        found = np.concatenate([before.vectors[old], found])[order]
    places = np.minimum(np.searchsorted(numbers, by_id), max(0, len(numbers) - 1))
    if len(by_id) and not (len(numbers) and np.array_equal(numbers[places], by_id)):
        raise DamagedCollectionError(
            f"{file.path} lacks vectors of documents; `satchel check --repair` makes them anew"
        )
    return found[places] if len(by_id) else np.empty((0, n_features), np.float32)
