"""The model inside a store: the files of a model folder, unchanged, so there is only one format to read."""

from __future__ import annotations

import hashlib

from satchel.encoders import Encoder, encoder_in
from satchel.store.protocol import Store
from satchel.words import WordVectors

MODEL, WORDS = "model", "words"


def save_encoder(store: Store, encoder: Encoder) -> int:
    """Stores a fitted encoder in place of the present one; -> the number of the new model."""
    store.write_files(MODEL, encoder.files())
    number = store.state().model + 1
    store.write_note("model", number)
    return number


def load_model(store: Store) -> Encoder | None:
    """The encoder, or None where no documents have been added yet."""
    files = store.files(MODEL)
    return encoder_in(files, store.path) if files else None


def model_fingerprint(store: Store) -> str:
    """A checksum of the model, the same in every store; empty if there is no model."""
    config = store.files(MODEL, "config.json").get("config.json")  # it holds the checksums of the other files
    return "" if config is None else hashlib.sha256(config).hexdigest()


def save_words(store: Store, words: WordVectors) -> None:
    """Keeps word vectors until the first documents are added."""
    store.write_files(WORDS, words.files())


def load_words(store: Store) -> WordVectors | None:
    files = store.files(WORDS)
    return WordVectors.from_files(files) if files else None


def forget_words(store: Store) -> None:
    store.write_files(WORDS, {})
