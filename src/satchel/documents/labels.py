"""Labels as they are given: one for a text, several, or none."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
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

    def at(self, chosen: IntArray) -> Labelled:
        """Some of these texts, by their place among the labelled ones."""
        return Labelled(self.rows[chosen], self.belongs[chosen], self.classes)


def read_labels(labels: Sequence[object]) -> Labelled:
    """One label a text, a list of labels (a tuple, a set), or nothing: None, NaN or an empty list.

    Refuses what cannot be told apart as a label, an empty string, and fewer than two classes.
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
    return Labelled(rows, belongs, tuple(numbers))


def _labels_of(position: int, label: Any) -> tuple[Hashable, ...]:
    if _is_missing(label):
        return ()
    if isinstance(label, np.ndarray):
        label = _from_array(position, label)
    if isinstance(label, list | tuple | set | frozenset):
        several = sorted(label, key=repr) if isinstance(label, set | frozenset) else label
        return tuple(dict.fromkeys(_one_label(position, one) for one in several))
    return (_one_label(position, label),)


def _from_array(position: int, label: NDArray[Any]) -> Any:
    """As a list, or one value; a row of 0 and 1 says which labels a text has, but not what they are."""
    if label.ndim and label.dtype.kind in "bif" and np.isin(label, (0, 1)).all() and len(label) > 1:
        raise InputError(f"text {position} has a row of 0 and 1 for labels; give the labels themselves, as a list")
    return label.tolist()


def _one_label(position: int, label: Any) -> Hashable:
    if isinstance(label, str | bytes) and not label:
        raise InputError(f"text {position} has the empty string for a label; give None where there is no label")
    if _is_missing(label) or (isinstance(label, Iterable) and not isinstance(label, str | bytes)):
        raise InputError(f"text {position} has {label!r} inside its labels; a label is a string or a number")
    if not isinstance(label, Hashable):
        raise InputError(f"text {position} has a label of type {type(label).__name__}; a label is a string or a number")
    return label


def _is_missing(label: Any) -> bool:
    """None, or NaN of any precision, as tables write a missing value."""
    return label is None or (isinstance(label, float | np.floating) and bool(label != label))


def _too_few(n_labelled: int, n_texts: int, classes: list[Hashable]) -> str:
    if not classes:
        return f"none of the {n_texts} texts has a label; training needs two classes or more"
    return f"all {n_labelled} labelled texts have the label {classes[0]!r}; training needs two classes or more"
