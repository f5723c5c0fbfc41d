"""The few plain types that pass between rooms, and the values of a mark."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:  # both take a while to import, scipy a second on a busy machine; these names need no run-time value
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_array


FloatArray: TypeAlias = "NDArray[np.float32]"
DoubleArray: TypeAlias = "NDArray[np.float64]"
IntArray: TypeAlias = "NDArray[np.int64]"
SparseArray: TypeAlias = "csr_array[Any, tuple[int, int]]"
Vectors: TypeAlias = "FloatArray | SparseArray"
"""Document vectors, (n_documents, n_features), float32; sparse only where the encoder's features are words."""

Objective: TypeAlias = Literal["least-squares", "cross-entropy", "spherical-entropy", "entropy"]
"""What training lowers. "least-squares": squared distances to class targets, solved at once. The others are lowered
step by step: the cross-entropy of the classes by cosine, and their entropy by cosine or by Euclidean distance."""

WordUpdates: TypeAlias = Literal["touched", "all"]
"""Which words a step of training moves: those of its batch, or all, as Adam was published."""

Device: TypeAlias = Literal["cpu", "cuda"]

Judgments: TypeAlias = Mapping[str, Mapping[str, int]]
"""query id -> document id -> grade (0: judged and not relevant)."""

Run: TypeAlias = Mapping[str, Mapping[str, float]]
"""query id -> document id -> score (higher is better)."""


class Ranking(NamedTuple):
    """The best documents of each query, best first; ties stand in document order.

    ids (n_queries, k): positions of the fitted documents, -1 if there are fewer than k.
    scores (n_queries, k): higher is better; -inf where there is no document, and for an empty document ranked by
    distance.
    """

    ids: IntArray
    scores: FloatArray


class BagParts(NamedTuple):
    """The five parts of a bag of embedded words, which training may move.

    words (n_words, dim), codebook (n_codewords, dim), sigma (a number), mask (n_codewords,), weights (n_words,).
    """

    words: FloatArray
    codebook: FloatArray
    sigma: float
    mask: FloatArray
    weights: FloatArray


class TrainingRun(NamedTuple):
    """The settings of one training run. Only the seed changes what is learned.

    checkpoint: the folder that keeps the state of the run, or None. verbose: show progress.
    """

    checkpoint: str | Path | None
    device: Device
    verbose: bool
    random_state: int


class EpochRecord(NamedTuple):
    """What happened in one pass over the documents; losses are means over its batches."""

    epoch: int
    loss: float
    sigma: float
    validation_loss: float | None
    seconds: float


class NetworkEpoch(NamedTuple):
    """What happened in one epoch of a network that answers with topics and documents.

    train_perplexity and validation_perplexity: the number of equally likely topics that would be as hard to guess;
    validation_perplexity is None if no documents are set aside. document_perplexity: the same for documents, within
    their topics or, if the output is not factorised, among all.
    """

    epoch: int
    rate: float
    train_perplexity: float
    validation_perplexity: float | None
    document_perplexity: float
    words_per_second: float


MarkValue: TypeAlias = Literal["relevant", "maybe", "irrelevant"]
GRADES: dict[MarkValue, float] = {"relevant": 1.0, "maybe": 0.5, "irrelevant": -1.0}
"""Mark -> its weight: above 0 for relevant, below 0 for irrelevant."""
EXPORTED: dict[MarkValue, int] = {"relevant": 2, "maybe": 1, "irrelevant": 0}
"""Mark -> grade in TREC judgments."""
