"""The plane of a map: two numbers for each document vector, so that similar texts lie near each other."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from satchel.errors import one_of, seed
from satchel.types import FloatArray, IntArray, Vectors

Projection = Literal["t-sne", "pca"]
PERPLEXITY = 30.0
FEWEST_FOR_TSNE = 10
N_COMPONENTS = 50
"""The number of principal components that t-SNE reads. More take longer and hardly change the picture."""
N_LANDMARKS = 3000
"""The number of rows that t-SNE places; tens of thousands would take minutes."""
N_NEAREST = 5
"""The number of placed rows around each of the others."""


def plane_points(vectors: Vectors, projection: Projection = "t-sne", random_state: int = 0) -> FloatArray:
    """Two numbers a row, (n_rows, 2). Rows are scaled to length 1 first, so that near means alike by cosine.

    "t-sne" keeps neighbours together. Of more than 3,000 rows it places so many, drawn at random, and each other row
    in the midst of the placed ones that it is nearest to. Of fewer than ten rows it tells nothing and "pca", the two
    directions of the largest spread, is taken.
    """
    one_of("projection", projection, get_args(Projection))
    random_state = seed(random_state)
    components = _principal(_units(vectors, random_state), N_COMPONENTS)
    plane = np.pad(components[:, :2], ((0, 0), (0, max(0, 2 - components.shape[1]))))
    if projection == "pca" or len(components) < FEWEST_FOR_TSNE:
        return plane
    chosen = np.arange(len(components))
    if len(components) > N_LANDMARKS:
        chosen = np.sort(np.random.default_rng(random_state).permutation(len(components))[:N_LANDMARKS])
    points = _neighbours_together(components[chosen], plane[chosen], random_state)
    return points if len(chosen) == len(components) else _placed(components, chosen, points)


def _neighbours_together(components: FloatArray, plane: FloatArray, random_state: int) -> FloatArray:
    """t-SNE of rows (n_rows, n_components), from their places (n_rows, 2) by PCA on."""
    from sklearn.manifold import TSNE

    start = plane / max(float(plane[:, 0].std()), 1e-12) * np.float32(1e-4)  # small, as scikit-learn's own by PCA
    perplexity = min(PERPLEXITY, (len(components) - 1) / 3)
    found = TSNE(2, perplexity=perplexity, init=start, random_state=random_state).fit_transform(components)
    return np.asarray(found, np.float32)


def _placed(components: FloatArray, chosen: IntArray, points: FloatArray) -> FloatArray:
    """Places of all rows, (n_rows, 2): those of the chosen ones are given, the others lie between their nearest."""
    from sklearn.neighbors import NearestNeighbors

    nearest = NearestNeighbors(n_neighbors=N_NEAREST).fit(components[chosen])
    places = np.empty((len(components), 2), np.float32)
    for start in range(0, len(components), N_LANDMARKS):
        distances, found = nearest.kneighbors(components[start : start + N_LANDMARKS])
        weights = 1 / np.maximum(distances, 1e-6)
        weights /= weights.sum(axis=1, keepdims=True)
        places[start : start + N_LANDMARKS] = (weights[:, :, None] * points[found]).sum(axis=1)
    places[chosen] = points
    return places


def _units(vectors: Vectors, random_state: int) -> FloatArray:
    """Dense rows of length 1; sparse ones, whose features are words, by their latent dimensions."""
    from satchel.arrays import unit_rows

    if isinstance(vectors, np.ndarray):
        return unit_rows(vectors)
    from satchel.words import latent_words

    words, _ = latent_words(vectors, min(N_COMPONENTS, *vectors.shape), random_state)
    return unit_rows(vectors @ words)


def _principal(units: FloatArray, n_components: int) -> FloatArray:
    """The first principal components, (n_rows, at most n_components); the largest entry of a direction is positive."""
    centred = units.astype(np.float64) - units.mean(axis=0, dtype=np.float64)
    directions = np.linalg.eigh(centred.T @ centred).eigenvectors[:, ::-1][:, :n_components]
    largest = directions[np.abs(directions).argmax(axis=0), np.arange(directions.shape[1])]
    found: FloatArray = (centred @ (directions * np.where(largest < 0, -1, 1))).astype(np.float32)
    return found
