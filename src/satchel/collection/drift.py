"""Whether the model still knows the words of the collection: said when documents are added."""

from __future__ import annotations

from typing import NamedTuple

from satchel.collection.documents import encoded_text
from satchel.collection.file import CollectionFile
from satchel.documents import Encoder, LinearEncoder

SAMPLE = 500
"""Documents of one call whose words are looked at; of more every second, third, …"""
MANY_UNKNOWN = 0.1
"""A share of unknown words, above that of the documents that the model was learned from, from which on it is said."""
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


def count_unknown(file: CollectionFile, encoder: Encoder, since: int = 0) -> Words:
    """The words of documents that came with this change or after it."""
    if not isinstance(encoder, LinearEncoder):
        return Words(0, 0)
    step = max(1, int(file.value("SELECT count(*) FROM documents WHERE change >= ?", since)) // SAMPLE)
    rows = file.run("SELECT title, text FROM documents WHERE change >= ? AND number % ? = 0", since, step)
    n_all = n_unknown = 0
    for title, text in rows:
        terms = encoder.tokenizer.tokens(encoded_text(title, text[:20_000]))
        n_all += len(terms)
        n_unknown += sum(term not in encoder.vocabulary_ for term in terms)
    return Words(n_all, n_unknown)


def start_watching(file: CollectionFile, words: Words, n_documents: int) -> None:
    """Keeps what a new model does not know of the documents that it was learned from."""
    for name, value in (
        ("unknown at start", words.share),
        ("learned from", n_documents),
        ("words since", 0),
        ("unknown since", 0),
    ):
        file.write_note(name, value)


def watch(file: CollectionFile, words: Words) -> None:
    """Adds what documents brought since."""
    before = words_since(file)
    file.write_note("words since", before.all + words.all)
    file.write_note("unknown since", before.unknown + words.unknown)


def words_since(file: CollectionFile) -> Words:
    return Words(int(file.note("words since", 0)), int(file.note("unknown since", 0)))


def advice(file: CollectionFile) -> str:
    """One sentence where the model has become old; else nothing."""
    since, start = words_since(file), float(file.note("unknown at start", 0.0))
    if since.all >= FEWEST_WORDS and since.share > start + MANY_UNKNOWN:
        return f"the model does not know {since.share:.0%} of the words in documents added since it was learned; {CURE}"
    n_documents = int(file.value("SELECT count(*) FROM documents"))
    learned_from = int(file.note("learned from", 0))
    if learned_from and n_documents > GROWTH * learned_from:
        return f"the model was learned from {learned_from:,} of now {n_documents:,} documents; {CURE}"
    return ""
