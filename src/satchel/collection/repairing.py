"""What follows from the documents is made anew where it is damaged: index of words, fields, vectors, a lost model."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import NamedTuple

from satchel.collection import drift
from satchel.collection.adding import count, take_model
from satchel.collection.documents import write_fields
from satchel.collection.file import CollectionFile
from satchel.collection.integrity import CHECKS, findings_of
from satchel.collection.model_files import load_model
from satchel.collection.vectors import Progress, default_encoder, encode_all, learn_encoder, no_progress
from satchel.documents import Encoder
from satchel.errors import DamagedCollectionError, SatchelError


class Repair(NamedTuple):
    """What is done about the findings of one check."""

    sentence: str
    make: Callable[[CollectionFile, Progress], None]


def repair(file: CollectionFile, on_progress: Progress) -> list[str]:
    """Makes anew what is damaged and can be, in one transaction; -> a sentence for each thing that was done.

    Texts, titles and marks stand nowhere else: nothing of these is touched. on_progress is told each sentence before it
    is done.
    """
    with file.writing():
        if wrong := findings_of(file, CHECKS["pages"]):
            raise DamagedCollectionError(f"{file.path} cannot be repaired: {wrong[0]}; take another copy of the file")
        done: list[str] = []
        for name, (sentence, make) in REPAIRS.items():
            if findings_of(file, CHECKS[name]):
                on_progress(sentence, 0, 0)
                make(file, on_progress)
                done.append(sentence)
        if done:
            file.next_change()
            file.write_note("rebuilt", int(file.note("rebuilt", 0)) + 1)
        return done


def _drop_strays(file: CollectionFile, on_progress: Progress) -> None:
    for table in ("fields", "vectors"):
        file.run(f"DELETE FROM {table} WHERE number NOT IN (SELECT number FROM documents)")


def _index_words(file: CollectionFile, on_progress: Progress) -> None:
    file.run("INSERT INTO lexical (lexical) VALUES ('rebuild')")


def _file_fields(file: CollectionFile, on_progress: Progress) -> None:
    file.run("DELETE FROM fields")
    rows = file.rows("SELECT number, fields FROM documents WHERE fields <> '{}'")
    write_fields(file, [(number, json.loads(fields)) for number, fields in rows])


def _encode_texts(file: CollectionFile, on_progress: Progress) -> None:
    encoder = _readable_model(file)
    if encoder is None:
        started = time.perf_counter()
        encoder = learn_encoder(file, default_encoder(None, int(file.note("random_state", 0))))
        if encoder is None:
            file.run("DELETE FROM vectors")
            return
        take_model(file, encoder, "texts", time.perf_counter() - started, {})
        drift.start_watching(file, drift.count_unknown(file, encoder), count(file))
    encode_all(file, encoder, no_progress)


def _readable_model(file: CollectionFile) -> Encoder | None:
    try:
        return load_model(file)
    except SatchelError:
        return None


REPAIRS: dict[str, Repair] = {
    "references": Repair("drops fields and vectors of documents that are not there", _drop_strays),
    "words": Repair("indexes the words of all documents anew", _index_words),
    "fields": Repair("files the fields of all documents anew", _file_fields),
    "vectors": Repair("encodes all documents anew, and learns the model first where it is lost", _encode_texts),
}
"""By the name of the check; in this order."""
