"""What marks taught, in words: which themes went up and down in the ranking, and which marks did it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from satchel.errors import InputError, true_or_false, whole_number
from satchel.feedback.background import Sampled, as_sample
from satchel.feedback.causes import Cause, MarkedQuery, mark_parts, marked_query, shares
from satchel.feedback.learner import Feedback
from satchel.feedback.refined import Refined
from satchel.feedback.top_themes import top_themes
from satchel.ranking.probes import DoubleArray
from satchel.types import Vectors

if TYPE_CHECKING:
    from satchel.encoders import Encoder

MOST_ROWS = 5_000
"""Of a larger collection every second, third, … document is looked at: twenty marks are explained within 0.2 s."""
LEAST_CHANGE = 0.1
"""A smaller change is that of a few documents that come and go."""
SHOWN = 3
"""Themes of each direction in the text of all lessons."""


class Lesson(NamedTuple):
    """A theme that went up or down in the ranking, by its number and its words.

    change: how much more of it the best documents have than before the marks, in deviations: see `top_themes`.
    marks: those that did it, the biggest share first; the shares sum to 1.
    """

    theme: int
    words: tuple[str, ...]
    change: float
    marks: tuple[Cause, ...] = ()

    def __str__(self) -> str:
        return f"{'+' if self.change > 0 else '−'} {', '.join(self.words) or f'theme {self.theme}'}"


class Lessons(NamedTuple):
    """The themes that went up, and those that went down; the biggest change first."""

    up: tuple[Lesson, ...]
    down: tuple[Lesson, ...]

    def __str__(self) -> str:
        """As in "+ hockey, nhl; playoffs, rangers · − insurance, dealer"; no word is said twice in one direction."""
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
    causes: bool = True,
) -> Lessons:
    """Which themes the marks moved up and down, at most `most` each way, and which marks did it.

    feedback to irrelevant_grades: as `feedback.refine` takes them. refined: what it gave, where that is known already
    or has weights by hand. themes: the words of each feature, as `theme_words` finds them; without, themes have
    numbers. causes: whether the marks are told; for each of them everything is learned again, twice.
    """
    most = whole_number("most", most)
    asked = marked_query(feedback, query, relevant, irrelevant, relevant_grades, irrelevant_grades)
    after, seen = refined or asked.refined(background, asked.grades), as_sample(background, MOST_ROWS)
    before, now = top_themes([asked.unrefined(), after], seen)
    changes = now - before
    words = _checked_words(themes, len(changes))
    parts = mark_parts(asked, seen) if true_or_false("causes", causes) else np.zeros((0, len(changes)))
    sides = (_biggest(sign * changes, most) for sign in (1, -1))
    return Lessons(*(tuple(_lesson(k, words, changes, parts, asked) for k in side) for side in sides))


def theme_words(encoder: Encoder, k: int = 3) -> list[tuple[str, ...]] | None:
    """The words of each feature of an encoder's vectors: at most k of each codeword, or the feature's own word.

    None where features have no words, as those of LSI. Needs as long as 64 sorts of the vocabulary: keep it.
    """
    if hasattr(encoder, "describe") and hasattr(encoder, "mask_"):
        return [tuple(encoder.describe(codeword, k)) for codeword in range(len(encoder.mask_))]
    if hasattr(encoder, "get_feature_names_out"):
        return [(str(word),) for word in encoder.get_feature_names_out()]
    return None


def _biggest(changes: DoubleArray, most: int) -> list[int]:
    """The features of the largest values, the largest first; none that is no change."""
    order = np.argsort(-changes, kind="stable")[:most]
    return [int(feature) for feature in order if changes[feature] >= LEAST_CHANGE]


def _lesson(
    theme: int, words: Sequence[Sequence[str]], changes: DoubleArray, parts: DoubleArray, asked: MarkedQuery
) -> Lesson:
    of_marks = shares(parts[:, theme], changes[theme])
    marks = [asked.cause(int(mark), float(of_marks[mark])) for mark in np.argsort(-of_marks, kind="stable")]
    told = tuple(cause for cause in marks if cause.share > 0)
    return Lesson(theme, tuple(words[theme]), float(changes[theme]), told)


def _checked_words(themes: Sequence[Sequence[str]] | None, n_features: int) -> Sequence[Sequence[str]]:
    if themes is None:
        return [()] * n_features
    if len(themes) != n_features:
        raise InputError(f"themes has words for {len(themes)} features, the query has {n_features}")
    return themes


def _named(side: Sequence[Lesson]) -> list[str]:
    """The first themes of a side by words that no theme before has said; themes that have no such word are left out."""
    names: list[str] = []
    said: set[str] = set()
    for lesson in side:
        fresh = [word for word in lesson.words or (f"theme {lesson.theme}",) if word not in said]
        if fresh and len(names) < SHOWN:
            names.append(", ".join(fresh))
            said.update(fresh)
    return names
