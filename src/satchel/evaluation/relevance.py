"""Which documents answer a query, and how well: by labels, or by judgments."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeAlias

import numpy as np

from satchel.errors import InputError
from satchel.evaluation.checks import checked_judgments, number_labels
from satchel.types import IntArray, Judgments

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

    Judgments of documents that are not there are passed over: nothing could find them.
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
