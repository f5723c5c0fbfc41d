"""The model of a collection: learned from the documents, taken in, how old it is; every document encoded by it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np

from satchel.encoders import BagOfEmbeddedWords, Encoder, LinearEncoder, Recipe
from satchel.errors import InputError
from satchel.progress import Progress
from satchel.query import Since
from satchel.store import Scanned, Store, TrainingRow, save_encoder
from satchel.text import title_first
from satchel.words import WordVectors

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


MOST_LEARNED = 100_000
"""Of a larger collection every n-th document is learned from, so that time and memory stay bounded."""
BATCH = 2_000
"""Documents that are encoded together."""


class LearnedModel(NamedTuple):
    """A fitted encoder, and the seconds that it took."""

    encoder: BagOfEmbeddedWords
    seconds: float


def default_encoder(words: WordVectors | None, random_state: int) -> BagOfEmbeddedWords:
    """What a collection learns from its documents unless it is given a model."""
    return BagOfEmbeddedWords(words, recipe=Recipe(dim=100, neighbours=0), random_state=random_state)


def learn_encoder(store: Store, encoder: BagOfEmbeddedWords) -> LearnedModel | None:
    """The encoder fitted on the documents' texts; None where they hold no word to learn from."""
    step, started = learning_step(store.count()), time.perf_counter()
    texts = [text_of(one) for place, one in enumerate(store.scan()) if place % step == 0]
    if not any(encoder.tokenizer.tokens(text) for text in texts):
        return None
    fitted = encoder.fit(texts)
    return LearnedModel(fitted, time.perf_counter() - started)


def text_of(one: Scanned) -> str:
    """What a model reads of a document: the title, then the text."""
    return title_first(one.title, one.text)


def learning_step(n_documents: int) -> int:
    """1 where all documents are learned from, else n for every n-th."""
    return max(1, -(-n_documents // MOST_LEARNED))


def encode(store: Store, encoder: Encoder, on_progress: Progress, since: int | None = None) -> None:
    """A vector for every document, in place of those there are; or for those that came since a change."""
    if since is None:
        store.forget_vectors()
    total, done = store.count() if since is None else store.count(Since(since)), 0
    for batch in _batches(store.scan(since)):
        vectors = np.ascontiguousarray(encoder.transform([text_of(one) for one in batch]), dtype="<f4")
        store.write_vectors([one.number for one in batch], vectors)
        done += len(batch)
        on_progress("encoding documents", done, total)


def take_model(store: Store, encoder: Encoder, learned_from: str, seconds: float, details: dict[str, object]) -> int:
    """Puts a model into the store and its diary; -> its number."""
    number = save_encoder(store, encoder)
    row = TrainingRow(number, time.time(), learned_from, store.count(), seconds, json.dumps(details))
    store.write_rows([row])
    return number


def check_dense(encoder: Encoder) -> None:
    """Raises InputError unless the encoder gives one short vector a document, which a collection keeps."""
    if not isinstance(encoder.transform([""]), np.ndarray):
        name = type(encoder).__name__
        raise InputError(f"{name} gives sparse vectors, one number a word; give an encoder such as BagOfEmbeddedWords")


def _batches(documents: Iterator[Scanned]) -> Iterator[list[Scanned]]:
    while batch := list(islice(documents, BATCH)):
        yield batch
