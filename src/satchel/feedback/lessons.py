"""What marks taught, in words: which themes went up and down in the ranking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from satchel.arrays import quotient, row_norms
from satchel.errors import InputError, whole_number
from satchel.feedback.feedback import Feedback, Refined
from satchel.feedback.marks import Background, Sampled, as_sample, read_background, read_marks, read_query
from satchel.ranking import masked_direction
from satchel.types import DoubleArray, FloatArray, Vectors

if TYPE_CHECKING:
    from satchel.encoders import Encoder

TOP_SHARE, SMALLEST_TOP = 0.02, 30
"""The top of a ranking is its best fiftieth, and at least its best thirty documents."""


def top_themes(rankings: Sequence[Refined], background: Vectors | Sampled | None) -> DoubleArray:
    """How much of each theme the top of each ranking has, in deviations of a theme, (n_rankings, n_features).

    The documents of the background have length 1. The mean of a theme over the best of them is divided by the root of
    the mean variance of all themes. So a theme that hardly varies hardly differs between rankings, whatever its weight.
    Without a background, documents are assumed to lie where the ranking points, and all themes to vary alike.
    """
    queries = np.array([ranking.query for ranking in rankings], np.float64)
    masks = np.array([ranking.mask for ranking in rankings], np.float64)
    directions = masked_direction(queries, masks)
    seen = read_background(background, queries.shape[1])
    if seen is None:
        return quotient(directions, row_norms(directions)[:, None]) * float(np.sqrt(queries.shape[1]))
    means = [_top_mean(seen.units, scores) for scores in _scores(seen.units, directions, masks)]
    return np.array(means) / max(_deviation(seen), TINY)


def _scores(units: Vectors, directions: DoubleArray, masks: DoubleArray) -> FloatArray:
    """⟨a, z⟩ / √⟨w, z²⟩ of every document under every ranking, (n_rankings, n_documents): see `masked_direction`."""
    products: FloatArray = np.asarray(units @ directions.astype(np.float32).T)
    if not (masks == 1).all():
        norms = np.sqrt(np.asarray((units * units) @ (masks * masks).astype(np.float32).T))
        products = np.divide(products, norms, out=np.zeros_like(products), where=norms > 0)
    return np.ascontiguousarray(products.T)


def _top_mean(units: Vectors, scores: FloatArray) -> DoubleArray:
    """The mean of the best documents, (n_features,); of all if all scores are equal, as for an empty query."""
    n_top = min(len(scores), max(SMALLEST_TOP, round(TOP_SHARE * len(scores))))
    best = np.argsort(-scores, kind="stable")[:n_top]
    rows = units[np.sort(best)] if np.ptp(scores) > 0 else units
    return np.asarray(rows.mean(axis=0), np.float64).ravel()


def _deviation(seen: Background) -> float:
    """√ of the mean over the features of their variances."""
    square = float((seen.units * seen.units).sum()) / max(1, seen.units.shape[0])
    return float(np.sqrt(max(square - seen.mean @ seen.mean, 0) / len(seen.mean)))


TINY = 1e-12
"""Keeps the division defined if all documents are the same."""


MOST_ROWS = 5_000
"""A larger collection is sampled (every n-th document), so that lessons take milliseconds."""
LEAST_CHANGE = 0.1
"""The smallest change that is reported; a few documents that come and go change as much."""
SHOWN = 3
"""How many themes of each direction the text of all lessons names."""


class Lesson(NamedTuple):
    """A theme that went up or down in the ranking, by its number and its words.

    change: how much more of it the best documents have than before the marks, in deviations: see `top_themes`.
    """

    theme: int
    words: tuple[str, ...]
    change: float

    def __str__(self) -> str:
        return f"{'+' if self.change > 0 else '−'} {', '.join(self.words) or f'theme {self.theme}'}"


class Lessons(NamedTuple):
    """The themes that went up and those that went down, the biggest change first."""

    up: tuple[Lesson, ...]
    down: tuple[Lesson, ...]

    def __str__(self) -> str:
        """For example "+ hockey, nhl; playoffs · − insurance, dealer"; no word occurs twice in one direction."""
        sides = zip("+−", map(_named, self), strict=True)
        return " · ".join(f"{sign} {'; '.join(names)}" for sign, names in sides if names)


def lessons_of(
    feedback: Feedback,
    query: Vectors | ArrayLike,
    relevant: Vectors | ArrayLike,
    irrelevant: Vectors | ArrayLike,
    background: Vectors | Sampled | None = None,
    *,
    relevant_grades: ArrayLike | None = None,
    irrelevant_grades: ArrayLike | None = None,
    refined: Refined | None = None,
    themes: Sequence[Sequence[str]] | None = None,
    most: int = 10,
) -> Lessons:
    """Which themes the marks moved up and down, at most `most` each way.

    feedback to irrelevant_grades: as for `feedback.refine`. refined: its result, if that is known already or has
    weights set by hand. themes: the words of each feature, from `theme_words`; without them, themes are named by
    number.
    """
    most = whole_number("most", most)
    start = read_query(query)
    read_marks(relevant, irrelevant, relevant_grades, irrelevant_grades, len(start))
    after = refined or feedback.refine(
        query, relevant, irrelevant, background, relevant_grades=relevant_grades, irrelevant_grades=irrelevant_grades
    )
    before, now = top_themes([unrefined(start), after], as_sample(background, MOST_ROWS))
    changes = now - before
    words = _checked_words(themes, len(changes))
    sides = (_biggest(sign * changes, most) for sign in (1, -1))
    return Lessons(*(tuple(Lesson(k, tuple(words[k]), float(changes[k])) for k in side) for side in sides))


def unrefined(query: DoubleArray) -> Refined:
    """The query before any mark: its direction, and a mask of ones."""
    direction = query.astype(np.float32)
    return Refined(direction, np.ones_like(direction))


def theme_words(encoder: Encoder, k: int = 3) -> list[tuple[str, ...]] | None:
    """The words of each feature of an encoder's vectors: at most k of each codeword, or the feature's own word.

    None if the features have no words, as with LSI. It takes as long as 64 sorts of the vocabulary, so keep the result.
    """
    if hasattr(encoder, "describe") and hasattr(encoder, "mask_"):
        return [tuple(encoder.describe(codeword, k)) for codeword in range(len(encoder.mask_))]
    if hasattr(encoder, "get_feature_names_out"):
        return [(str(word),) for word in encoder.get_feature_names_out()]
    return None


def _biggest(changes: DoubleArray, most: int) -> list[int]:
    """The features with the largest values, the largest first; features without a change are left out."""
    order = np.argsort(-changes, kind="stable")[:most]
    return [int(feature) for feature in order if changes[feature] >= LEAST_CHANGE]


def _checked_words(themes: Sequence[Sequence[str]] | None, n_features: int) -> Sequence[Sequence[str]]:
    if themes is None:
        return [()] * n_features
    if len(themes) != n_features:
        raise InputError(f"themes has words for {len(themes)} features, the query has {n_features}")
    return themes


def _named(side: Sequence[Lesson]) -> list[str]:
    """The first themes of a side, by words that no earlier theme has; themes without such a word are left out."""
    names: list[str] = []
    said: set[str] = set()
    for lesson in side:
        fresh = [word for word in lesson.words or (f"theme {lesson.theme}",) if word not in said]
        if fresh and len(names) < SHOWN:
            names.append(", ".join(fresh))
            said.update(fresh)
    return names
