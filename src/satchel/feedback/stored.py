"""Training on stored marks: the marks of many queries become labels or contrasts that the encoder learns from."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from satchel.errors import InputError, whole_number
from satchel.feedback.marks import read_grades

if TYPE_CHECKING:
    from satchel.encoders import BagOfEmbeddedWords, Contrast

Labels: TypeAlias = "list[list[Hashable] | None]"


class MarkedNeed(NamedTuple):
    """The kept marks of one query: positions of relevant and irrelevant documents among all texts.

    name: what the query was about, the same for all queries with the same purpose; None if it is not known.
    Grades, one for each mark, say how sure it is, as in `Feedback.refine`.
    """

    name: Hashable | None
    relevant: Sequence[int]
    irrelevant: Sequence[int] = ()
    relevant_grades: Sequence[float] | None = None
    irrelevant_grades: Sequence[float] | None = None


class TrainedOnMarks(NamedTuple):
    """encoder: fitted; labels: those it was given, None if there were fewer than two names; step: how far the marks of
    queries without a name moved documents, 0 if it did not help; judged: the score of each step."""

    encoder: BagOfEmbeddedWords
    labels: Labels | None
    step: float
    judged: dict[float, float]


def labels_from_marks(n_documents: int, needs: Iterable[MarkedNeed]) -> Labels:
    """The names that each document was marked relevant to, as labels for `fit`; None if there are none.

    Marks of all needs of one name are taken together. A document that was marked both ways counts by the difference
    of its grades, as in `Feedback.refine`, and an irrelevant mark takes a label away but gives none: "not hockey" is no
    class, because its documents need not be alike.
    """
    labels: list[dict[Hashable, None]] = [{} for _ in range(whole_number("n_documents", n_documents, 0))]
    for name, grades in _grades_by_name(n_documents, needs).items():
        for document, grade in grades.items():
            if grade > 0:
                labels[document][name] = None
    return [list(names) or None for names in labels]


def train_on_marks(encoder: BagOfEmbeddedWords, texts: Sequence[str], needs: Iterable[MarkedNeed]) -> TrainedOnMarks:
    """A new encoder with these parameters, learned from texts and marks, [PT18] section 3.4; the given one stays.

    Projects with names are classes: their marks become labels of Algorithm 1, or of the encoder's own objective.
    Queries without a name may have the same purpose, so they cannot be classes: each separates its relevant documents
    from its irrelevant ones, and from no others. In both cases the size of the change is chosen on what was set aside,
    and may be 0.
    Differs: the paper has labels alone; simulated queries, each a class of its own, gained nothing from them.
    """
    from sklearn.base import clone

    from satchel.encoders import learn_contrasts

    kept, texts = list(needs), list(texts)
    labels = labels_from_marks(len(texts), kept)
    names = {name for of_text in labels for name in of_text or ()}
    given = labels if len(names) > 1 else None
    contrasts = [_contrast(len(texts), need) for need in kept if need.name is None]
    trained, marked = learn_contrasts(clone(encoder).fit(texts, given), texts, contrasts)
    return TrainedOnMarks(trained, given, marked.step, marked.judged)


def _grades_by_name(n_documents: int, needs: Iterable[MarkedNeed]) -> dict[Hashable, dict[int, float]]:
    """The highest relevant grade of each document less its highest irrelevant one, by name; needs without a name are
    left out."""
    sides: dict[Hashable, tuple[dict[int, float], dict[int, float]]] = {}
    for need in needs:
        if need.name is not None:
            both = sides.setdefault(_checked_name(need.name), ({}, {}))
            for side, grades in zip(both, _sides(n_documents, need), strict=True):
                _keep_highest(side, grades)
    return {name: _difference(*both) for name, both in sides.items()}


def _contrast(n_documents: int, need: MarkedNeed) -> Contrast:
    from satchel.encoders import Contrast

    grades = {document: grade for document, grade in _difference(*_sides(n_documents, need)).items() if grade}
    return Contrast(np.array([*grades], np.int64), np.array([*grades.values()], np.float64))


def _difference(relevant: dict[int, float], irrelevant: dict[int, float]) -> dict[int, float]:
    return {document: relevant.get(document, 0.0) - irrelevant.get(document, 0.0) for document in relevant | irrelevant}


def _sides(n_documents: int, need: MarkedNeed) -> tuple[dict[int, float], dict[int, float]]:
    return (
        _one_side("relevant", n_documents, need.relevant, need.relevant_grades),
        _one_side("irrelevant", n_documents, need.irrelevant, need.irrelevant_grades),
    )


def _one_side(
    kind: str, n_documents: int, documents: Sequence[int], grades: Sequence[float] | None
) -> dict[int, float]:
    """The highest grade of each document."""
    positions = [
        whole_number(f"the position of a document marked {kind}", row, 0, n_documents - 1) for row in documents
    ]
    highest: dict[int, float] = {}
    for document, grade in zip(positions, read_grades(kind, grades, len(positions)).tolist(), strict=True):
        _keep_highest(highest, {document: grade})
    return highest


def _keep_highest(highest: dict[int, float], grades: dict[int, float]) -> None:
    for document, grade in grades.items():
        highest[document] = max(grade, highest.get(document, 0.0))


def _checked_name(name: Hashable) -> Hashable:
    if not isinstance(name, Hashable) or name == "":
        raise InputError(f"the name of a need is {name!r}; expected a string or a number, or None for no name")
    return name
