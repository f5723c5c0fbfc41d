"""How old the model is: whether it still knows the words of the documents that are added."""

from __future__ import annotations

from typing import NamedTuple

from satchel.encoders import Encoder, LinearEncoder
from satchel.query import Since
from satchel.store import Store
from satchel.text import title_first

SAMPLE = 500
"""Documents of one call whose words are looked at; of more, every n-th."""
MANY_UNKNOWN = 0.1
"""Warn above this share of unknown words, counted from that of the documents that the model was learned from."""
GROWTH = 4
"""A collection so many times as large as what its model was learned from is told of, too."""
FEWEST_WORDS = 200
"""Shares of fewer words say nothing."""
CURE = "`satchel train` learns the model anew"


class Words(NamedTuple):
    """Word occurrences that were looked at, and how many of them the model does not know."""

    all: int
    unknown: int

    @property
    def share(self) -> float:
        return self.unknown / self.all if self.all else 0.0


def count_unknown(store: Store, encoder: Encoder, since: int | None = None) -> Words:
    """The words of all documents, or of those that came since a change."""
    if not isinstance(encoder, LinearEncoder):
        return Words(0, 0)
    n_documents = store.count() if since is None else store.count(Since(since))
    step = max(1, n_documents // SAMPLE)
    n_all = n_unknown = 0
    for one in store.scan(since):
        if one.number % step == 0:
            terms = encoder.tokenizer.tokens(title_first(one.title, one.text[:20_000]))
            n_all += len(terms)
            n_unknown += sum(term not in encoder.vocabulary_ for term in terms)
    return Words(n_all, n_unknown)


def start_watching(store: Store, words: Words) -> None:
    """Keeps what a new model does not know of the documents that it was learned from."""
    for name, value in (
        ("unknown at start", words.share),
        ("learned from", store.count()),
        ("words since", 0),
        ("unknown since", 0),
    ):
        store.write_note(name, value)


def watch(store: Store, words: Words) -> None:
    """Adds what documents brought since."""
    before = words_since(store)
    store.write_note("words since", before.all + words.all)
    store.write_note("unknown since", before.unknown + words.unknown)


def words_since(store: Store) -> Words:
    return Words(int(store.note("words since", 0)), int(store.note("unknown since", 0)))


def advice(store: Store) -> str:
    """One sentence where the model has become old; else nothing."""
    since, start = words_since(store), float(store.note("unknown at start", 0.0))
    if since.all >= FEWEST_WORDS and since.share > start + MANY_UNKNOWN:
        return f"the model does not know {since.share:.0%} of the words in documents added since it was learned; {CURE}"
    n_documents = store.count()
    learned_from = int(store.note("learned from", 0))
    if learned_from and n_documents > GROWTH * learned_from:
        return f"the model was learned from {learned_from:,} of now {n_documents:,} documents; {CURE}"
    return ""
