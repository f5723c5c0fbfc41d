"""The map: all documents on a plane, near ones near each other, with words for its regions."""

from __future__ import annotations

from contextlib import suppress
from typing import Literal, NamedTuple, get_args

import numpy as np

from satchel.arrays import spherical_kmeans, unit_rows
from satchel.errors import LockedCollectionError, one_of, seed
from satchel.progress import Progress
from satchel.store import Places, Region, Store, one_blas_thread, read_places, write_places
from satchel.text import title_first
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


N_LANDMARKS = 1_000
"""Documents that are laid out by t-SNE, in seconds; the others stand among their nearest landmarks."""
N_NEAREST = 5
"""Landmarks among which a document stands."""
SHARPNESS = 30.0
"""A landmark counts e times as much as one whose cosine is 1/30 lower."""
SPREAD = 0.004
"""How far documents stand off the middle of their landmarks, so that they do not hide each other."""
MOST_REGIONS, N_REGION_WORDS = 14, 3
GROWTH = 3
"""A map of a collection that has grown so many times is made anew, with landmarks of its own."""
BATCH = 4_000


class CollectionMap(NamedTuple):
    """ids: of all documents, in their order; points (n_documents, 2): from 0 to 1."""

    ids: list[str]
    points: FloatArray
    regions: tuple[Region, ...]


class Layout(NamedTuple):
    """What a map is made of: numbers of documents in the order of ids, their vectors, model and change."""

    numbers: IntArray
    vectors: FloatArray
    model: int
    change: int

    def of(self, numbers: IntArray) -> FloatArray:
        """The vectors of some documents."""
        order = np.argsort(self.numbers, kind="stable")
        found: FloatArray = self.vectors[order[np.searchsorted(self.numbers, numbers, sorter=order)]]
        return found


def layout_of(store: Store) -> Layout:
    numbers, state = store.listed(), store.state()
    return Layout(numbers, store.vectors(numbers), state.model, state.change)


def current_places(store: Store) -> Places | None:
    """The places that are kept of documents that stayed as they were; None where the map is to be made (anew)."""
    places = read_places(store)
    if places is None or places.model != store.state().model:
        return None
    n_landmarks = min(N_LANDMARKS, store.count())
    return None if n_landmarks > GROWTH * len(places.landmarks) else places


def lay_out(space: Layout, kept: Places | None, texts: list[str], on_progress: Progress) -> Places:
    """Places for every document: those that are kept, and for new ones a place among their landmarks.

    texts: those of the landmarks of a new map, from `landmark_texts`; none are needed where places are kept.
    """
    places = _made(space, texts, on_progress) if kept is None else kept
    return _with_new_ones(space, places, on_progress)


def landmark_texts(store: Store, space: Layout) -> list[str]:
    """The texts of the documents that a new map is laid out by."""
    return [title_first(one.title, one.text) for one in store.documents(_landmarks(space).tolist())]


def keep(store: Store, space: Layout, places: Places) -> None:
    """Writes the places, unless the file can only be read, has changed meanwhile, or is being changed by another."""
    if not store.read_only:
        with suppress(LockedCollectionError), store.writing():
            if store.state().change == space.change:
                write_places(store, places._replace(change=space.change))


def _landmarks(space: Layout) -> IntArray:
    """Numbers of documents, evenly taken from the order in which they came."""
    return np.sort(space.numbers)[:: max(1, -(-len(space.numbers) // N_LANDMARKS))]


def _made(space: Layout, texts: list[str], on_progress: Progress) -> Places:
    """The landmarks alone."""
    on_progress("laying out the map", 0, 0)
    landmarks = _landmarks(space)
    vectors = unit_rows(space.of(landmarks))
    points = _scaled(_plane(vectors))
    return Places(landmarks, points, landmarks, _regions(texts, vectors, points), space.model, space.change)


def _plane(vectors: FloatArray) -> FloatArray:
    if not vectors.shape[1]:
        return np.zeros((len(vectors), 2), np.float32)

    with one_blas_thread():
        return plane_points(vectors)


def _scaled(points: FloatArray) -> FloatArray:
    """Into the square from 0.02 to 0.98, both directions by one scale."""
    if not len(points):
        return points
    low, high = points.min(axis=0), points.max(axis=0)
    widest = max(float((high - low).max()), 1e-9)
    return np.asarray(0.5 + (points - (low + high) / 2) / widest * 0.96, np.float32)


def _regions(texts: list[str], vectors: FloatArray, points: FloatArray) -> tuple[Region, ...]:
    """Groups of landmarks, each at the middle of its points, named by the words that tell it from the others."""
    from satchel.encoders import CONTENT_WORDS, name_groups

    telling = np.flatnonzero(vectors.any(axis=1))
    n_groups = min(MOST_REGIONS, int(np.sqrt(len(telling) / 2)))
    if n_groups < 2:
        return ()
    labels = np.full(len(vectors), -1)
    labels[telling] = spherical_kmeans(vectors[telling], n_groups).labels
    found = []
    for number, words in enumerate(name_groups(texts, labels, N_REGION_WORDS, CONTENT_WORDS)):
        own = points[labels == number]
        if len(own) and words:
            x, y = np.median(own, axis=0).round(4).tolist()
            found.append(Region(x, y, words))
    return tuple(found)


def _with_new_ones(space: Layout, places: Places, on_progress: Progress) -> Places:
    """Every document that has no place yet gets the mean of its nearest landmarks, weighted by nearness."""
    missing = np.setdiff1d(space.numbers, places.numbers)
    if not len(missing):
        return places
    known = places.points[np.searchsorted(places.numbers, places.landmarks)]
    landmarks = unit_rows(space.of(places.landmarks))
    points = np.empty((len(missing), 2), np.float32)
    for start in range(0, len(missing), BATCH):
        batch = slice(start, start + BATCH)
        vectors = unit_rows(space.of(missing[batch]))
        points[batch] = _among(vectors, landmarks, known)
        on_progress("placing documents", min(start + BATCH, len(missing)), len(missing))
    points = np.clip(points + SPREAD * _scatter(missing), 0, 1)
    numbers = np.concatenate([places.numbers, missing])
    order = np.argsort(numbers, kind="stable")
    every = np.concatenate([places.points, points])
    return places._replace(numbers=numbers[order], points=every[order])


def _among(vectors: FloatArray, landmarks: FloatArray, known: FloatArray) -> FloatArray:
    """The weighted means of the nearest landmarks' points, (n_vectors, 2)."""
    with one_blas_thread():
        cosines = vectors @ landmarks.T
    n_nearest = min(N_NEAREST, len(landmarks))
    nearest = np.argpartition(-cosines, n_nearest - 1, axis=1)[:, :n_nearest]
    near = np.take_along_axis(cosines, nearest, axis=1)
    weights = np.exp(SHARPNESS * (near - near.max(axis=1, keepdims=True)))
    weights /= weights.sum(axis=1, keepdims=True)
    return np.asarray((known[nearest] * weights[:, :, None]).sum(axis=1), np.float32)


def _scatter(numbers: IntArray) -> FloatArray:
    """Two numbers about from -1 to 1 for each document, the same every time."""
    turns = np.stack([numbers * 0.754877666, numbers * 0.569840291], axis=1) % 1.0
    return np.asarray(2 * turns - 1, np.float32)
