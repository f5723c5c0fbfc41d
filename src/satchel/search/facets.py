"""Counts the values of fields among all documents that a search finds, not only those of the page.

A filter on the field itself does not count for its own facet, so that the values beside the chosen one are seen with
the counts that they would bring.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from satchel.query import DEPTH, And, Between, Condition, Contains, Is, all_of
from satchel.search.question import Question
from satchel.search.result import Facet, FacetValue, Ranked
from satchel.search.sorting import existing_field
from satchel.store import FieldCodes, Store
from satchel.types import IntArray

MOST_VALUES = 20
"""The most values of a field, and the most spans of numbers."""
MOST_NUMBERS = 50
"""A field with more different numbers is counted by spans."""
Mask = NDArray[np.bool_]
_STEPS = (1.0, 2.0, 5.0, 10.0)


def facets_of(store: Store, question: Question, ranked: Ranked) -> tuple[Facet, ...]:
    """The facets that the request asks for, in its order."""
    names = [existing_field(store, name) or name for name in question.request.facets]
    found: dict[bool, Mask] = {}
    facets = []
    for name in dict.fromkeys(names):
        others = without_field(question.condition, name)
        is_filtered = others != question.condition
        if is_filtered or is_filtered not in found:
            found[is_filtered] = found_by(store, replace(question, condition=others), ranked, anew=is_filtered)
        facets.append(facet_of(name, store.field_codes(name), found[is_filtered]))
    return tuple(facets)


def found_by(store: Store, question: Question, ranked: Ranked, *, anew: bool) -> Mask:
    """All documents that a search finds, (largest number + 1,): the same as `total` counts.

    ranked: its ranking, or with `anew` the ranking under other filters.
    """
    found = np.zeros(int(store.listed().max(initial=0)) + 1, np.bool_)
    if question.is_empty:
        found[store.listed(question.condition)] = True
        return found
    if not anew:
        found[ranked.numbers] = True
    elif ranked.refined is not None:
        mask = None if ranked.refined.is_plain else ranked.refined.mask
        near = store.find_near(ranked.refined.query, mask, DEPTH + len(question.like), question.condition)
        found[near.numbers[near.scores >= ranked.nearness]] = True
    if ranked.weights and (anew or ranked.total > len(ranked.numbers)):
        found[store.with_stems(ranked.weights, question.condition)] = True
    found[[question.numbers[id_] for id_ in question.like]] = False
    return found


def without_field(condition: Condition | None, name: str) -> Condition | None:
    """The condition without the filters on a field."""
    parts = condition.parts if isinstance(condition, And) else (condition,)
    kept = [one for one in parts if not (isinstance(one, Is | Between | Contains) and one.field == name)]
    return condition if len(kept) == len(parts) else all_of(*kept)


def facet_of(name: str, codes: FieldCodes, documents: Mask) -> Facet:
    """The facet of a field. documents (largest number + 1,): those that were found."""
    counts = codes.counts(documents)
    there = np.flatnonzero(counts)
    amounts = codes.amounts[there]
    if not len(there) or np.isnan(amounts).any():
        values = _most_frequent(codes, there, counts)
    else:
        descending = there[np.argsort(-amounts, kind="stable")]
        values = (_spans if len(there) > MOST_NUMBERS else _each)(codes, descending, counts)
    return Facet(name, values, len(there), int(np.count_nonzero(documents[codes.having])))


def _each(codes: FieldCodes, chosen: IntArray, counts: IntArray) -> tuple[FacetValue, ...]:
    return tuple(FacetValue(codes.values[code], int(counts[code])) for code in chosen.tolist())


def _most_frequent(codes: FieldCodes, there: IntArray, counts: IntArray) -> tuple[FacetValue, ...]:
    """The most frequent values; of equal ones the first in their order."""
    if not len(there):
        return ()
    keys = counts[there] * len(codes.values) - codes.ranks[there]
    best = np.argpartition(-keys, MOST_VALUES)[:MOST_VALUES] if len(there) > MOST_VALUES else np.arange(len(there))
    return _each(codes, there[best[np.argsort(-keys[best])]], counts)


def _spans(codes: FieldCodes, descending: IntArray, counts: IntArray) -> tuple[FacetValue, ...]:
    """At most 20 spans of equal width; each is given by the least and the largest number in it, so none overlap."""
    amounts = codes.amounts[descending]
    step = step_of(float(amounts[-1]), float(amounts[0]))
    bins = np.floor(amounts / step)
    starts = np.flatnonzero(np.concatenate([[True], bins[1:] != bins[:-1]]))
    sums = np.add.reduceat(counts[descending], starts).tolist()
    lasts = [*(starts[1:] - 1).tolist(), len(descending) - 1]
    return tuple(
        FacetValue(_plain(amounts[last]), n, None if last == first else _plain(amounts[first]))
        for first, last, n in zip(starts.tolist(), lasts, sums, strict=True)
    )


def step_of(least: float, most: float) -> float:
    """A width of 1, 2 or 5 times a power of ten, for which at most 20 spans cover the numbers."""
    rough = (most - least) / (MOST_VALUES - 1)
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * step for step in _STEPS if power * step >= rough)


def _plain(amount: np.float64) -> int | float:
    return int(amount) if amount.is_integer() else float(amount)
