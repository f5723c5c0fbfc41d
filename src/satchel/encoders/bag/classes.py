"""Learns from labels by regression: what they add to the rows of words, and how much of that to add."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np

from satchel.arrays import unit_rows
from satchel.encoders.bag.labels import Labelled
from satchel.encoders.bag.start import rectified
from satchel.encoders.regression import ThemedFeatures, WordFeatures, solve_dual
from satchel.errors import InputError
from satchel.types import FloatArray, IntArray, SparseArray

Goal = Literal["in-domain", "transfer"]
"""What the vectors are for: documents of the classes that were labelled, or of classes that were not."""

CLASS_PENALTY, CLASS_ITERATIONS, MARGIN_ROUNDS = 0.3, 20, 3
"""For the regression to the classes. Penalties 0.1, 0.2, 0.3, 0.5 and 1 were compared on train documents of four sets:
from 0.2 to 0.5 all are within 0.3 mAP; 1 loses 0.7 on 20ng and r52. Each round of margins gives 0.1 to 0.3 mAP."""
THEME_LABELS = 500
"""Up to this many labelled documents, themes count as much as the words themselves; with more, less."""
CLASSES_AT_ONCE = 128
"""How many classes are solved together: 1,000 classes of 10,000 documents take 120 MB so, and 710 MB all at once."""
STRENGTHS = (0.0, 0.3, 1.0, 3.0, 10.0)
"""How much the labels may add; the best of these is chosen on documents or classes set aside."""
HELD_OUT_PARTS, MOST_QUERIES, MOST_DOCUMENTS, CLASS_FOLDS = 5, 400, 4000, 3
UNJUDGED_STRENGTH: dict[Goal, float] = {"in-domain": 3.0, "transfer": 0.0}
"""The strength if there are too few labels to set any aside. For other classes nothing is known to help then."""


class RowsFromLabels(NamedTuple):
    """rows (n_words, n_codewords) with what the labels add; `strength`: how much of it; `judged`: the mean average
    precision of every strength that was tried on documents or classes set aside."""

    rows: FloatArray
    strength: float
    judged: dict[float, float]


class Fold(NamedTuple):
    """Labelled documents to learn from, and those set aside as queries; positions among the labelled ones."""

    learned: IntArray
    asking: IntArray


def add_classes(
    themes: FloatArray, weights: SparseArray, labelled: Labelled, goal: Goal, slope: float, random_state: int
) -> RowsFromLabels:
    """Themes plus strength times the rows of the classes; the strength is chosen on training documents alone.

    themes (n_words, n_codewords), weights (n_documents, n_words) of all texts, labelled or not.
    """
    of_labelled = weights[labelled.rows]
    folds = [*_folds(labelled, goal, random_state)]
    judged = _judge(themes, of_labelled, labelled.belongs, folds, slope, random_state)
    strength = max(judged, key=lambda tried: judged[tried]) if judged else UNJUDGED_STRENGTH[goal]
    if strength == 0:
        return RowsFromLabels(themes, strength, judged)
    return RowsFromLabels(
        themes + np.float32(strength) * class_rows(themes, of_labelled, labelled.belongs), strength, judged
    )


def class_rows(themes: FloatArray, weights: SparseArray, belongs: FloatArray) -> FloatArray:
    """Rows (n_words, n_codewords) that bring documents of a class to the codewords that the class owns.

    weights (n_documents, n_words), belongs (n_documents, n_classes). Classes are solved in blocks, so that memory does
    not grow with their number, except for `belongs`.
    """
    words = WordFeatures(weights)
    features = ThemedFeatures(words, themes, min(1.0, THEME_LABELS / len(belongs)))
    owned = owned_codewords(words.documents(themes), belongs)
    starts = range(0, belongs.shape[1], CLASSES_AT_ONCE)
    blocks = (slice(start, start + CLASSES_AT_ONCE) for start in starts)
    return _sum(features.words(_margin_dual(features, belongs, block)) @ owned[block] for block in blocks)


def _sum(parts: Iterator[FloatArray]) -> FloatArray:
    total = next(parts)
    for part in parts:
        total += part
    return total


def _margin_dual(features: ThemedFeatures, belongs: FloatArray, block: slice) -> FloatArray:
    """A of `ridge` for a block of the classes, (n_documents, n_block).

    One regression per class, of 1 for its documents and 0 for others, less 1/n_classes; a document with several labels
    shares the 1. After each round, documents that lie beyond their target are left where they are, so that only those
    on the wrong side pull: the squared hinge loss.
    """
    share = belongs[:, block] / np.maximum(belongs.sum(axis=1, keepdims=True), 1)
    wanted: FloatArray = (share - np.float32(1 / belongs.shape[1])).astype(np.float32)
    targets, solution = wanted, np.zeros_like(wanted)
    for _ in range(MARGIN_ROUNDS):
        solution = solve_dual(features, targets, CLASS_PENALTY, CLASS_ITERATIONS, solution)
        reached = features.documents(features.words(solution))
        targets = np.where(belongs[:, block] > 0, np.maximum(wanted, reached), np.minimum(wanted, reached))
    return solution


def owned_codewords(documents: FloatArray, belongs: FloatArray) -> FloatArray:
    """(n_classes, n_codewords): the codeword that each class owns, where its documents stand out the most.

    documents (n_documents, n_codewords). Each class gets a codeword of its own, such that the sum of the classes' means
    there is largest. If there are more classes than codewords, they get directions instead: as far apart as possible,
    and nearest to their means (polar decomposition).
    """
    from scipy.optimize import linear_sum_assignment

    means: FloatArray = (belongs.T @ documents) / np.maximum(belongs.sum(axis=0), 1)[:, None]
    n_classes, n_codewords = means.shape
    if n_classes <= n_codewords:
        classes, codewords = linear_sum_assignment(-means)
        owned: FloatArray = np.zeros_like(means)
        owned[classes, codewords] = 1
        return owned
    u, _, vt = np.linalg.svd(unit_rows(means), full_matrices=False)
    return unit_rows(u @ vt)


def _folds(labelled: Labelled, goal: Goal, random_state: int) -> Iterator[Fold]:
    random = np.random.default_rng([random_state, 3])
    return _held_out_documents(labelled, random) if goal == "in-domain" else _held_out_classes(labelled, random)


def _held_out_documents(labelled: Labelled, random: np.random.Generator) -> Iterator[Fold]:
    """A fifth of every class are queries. With few labels each fifth has its turn: one query must not decide."""
    first = labelled.belongs.argmax(axis=1)
    of_class = [random.permutation(np.flatnonzero(first == number)) for number in range(len(labelled.classes))]
    for fifth in range(HELD_OUT_PARTS if len(first) <= THEME_LABELS else 1):
        parts = [rows[fifth::HELD_OUT_PARTS] for rows in of_class if len(rows) > fifth + 1]
        if parts:
            asking = np.concatenate(parts)
            yield Fold(np.setdiff1d(np.arange(len(first)), asking), asking)


def _held_out_classes(labelled: Labelled, random: np.random.Generator) -> Iterator[Fold]:
    """Sets a third of the classes aside at a time: half of the documents that have one of them are queries.

    The other half is to be found. Documents that have none of these classes are learned from.
    """
    n_classes = len(labelled.classes)
    if n_classes < 3:
        raise InputError(f"goal='transfer' sets classes aside and needs three or more; the labels have {n_classes}")
    for held in np.array_split(random.permutation(n_classes), CLASS_FOLDS):
        asks = (labelled.belongs[:, held] > 0).any(axis=1)
        learned = np.flatnonzero(~asks)
        if (labelled.belongs[learned].sum(axis=0) > 0).sum() > 1:
            documents = random.permutation(np.flatnonzero(asks))
            yield Fold(learned, np.sort(documents[: -(-len(documents) // 2)]))


def _judge(
    themes: FloatArray,
    weights: SparseArray,
    belongs: FloatArray,
    folds: list[Fold],
    slope: float,
    random_state: int,
) -> dict[float, float]:
    """The mean average precision of each strength over the folds; empty without a fold."""
    from sklearn.metrics import label_ranking_average_precision_score

    random = np.random.default_rng([random_state, 4])
    judged: dict[float, list[float]] = {strength: [] for strength in STRENGTHS}
    for fold in folds:
        present = (belongs[fold.learned] > 0).any(axis=0)
        added = class_rows(themes, weights[fold.learned], belongs[fold.learned][:, present])
        asking = _sample(fold.asking, MOST_QUERIES, random)
        others = _sample(np.setdiff1d(np.arange(len(belongs)), asking), MOST_DOCUMENTS, random)
        relevant = belongs[asking] @ belongs[others].T > 0  # (n_queries, n_documents)
        answered = relevant.any(axis=1)
        if not answered.any():
            continue
        queries, found = asking[answered], relevant[answered]
        by_themes, by_classes = weights @ themes, weights @ added
        for strength, values in judged.items():
            vectors = unit_rows(rectified(by_themes + np.float32(strength) * by_classes, slope))
            cosines = vectors[queries] @ vectors[others].T
            values.append(float(label_ranking_average_precision_score(found, cosines)))
    return {strength: float(np.mean(values)) for strength, values in judged.items() if values}


def _sample(rows: IntArray, most: int, random: np.random.Generator) -> IntArray:
    return rows if len(rows) <= most else np.sort(random.choice(rows, most, replace=False))
