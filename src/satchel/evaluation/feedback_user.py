"""The simulated user: looks at the best documents of a ranking, knows which of them answer, and marks a few."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from satchel.errors import InputError, number_within, one_of, whole_number
from satchel.evaluation.checks import checked_judgments, number_labels
from satchel.types import IntArray, Judgments

Choice: TypeAlias = Literal["first", "random"]
"""Which documents the user marks, of those that could be marked: the first ones found, or some at random."""


class GivenMarks(NamedTuple):
    """Documents that a user marked for one query, in the order in which they were shown.

    documents (n_marks,): positions in the collection. relevant (n_marks,): what the user took each for.
    """

    documents: IntArray
    relevant: NDArray[np.bool_]

    def and_then(self, later: GivenMarks) -> GivenMarks:
        """These marks followed by those of the next round."""
        return GivenMarks(*(np.concatenate(both) for both in zip(self, later, strict=True)))


NO_MARKS = GivenMarks(np.empty(0, np.int64), np.empty(0, np.bool_))


@dataclass(frozen=True)
class SimulatedUser:
    """How the user judges: the best n_shown documents are looked at, and of them at most n_relevant relevant and
    n_irrelevant irrelevant ones are marked. mistakes: the share of judgements that are wrong, drawn for each document.
    """

    n_shown: int = 30
    n_relevant: int = 5
    n_irrelevant: int = 5
    mistakes: float = 0.0
    choice: Choice = "first"

    def __post_init__(self) -> None:
        whole_number("n_shown", self.n_shown)
        whole_number("n_relevant", self.n_relevant, 0)
        whole_number("n_irrelevant", self.n_irrelevant, 0)
        one_of("choice", self.choice, get_args(Choice))
        if self.mistakes not in (0, 1):
            number_within("mistakes", self.mistakes, 0, 1)

    def marks(self, ranked: IntArray, grades: IntArray, rng: np.random.Generator) -> GivenMarks:
        """The marks on the best of a ranking; ranked (n_ranked,), best first; grades (n_documents,), 0: irrelevant."""
        shown = ranked[: self.n_shown]
        judged = (grades[shown] > 0) ^ (rng.random(len(shown)) < self.mistakes)
        relevant = self._chosen(np.flatnonzero(judged), self.n_relevant, rng)
        irrelevant = self._chosen(np.flatnonzero(~judged), self.n_irrelevant, rng)
        places = np.sort(np.concatenate([relevant, irrelevant]))
        return GivenMarks(shown[places], judged[places])

    def _chosen(self, places: IntArray, most: int, rng: np.random.Generator) -> IntArray:
        if self.choice == "first" or len(places) <= most:
            return places[:most]
        return rng.choice(places, most, replace=False)


Grades: TypeAlias = Callable[[int], IntArray]
"""The grade of every document for a query: query number -> (n_documents,), 0 where a document does not answer it."""


def grades_by_label(database_labels: Sequence[Hashable], query_labels: Sequence[Hashable]) -> Grades:
    """Documents with the query's label have grade 1."""
    numbers = number_labels(database_labels)
    documents = np.array([numbers[label] for label in database_labels], np.int64)
    queries = [numbers.get(label, -1) for label in query_labels]
    return lambda query: (documents == queries[query]).astype(np.int64)


def grades_by_judgments(
    judgments: Judgments, document_ids: Sequence[Hashable], query_ids: Sequence[Hashable]
) -> Grades:
    """The grades of the judgments; a document without one counts as irrelevant, and so do grades below 0.

    Judgments of documents that are not in the collection are ignored: no search could find them.
    """
    judged, places = checked_judgments(judgments), {id_: place for place, id_ in enumerate(document_ids)}
    if len(places) < len(document_ids):
        raise InputError(f"{len(document_ids)} documents have only {len(places)} ids; ids must be distinct")
    found = [[(places[d], grade) for d, grade in judged.get(str(q), {}).items() if d in places] for q in query_ids]

    def grades(query: int) -> IntArray:
        values = np.zeros(len(places), np.int64)
        if found[query]:
            where, what = np.array(found[query], np.int64).T
            values[where] = np.maximum(what, 0)
        return values

    return grades
