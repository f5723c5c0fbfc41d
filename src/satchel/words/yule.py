"""Yule words: word vectors learned from which words occur in the same documents, without a decomposition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from satchel.arrays import cluster_rows
from satchel.errors import InputError, whole_number
from satchel.text import Tokenizer
from satchel.types import FloatArray, IntArray, SparseArray
from satchel.words.learner import WordLearner
from satchel.words.table import VectorTable
from satchel.words.vectors import WordVectors

_BLOCK_VALUES = 1 << 22  # similarities held at once: 32 MB as a sparse array without a zero
_SEED_WORDS = 20  # words looked at for each cluster when the first centroids are chosen


class YuleWords(WordLearner):
    """Learns word vectors from Yule's association and spherical k-means, [CP13] section 4.3.2.

    1. The similarity of two words is `yule_association` over documents; row i of S holds those of word i.
    2. Spherical k-means puts the rows of S into `dim` clusters.
    3. "The cluster centroids as the word embedding matrix": the centroids form a matrix (dim, n_words), and its column
       j is the vector of word j. It says how much word j goes with each cluster of words.

    Differs: negative associations count as 0. Two words that never meet have Y = -1, so most of S would say only that
    both are rare.

    S (n_words, n_words) is never held: its rows are computed in blocks, again in each iteration. Memory is that of the
    counts, of dim × n_words values, and of one block; time grows with the square of the number of words, so
    `max_size` keeps the most frequent.
    """

    def __init__(
        self,
        dim: int = 50,
        *,
        tokenizer: Tokenizer | None = None,
        min_count: int = 2,
        max_size: int | None = 10_000,
        max_iterations: int = 10,
        random_state: int = 0,
    ) -> None:
        self.dim = dim
        self.tokenizer = tokenizer
        self.min_count = min_count
        self.max_size = max_size
        self.max_iterations = max_iterations
        self.random_state = random_state

    def learn(self, texts: Iterable[str]) -> WordVectors:
        """The word vectors of these texts, most frequent word first; a word of every text has the zero vector."""
        whole_number("max_iterations", self.max_iterations)
        vocabulary, counts = self._count(texts)
        similarities = Similarities(counts)
        n_associated = len(similarities.nonzero)
        if n_associated < self.dim:
            raise InputError(
                f"only {n_associated} words stand in some but not all texts, fewer than dim={self.dim}; lower dim"
            )
        centres = cluster_rows(
            similarities,
            self.dim,
            self.random_state,
            max_iterations=self.max_iterations,
            max_seeds=_SEED_WORDS * self.dim,
        ).centres
        return WordVectors.from_table(VectorTable(list(vocabulary.words), np.ascontiguousarray(centres.T)))


def yule_association(together: FloatArray, first: FloatArray, second: FloatArray, n_documents: int) -> FloatArray:
    """Yule's Y of two words, (√(ad) - √(bc)) / (√(ad) + √(bc)), from -1 (never together) to 1 (never apart).

    together: documents with both words; first, second: documents with either one; all of one shape, which is returned.
    In the 2 × 2 table of documents a holds both words, b and c one of them, d none. Jagarlamudi et al. (2011), whom
    [CP13] section 4.3.2 cites, take it on raw counts. Where both products are 0 (a word of all documents), Y is 0.
    """
    for_ = np.sqrt(together * (n_documents - first - second + together))
    against = np.sqrt((first - together) * (second - together))
    total = for_ + against
    for_ -= against
    y: FloatArray = np.divide(for_, total, out=np.zeros_like(total), where=total > 0)
    return y


class Similarities:
    """The matrix S of positive associations, (n_words, n_words): rows of length 1, never all in memory."""

    def __init__(self, counts: SparseArray) -> None:
        from scipy.sparse import csr_array

        self._present = csr_array((np.ones_like(counts.data), counts.indices, counts.indptr), shape=counts.shape)
        self._by_word = self._present.T.tocsr()  # (n_words, n_documents)
        self._documents = np.diff(self._by_word.indptr).astype(np.float32)
        self.n_rows = int(counts.shape[1])

    @property
    def nonzero(self) -> IntArray:
        """The words that stand in some but not all documents: the others have no associations."""
        return np.flatnonzero((self._documents > 0) & (self._documents < self._present.shape[0]))

    def rows(self, numbers: IntArray) -> SparseArray:
        """The rows of some words, each scaled to length 1, (len(numbers), n_words)."""
        from scipy.sparse import csr_array

        together = self._by_word[numbers] @ self._present
        first = np.repeat(self._documents[numbers], np.diff(together.indptr))
        second = self._documents[together.indices]
        y = yule_association(together.data, first, second, self._present.shape[0])
        positive = csr_array((np.maximum(y, 0, out=y), together.indices, together.indptr), shape=together.shape)
        squares = np.add.reduceat(np.append(y * y, np.float32(0)), together.indptr[:-1])
        lengths = np.where(squares > 0, np.sqrt(squares), 1)
        positive.data /= np.repeat(lengths, np.diff(together.indptr))
        return positive

    def blocks(self) -> Iterator[tuple[IntArray, SparseArray]]:
        """All rows, in blocks that bound the memory: the words of a block and their rows."""
        size = max(1, _BLOCK_VALUES // self.n_rows)
        for start in range(0, self.n_rows, size):
            words = np.arange(start, min(start + size, self.n_rows))
            yield words, self.rows(words)
