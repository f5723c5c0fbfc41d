"""Word vectors in the order of a vocabulary, with a stated start for the words that have none."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from satchel.errors import InputError, seed, unknown_name
from satchel.types import FloatArray
from satchel.words.table import VocabularyLike, word_list
from satchel.words.vectors import WordVectors

UnknownStart = Literal["paper", "zeros", "small"]


class AlignedWords(NamedTuple):
    """vectors (n_vocabulary, dim), row i for word i; known (n_vocabulary,): whether the row came from word vectors."""

    vectors: FloatArray
    known: NDArray[np.bool_]


def align(
    words: WordVectors, vocabulary: VocabularyLike, unknown: UnknownStart = "paper", random_state: int = 0
) -> AlignedWords:
    """A vector for every word of the vocabulary; those that `words` does not hold start by the rule `unknown`.

    paper: a Gaussian with μ = 1 and σ = 1, [PT18] section 3.3.
    zeros: the zero vector, so that unknown words weigh nothing.
    small: 0.1·N(0, 1), as the authors' published code does, unlike the paper.
    """
    if not isinstance(words, WordVectors):
        raise InputError(f"words must be WordVectors, not {type(words).__name__}; see WordVectors.load")
    wanted = word_list(vocabulary)
    rows = words.rows(wanted)
    known = rows >= 0
    vectors: FloatArray = np.empty((len(wanted), words.dim), dtype=np.float32)
    vectors[known] = words.vectors[rows[known]]
    vectors[~known] = unknown_vectors(
        int((~known).sum()), words.dim, unknown, np.random.default_rng(seed(random_state))
    )
    return AlignedWords(vectors, known)


def unknown_vectors(n: int, dim: int, rule: UnknownStart, random: np.random.Generator) -> FloatArray:
    """(n, dim) start vectors for words without one, see `align`."""
    if rule not in get_args(UnknownStart):
        raise unknown_name("rule for unknown words", rule, get_args(UnknownStart))
    if rule == "zeros":
        return np.zeros((n, dim), dtype=np.float32)
    normal = random.standard_normal((n, dim), dtype=np.float32)
    return normal + np.float32(1) if rule == "paper" else normal * np.float32(0.1)
