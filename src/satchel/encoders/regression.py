"""Ridge regression: finds rows of words that bring documents near given targets."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from satchel.types import FloatArray, SparseArray


class Features(Protocol):
    """The documents of a regression, which needs products with all of them, never the matrix itself."""

    def documents(self, rows: FloatArray) -> FloatArray:
        """Rows of words (n_words, n) -> documents (n_documents, n)."""

    def words(self, documents: FloatArray) -> FloatArray:
        """The transposed product: (n_documents, n) -> (n_words, n)."""


class WordFeatures:
    """Documents by their weighted words, (n_documents, n_words) sparse."""

    def __init__(self, weights: SparseArray) -> None:
        self._weights, self._transposed = weights, weights.T.tocsr()

    def documents(self, rows: FloatArray) -> FloatArray:
        product: FloatArray = self._weights @ rows
        return product

    def words(self, documents: FloatArray) -> FloatArray:
        product: FloatArray = self._transposed @ documents
        return product


class ThemedFeatures:
    """Documents by their words and, `weight` times, by their themes, which are sums over words.

    themes (n_words, n_codewords): the rows of the themes. So a class of few documents is found by other words of its
    themes, too. As a matrix, the features are weights @ [1, √weight·themes].
    """

    def __init__(self, words: WordFeatures, themes: FloatArray, weight: float) -> None:
        self._words, self._themes, self._weight = words, themes, np.float32(weight)
        self._documents = words.documents(themes)  # (n_documents, n_codewords)

    def documents(self, rows: FloatArray) -> FloatArray:
        return self._words.documents(rows)

    def words(self, documents: FloatArray) -> FloatArray:
        by_themes: FloatArray = self._themes @ (self._documents.T @ documents)
        summed: FloatArray = self._words.words(documents) + self._weight * by_themes
        return summed


def ridge(features: Features, targets: FloatArray, penalty: float, n_iterations: int) -> FloatArray:
    """Rows of words B that bring documents X B near the targets: least Σ_d ‖x_d B - t_d‖² + penalty·‖B‖².

    targets (n_documents, n) -> B (n_words, n). B = X′A with (XX′ + penalty·1) A = T. Conjugate gradients solve each
    column of T by itself, so XX′ is never made, and the cost is that of 2·n_iterations sparse products. The features of
    a document have length 1, so a penalty says how many documents like it outweigh the pull to zero.
    """
    return features.words(solve_dual(features, targets, penalty, n_iterations))


def solve_dual(
    features: Features, targets: FloatArray, penalty: float, n_iterations: int, start: FloatArray | None = None
) -> FloatArray:
    """A (n_documents, n) of `ridge`, from `start` or from zero."""
    solution = np.zeros_like(targets) if start is None else start.copy()
    residual = targets if start is None else targets - _dual(features, start, penalty)
    direction, square = residual, (residual * residual).sum(axis=0)  # (n,)
    for _ in range(n_iterations):
        image = _dual(features, direction, penalty)
        step = square / np.maximum((direction * image).sum(axis=0), TINY)
        solution = solution + step * direction
        residual = residual - step * image
        before, square = square, (residual * residual).sum(axis=0)
        direction = residual + square / np.maximum(before, TINY) * direction
    return solution


def _dual(features: Features, a: FloatArray, penalty: float) -> FloatArray:
    """(XX′ + penalty·1) A."""
    return features.documents(features.words(a)) + np.float32(penalty) * a


TINY = np.float32(1e-30)
"""Prevents a division by 0 in a column that is already solved."""
