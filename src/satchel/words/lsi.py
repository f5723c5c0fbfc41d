"""LSI words: word vectors from a singular value decomposition of the texts themselves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

import numpy as np
from threadpoolctl import threadpool_limits

from satchel.errors import InputError, one_of, unknown_name
from satchel.text import Tokenizer, smooth_idf, tf_idf
from satchel.types import FloatArray, SparseArray
from satchel.words.learner import WordLearner
from satchel.words.table import VectorTable
from satchel.words.vectors import WordVectors


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
    document's words from V ("none") is its LSI vector of [CP13] Eq. (9). Differs: the paper does not tell its A.
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
