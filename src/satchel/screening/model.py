"""Screening models: they learn from the records judged so far and score the others."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from satchel.types import IntArray

Scores = NDArray[np.float64]


class ScreeningModel(Protocol):
    """Reads the records once, then scores all of them again and again as judgments come in."""

    def read(self, texts: list[str]) -> None: ...

    def scores(self, shown: IntArray, relevant: NDArray[np.bool_]) -> Scores:
        """shown (n_shown,): positions of the records judged, relevant (n_shown,) -> (n_records,), higher is better.

        One relevant and one irrelevant record at least must be among those judged.
        """


class LexicalModel:
    """A linear support vector machine on tf-idf, fitted anew to all judgments: it recognises rare words.

    cost: how much a record on the wrong side costs; it is small because there are few records and thousands of words.
    ratio: how many times the relevant records together outweigh the irrelevant ones.
    """

    def __init__(self, cost: float = 0.05, ratio: float = 9.8, random_state: int = 0) -> None:
        self.cost = cost
        self.ratio = ratio
        self.random_state = random_state

    def read(self, texts: list[str]) -> None:
        from satchel.encoders import TfIdf

        self._vectors = TfIdf(sublinear=True).fit(texts).transform(texts)

    def scores(self, shown: IntArray, relevant: NDArray[np.bool_]) -> Scores:
        from sklearn.svm import LinearSVC

        machine = LinearSVC(C=self.cost, random_state=self.random_state)
        machine.fit(self._vectors[shown], relevant, sample_weight=balanced_weights(relevant, self.ratio))
        scores: Scores = machine.decision_function(self._vectors)
        return scores


class VectorModel:
    """Weighted least squares on document vectors that were learned from the records, without any judgment.

    Records that share no word may share a theme, so it finds records that use other words. Each fit is one linear
    system.
    penalty: what the length of the solution costs. ratio: as that of `LexicalModel`.
    """

    def __init__(self, n_codewords: int = 128, penalty: float = 1.0, ratio: float = 3.0, random_state: int = 0) -> None:
        self.n_codewords = n_codewords
        self.penalty = penalty
        self.ratio = ratio
        self.random_state = random_state

    def read(self, texts: list[str]) -> None:
        from satchel.encoders import BagOfEmbeddedWords

        encoder = BagOfEmbeddedWords(n_codewords=self.n_codewords, random_state=self.random_state)
        vectors = np.asarray(encoder.fit(texts).transform(texts), np.float64)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        self._vectors = np.hstack([vectors / np.where(lengths > 0, lengths, 1), np.ones((len(texts), 1))])

    def scores(self, shown: IntArray, relevant: NDArray[np.bool_]) -> Scores:
        weights = balanced_weights(relevant, self.ratio)
        solved = weighted_ridge(self._vectors[shown], np.where(relevant, 1.0, -1.0), weights, self.penalty)
        return np.asarray(self._vectors @ solved)


class BothModel:
    """The sum of both models' scores, each with mean 0 and deviation 1 over the records."""

    def __init__(self, random_state: int = 0) -> None:
        self.parts: tuple[ScreeningModel, ...] = (
            LexicalModel(random_state=random_state),
            VectorModel(random_state=random_state),
        )

    def read(self, texts: list[str]) -> None:
        for part in self.parts:
            part.read(texts)

    def scores(self, shown: IntArray, relevant: NDArray[np.bool_]) -> Scores:
        return np.asarray(sum(standardised(part.scores(shown, relevant)) for part in self.parts))


def weighted_ridge(x: Scores, y: Scores, weights: Scores, penalty: float) -> Scores:
    """b that makes Σ_i w_i (x_i·b - y_i)² + penalty ‖b‖² smallest: (XᵀWX + penalty I) b = XᵀW y.

    x (n, dim), y and weights (n,) -> (dim,).
    """
    weighted = x * weights[:, None]
    gram = weighted.T @ x + penalty * np.eye(x.shape[1])
    return np.asarray(np.linalg.solve(gram, weighted.T @ y))


def standardised(scores: Scores) -> Scores:
    """Scores with mean 0 and deviation 1; zeros if all are equal."""
    spread = float(scores.std())
    centred = scores - scores.mean()
    return np.asarray(centred / spread) if spread > 1e-12 else np.zeros_like(centred)


def balanced_weights(relevant: NDArray[np.bool_], ratio: float) -> Scores:
    """Weights (n_shown,) whose mean is 1, the relevant ones together `ratio` times the irrelevant ones together."""
    n_relevant = np.count_nonzero(relevant)
    weights = np.where(relevant, ratio / n_relevant, 1 / (len(relevant) - n_relevant))
    return np.asarray(weights * (len(relevant) / weights.sum()))
