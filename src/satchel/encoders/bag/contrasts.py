"""Learns from the marks of many queries: rows of words that separate relevant documents from irrelevant ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from satchel.arrays import unit_rows
from satchel.encoders.bag.bag import BagOfEmbeddedWords
from satchel.encoders.bag.start import rectified, scaled_to_one
from satchel.encoders.regression import ThemedFeatures, WordFeatures, ridge
from satchel.types import FloatArray, IntArray, SparseArray

MARK_PENALTY, MARK_ITERATIONS = 1.0, 20
"""For the regression to the marks. Penalties 0.3, 1 and 3 were compared on train documents of 20ng, r8, r52 and webkb,
with 50 and with 200 queries: within 0.3 mAP except for webkb, which gains 0.7 with 0.3 and loses 1.7 with 3."""
STEPS = (0.0, 0.5, 1.0, 2.0)
"""How far marked documents may move, in lengths of a document; the best of these is chosen on queries set aside."""
MARK_FOLDS = 5
FEWEST_JUDGES, LEAST_GAIN = 12, 0.5
"""At least this many queries must be set aside to judge a step, and the step must gain this many standard errors. Tried
on train documents of the four sets with 0, 5, 10 and 20 % of the judgements wrong: by this rule no case of 50 or 200
queries became worse than without marks; by the best step alone 4 of 96 did, by up to 0.5 mAP. With ten queries to
judge, one case lost 1.5 mAP."""


class Contrast(NamedTuple):
    """The marks of one query.

    documents (n_marks,): positions among the texts, each once. weights (n_marks,): the grade of a relevant mark, minus
    the grade of an irrelevant one; never 0.
    """

    documents: IntArray
    weights: NDArray[np.float64]


class RowsFromMarks(NamedTuple):
    """rows (n_words, n_codewords) with what the marks add; `step`: how much of it; `judged`: for every step that was
    tried, how often a query set aside has its relevant documents before its irrelevant ones."""

    rows: FloatArray
    step: float
    judged: dict[float, float]


def learn_contrasts(
    encoder: BagOfEmbeddedWords, texts: Sequence[str], contrasts: Sequence[Contrast]
) -> tuple[BagOfEmbeddedWords, RowsFromMarks]:
    """A copy of a fitted encoder whose vectors separate what queries found relevant from what they did not.

    texts: the positions in the contrasts refer to these. If no step helped, the copy equals the encoder.
    """
    mask = np.where(encoder.mask_ > 0, encoder.mask_, np.float32(1))
    features = unit_weights(encoder._weigh(list(texts)))
    with threadpool_limits(1, "blas"):  # more threads sum in another order
        marked = add_marks(encoder.rows_ * mask, features, contrasts, encoder.whole_recipe.slope)
    trained = copy(encoder)
    if marked.step:
        trained.rows_ = np.ascontiguousarray(marked.rows / mask)
        trained._masked = trained.rows_ * trained.mask_
    return trained, marked


def add_marks(rows: FloatArray, weights: SparseArray, contrasts: Sequence[Contrast], slope: float) -> RowsFromMarks:
    """Rows plus step times what the marks add; the step is chosen on queries set aside.

    rows (n_words, n_codewords), weights (n_documents, n_words) of length 1, slope: that of the rectifier. If no query
    can judge, for example because all marks are relevant, the rows stay as they are: the finds of one query lie
    together already, and moving them closer lost up to 1.5 mAP on train documents of 20ng and r52.
    """
    themes = scaled_to_one(rows, weights)
    telling = [contrast for contrast in contrasts if (contrast.weights > 0).any()]
    values = _judge(themes, weights, telling, slope)
    step, judged = chosen_step(values), {tried: float(np.mean(of_step)) for tried, of_step in values.items()}
    if step == 0:
        return RowsFromMarks(rows, step, judged)
    return RowsFromMarks(themes + np.float32(step) * mark_rows(themes, weights, telling), step, judged)


def mark_rows(themes: FloatArray, weights: SparseArray, contrasts: Sequence[Contrast]) -> FloatArray:
    """Rows (n_words, n_codewords) that move the marked documents by their `marked_moves`, found by ridge regression.

    themes (n_words, n_codewords), scaled so that documents have length 1; weights (n_documents, n_words).
    """
    documents = np.unique(np.concatenate([contrast.documents for contrast in contrasts]))
    words = WordFeatures(weights[documents])
    places = [Contrast(np.searchsorted(documents, marked), grades) for marked, grades in contrasts]
    moves = marked_moves(words.documents(themes), places)
    return ridge(ThemedFeatures(words, themes, 1.0), moves, MARK_PENALTY, MARK_ITERATIONS)


def marked_moves(vectors: FloatArray, contrasts: Sequence[Contrast]) -> FloatArray:
    """Where each marked document should move, (n_documents, n_codewords): the mean over its marks, of length 1 at most.

    vectors (n_documents, n_codewords). A query's relevant documents go from the centre of its irrelevant ones towards
    their own centre, and the irrelevant ones the other way; without irrelevant ones, towards their own centre.
    """
    units = unit_rows(vectors)
    moves, grades = np.zeros_like(units), np.zeros(len(units))
    for documents, weights in contrasts:
        relevant, irrelevant = np.maximum(weights, 0), np.maximum(-weights, 0)
        centres = unit_rows(np.stack([relevant, irrelevant]).astype(np.float32) @ units[documents])
        direction = unit_rows(centres[:1] - centres[1:])  # the irrelevant centre is zero if there is none
        moves[documents] += weights[:, None].astype(np.float32) * direction
        grades[documents] += np.abs(weights)
    return moves / np.maximum(grades, 1).astype(np.float32)[:, None]


def unit_weights(weights: SparseArray) -> SparseArray:
    """Rows scaled to length 1; an empty row stays empty."""
    from scipy.sparse import csr_array

    lengths = np.sqrt(np.asarray(weights.multiply(weights).sum(axis=1), np.float64)).ravel()
    data = weights.data / np.repeat(lengths, np.diff(weights.indptr))
    return csr_array((data.astype(np.float32), weights.indices, weights.indptr), shape=weights.shape)


def pairs_in_order(vectors: FloatArray, relevant: NDArray[np.bool_]) -> float:
    """How often a relevant document, as the query, has another relevant one before an irrelevant one; ties are half.

    vectors (n_documents, n_codewords), relevant (n_documents,): two or more are, and one or more are not.
    """
    units = unit_rows(vectors)
    others = ~np.eye(int(relevant.sum()), dtype=np.bool_)
    near, far = units[relevant] @ units[relevant].T, units[relevant] @ units[~relevant].T
    above = np.sign(near[:, :, None] - far[:, None, :])[others]  # (n_relevant · (n_relevant - 1), n_irrelevant)
    return float(0.5 + 0.5 * above.mean())


def chosen_step(judged: Mapping[float, Sequence[float]]) -> float:
    """The best step, or 0 if its gain may well be chance. judged: step -> one value for each query."""
    best = max(judged, key=lambda step: np.mean(judged[step]), default=0.0)
    gains = np.subtract(judged[best], judged[0.0]) if best else np.zeros(0)
    if len(gains) < FEWEST_JUDGES or gains.mean() <= LEAST_GAIN * gains.std(ddof=1) / np.sqrt(len(gains)):
        return 0.0
    return best


def _judge(
    themes: FloatArray, weights: SparseArray, contrasts: Sequence[Contrast], slope: float
) -> dict[float, list[float]]:
    """Step -> `pairs_in_order` of each query set aside; empty if none of them has both kinds of marks."""
    judged: dict[float, list[float]] = {step: [] for step in STEPS}
    for learned, asking in _folds(contrasts):
        if not learned or not asking:
            continue
        added = mark_rows(themes, weights, learned)
        for documents, grades in asking:
            of_query = weights[documents]
            by_themes, by_marks = of_query @ themes, of_query @ added
            for step, values in judged.items():
                vectors = rectified(by_themes + np.float32(step) * by_marks, slope)
                values.append(pairs_in_order(vectors, grades > 0))
    return {step: values for step, values in judged.items() if values}


def _folds(contrasts: Sequence[Contrast]) -> Iterator[tuple[list[Contrast], list[Contrast]]]:
    """Sets every fifth query aside in turn, with its marks on documents that none of the others has marked."""
    for fold in range(MARK_FOLDS):
        learned = [contrast for place, contrast in enumerate(contrasts) if place % MARK_FOLDS != fold]
        marked = np.concatenate([np.empty(0, np.int64), *(contrast.documents for contrast in learned)])
        unseen = [_without(contrast, marked) for contrast in contrasts[fold::MARK_FOLDS]]
        yield learned, [rest for rest in unseen if (rest.weights > 0).sum() > 1 and (rest.weights < 0).any()]


def _without(contrast: Contrast, documents: IntArray) -> Contrast:
    left = ~np.isin(contrast.documents, documents)
    return Contrast(contrast.documents[left], contrast.weights[left])
