"""Adding documents: one transaction in which they are stored, the model is learned if there is none, all is encoded."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from satchel.collection import documents, drift
from satchel.collection.file import CollectionFile
from satchel.collection.model_files import forget_words, load_model, load_words, save_encoder
from satchel.collection.sources import SOURCE_NAME
from satchel.collection.vectors import Progress, default_encoder, encode_all, encode_change, learn_encoder
from satchel.documents import Encoder
from satchel.errors import InputError
from satchel.importing.types import Document, Skipped


class AddReport(NamedTuple):
    """What adding did. skipped: what was left out and why. advice: one sentence where the model has become old.

    overwritten: file -> how many of its documents were replaced by documents of another file that have the same ids.
    """

    added: int
    replaced: int
    unchanged: int
    skipped: tuple[Skipped, ...]
    overwritten: Mapping[str, int]
    advice: str

    def __str__(self) -> str:
        counts = f"{self.added:,} added, {self.replaced:,} replaced, {self.unchanged:,} unchanged"
        return "; ".join(filter(None, (f"{counts}, {len(self.skipped):,} skipped", self.clash, self.advice)))

    @property
    def clash(self) -> str:
        """One sentence where documents of one file took the place of those of another; else nothing."""
        if not self.overwritten:
            return ""
        n, first = sum(self.overwritten.values()), next(iter(self.overwritten))
        others = f" and {len(self.overwritten) - 1:,} more" if len(self.overwritten) > 1 else ""
        what = f"{n:,} of the replaced documents had come from {first}{others}, with the same ids"
        return f"{what}; a prefix, such as '{SOURCE_NAME}#', keeps the documents of both"


def add_documents(file: CollectionFile, found: Iterable[Document | Skipped], on_progress: Progress) -> AddReport:
    """All of them, or none where anything goes wrong."""
    if not isinstance(found, Iterable):
        raise InputError(f"a collection takes a path or documents, not {type(found).__name__}")
    with file.writing():
        change = file.next_change()
        done = documents.Change(0, 0, 0, (), {})
        for done in documents.store(file, found, change):
            on_progress("reading documents", done.added + done.replaced + done.unchanged, 0)
        if done.added or done.replaced:
            _encode(file, change, on_progress)
        else:
            file.write_note("change", change - 1)
        return AddReport(*done, advice=drift.advice(file))


def remove_documents(file: CollectionFile, ids: Sequence[str]) -> int:
    """Takes documents out; -> how many were there. Their marks stay, for the day they come again."""
    with file.writing():
        gone = documents.remove(file, ids)
        if gone:
            file.next_change()
        return gone


def _encode(file: CollectionFile, change: int, on_progress: Progress) -> None:
    encoder = load_model(file)
    if encoder is not None:
        encode_change(file, encoder, change, on_progress)
        drift.watch(file, drift.count_unknown(file, encoder, change))
        return
    on_progress("learning the model", 0, 0)
    started = time.perf_counter()
    learned = learn_encoder(file, default_encoder(load_words(file), int(file.note("random_state", 0))))
    if learned is not None:
        take_model(file, learned, "texts", time.perf_counter() - started, {})
        encode_all(file, learned, on_progress)
        drift.start_watching(file, drift.count_unknown(file, learned, change), count(file))
        forget_words(file)


def take_model(
    file: CollectionFile, encoder: Encoder, learned_from: str, seconds: float, details: dict[str, object]
) -> int:
    """Puts a model into the file and its diary; -> its number."""
    number = save_encoder(file, encoder)
    values = (number, time.time(), learned_from, count(file), seconds, json.dumps(details))
    file.run("INSERT OR REPLACE INTO trainings VALUES (?, ?, ?, ?, ?, ?)", *values)
    return number


def count(file: CollectionFile) -> int:
    return int(file.value("SELECT count(*) FROM documents"))
