"""Adds documents in one transaction: stores them, learns the model if there is none, and encodes them."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from satchel.collection.model import (
    advice,
    count_unknown,
    default_encoder,
    encode,
    learn_encoder,
    start_watching,
    take_model,
    watch,
)
from satchel.encoders import Encoder
from satchel.errors import InputError
from satchel.importing import SOURCE_NAME, Document, Skipped, file_of
from satchel.progress import Progress
from satchel.query import is_unicode, writable
from satchel.store import Known, Prepared, Store, checksum_of, forget_words, load_model, load_words

BATCH = 500
"""The number of documents that are written together."""


class AddReport(NamedTuple):
    """The result of adding. skipped: what was left out and why. advice: one sentence if the model has become old.

    overwritten: file -> how many of its documents were replaced by documents with the same ids from another file.
    """

    added: int = 0
    replaced: int = 0
    unchanged: int = 0
    skipped: tuple[Skipped, ...] = ()
    overwritten: Mapping[str, int] = {}
    advice: str = ""

    def __str__(self) -> str:
        counts = f"{self.added:,} added, {self.replaced:,} replaced, {self.unchanged:,} unchanged"
        return "; ".join(filter(None, (f"{counts}, {len(self.skipped):,} skipped", self.clash, self.advice)))

    @property
    def clash(self) -> str:
        """One sentence if documents of one file replaced those of another; else empty."""
        if not self.overwritten:
            return ""
        n, first = sum(self.overwritten.values()), next(iter(self.overwritten))
        others = f" and {len(self.overwritten) - 1:,} more" if len(self.overwritten) > 1 else ""
        what = f"{n:,} of the replaced documents had come from {first}{others}, with the same ids"
        return f"{what}; use a prefix such as '{SOURCE_NAME}#' to keep the documents of both"


def add_documents(
    store: Store,
    found: Iterable[Document | Skipped],
    on_progress: Progress,
    model: Callable[[Store], Encoder | None] = load_model,
) -> AddReport:
    """Adds all documents, or none if anything fails. model: returns the present encoder."""
    if not isinstance(found, Iterable):
        raise InputError(f"a collection takes a path or documents, not {type(found).__name__}")
    with store.writing():
        before = store.state().change
        change, report, renamed = store.next_change(), AddReport(), list[int]()
        for report in _written(store, found, change, renamed):
            on_progress("reading documents", report.added + report.replaced + report.unchanged, 0)
        if report.added or report.replaced:
            _encode_new(store, model(store), before, on_progress)
        elif not any(renamed):
            store.write_note("change", before)
        return report._replace(advice=advice(store))


def remove_documents(store: Store, ids: Iterable[str]) -> int:
    """Removes documents; -> how many existed. Their marks are kept, in case they are added again."""
    with store.writing():
        gone = store.remove(ids)
        if gone:
            store.next_change()
        return gone


def _encode_new(store: Store, encoder: Encoder | None, before: int, on_progress: Progress) -> None:
    if encoder is not None:
        encode(store, encoder, on_progress, since=before)
        watch(store, count_unknown(store, encoder, since=before))
        return
    on_progress("learning the model", 0, 0)
    start = default_encoder(load_words(store), int(store.note("random_state", 0)))
    learned = learn_encoder(store, start)
    if learned is not None:
        take_model(store, learned.encoder, "texts", learned.seconds, {})
        encode(store, learned.encoder, on_progress)
        start_watching(store, count_unknown(store, learned.encoder, since=before))
        forget_words(store)


def _written(
    store: Store, documents: Iterable[Document | Skipped], change: int, renamed: list[int]
) -> Iterator[AddReport]:
    """Writes documents; yields a report after each batch, and adds to `renamed` how many files have a new name.

    A document whose id exists is replaced if anything but its source differs; otherwise only its source is updated. Of
    two documents with the same id in one call, the first one counts.
    """
    overwritten: Counter[str] = Counter()
    added = replaced = unchanged = 0
    skipped: list[Skipped] = []
    seen: set[str] = set()
    items = iter(documents)
    while batch := list(islice(items, BATCH)):
        ready = list(_ready_ones(batch, seen, skipped))
        known = store.known(one.id for one in ready)
        new = [one for one in ready if one.id not in known]
        there = [(known[one.id], one) for one in ready if one.id in known]
        changed = [(kept, one) for kept, one in there if kept.checksum != one.checksum]
        store.put([*new, *(one._replace(number=kept.number) for kept, one in changed)], change)
        moved = {
            kept.number: one.source
            for kept, one in there
            if kept.checksum == one.checksum and one.source and one.source != kept.source
        }
        renamed.append(store.move(moved))
        overwritten.update(file_of(kept.source) for kept, one in changed if _is_of_another(kept, one))
        added, replaced = added + len(new), replaced + len(changed)
        unchanged += len(there) - len(changed)
        yield AddReport(added, replaced, unchanged, tuple(skipped), dict(overwritten))


def _is_of_another(kept: Known, document: Prepared) -> bool:
    """Whether a document comes from another file than the one it replaces; False if a source is unknown."""
    return bool(kept.source and document.source) and file_of(kept.source) != file_of(document.source)


def _ready_ones(batch: list[Document | Skipped], seen: set[str], skipped: list[Skipped]) -> Iterator[Prepared]:
    for item in batch:
        if isinstance(item, Skipped):
            skipped.append(item)
            continue
        if not isinstance(item, Document):
            raise InputError(
                f"a collection takes Document(id, text, …), not {type(item).__name__}; see satchel.importing"
            )
        found = _ready(item, seen)
        if isinstance(found, Skipped):
            skipped.append(found)
        else:
            seen.add(item.id)
            yield found


def _ready(given: Document, seen: set[str]) -> Prepared | Skipped:
    where = given.source or repr(given.id)
    if not isinstance(given.id, str) or not given.id or not is_unicode(given.id):
        return Skipped(where, f"its id {given.id!r} cannot be written as UTF-8 text")
    if given.id in seen:
        return Skipped(where, f"the id {given.id!r} came twice; the first document was kept; use a prefix to keep both")
    if not all(isinstance(part, str) for part in (given.text, given.title)):
        return Skipped(where, "its text or title is not a string")
    if not _is_mapping(given.fields):
        return Skipped(where, "its fields are not a mapping of names to values")
    wrong = next((name for name, value in given.fields.items() if not _is_field(name, value)), None)
    if wrong is not None:
        return Skipped(where, f"its field {wrong!r} is not a string, a number, true or false, or a list of strings")
    title, text, source = writable(given.title), writable(given.text), writable(str(given.source or ""))
    fields = json.dumps(dict(given.fields), ensure_ascii=False, sort_keys=True, allow_nan=False)
    return Prepared(0, given.id, title, text, fields, source, checksum_of(given.id, title, text, fields))


def _is_mapping(fields: object) -> bool:
    return isinstance(fields, Mapping)


def _is_field(name: object, value: object) -> bool:
    if not isinstance(name, str) or not is_unicode(name):
        return False
    if isinstance(value, list | tuple):
        return all(isinstance(one, str) and is_unicode(one) for one in value)
    if isinstance(value, str):
        return is_unicode(value)
    return isinstance(value, int | float) and math.isfinite(value) and abs(value) < 2**63
