"""What the protocols accept: labels and cut-offs, or one sentence that says what is wrong."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from satchel.errors import InputError, whole_number


def checked_labels(labels: Iterable[Hashable], n_vectors: int, name: str) -> list[Hashable]:
    """One label for each vector, as a list."""
    found = listed(labels, f"{name}: the labels")
    if len(found) != n_vectors:
        raise InputError(f"{name}: {n_vectors} vectors but {len(found)} labels; give one label for each vector")
    return found


def listed(labels: Iterable[Hashable], name: str) -> list[Hashable]:
    """Labels as a list; each of them can be looked up."""
    if isinstance(labels, str | bytes) or not isinstance(labels, Iterable):
        raise InputError(f"{name} must be a list, one for each document, not {type(labels).__name__}")
    found = list(labels)
    for position, label in enumerate(found):
        try:
            hash(label)
        except TypeError:
            kind = type(label).__name__
            raise InputError(f"{name} hold a {kind} at {position}; a label must be a string or a number") from None
    return found


def number_labels(labels: Sequence[Hashable]) -> dict[Hashable, int]:
    """Each distinct label and its number, in the order of first appearance."""
    return {label: number for number, label in enumerate(dict.fromkeys(labels))}


def checked_cutoffs(cutoffs: Iterable[int], name: str) -> tuple[int, ...]:
    """Cut-offs of at least 1, in the order given."""
    if isinstance(cutoffs, str | bytes) or not isinstance(cutoffs, Iterable):
        raise InputError(f"{name} must be a list of whole numbers, not {cutoffs!r}; write [{cutoffs!r}]")
    return tuple(whole_number(name, k) for k in cutoffs)
