"""How a bag of embedded words is learned: words, codewords, memberships, themes, and what labels add."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from satchel.documents.bag_start import damped_counts, standard_rows, start_parts
from satchel.documents.class_rows import add_classes
from satchel.documents.labels import Labelled, read_labels
from satchel.documents.recipes import LARGE, Ingredients
from satchel.documents.themes import neighbour_rows, scaled_to_one
from satchel.text import Vocabulary
from satchel.text.weighting import tf_idf
from satchel.types import BagParts, EpochRecord, FloatArray, SparseArray

if TYPE_CHECKING:
    from satchel.documents.bag import BagOfEmbeddedWords


@dataclass(frozen=True)
class LearnedBag:
    """What serves: `rows` (n_words, n_codewords), the number a word adds to each codeword; `weights` (n_words,), how
    much the word counts in a document; `mask` (n_codewords,). And what they were learned from and how."""

    vocabulary: Vocabulary
    rows: FloatArray
    weights: NDArray[np.float64]
    mask: FloatArray
    words: FloatArray | None
    codebook: FloatArray
    sigma: float
    strength: float = 0.0
    strengths: dict[float, float] = field(default_factory=dict)
    history: list[EpochRecord] = field(default_factory=list)


def learn_bag(encoder: BagOfEmbeddedWords, texts: list[str], labels: Sequence[object] | None) -> LearnedBag:
    """All that `fit` learns. Labels are looked at first: a mistake in them costs no time."""
    use, labelled = encoder.ingredients, None if labels is None else read_labels(labels)
    if labelled is not None and use.objective != "least-squares":
        from satchel.documents.bag_training import require_torch

        require_torch()
    least = use.min_count or (2 if len(texts) >= LARGE else 1)
    vocabulary, counts = encoder._count(texts, min_count=least)
    parts = start_parts(encoder, use, vocabulary, counts)
    if labelled is None or use.objective == "least-squares":
        with threadpool_limits(1, "blas"):  # with more threads the sums differ in their last bits
            return _by_regression(encoder, use, vocabulary, counts, parts, labelled)
    from satchel.documents.bag_training import train_bag

    parts, history = train_bag(encoder, use, texts, labelled, vocabulary, parts)
    rows = _padded(standard_rows(use, counts, parts), encoder.n_codewords)
    return _learned(vocabulary, rows, parts, encoder.n_codewords, history=history)


def _by_regression(
    encoder: BagOfEmbeddedWords,
    use: Ingredients,
    vocabulary: Vocabulary,
    counts: SparseArray,
    parts: BagParts,
    labelled: Labelled | None,
) -> LearnedBag:
    """Themes of the texts alone, and what the labels add to them."""
    rows = _padded(standard_rows(use, counts, parts), encoder.n_codewords)
    if not use.neighbours and labelled is None:
        return _learned(vocabulary, rows, parts, encoder.n_codewords)
    features = tf_idf(damped_counts(use, counts), parts.weights.astype(np.float64))
    if use.neighbours:
        rows = neighbour_rows(rows, features, use.neighbours, encoder.random_state)
    if labelled is None:
        return _learned(vocabulary, rows, parts, encoder.n_codewords)
    rows = scaled_to_one(rows, features)
    trained = add_classes(rows, features, labelled, encoder.goal, use.slope, encoder.random_state)
    return _learned(
        vocabulary, trained.rows, parts, encoder.n_codewords, strength=trained.strength, strengths=trained.judged
    )


def _learned(
    vocabulary: Vocabulary,
    rows: FloatArray,
    parts: BagParts,
    n_codewords: int,
    *,
    strength: float = 0.0,
    strengths: dict[float, float] | None = None,
    history: list[EpochRecord] | None = None,
) -> LearnedBag:
    return LearnedBag(
        vocabulary,
        rows,
        parts.weights.astype(np.float64),
        _padded(parts.mask[None, :], n_codewords)[0],
        parts.words,
        parts.codebook,
        parts.sigma,
        strength,
        strengths or {},
        history or [],
    )


def _padded(rows: FloatArray, n_codewords: int) -> FloatArray:
    """With a column of zeros for every codeword that the words did not allow."""
    missing = n_codewords - rows.shape[1]
    return rows if not missing else np.pad(rows, ((0, 0), (0, missing)))
