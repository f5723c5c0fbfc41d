"""Documents in the file: taken in, replaced where they changed, taken out."""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from satchel.collection.checksum import checksum_of
from satchel.collection.file import CollectionFile, Row
from satchel.collection.sources import file_of
from satchel.errors import InputError
from satchel.importing.types import Document, Fields, FieldValue, Skipped
from satchel.text import title_first

BATCH = 500
"""Documents that are written together."""
COLUMNS = "number, id, title, text, fields, source, checksum, added, change"


class StoredDocument(NamedTuple):
    """A document as the collection holds it; `added`: when it first came, in seconds since 1970."""

    id: str
    text: str
    title: str
    fields: Fields
    source: str
    added: float


class Change(NamedTuple):
    """What adding changed: how many documents came, were replaced, were there already; what was left out.

    overwritten: file -> how many of its documents were replaced by those of another file.
    """

    added: int
    replaced: int
    unchanged: int
    skipped: tuple[Skipped, ...]
    overwritten: Mapping[str, int]


class _Ready(NamedTuple):
    """A document that can be written."""

    document: Document
    fields: str
    checksum: bytes


class _Kept(NamedTuple):
    """What is there under the id of a document that comes."""

    number: int
    checksum: bytes
    source: str


def store(file: CollectionFile, documents: Iterable[Document | Skipped], change: int) -> Iterator[Change]:
    """Writes documents, and yields what was done after each batch.

    A document whose id is there is replaced if anything of it differs, and left alone if not, but for its source. Of
    two with one id in the same call the first is taken.
    """
    overwritten: Counter[str] = Counter()
    added = replaced = unchanged = 0
    skipped: list[Skipped] = []
    seen: set[str] = set()
    items = iter(documents)
    while batch := list(islice(items, BATCH)):
        ready = list(_ready_ones(batch, seen, skipped))
        known = _known(file, [one.document.id for one in ready])
        new = [one for one in ready if one.document.id not in known]
        there = [(known[one.document.id], one) for one in ready if one.document.id in known]
        changed = [(kept, one) for kept, one in there if kept.checksum != one.checksum]
        _insert(file, new, change)
        _replace(file, [(kept.number, one) for kept, one in changed], change)
        _move(file, [(kept, one.document.source) for kept, one in there if kept.checksum == one.checksum])
        overwritten.update(file_of(kept.source) for kept, one in changed if _is_of_another(kept, one.document))
        added, replaced = added + len(new), replaced + len(changed)
        unchanged += len(there) - len(changed)
        yield Change(added, replaced, unchanged, tuple(skipped), dict(overwritten))


def _is_of_another(kept: _Kept, document: Document) -> bool:
    """Whether a document comes from another file than the one that it replaces; not where nobody knows."""
    return bool(kept.source and document.source) and file_of(kept.source) != file_of(document.source)


def remove(file: CollectionFile, ids: Sequence[str]) -> int:
    """Takes documents out, with their fields, vectors and places in the index; -> how many were there."""
    gone = 0
    for id_ in ids:
        gone += file.run("DELETE FROM documents WHERE id = ?", id_).rowcount
    return gone


def read_document(row: Row) -> StoredDocument:
    """A document from a row of `COLUMNS`."""
    return StoredDocument(row[1], row[3], row[2], json.loads(row[4]), row[5], row[7])


def encoded_text(title: str, text: str) -> str:
    """What a model reads of a document: the title, then the text."""
    return title_first(title, text)


def _ready_ones(batch: list[Document | Skipped], seen: set[str], skipped: list[Skipped]) -> Iterator[_Ready]:
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


def _ready(given: Document, seen: set[str]) -> _Ready | Skipped:
    where = given.source or repr(given.id)
    if not isinstance(given.id, str) or not given.id or not is_unicode(given.id):
        return Skipped(where, f"its id {given.id!r} is not a text that can be written")
    if given.id in seen:
        return Skipped(where, f"the id {given.id!r} came twice; the first document is kept, a prefix keeps both")
    if not all(isinstance(part, str) for part in (given.text, given.title)):
        return Skipped(where, "its text or title is not a string")
    if not _is_mapping(given.fields):
        return Skipped(where, "its fields are not a mapping of names to values")
    wrong = next((name for name, value in given.fields.items() if not _is_field(name, value)), None)
    if wrong is not None:
        return Skipped(where, f"its field {wrong!r} is not a string, a number, true or false, or a list of strings")
    clean = Document(
        given.id, writable(given.text), writable(given.title), dict(given.fields), writable(str(given.source or ""))
    )
    fields = json.dumps(clean.fields, ensure_ascii=False, sort_keys=True, allow_nan=False)
    return _Ready(clean, fields, checksum_of(clean.id, clean.title, clean.text, fields))


def ids_of(name: str, given: Iterable[str]) -> tuple[str, ...]:
    """Ids that were given as an argument; the error for what is no list of them."""
    if isinstance(given, str):
        raise InputError(f"{name} must be a list of ids, not one string: [{given!r}]")
    ids = tuple(given) if isinstance(given, Iterable) else ()
    if not isinstance(given, Iterable) or not all(isinstance(id_, str) for id_ in ids):
        raise InputError(f"{name} is {given!r}; expected a list of ids, such as ['a.pdf']")
    return ids


def is_unicode(text: str) -> bool:
    """Whether it can be written as UTF-8: not where it holds half of a sign."""
    return text.isascii() or text.encode("utf-8", "replace").decode() == text


def writable(text: str) -> str:
    """Without what cannot be written as UTF-8, and without NUL, at which SQLite's own functions stop."""
    if not is_unicode(text):
        text = text.encode("utf-8", "replace").decode()
    return text.replace("\0", " ") if "\0" in text else text


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


def _known(file: CollectionFile, ids: list[str]) -> dict[str, _Kept]:
    question = "SELECT id, number, checksum, source FROM documents WHERE id IN (SELECT value FROM json_each(?))"
    return {row[0]: _Kept(*row[1:]) for row in file.rows(question, json.dumps(ids))}


def _insert(file: CollectionFile, new: list[_Ready], change: int) -> None:
    first = int(file.value("SELECT coalesce(max(number), 0) FROM documents")) + 1
    now = time.time()
    file.run_many(
        f"INSERT INTO documents ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (number, one.id, one.title, one.text, fields, one.source, checksum, now, change)
            for number, (one, fields, checksum) in enumerate(new, first)
        ),
    )
    write_fields(file, [(number, one.document.fields) for number, one in enumerate(new, first)])


def _replace(file: CollectionFile, changed: list[tuple[int, _Ready]], change: int) -> None:
    file.run_many(
        "UPDATE documents SET title = ?, text = ?, fields = ?, source = ?, checksum = ?, change = ? WHERE number = ?",
        (
            (one.title, one.text, fields, one.source, checksum, change, number)
            for number, (one, fields, checksum) in changed
        ),
    )
    numbers = [(number,) for number, _ in changed]
    file.run_many("DELETE FROM fields WHERE number = ?", numbers)
    file.run_many("DELETE FROM vectors WHERE number = ?", numbers)
    write_fields(file, [(number, one.document.fields) for number, one in changed])


def _move(file: CollectionFile, unchanged: list[tuple[_Kept, str]]) -> None:
    """Documents that did not change are found where they were read last."""
    moved = [(source, kept.number) for kept, source in unchanged if source and source != kept.source]
    file.run_many("UPDATE documents SET source = ? WHERE number = ?", moved)


def write_fields(file: CollectionFile, owned: list[tuple[int, Fields]]) -> None:
    """Files the fields of documents, by their numbers, to filter by."""
    file.run_many(
        "INSERT INTO fields (number, name, value, amount) VALUES (?, ?, ?, ?)",
        (
            (number, name, one, amount_of(one))
            for number, fields in owned
            for name, value in fields.items()
            for one in (dict.fromkeys(value) if isinstance(value, list | tuple) else (value,))
        ),
    )


def amount_of(value: FieldValue) -> float | None:
    """The value as a number, where it is one or reads like one ("2019")."""
    if isinstance(value, list):
        return None
    try:
        amount = float(value)
    except ValueError:
        return None
    return amount if math.isfinite(amount) else None
