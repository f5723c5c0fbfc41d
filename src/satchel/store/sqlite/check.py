"""Checks whether a file is consistent, and rebuilds what can be computed from the documents."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np

from satchel.errors import CollectionError
from satchel.progress import Progress
from satchel.store.amounts import field_rows
from satchel.store.protocol import Encode
from satchel.store.rows import Finding, checksum_of
from satchel.store.sqlite.connection import SqliteFile, in_plain_words
from satchel.store.sqlite.words import index_all
from satchel.store.sqlite.words_check import index_is_whole
from satchel.text import title_first

Check: TypeAlias = Callable[[SqliteFile], Iterator[str]]
SAMPLE = 100
"""The number of documents that are encoded again and compared with their stored vectors."""
CURE = "`satchel check --repair` encodes them again"
NEAR = 1e-4
"""The largest accepted difference to vectors that another machine computed, relative to the vector's length."""
_WRONG_PASSAGES = """SELECT count(*) FROM vectors v
LEFT JOIN streams s USING (number) LEFT JOIN passage_vectors p USING (number)
WHERE coalesce(length(s.passages) / 16 * length(v.vector), 0) <> coalesce(length(p.vectors), 0)"""


class Repair(NamedTuple):
    """The repair for one check: what it does in words, and the function."""

    sentence: str
    make: Callable[[SqliteFile], None]


def find_damage(file: SqliteFile, encode: Encode | None) -> list[Finding]:
    """Lists what is wrong; empty if all is well. Reads the whole file."""
    found: list[Finding] = []
    for part, look in CHECKS.items():
        found += _findings(file, part, look)
        if found and part == "pages":
            return found  # damaged pages cannot be trusted, so the other checks would mean nothing
    return found + _findings(file, "vectors", lambda own: _vectors(own, encode))


def _findings(file: SqliteFile, part: str, look: Check) -> list[Finding]:
    """The findings of one check; an error that stops the check is one of them."""
    try:
        return [Finding(part, sentence) for sentence in look(file)]
    except sqlite3.Error as error:
        return [Finding(part, str(in_plain_words(file.path, error)))]
    except CollectionError as error:
        return [Finding(part, str(error))]


def repair(file: SqliteFile, parts: Iterable[str], on_progress: Progress) -> list[str]:
    """Rebuilds those of these parts that can be rebuilt; one sentence for each repair."""
    damaged, done = set(parts), list[str]()
    for part, (sentence, make) in REPAIRS.items():
        if part in damaged:
            on_progress(sentence, 0, 0)
            make(file)
            done.append(sentence)
    return done


def _pages(file: SqliteFile) -> Iterator[str]:
    for (line,) in file.rows("PRAGMA integrity_check"):
        if line != "ok":
            yield f"the pages of the file do not fit together: {' '.join(line.split())}"


def _references(file: SqliteFile) -> Iterator[str]:
    for table, *_ in file.rows("PRAGMA foreign_key_check"):
        yield f"a row of {table} belongs to a document that does not exist"


def _words(file: SqliteFile) -> Iterator[str]:
    if not index_is_whole(file):
        yield "the index of words does not match the documents"


def _checksums(file: SqliteFile) -> Iterator[str]:
    for *parts, checksum in file.run("SELECT id, title, text, fields, checksum FROM documents"):
        if checksum_of(*parts) != checksum:
            yield f"the document {parts[0]!r} has changed since it was added"


def _fields(file: SqliteFile) -> Iterator[str]:
    filed = int(file.value("SELECT count(*) FROM fields"))
    there = sum(
        len(list(field_rows(0, json.loads(fields))))
        for (fields,) in file.run("SELECT fields FROM documents WHERE fields <> '{}'")
    )
    if filed != there:
        yield f"the index of fields has {filed:,} values, but the documents have {there:,}"


def _vectors(file: SqliteFile, encode: Encode | None) -> Iterator[str]:
    n_documents, n_vectors = (int(file.value(f"SELECT count(*) FROM {name}")) for name in ("documents", "vectors"))
    if not int(file.value("SELECT value FROM meta WHERE name = 'model'") or 0):
        if n_vectors:
            yield f"there are {n_vectors:,} vectors but no model"
        return
    if n_vectors != n_documents:
        yield f"{n_vectors:,} of {n_documents:,} documents have vectors; {CURE}"
    if n_wrong := int(file.value(_WRONG_PASSAGES)):
        yield f"the passages of {n_wrong:,} document{'s' * (n_wrong > 1)} do not have one vector each; {CURE}"
    if encode is None:
        return
    sizes = [size for (size,) in file.rows("SELECT DISTINCT length(vector) FROM vectors")]
    n_features = encode([""]).shape[1]
    if sizes not in ([], [4 * n_features]):
        yield f"vectors have {sizes} bytes; the model's vectors have {4 * n_features}"
        return
    step = max(1, n_documents // SAMPLE)
    question = "SELECT id, title, text, vector FROM documents JOIN vectors USING (number) WHERE number % ? = 0"
    for id_, title, text, vector in file.run(question, step):
        kept, again = np.frombuffer(vector, "<f4"), encode([title_first(title, text)])[0]
        if not np.abs(kept - again).max(initial=0) <= NEAR * max(1.0, float(np.abs(again).max(initial=0))):
            yield f"the vector of the document {id_!r} does not match its text; {CURE}"


def _drop_strays(file: SqliteFile) -> None:
    for table in ("fields", "vectors", "streams", "passage_vectors"):
        file.run(f"DELETE FROM {table} WHERE number NOT IN (SELECT number FROM documents)")


def _file_fields(file: SqliteFile) -> None:
    file.run("DELETE FROM fields")
    rows = file.rows("SELECT number, fields FROM documents WHERE fields <> '{}'")
    owned = (row for number, fields in rows for row in field_rows(number, json.loads(fields)))
    file.run_many("INSERT INTO fields (number, name, value, amount) VALUES (?, ?, ?, ?)", owned)


CHECKS: dict[str, Check] = {
    "pages": _pages,
    "references": _references,
    "checksums": _checksums,
    "fields": _fields,
    "words": _words,
}
"""The checks, in this order."""
REPAIRS: dict[str, Repair] = {
    "references": Repair("drops fields, words and vectors of documents that do not exist", _drop_strays),
    "words": Repair("indexes the words of all documents again", index_all),
    "fields": Repair("indexes the fields of all documents again", _file_fields),
}
"""Name of the check -> its repair, in this order."""
