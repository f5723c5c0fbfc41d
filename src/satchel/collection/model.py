"""The model of a collection: learned from the documents, taken in, and every document encoded by it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np

from satchel.encoders import BagOfEmbeddedWords, Encoder, Recipe
from satchel.errors import InputError
from satchel.progress import Progress
from satchel.query import Since
from satchel.store import Scanned, Store, TrainingRow
from satchel.store.models import save_encoder
from satchel.text import title_first
from satchel.words import WordVectors

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
