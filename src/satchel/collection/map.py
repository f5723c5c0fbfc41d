"""The map: all documents on a plane, similar ones close together, with words for its regions."""

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
MOST_PLACED = 3_000
"""The most rows that t-SNE places; tens of thousands would take minutes."""
N_NEAREST = 5
"""A row, or a document, that t-SNE does not place lies among this many of those that it does."""


def plane_points(vectors: Vectors, projection: Projection = "t-sne", random_state: int = 0) -> FloatArray:
    """The place of each row on a plane, (n_rows, 2). Rows are scaled to length 1 first, so nearness means cosine.

    "t-sne" keeps neighbours together. Of more than 3,000 rows it places a random 3,000; each other row is put in the
    middle of its nearest placed rows. Fewer than ten rows are too few for t-SNE, and "pca", the two directions of the
    largest spread, is used.
    """
    one_of("projection", projection, get_args(Projection))
    random_state = seed(random_state)
    components = _principal(_units(vectors, random_state), N_COMPONENTS)
    plane = np.pad(components[:, :2], ((0, 0), (0, max(0, 2 - components.shape[1]))))
    if projection == "pca" or len(components) < FEWEST_FOR_TSNE:
        return plane
    chosen = np.arange(len(components))
    if len(components) > MOST_PLACED:
        chosen = np.sort(np.random.default_rng(random_state).permutation(len(components))[:MOST_PLACED])
    points = _neighbours_together(components[chosen], plane[chosen], random_state)
    return points if len(chosen) == len(components) else _placed(components, chosen, points)


def _neighbours_together(components: FloatArray, plane: FloatArray, random_state: int) -> FloatArray:
    """t-SNE of rows (n_rows, n_components), starting from their places (n_rows, 2) by PCA."""
    from sklearn.manifold import TSNE

    start = (
        plane / max(float(plane[:, 0].std()), 1e-12) * np.float32(1e-4)
    )  # as small as scikit-learn's own start by PCA
    perplexity = min(PERPLEXITY, (len(components) - 1) / 3)
    found = TSNE(2, perplexity=perplexity, init=start, random_state=random_state).fit_transform(components)
    return np.asarray(found, np.float32)


def _placed(components: FloatArray, chosen: IntArray, points: FloatArray) -> FloatArray:
    """Places of all rows, (n_rows, 2): the chosen rows keep their points, the others lie between their nearest ones."""
    from sklearn.neighbors import NearestNeighbors

    nearest = NearestNeighbors(n_neighbors=N_NEAREST).fit(components[chosen])
    places = np.empty((len(components), 2), np.float32)
    for start in range(0, len(components), MOST_PLACED):
        distances, found = nearest.kneighbors(components[start : start + MOST_PLACED])
        weights = 1 / np.maximum(distances, 1e-6)
        weights /= weights.sum(axis=1, keepdims=True)
        places[start : start + MOST_PLACED] = (weights[:, :, None] * points[found]).sum(axis=1)
    places[chosen] = points
    return places


def _units(vectors: Vectors, random_state: int) -> FloatArray:
    """Dense rows of length 1; sparse rows, whose features are words, are first reduced to latent dimensions."""
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
"""The number of documents that t-SNE places, which takes seconds; the others lie among their nearest landmarks."""
SHARPNESS = 30.0
"""The sharpness of the weights: a landmark counts e times as much as one whose cosine is 1/30 lower."""
SPREAD = 0.004
"""How far documents are moved from the middle of their landmarks, so that they do not hide each other."""
MOST_REGIONS, N_REGION_WORDS = 14, 3
GROWTH = 3
"""When the collection has grown by this factor, the map is made again with new landmarks."""
BATCH = 4_000


class CollectionMap(NamedTuple):
    """The map. ids: of all documents, in order; points (n_documents, 2): from 0 to 1."""

    ids: list[str]
    points: FloatArray
    regions: tuple[Region, ...]


class Layout(NamedTuple):
    """The input of a map: document numbers in the order of ids, their vectors, the model and the last change."""

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
    """The saved places of unchanged documents; None if the map must be made."""
    places = read_places(store)
    if places is None or places.model != store.state().model:
        return None
    n_landmarks = min(N_LANDMARKS, store.count())
    return None if n_landmarks > GROWTH * len(places.landmarks) else places


def lay_out(space: Layout, kept: Places | None, texts: list[str], on_progress: Progress) -> Places:
    """Places for every document: saved places, and places among their landmarks for new documents.

    texts: of the landmarks of a new map, from `landmark_texts`; not needed if places are saved.
    """
    places = _made(space, texts, on_progress) if kept is None else kept
    return _with_new_ones(space, places, on_progress)


def landmark_texts(store: Store, space: Layout) -> list[str]:
    """The texts of the landmarks of a new map."""
    return [title_first(one.title, one.text) for one in store.documents(_landmarks(space).tolist())]


def keep(store: Store, space: Layout, places: Places) -> None:
    """Saves the places, unless the file is read-only, has changed meanwhile, or is being changed by another program."""
    if not store.read_only:
        with suppress(LockedCollectionError), store.writing():
            if store.state().change == space.change:
                write_places(store, places._replace(change=space.change))


def _landmarks(space: Layout) -> IntArray:
    """The numbers of the landmarks, evenly spaced in the order of adding."""
    return np.sort(space.numbers)[:: max(1, -(-len(space.numbers) // N_LANDMARKS))]


def _made(space: Layout, texts: list[str], on_progress: Progress) -> Places:
    """A new map with the landmarks only."""
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
    """The points scaled into the square from 0.02 to 0.98, with one scale for both directions."""
    if not len(points):
        return points
    low, high = points.min(axis=0), points.max(axis=0)
    widest = max(float((high - low).max()), 1e-9)
    return np.asarray(0.5 + (points - (low + high) / 2) / widest * 0.96, np.float32)


def _regions(texts: list[str], vectors: FloatArray, points: FloatArray) -> tuple[Region, ...]:
    """Groups of landmarks, each at the middle of its points, named by its distinctive words."""
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
    """Gives every document without a place the mean of its nearest landmarks, weighted by nearness."""
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
    """Two fixed numbers between about -1 and 1 for each document."""
    turns = np.stack([numbers * 0.754877666, numbers * 0.569840291], axis=1) % 1.0
    return np.asarray(2 * turns - 1, np.float32)
