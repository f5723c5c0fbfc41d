"""Search by meaning: the direction of the query, moved by the marks, and the cosines of documents to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from satchel.arrays import unit_rows
from satchel.feedback import MOST_ROWS, Feedback, Lesson, Lessons, Refined, Sampled, lessons_of
from satchel.ranking import ExactIndex
from satchel.search.asked import said_in
from satchel.search.question import Question
from satchel.search.result import NO_LESSONS
from satchel.search.snapshot import ServedModel
from satchel.store import Store, one_blas_thread
from satchel.types import GRADES, DoubleArray, FloatArray, IntArray


class Direction(NamedTuple):
    """The direction to search in after marks and weights, and the lessons of the marks."""

    refined: Refined
    lessons: Lessons = NO_LESSONS

    @property
    def mask(self) -> FloatArray | None:
        return None if self.refined.is_plain else self.refined.mask


def direction_of(store: Store, model: ServedModel, question: Question, with_lessons: bool = True) -> Direction | None:
    """The search direction from the query, similar documents, marks and weights; None without a model."""
    if model.encoder is None:
        return None
    start = _query_vector(store, model, question)
    marked = [id_ for id_ in question.marks if id_ in question.texts]
    if not marked:
        plain = Refined(start, np.ones_like(start))
        return Direction(plain.with_weights(question.weights) if question.weights else plain)
    vectors = _marked_vectors(store, model, question, marked, len(start))
    grades = np.array([GRADES[question.marks[id_]] for id_ in marked])
    relevant, irrelevant = vectors[grades > 0], vectors[grades < 0]
    sure, doubted = grades[grades > 0], -grades[grades < 0]
    seen, feedback = Sampled(*store.sample(MOST_ROWS)), Feedback()
    with one_blas_thread():
        moved = feedback.refine(start, relevant, irrelevant, seen, relevant_grades=sure, irrelevant_grades=doubted)
        refined = moved.with_weights(question.weights) if question.weights else moved
        if not with_lessons:
            return Direction(refined)
        lessons = lessons_of(
            feedback,
            start,
            relevant,
            irrelevant,
            seen,
            relevant_grades=sure,
            irrelevant_grades=doubted,
            refined=refined,
        )
    return Direction(refined, Lessons(*(_in_words(model, side) for side in lessons)))


def _in_words(model: ServedModel, lessons: Sequence[Lesson]) -> tuple[Lesson, ...]:
    return tuple(one._replace(words=tuple(model.describe(one.theme)[:3])) for one in lessons)


def _query_vector(store: Store, model: ServedModel, question: Question) -> FloatArray:
    """The direction of the query and of the `like` documents, (n_features,); zero if nothing is known.

    The query and each document count the same.
    """
    assert model.encoder is not None
    query = np.asarray(model.encoder.transform([said] if (said := said_in(question.query)) else []), np.float32)
    like = np.array([question.numbers[id_] for id_ in question.like], np.int64)
    vectors = store.vectors(like) if len(like) else np.empty((0, query.shape[1]), np.float32)
    directions = unit_rows(np.vstack([query, vectors]))
    total: FloatArray = unit_rows(directions.sum(axis=0, keepdims=True))[0]
    return total


def _marked_vectors(
    store: Store, model: ServedModel, question: Question, marked: list[str], n_features: int
) -> FloatArray:
    """The vectors of marked documents, (n_marks, n_features); texts from other collections are encoded."""
    here = [id_ for id_ in marked if id_ in question.numbers]
    elsewhere = [id_ for id_ in marked if id_ not in question.numbers]
    own = store.vectors(np.array([question.numbers[id_] for id_ in here], np.int64))
    rows = dict(zip(here, own, strict=True))
    if elsewhere and model.encoder is not None:
        texts = [question.texts[id_] for id_ in elsewhere]
        rows |= dict(zip(elsewhere, encoded(model, texts), strict=True))
    return np.array([rows[id_] for id_ in marked], np.float32).reshape(len(marked), n_features)


def encoded(model: ServedModel, texts: list[str]) -> FloatArray:
    """Vectors of texts as a store keeps them, (n_texts, n_features)."""
    assert model.encoder is not None
    return np.ascontiguousarray(model.encoder.transform(texts), dtype="<f4")


def cosines_of(store: Store, numbers: IntArray, direction: Direction | None) -> DoubleArray:
    """The cosines of documents, (n_documents,), with the same bits as `find_near` gives; -inf for no direction."""
    if direction is None or not len(numbers):
        return np.full(len(numbers), -np.inf)
    return store.cosines(direction.refined.query, direction.mask, numbers)


def cosines(vectors: FloatArray, direction: Direction) -> DoubleArray:
    """The cosines of vectors to a direction, (n_vectors,); -inf for no direction."""
    if not len(vectors):
        return np.empty(0)
    query = direction.refined.query[None, :]
    with one_blas_thread():
        ids, found = (rows[0] for rows in ExactIndex(vectors).search(query, len(vectors), direction.mask))
    scores = np.full(len(vectors), -np.inf)
    scores[ids[ids >= 0]] = found[ids >= 0]
    return scores
