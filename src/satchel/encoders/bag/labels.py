"""Reads labels as they are given: one for a text, several, or none."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from satchel.errors import InputError
from satchel.types import FloatArray, IntArray


class Labelled(NamedTuple):
    """The texts that have labels.

    rows (n_labelled,): their positions among all texts, ascending; belongs (n_labelled, n_classes): 1 where the text
    has the label, float32; classes: the labels by number, in order of their first text.
    """

    rows: IntArray
    belongs: FloatArray
    classes: tuple[Hashable, ...]


def read_labels(labels: Sequence[object]) -> Labelled:
    """One label a text, a list of labels (a tuple, a set), or nothing: None, NaN, pandas' NA or an empty list.

    Refuses what is no label, an empty string, rows of 0 and 1, fewer than two classes, and classes that all labelled
    texts share.
    """
    sets = [_labels_of(position, label) for position, label in enumerate(labels)]
    numbers: dict[Hashable, int] = {}
    for label in (label for labels_of_text in sets for label in labels_of_text):
        numbers.setdefault(label, len(numbers))
    rows = np.array([row for row, found in enumerate(sets) if found], dtype=np.int64)
    if len(numbers) < 2:
        raise InputError(_too_few(len(rows), len(labels), [*numbers]))
    belongs = np.zeros((len(rows), len(numbers)), dtype=np.float32)
    for place, row in enumerate(rows):
        belongs[place, [numbers[label] for label in sets[row]]] = 1
    if belongs.all():
        shared = f"every labelled text has all of the {len(numbers)} labels"
        raise InputError(f"{shared}; training needs texts whose labels differ")
    return Labelled(rows, belongs, tuple(numbers))


def _labels_of(position: int, label: Any) -> tuple[Hashable, ...]:
    if _is_missing(label):
        return ()
    if isinstance(label, np.ndarray):
        label = _from_array(position, label)
    if isinstance(label, list | tuple | set | frozenset):
        if len(label) > 2 and _are_zeros_and_ones(label):  # a list of two may be the labels 0 and 1
            raise _row_of_zeros_and_ones(position)
        several = sorted(label, key=repr) if isinstance(label, set | frozenset) else label
        return tuple(_one_label(position, one) for one in several)
    return (_one_label(position, label),)


def _from_array(position: int, label: NDArray[Any]) -> Any:
    """The array as a list, or as one value."""
    values = label.tolist()
    if label.ndim and len(values) > 1 and _are_zeros_and_ones(values):
        raise _row_of_zeros_and_ones(position)
    return values


def _are_zeros_and_ones(labels: Iterable[object]) -> bool:
    """Whether all are 0 or 1, which says which labels a text has but not what they are."""
    return all(isinstance(one, Real) and one in (0, 1) for one in labels)


def _row_of_zeros_and_ones(position: int) -> InputError:
    return InputError(f"text {position} has a row of 0 and 1 for labels; give the labels themselves, as a list")


def _one_label(position: int, label: Any) -> Hashable:
    if isinstance(label, str | bytes) and not label:
        raise InputError(f"text {position} has the empty string for a label; give None where there is no label")
    if _is_missing(label) or (isinstance(label, Iterable) and not isinstance(label, str | bytes)):
        given = " ".join(repr(label).split())[:60]
        raise InputError(f"text {position} has {given} inside its labels; a label is a string or a number")
    if not isinstance(label, Hashable):
        raise InputError(f"text {position} has a label of type {type(label).__name__}; a label is a string or a number")
    return label


def _is_missing(label: Any) -> bool:
    """Whether it is None or a table's missing value: not equal to itself (NaN, NaT), or undecided (pandas' NA)."""
    if label is None or isinstance(label, str | bytes | Iterable):
        return label is None
    try:
        return bool(label != label)
    except TypeError:  # pandas' NA: "boolean value of NA is ambiguous"
        return True


def _too_few(n_labelled: int, n_texts: int, classes: list[Hashable]) -> str:
    if not classes:
        return f"none of the {n_texts} texts has a label; training needs two classes or more"
    have = "the only labelled text has" if n_labelled == 1 else f"all {n_labelled} labelled texts have"
    return f"{have} the label {classes[0]!r}; training needs two classes or more"
