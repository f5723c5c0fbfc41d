"""Vectors in the file: the model is learned from the documents, and every document is encoded by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np

from satchel.collection.documents import encoded_text
from satchel.collection.file import CollectionFile
from satchel.documents import BagOfEmbeddedWords, Encoder
from satchel.types import FloatArray, IntArray
from satchel.words import WordVectors

MOST_LEARNED = 100_000
"""Of a larger collection every second, third, … document is learned from, so that time and memory stay bounded."""
BATCH = 2_000
"""Documents that are encoded together."""
Progress: TypeAlias = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is to do (0: not known)."""


def no_progress(stage: str, done: int, total: int) -> None:
    """Tells nobody."""


def default_encoder(words: WordVectors | None, random_state: int) -> BagOfEmbeddedWords:
    """What a collection learns from its documents unless it is given a model."""
    return BagOfEmbeddedWords(words, neighbours=0, dim=100, random_state=random_state)


def learn_encoder(file: CollectionFile, encoder: BagOfEmbeddedWords) -> BagOfEmbeddedWords | None:
    """The encoder fitted on the documents' texts; None where they hold no word to learn from."""
    texts = texts_to_learn(file)
    if not any(encoder.tokenizer.tokens(text) for text in texts):
        return None
    return encoder.fit(texts)


def texts_to_learn(file: CollectionFile) -> list[str]:
    """The texts of all documents, or of every so manieth; in the order in which they came."""
    step = learning_step(int(file.value("SELECT count(*) FROM documents")))
    rows = file.run("SELECT title, text FROM documents ORDER BY number")
    return [encoded_text(*row) for place, row in enumerate(rows) if place % step == 0]


def learning_step(n_documents: int) -> int:
    return max(1, -(-n_documents // MOST_LEARNED))


def encode_all(file: CollectionFile, encoder: Encoder, on_progress: Progress) -> None:
    """A vector for every document, in place of those that are there."""
    file.run("DELETE FROM vectors")
    _encode(file, encoder, "1", (), on_progress)


def encode_change(file: CollectionFile, encoder: Encoder, change: int, on_progress: Progress) -> None:
    """A vector for every document that one change brought."""
    _encode(file, encoder, "change = ?", (change,), on_progress)


def _encode(
    file: CollectionFile, encoder: Encoder, condition: str, values: tuple[int, ...], on_progress: Progress
) -> None:
    total = int(file.value(f"SELECT count(*) FROM documents WHERE {condition}", *values))
    done = 0
    for numbers, texts in _texts(file, condition, values):
        vectors = encoded(encoder, texts)
        write_vectors(file, numbers, vectors)
        done += len(numbers)
        on_progress("encoding documents", done, total)


def encoded(encoder: Encoder, texts: list[str]) -> FloatArray:
    """Vectors of texts as the file keeps them, (n_texts, n_features)."""
    return np.ascontiguousarray(encoder.transform(texts), dtype="<f4")


def write_vectors(file: CollectionFile, numbers: list[int], vectors: FloatArray) -> None:
    rows = ((number, vector.tobytes()) for number, vector in zip(numbers, vectors, strict=True))
    file.run_many("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)


def read_vectors(file: CollectionFile, n_features: int, since: int = -1) -> tuple[IntArray, FloatArray]:
    """All vectors by rising number, or those of documents that came after a change.

    -> numbers (n_documents,), vectors (n_documents, n_features).
    """
    among = "" if since < 0 else f"WHERE number IN (SELECT number FROM documents WHERE change > {since:d})"
    n_documents = int(file.value(f"SELECT count(*) FROM vectors {among}"))
    numbers, vectors = np.empty(n_documents, np.int64), np.empty((n_documents, n_features), np.float32)
    cursor, start = file.run(f"SELECT number, vector FROM vectors {among} ORDER BY number"), 0
    while rows := cursor.fetchmany(20_000):
        stop = start + len(rows)
        numbers[start:stop] = [row[0] for row in rows]
        vectors[start:stop] = np.frombuffer(b"".join(row[1] for row in rows), "<f4").reshape(len(rows), n_features)
        start = stop
    return numbers, vectors


def _texts(file: CollectionFile, condition: str, values: tuple[int, ...]) -> Iterator[tuple[list[int], list[str]]]:
    cursor = file.run(f"SELECT number, title, text FROM documents WHERE {condition} ORDER BY number", *values)
    while rows := cursor.fetchmany(BATCH):
        yield [row[0] for row in rows], [encoded_text(row[1], row[2]) for row in rows]
