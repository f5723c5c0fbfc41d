"""What a screening learns from the records judged so far, and how it orders the others."""

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
        """shown (n_shown,): positions of the records judged, relevant (n_shown,) -> (n_records,), higher is better."""


class LexicalModel:
    """A linear support vector machine on tf-idf, fitted anew to all that was judged.

    ratio: how many times the relevant records together outweigh the irrelevant ones.
    """

    def __init__(self, cost: float = 0.11, ratio: float = 9.8, random_state: int = 0) -> None:
        self.cost = cost
        self.ratio = ratio
        self.random_state = random_state

    def read(self, texts: list[str]) -> None:
        from satchel.documents import TfIdf

        self._vectors = TfIdf(sublinear=True).fit(texts).transform(texts)

    def scores(self, shown: IntArray, relevant: NDArray[np.bool_]) -> Scores:
        from sklearn.svm import LinearSVC

        machine = LinearSVC(C=self.cost, random_state=self.random_state)
        machine.fit(self._vectors[shown], relevant, sample_weight=balanced_weights(relevant, self.ratio))
        scores: Scores = machine.decision_function(self._vectors)
        return scores


def balanced_weights(relevant: NDArray[np.bool_], ratio: float) -> Scores:
    """Weights (n_shown,) whose mean is 1, the relevant ones together `ratio` times the irrelevant ones together."""
    n_relevant = np.count_nonzero(relevant)
    weights = np.where(relevant, ratio / n_relevant, 1 / (len(relevant) - n_relevant))
    return np.asarray(weights * (len(relevant) / weights.sum()))
