"""The model inside a store: the files of its folder as they are, so that there is no second format to read."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from satchel.documents import Encoder, load_encoder
from satchel.store.protocol import Store
from satchel.words import WordVectors

MODEL, WORDS = "model", "words"
Loaded = TypeVar("Loaded")


def save_encoder(store: Store, encoder: Encoder) -> int:
    """Takes a fitted encoder in, in place of the one that is there; -> the new model's number."""
    _save(store, MODEL, encoder.save)
    number = store.state().model + 1
    store.write_note("model", number)
    return number


def load_model(store: Store) -> Encoder | None:
    """The encoder, or None where no documents have been added yet."""
    return _load(store, MODEL, load_encoder)


def model_fingerprint(store: Store) -> str:
    """The same for the same model, wherever it is; empty where there is none."""
    config = store.files(MODEL, "config.json").get("config.json")  # which holds the checksums of the other files
    return "" if config is None else hashlib.sha256(config).hexdigest()


def save_words(store: Store, words: WordVectors) -> None:
    """Keeps word vectors until the first documents come."""
    _save(store, WORDS, words.save)


def load_words(store: Store) -> WordVectors | None:
    return _load(store, WORDS, WordVectors.load)


def forget_words(store: Store) -> None:
    store.write_files(WORDS, {})


def _save(store: Store, folder: str, write: Callable[[Path], None]) -> None:
    with tempfile.TemporaryDirectory() as place:
        written = Path(place) / folder
        write(written)
        store.write_files(folder, {path.name: path.read_bytes() for path in sorted(written.iterdir())})


def _load(store: Store, folder: str, read: Callable[[Path], Loaded]) -> Loaded | None:
    files = store.files(folder)
    if not files:
        return None
    with tempfile.TemporaryDirectory() as place:
        written = Path(place) / folder
        written.mkdir()
        for name, content in files.items():
            (written / Path(name).name).write_bytes(content)
        return read(written)
