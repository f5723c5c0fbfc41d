"""Document vectors on a plane, for the eye: near texts lie near each other. Nothing is shown or saved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from satchel.errors import InputError, one_of, seed
from satchel.evaluation.plots import blank_figure
from satchel.types import FloatArray, IntArray, Vectors

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Annotation
    from matplotlib.transforms import Bbox

Projection = Literal["t-sne", "pca"]
PERPLEXITY = 30.0
FEWEST_FOR_TSNE = 10
N_COMPONENTS = 50
"""Principal components among which t-SNE looks for neighbours: more take longer and hardly move them."""
N_LANDMARKS = 3000
"""Rows that t-SNE places; it would take minutes for tens of thousands."""
N_NEAREST = 5
"""Placed rows between which another lies."""
POINTS_AN_INCH = 72
NAME_PADDING = 3.0
"""Points around a name that its frame takes."""


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


def plot_map(points: FloatArray, labels: IntArray, names: Sequence[str], ax: Axes | None = None) -> Axes:
    """A dot for each text in the colour of its group, and each group's name in its midst; label -1 is grey.

    Names that would cover each other are moved up or down.
    """
    if len(points) != len(labels):
        raise InputError(f"{len(points)} points but {len(labels)} labels; give one label a point")
    ax = blank_figure(9, 7).add_subplot() if ax is None else ax
    size = float(np.clip(15_000 / max(1, len(points)), 4, 40))
    grey = labels < 0
    ax.scatter(points[grey, 0], points[grey, 1], s=size, color="lightgrey", linewidths=0)
    ax.set_xticks([])
    ax.set_yticks([])
    notes = []
    for number, name in enumerate(names):
        own = points[labels == number]
        if len(own):
            colour = _colour(number, len(names))
            ax.scatter(own[:, 0], own[:, 1], s=size, color=colour, alpha=0.75, linewidths=0)
            notes.append(_noted(ax, name, np.median(own, axis=0), colour))
    _move_apart(ax, notes)
    return ax


def _colour(number: int, n_groups: int) -> tuple[float, float, float]:
    """Ten strong colours, and from eleven groups on their ten pale sisters too, which come after them."""
    from matplotlib import colormaps

    strong_and_pale = colormaps["tab20"].colors  # type: ignore[attr-defined]
    place = number % 20 if n_groups > 10 else number % 10
    found: tuple[float, float, float] = strong_and_pale[2 * (place % 10) + place // 10]
    return found


def _noted(ax: Axes, name: str, place: FloatArray, colour: tuple[float, float, float]) -> Annotation:
    return ax.annotate(
        name, (float(place[0]), float(place[1])), (0, 0), textcoords="offset points", fontsize=8, ha="center",
        va="center", bbox={"boxstyle": "round,pad=0.2", "fc": "white", "ec": colour, "alpha": 0.8},
    )  # fmt: skip


def _move_apart(ax: Axes, notes: list[Annotation]) -> None:
    """Each name to the free place nearest to its own, up or down by steps of its height; the first ones stay."""
    figure = ax.get_figure(root=True)
    if figure is None or not notes:
        return
    figure.draw_without_rendering()  # settles the layout, by which sizes are known
    taken: list[Bbox] = []
    for note in notes:
        own = note.get_window_extent().padded(NAME_PADDING * figure.dpi / POINTS_AN_INCH)
        steps = sorted(range(-len(notes), len(notes) + 1), key=abs)
        places = [own.translated(0, step * own.height) for step in steps]
        step, place = next(
            (found for found in zip(steps, places, strict=True) if not any(found[1].overlaps(one) for one in taken)),
            (0, own),
        )
        note.set_position((0, step * own.height * POINTS_AN_INCH / figure.dpi))
        taken.append(place)


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
