"""Suggestions while a person types: earlier queries, words of the collection, and titles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import chain

import numpy as np

from satchel.store import TITLE, ProjectRow, Store
from satchel.text import Analysed, folded, stop_list
from satchel.types import IntArray

MOST_WORDS, MOST_COUNTED, MOST_TITLES = 200, 16, 60
"""How many words that begin so are looked at, how many of these, the most frequent, are counted, and how many titles
that hold one of them are looked at."""
MOST_TYPED = 200
"""A longer text gets no suggestions."""


def suggestions(store: Store, text: str, k: int) -> list[str]:
    """At most k texts that begin as what was typed, or go on with its last word.

    Earlier queries and projects come first, then words by how many documents hold them, together with the words before,
    then titles. Each kind may fill what another leaves.
    """
    typed = " ".join(text.split())
    if len(typed) > MOST_TYPED:
        return []
    asked = list(_beginning_so(_earlier(store), typed))
    *before, last = folded(typed) or ("",)
    if not last or text != text.rstrip():
        return asked[:k]
    words, titles = _of_documents(store, typed, before, last)
    third = max(1, k // 3)
    ordered = chain(asked[:third], words[:third], titles, words[third:], asked[third:])
    seen = {typed.casefold()}
    kept = (one for one in ordered if one.casefold() not in seen and not seen.add(one.casefold()))  # type: ignore[func-returns-value]
    return list(kept)[:k]


def _earlier(store: Store) -> Iterator[str]:
    for project in store.rows(ProjectRow):
        yield from (project.name, project.query)
    yield from store.queries()


def _beginning_so(texts: Iterable[str], typed: str) -> Iterator[str]:
    """The texts with a word, or several, that begin as typed; those that begin so themselves come first."""
    wanted = typed.casefold()
    own = [one for one in dict.fromkeys(texts) if one.strip() and f" {wanted}" in f" {one.casefold()}"]
    yield from sorted(own, key=lambda one: (not one.casefold().startswith(wanted), len(one), one))


def _of_documents(store: Store, typed: str, before: list[str], last: str) -> tuple[list[str], list[str]]:
    """The typed text with its last word completed, best first, and titles with such a word."""
    stops = stop_list("sklearn")
    candidates = {word: stem for word, stem in store.words_beginning(last, MOST_WORDS).items() if word not in stops}
    stems_before = [stem for word in before for stem in Analysed(word).stems if word not in stops]
    sizes = store.sizes_of(list(dict.fromkeys(candidates.values())))
    frequent = sorted(sizes, key=lambda stem: (-sizes[stem], stem))[:MOST_COUNTED]
    held = store.holding([*frequent, *stems_before], TITLE)
    if any(stem not in held for stem in stems_before):
        return [], []
    among = _among(store, [held[stem].anywhere for stem in stems_before])
    counts = {stem: int(np.count_nonzero(among[one.anywhere])) for stem, one in held.items()}
    first_forms = {stem: word for word, stem in reversed(candidates.items())}
    ranked = sorted((stem for stem in first_forms if counts.get(stem)), key=lambda stem: (-counts[stem], stem))
    start = typed[: len(typed) - len(typed.split(" ")[-1])]
    words = [f"{start}{first_forms[stem]}" for stem in ranked]
    titled = _among(store, [held[stem].in_field for stem in stems_before])
    chosen = list[int]()
    for stem in ranked:
        own = held[stem].in_field
        chosen += own[titled[own]][: MOST_TITLES - len(chosen)].tolist()
        if len(chosen) == MOST_TITLES:
            break
    titles = (" ".join(one.title.split()) for one in store.documents(list(dict.fromkeys(chosen)), 0))
    return words, sorted(titles, key=lambda title: not title.casefold().startswith(typed.casefold()))


def _among(store: Store, sets: list[IntArray]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """The documents that are in all of these sets, or all documents, (largest number + 1,)."""
    numbers = store.listed()
    found = np.zeros(int(numbers.max(initial=0)) + 1, np.bool_)
    found[reduce(np.intersect1d, sets) if sets else numbers] = True
    return found
