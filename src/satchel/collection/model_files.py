"""The model inside the file: the files of its folder as they are, so that there is no second format to read."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from satchel.collection.file import CollectionFile
from satchel.documents import Encoder, load_encoder
from satchel.errors import InputError
from satchel.words import WordVectors

PART_BYTES = 1 << 24
"""A file is cut into parts of so many bytes: SQLite holds no value of a thousand million."""
MODEL, WORDS = "model", "words"
Loaded = TypeVar("Loaded")


def save_encoder(file: CollectionFile, encoder: Encoder) -> int:
    """Takes a fitted encoder in, in place of the one that is there; -> the new model's number."""
    _save(file, MODEL, encoder.save)
    number = model_number(file) + 1
    file.write_note("model", number)
    return number


def load_model(file: CollectionFile) -> Encoder | None:
    """The encoder, or None where no documents have been added yet."""
    return _load(file, MODEL, load_encoder)


def model_number(file: CollectionFile) -> int:
    """0 before there is a model; each new one has the next number."""
    return int(file.note("model", 0))


def save_words(file: CollectionFile, words: WordVectors) -> None:
    """Keeps word vectors until the first documents come."""
    _save(file, WORDS, words.save)


def load_words(file: CollectionFile) -> WordVectors | None:
    return _load(file, WORDS, WordVectors.load)


def forget_words(file: CollectionFile) -> None:
    file.run("DELETE FROM stored_files WHERE folder = ?", WORDS)


def copy_model(file: CollectionFile, folder: Path) -> None:
    """Writes the model's folder; refuses one that holds anything else, as saving an encoder does."""
    encoder = load_model(file)
    if encoder is None:
        raise InputError(f"{file.path} has no model yet; add documents first")
    encoder.save(folder)


def check_dense(encoder: Encoder) -> None:
    """A collection keeps one short vector a document."""
    import numpy as np

    if not isinstance(encoder.transform([""]), np.ndarray):
        name = type(encoder).__name__
        raise InputError(f"{name} gives sparse vectors, one number a word; give an encoder such as BagOfEmbeddedWords")


def _save(file: CollectionFile, folder: str, write: Callable[[Path], None]) -> None:
    with tempfile.TemporaryDirectory() as place:
        written = Path(place) / folder
        write(written)
        file.run("DELETE FROM stored_files WHERE folder = ?", folder)
        for path in sorted(written.iterdir()):
            content = path.read_bytes()
            for part, start in enumerate(range(0, max(1, len(content)), PART_BYTES)):
                values = (folder, path.name, part, content[start : start + PART_BYTES])
                file.run("INSERT INTO stored_files VALUES (?, ?, ?, ?)", *values)


def _load(file: CollectionFile, folder: str, read: Callable[[Path], Loaded]) -> Loaded | None:
    names = file.rows("SELECT DISTINCT name FROM stored_files WHERE folder = ?", folder)
    if not names:
        return None
    with tempfile.TemporaryDirectory() as place:
        written = Path(place) / folder
        written.mkdir()
        for (name,) in names:
            with (written / Path(name).name).open("wb") as stream:
                question = "SELECT content FROM stored_files WHERE folder = ? AND name = ? ORDER BY part"
                for (content,) in file.run(question, folder, name):
                    stream.write(content)
        return read(written)
