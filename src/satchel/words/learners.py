"""Word vectors learned from the texts alone: LSI words by a decomposition, Yule words by association."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, Self, get_args

import numpy as np
from threadpoolctl import threadpool_limits

from satchel.arrays import cluster_rows
from satchel.errors import InputError, one_of, seed, unknown_name, whole_number
from satchel.estimator import Estimator
from satchel.text import Tokenizer, Vocabulary, check_texts, learn_vocabulary, smooth_idf, tf_idf
from satchel.types import FloatArray, IntArray, SparseArray
from satchel.words.table import VectorTable
from satchel.words.vectors import WordVectors


class WordLearner(Estimator):
    """Base of the classes that learn word vectors from texts alone."""

    dim: int
    tokenizer: Tokenizer | None
    min_count: int
    max_size: int | None
    random_state: int

    def fit(self, texts: Iterable[str], labels: object = None) -> Self:
        """Learns `vectors_`; labels are ignored."""
        self.vectors_ = self.learn(texts)
        return self

    def learn(self, texts: Iterable[str]) -> WordVectors:
        """The word vectors of these texts, most frequent word first."""
        raise NotImplementedError

    def _count(self, texts: Iterable[str]) -> tuple[Vocabulary, SparseArray]:
        """The vocabulary and the counts, (n_texts, n_words); raises InputError if there are fewer than `dim` words."""
        checked = check_texts(texts)
        whole_number("dim", self.dim)
        seed(self.random_state)
        if not checked:
            raise InputError("there are no texts to learn word vectors from; give at least one")
        tokenizer = Tokenizer() if self.tokenizer is None else self.tokenizer
        vocabulary, counts = learn_vocabulary(checked, tokenizer, min_count=self.min_count, max_size=self.max_size)
        if not len(vocabulary):
            found = f"no word occurs {self.min_count} times in the {len(checked)} texts"
            raise InputError(f"{found}; give more texts or a lower min_count")
        if len(vocabulary) < self.dim:
            found = f"the texts hold {len(vocabulary)} words that can be learned"
            raise InputError(f"{found}, fewer than dim={self.dim}; lower dim")
        return vocabulary, counts


def latent_words(a: SparseArray, dim: int, random_state: int) -> tuple[FloatArray, FloatArray]:
    """The words' singular vectors (n_words, dim) and the singular values (dim,) of documents × words, [CP13] Eq. (9).

    The paper's A is terms × documents, A ≈ UΣV′, and ours is A′: words are the rows of the paper's U, and documents in
    the latent space are a @ U = VΣ. By randomized SVD; the sign of each column makes its largest entry positive, so
    that it does not depend on the algorithm.

    BLAS uses one thread, because with more it sums in another order: the same seed gives the same bytes for any number
    of cores (not for any kind of processor). 20ng, 200 dimensions, three runs in turns on two cores that other work
    shared: 3.1, 4.4, 2.8 s with one thread and 16.9, 7.9, 2.8 s with two; free cores were not measured.
    """
    from sklearn.utils.extmath import randomized_svd

    with threadpool_limits(1, "blas"):
        _, s, ut = randomized_svd(a, dim, n_oversamples=20, n_iter=5, random_state=random_state)
    largest = ut[np.arange(dim), np.abs(ut).argmax(axis=1)]
    u = (ut * np.where(largest < 0, -1, 1)[:, np.newaxis]).T
    return np.ascontiguousarray(u, dtype=np.float32), s.astype(np.float32)


Scaling = Literal["unit", "singular", "none"]
LsiWeighting = Literal["log-tf-idf", "tf"]


class LsiWords(WordLearner):
    """Learns word vectors as latent semantic indexing does, [CP13] section 3.2.

    Our matrix is documents × words, A ≈ UΣV′, so words are the rows of V (in [CP13] Eq. (9), terms × documents, of U).

    scaling: "unit", rows of VΣ scaled to length 1; "singular", VΣ, whose dot products approximate those of the columns
    of A; "none", V. Documents clustered best by "unit" on r8 and 20ng: docs/how-to/words.md has the call.
    weighting: of A. "log-tf-idf", rows of length 1; "tf", the counts as they are, so that by cosine the mean of a
    document's words from V ("none") is its LSI vector of [CP13] Eq. (9). Differs: the paper does not say what its A
    holds.
    min_count: words with fewer occurrences are left out.
    """

    def __init__(
        self,
        dim: int = 100,
        *,
        tokenizer: Tokenizer | None = None,
        min_count: int = 2,
        max_size: int | None = None,
        scaling: Scaling = "unit",
        weighting: LsiWeighting = "log-tf-idf",
        random_state: int = 0,
    ) -> None:
        self.dim = dim
        self.tokenizer = tokenizer
        self.min_count = min_count
        self.max_size = max_size
        self.scaling = scaling
        self.weighting = weighting
        self.random_state = random_state

    def learn(self, texts: Iterable[str]) -> WordVectors:
        """The word vectors of these texts, most frequent word first."""
        if self.scaling not in get_args(Scaling):
            raise unknown_name("scaling", self.scaling, get_args(Scaling))
        one_of("weighting", self.weighting, get_args(LsiWeighting))
        vocabulary, counts = self._count(texts)
        if self.dim > counts.shape[0]:
            raise InputError(f"{counts.shape[0]} texts allow no more dimensions than that; dim is {self.dim}: lower it")
        vectors = lsi_vectors(counts, self.dim, self.scaling, self.random_state, self.weighting)
        return WordVectors.from_table(VectorTable(list(vocabulary.words), vectors))


def lsi_vectors(
    counts: SparseArray,
    dim: int,
    scaling: Scaling = "unit",
    random_state: int = 0,
    weighting: LsiWeighting = "log-tf-idf",
) -> FloatArray:
    """LSI words of counted texts, (n_texts, n_words) -> (n_words, dim); dim is at most the smaller of the two."""
    weighted = counts if weighting == "tf" else tf_idf(counts, smooth_idf(counts), "log(1+count)")
    v, s = latent_words(weighted, dim, random_state)
    return scaled_words(v, s, scaling)


def scaled_words(v: FloatArray, s: FloatArray, scaling: Scaling) -> FloatArray:
    """V, VΣ, or the rows of VΣ at length 1 (a zero row stays zero); (n_words, dim)."""
    if scaling == "none":
        return np.ascontiguousarray(v)
    vectors: FloatArray = v * s
    if scaling == "unit":
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors /= np.where(lengths > 0, lengths, 1)
    return np.ascontiguousarray(vectors)


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
