"""Whether all that is in a collection's file fits together."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np

from satchel.collection.checksum import checksum_of
from satchel.collection.documents import encoded_text
from satchel.collection.failures import in_plain_words
from satchel.collection.file import CollectionFile
from satchel.collection.model_files import load_model, model_number
from satchel.collection.vectors import encoded
from satchel.errors import CollectionError, SatchelError

Check: TypeAlias = Callable[[CollectionFile], Iterator[str]]
SAMPLE = 100
"""Documents that are encoded again and compared with the vectors kept."""
CURE = "`satchel check --repair` encodes them anew"
NEAR = 1e-4
"""How far numbers may be apart that another machine computed, in lengths of the vector."""


def find_damage(file: CollectionFile) -> list[str]:
    """A sentence for each thing that is wrong; none where all is well. Reads the whole file."""
    found: list[str] = []
    for name, look in CHECKS.items():
        found += findings_of(file, look)
        if found and name == "pages":
            break  # what stands in damaged pages is no evidence of anything
    return found


def findings_of(file: CollectionFile, look: Check) -> list[str]:
    """What one check finds, and what stops it."""
    try:
        return list(look(file))
    except sqlite3.Error as error:
        return [str(in_plain_words(file.path, error))]
    except CollectionError as error:
        return [str(error)]


def _pages(file: CollectionFile) -> Iterator[str]:
    for (line,) in file.rows("PRAGMA integrity_check"):
        if line != "ok":
            yield f"the pages of the file do not fit together: {' '.join(line.split())}"


def _references(file: CollectionFile) -> Iterator[str]:
    for table, *_ in file.rows("PRAGMA foreign_key_check"):
        yield f"a row of {table} belongs to a document that is not there"


def _words(file: CollectionFile) -> Iterator[str]:
    """FTS5 compares its index with the documents itself, where the file can be written now; else counts are."""
    indexed, there = (int(file.value(f"SELECT count(*) FROM {name}")) for name in ("lexical_docsize", "documents"))
    if indexed != there:
        yield f"the index of words holds {indexed:,} documents where the collection holds {there:,}"
    elif not file.read_only:
        try:
            file.run("INSERT INTO lexical (lexical, rank) VALUES ('integrity-check', 1)")
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorname.startswith("SQLITE_CORRUPT"):
                yield f"the index of words is not that of the documents: {error}"
            elif not error.sqlite_errorname.startswith("SQLITE_BUSY"):  # another one writes: counts must do
                raise


def _checksums(file: CollectionFile) -> Iterator[str]:
    for *parts, checksum in file.run("SELECT id, title, text, fields, checksum FROM documents"):
        if checksum_of(*parts) != checksum:
            yield f"the document {parts[0]!r} is not as it was when it was added"


def _fields(file: CollectionFile) -> Iterator[str]:
    filed = int(file.value("SELECT count(*) FROM fields"))
    there = sum(
        len(dict.fromkeys(value)) if isinstance(value, list) else 1
        for (fields,) in file.run("SELECT fields FROM documents WHERE fields <> '{}'")
        for value in json.loads(fields).values()
    )
    if filed != there:
        yield f"filters know {filed:,} values of fields where documents hold {there:,}"


def _vectors(file: CollectionFile) -> Iterator[str]:
    n_documents, n_vectors = (int(file.value(f"SELECT count(*) FROM {name}")) for name in ("documents", "vectors"))
    if not model_number(file):
        if n_vectors:
            yield f"there are {n_vectors:,} vectors but no model"
        return
    if n_vectors != n_documents:
        yield f"{n_vectors:,} documents have vectors where there are {n_documents:,}; {CURE}"
    try:
        encoder = load_model(file)
    except SatchelError as error:
        yield f"the model cannot be read: {error}"
        return
    if encoder is None:
        yield "the model is missing"
        return
    sizes = [size for (size,) in file.rows("SELECT DISTINCT length(vector) FROM vectors")]
    n_features = encoder.transform([""]).shape[1]
    if sizes not in ([], [4 * n_features]):
        yield f"vectors have {sizes} bytes where the model's have {4 * n_features}"
        return
    step = max(1, n_documents // SAMPLE)
    question = "SELECT id, title, text, vector FROM documents JOIN vectors USING (number) WHERE number % ? = 0"
    for id_, title, text, vector in file.run(question, step):
        kept, again = np.frombuffer(vector, "<f4"), encoded(encoder, [encoded_text(title, text)])[0]
        if not np.abs(kept - again).max(initial=0) <= NEAR * max(1.0, float(np.abs(again).max(initial=0))):
            yield f"the vector of the document {id_!r} is not that of its text; {CURE}"


CHECKS: dict[str, Check] = {
    "pages": _pages,
    "references": _references,
    "checksums": _checksums,
    "fields": _fields,
    "vectors": _vectors,
    "words": _words,
}
"""What is looked at, in this order: words last, for from then on no other program can write until the check ends."""
