"""Which marks did it: the query is learned again without each mark, and with each alone."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from satchel.feedback.background import Sampled
from satchel.feedback.learner import Feedback
from satchel.feedback.marks import read_grades, read_marks, read_query
from satchel.feedback.refined import Refined
from satchel.feedback.top_themes import top_themes
from satchel.ranking.probes import DoubleArray
from satchel.types import Vectors

MarkKind: TypeAlias = Literal["relevant", "irrelevant"]


class Cause(NamedTuple):
    """A mark, by its position among the documents of its kind, and its share of a change, above 0 and at most 1."""

    position: int
    kind: MarkKind
    share: float


class MarkedQuery(NamedTuple):
    """A query with its marks as they were given, from which can be learned with other grades; a grade of 0 is no mark.

    grades (n_marks,): of the relevant documents, then of the irrelevant ones.
    """

    feedback: Feedback
    query: Vectors | ArrayLike
    relevant: Vectors | ArrayLike
    irrelevant: Vectors | ArrayLike
    grades: DoubleArray
    n_relevant: int

    def refined(self, background: Vectors | Sampled | None, grades: DoubleArray) -> Refined:
        """What feedback learns from the marks with these grades."""
        return self.feedback.refine(
            self.query,
            self.relevant,
            self.irrelevant,
            background,
            relevant_grades=grades[: self.n_relevant],
            irrelevant_grades=grades[self.n_relevant :],
        )

    def unrefined(self) -> Refined:
        """The query as it was asked, of length 1, and a mask of ones."""
        asked = read_query(self.query).astype(np.float32)
        return Refined(asked, np.ones_like(asked))

    def cause(self, mark: int, share: float) -> Cause:
        """The mark of this number, relevant ones first."""
        irrelevant = mark >= self.n_relevant
        return Cause(mark - self.n_relevant * irrelevant, "irrelevant" if irrelevant else "relevant", share)


def marked_query(
    feedback: Feedback,
    query: Vectors | ArrayLike,
    relevant: Vectors | ArrayLike,
    irrelevant: Vectors | ArrayLike,
    relevant_grades: ArrayLike | None,
    irrelevant_grades: ArrayLike | None,
) -> MarkedQuery:
    """The query with its marks and their grades, or the error that says what is wrong with them."""
    read_marks(relevant, irrelevant, relevant_grades, irrelevant_grades, len(read_query(query)))
    n_relevant, n_irrelevant = (int(np.shape(given)[0]) for given in (relevant, irrelevant))
    of_relevant = read_grades("relevant", relevant_grades, n_relevant)
    of_irrelevant = read_grades("irrelevant", irrelevant_grades, n_irrelevant)
    grades = np.concatenate([of_relevant, of_irrelevant])
    return MarkedQuery(feedback, query, relevant, irrelevant, grades, n_relevant)


def mark_parts(asked: MarkedQuery, background: Vectors | Sampled | None) -> DoubleArray:
    """What each mark adds to the themes of the top, (n_marks, n_features).

    Half of it is what its absence takes away, ½ (f(all) - f(all others)), and half what it does alone, ½ (f(it) -
    f(none)): the last and the first of the places over which Shapley's value is the mean. Of five equal marks the
    absence of one changes nothing, and yet each has a fifth of the change.
    """
    kept = np.diag(asked.grades)  # (n_marks, n_marks): row i has mark i alone
    learned = [asked.refined(background, grades) for grades in (asked.grades, *(asked.grades - kept), *kept)]
    themes = top_themes([asked.unrefined(), *learned], background)
    none, with_all = themes[:2]
    without, alone = np.split(themes[2:], 2)
    parts: DoubleArray = 0.5 * (with_all - without) + 0.5 * (alone - none)
    return parts


def shares(parts: DoubleArray, change: float) -> DoubleArray:
    """Each mark's share of a change, (n_marks,): of those that pull its way, by how much; all 0 where none does."""
    pull: DoubleArray = np.maximum(np.sign(change) * parts, 0)
    return pull / max(float(pull.sum()), TINY)


TINY = 1e-300
"""Divides what is 0 anyway."""
