"""The model of a collection: learns it, stores it, encodes documents, watches its age, and repairs what is damaged."""

from __future__ import annotations

import json
import time
from itertools import accumulate, islice, pairwise
from typing import NamedTuple

import numpy as np

from satchel.collection.nearness import NearnessSample
from satchel.collection.reading import TextsOfStore, batches
from satchel.encoders import BagOfEmbeddedWords, Encoder, LinearEncoder, Recipe
from satchel.errors import DamagedCollectionError, InputError, SatchelError
from satchel.progress import Progress, no_progress
from satchel.query import Since
from satchel.store import NEARNESS, Finding, Scanned, Store, TrainingRow, load_model, save_encoder
from satchel.text import title_first
from satchel.types import FloatArray
from satchel.words import WordVectors

SAMPLE = 500
"""The most documents whose words are checked in one call; of more documents, every n-th is checked."""
MANY_UNKNOWN = 0.1
"""Warn when the share of unknown words is this much above that of the documents the model was learned from."""
GROWTH = 4
"""Warn too when the collection has grown by this factor since the model was learned."""
FEWEST_WORDS = 200
"""With fewer words, their share says nothing."""
CURE = "`satchel train` learns the model again"
MOST_LEARNED = 100_000
"""The most documents to learn from, because time and memory are limited; of a larger collection, every n-th is used."""
ENCODE_AGAIN = "encodes all documents again, and learns the model first if it is lost"


class Words(NamedTuple):
    """The number of checked word occurrences, and how many of them the model does not know."""

    all: int
    unknown: int

    @property
    def share(self) -> float:
        return self.unknown / self.all if self.all else 0.0


def count_unknown(store: Store, encoder: Encoder, since: int | None = None) -> Words:
    """Counts known and unknown words of all documents, or of those added since a change."""
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
    """Records the share of words that a new model does not know in the documents it was learned from."""
    for name, value in (
        ("unknown at start", words.share),
        ("learned from", store.count()),
        ("words since", 0),
        ("unknown since", 0),
    ):
        store.write_note(name, value)


def watch(store: Store, words: Words) -> None:
    """Adds the words of new documents to the counts."""
    before = words_since(store)
    store.write_note("words since", before.all + words.all)
    store.write_note("unknown since", before.unknown + words.unknown)


def words_since(store: Store) -> Words:
    return Words(int(store.note("words since", 0)), int(store.note("unknown since", 0)))


def advice(store: Store) -> str:
    """One sentence if the model has become old; else empty."""
    since, start = words_since(store), float(store.note("unknown at start", 0.0))
    if since.all >= FEWEST_WORDS and since.share > start + MANY_UNKNOWN:
        return f"the model does not know {since.share:.0%} of the words in documents added since it was learned; {CURE}"
    n_documents = store.count()
    learned_from = int(store.note("learned from", 0))
    if learned_from and n_documents > GROWTH * learned_from:
        return f"the model was learned from {learned_from:,} of the present {n_documents:,} documents; {CURE}"
    return ""


class LearnedModel(NamedTuple):
    """A fitted encoder, and the seconds that fitting took."""

    encoder: BagOfEmbeddedWords
    seconds: float


def default_encoder(words: WordVectors | None, random_state: int) -> BagOfEmbeddedWords:
    """The encoder that a collection learns if it is given no model."""
    return BagOfEmbeddedWords(words, recipe=Recipe(dim=100, neighbours=0), random_state=random_state)


def learn_encoder(store: Store, encoder: BagOfEmbeddedWords) -> LearnedModel | None:
    """Fits the encoder on the documents' texts; None if they contain no words."""
    step, started = learning_step(store.count()), time.perf_counter()
    texts = TextsOfStore(store).texts(islice(store.scan(), 0, None, step))
    if not any(encoder.tokenizer.tokens(text) for text in texts):
        return None
    fitted = encoder.fit(texts)
    return LearnedModel(fitted, time.perf_counter() - started)


def learning_step(n_documents: int) -> int:
    """1 if all documents are used for learning, else n for every n-th."""
    return max(1, -(-n_documents // MOST_LEARNED))


def encode(store: Store, encoder: Encoder, on_progress: Progress, since: int | None = None) -> None:
    """Encodes all documents again, or only those added since a change."""
    if since is None:
        store.forget_vectors()
    total, done = store.count() if since is None else store.count(Since(since)), 0
    sample = NearnessSample(total) if not store.note(NEARNESS, "") else None
    reader = TextsOfStore(store)
    for batch in batches(store.scan(since)):
        vectors = np.ascontiguousarray(encoder.transform(reader.texts(batch)), dtype="<f4")
        store.write_vectors([one.number for one in batch], vectors)
        _encode_passages(store, encoder, reader, batch)
        if sample is not None:
            sample.take(batch, vectors)
        done += len(batch)
        on_progress("encoding documents", done, total)
    if sample is not None:
        sample.write(store, encoder)


def _encode_passages(store: Store, encoder: Encoder, reader: TextsOfStore, batch: list[Scanned]) -> None:
    """Encodes the passages of the documents that have several."""
    windows = store.windows(one.number for one in batch)
    long = [one for one in batch if one.number in windows]
    if not long:
        return
    vectors = np.ascontiguousarray(encoder.transform(reader.passages(long, windows)), dtype="<f4")
    ends = accumulate((len(windows[one.number]) for one in long), initial=0)
    store.write_passage_vectors({one.number: vectors[a:b] for one, (a, b) in zip(long, pairwise(ends), strict=True)})


def take_model(store: Store, encoder: Encoder, learned_from: str, seconds: float, details: dict[str, object]) -> int:
    """Stores a model and a record of its training; -> the model's number."""
    number = save_encoder(store, encoder)
    store.write_note(NEARNESS, encoder.nearness or "")  # else measured when documents are encoded for the first time
    row = TrainingRow(number, time.time(), learned_from, store.count(), seconds, json.dumps(details))
    store.write_rows([row])
    return number


def check_dense(encoder: Encoder) -> None:
    """Raises InputError unless the encoder gives dense vectors, which a collection needs."""
    if not isinstance(encoder.transform([""]), np.ndarray):
        name = type(encoder).__name__
        raise InputError(f"{name} gives sparse vectors; give an encoder with dense ones, such as BagOfEmbeddedWords")


def findings(store: Store) -> list[Finding]:
    """Lists what does not fit together; empty if all is well. Reads the whole store."""
    encoder, sentences = _readable_model(store)

    def vectors(texts: list[str]) -> FloatArray:
        assert encoder is not None
        return np.asarray(encoder.transform(texts), np.float32)

    found = store.check(None if encoder is None else vectors)
    if any(one.part == "pages" for one in found):
        return found
    return [*found, *(Finding("vectors", sentence) for sentence in sentences)]


def repaired(store: Store, on_progress: Progress) -> list[str]:
    """Rebuilds damaged parts within the caller's transaction; one sentence for each repair."""
    found = findings(store)
    if wrong := [one.sentence for one in found if one.part == "pages"]:
        raise DamagedCollectionError(f"{store.path} cannot be repaired: {wrong[0]}; take another copy of the file")
    parts = {one.part for one in found}
    done = store.repair(parts, on_progress)
    if "vectors" in parts:
        on_progress(ENCODE_AGAIN, 0, 0)
        _encode_anew(store)
        done.append(ENCODE_AGAIN)
    if done:
        store.next_change()
        store.write_note("rebuilt", store.state().rebuilt + 1)
    return done


def _readable_model(store: Store) -> tuple[Encoder | None, list[str]]:
    """The model, or None if it cannot be read, and its faults."""
    if not store.state().model:
        return None, []
    try:
        encoder = load_model(store)
    except SatchelError as error:
        return None, [f"the model cannot be read: {error}"]
    return encoder, [] if encoder is not None else ["the model is missing"]


def _encode_anew(store: Store) -> None:
    encoder, _ = _readable_model(store)
    if encoder is None:
        learned = learn_encoder(store, default_encoder(None, int(store.note("random_state", 0))))
        if learned is None:
            store.forget_vectors()
            return
        encoder = learned.encoder
        take_model(store, encoder, "texts", learned.seconds, {})
        start_watching(store, count_unknown(store, encoder))
    encode(store, encoder, no_progress)
