"""Search by meaning: the cosine of vectors, after the marks have moved the query."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from satchel.collection.hits import NO_LESSONS
from satchel.collection.space import Space, one_blas_thread
from satchel.feedback import Feedback, Lessons, Refined, lessons_of
from satchel.ranking import ExactIndex
from satchel.ranking.probes import DoubleArray
from satchel.types import FloatArray, IntArray
from satchel.words.spherical import unit_rows


def query_vector(space: Space, query: str, like: IntArray) -> FloatArray:
    """The direction of a query text and of documents that others shall be like, (n_features,); zero if none is known.

    like: positions of documents. All count alike.
    """
    assert space.encoder is not None
    asked = np.asarray(space.encoder.transform([query] if query else []), np.float32)
    directions = unit_rows(np.vstack([asked, space.vectors[like]]))
    total: FloatArray = unit_rows(directions.sum(axis=0, keepdims=True))[0]
    return total


class Marked(NamedTuple):
    """Marked documents: vectors (n_marks, n_features), and grades, above 0 for relevant and below 0 for irrelevant."""

    vectors: FloatArray
    grades: DoubleArray

    @property
    def sides(self) -> tuple[FloatArray, FloatArray]:
        return self.vectors[self.grades > 0], self.vectors[self.grades < 0]

    @property
    def side_grades(self) -> tuple[DoubleArray, DoubleArray]:
        return self.grades[self.grades > 0], -self.grades[self.grades < 0]


def refine(space: Space, query: FloatArray, marked: Marked, weights: Mapping[int, float]) -> Refined:
    """The query as the marks move it; weights: of themes, by hand."""
    refined = Refined(query, np.ones_like(query))
    if len(marked.grades):
        (relevant, irrelevant), (sure, doubted) = marked.sides, marked.side_grades
        with one_blas_thread():
            refined = Feedback().refine(
                query, relevant, irrelevant, space.vectors, relevant_grades=sure, irrelevant_grades=doubted
            )
    return refined.with_weights(weights) if weights else refined


def what_was_learned(space: Space, query: FloatArray, marked: Marked, refined: Refined) -> Lessons:
    """Themes of which the best documents now have more, and those of which they have less, with their words."""
    if not len(marked.grades):
        return NO_LESSONS
    (relevant, irrelevant), (sure, doubted) = marked.sides, marked.side_grades
    with one_blas_thread():
        lessons = lessons_of(
            Feedback(),
            query,
            relevant,
            irrelevant,
            space.vectors,
            relevant_grades=sure,
            irrelevant_grades=doubted,
            refined=refined,
            causes=False,
        )
    up, down = (
        tuple(lesson._replace(words=tuple(space.describe(lesson.theme)[:3])) for lesson in side) for side in lessons
    )
    return Lessons(up, down)


def nearest(space: Space, refined: Refined, depth: int, allowed: IntArray | None) -> IntArray:
    """Positions of the best documents whose cosine is above 0, best first, ties in the order of ids.

    allowed: positions that may be found, rising; None for all.
    """
    if not refined.query.any():
        return np.empty(0, np.int64)
    index = space.index if allowed is None else ExactIndex(space.vectors[allowed])
    mask = None if refined.is_plain else refined.mask
    with one_blas_thread():
        ids, scores = (rows[0] for rows in index.search(refined.query[None, :], max(1, min(depth, len(index))), mask))
    found = (ids >= 0) & (scores > 0)
    best: IntArray = ids[found] if allowed is None else allowed[ids[found]]
    return best


def cosines(space: Space, refined: Refined, positions: IntArray) -> DoubleArray:
    """The scores of some documents, (n_positions,), the same to the last bit as `nearest` gives; -inf for no query."""
    return cosines_of(space.vectors[positions], refined)


def cosines_of(vectors: FloatArray, refined: Refined) -> DoubleArray:
    """The scores of vectors, (n_vectors,); -inf for no query."""
    if not len(vectors):
        return np.empty(0)
    mask = None if refined.is_plain else refined.mask
    ids, found = (rows[0] for rows in ExactIndex(vectors).search(refined.query[None, :], len(vectors), mask))
    scores = np.full(len(vectors), -np.inf)
    scores[ids[ids >= 0]] = found[ids >= 0]
    return scores
