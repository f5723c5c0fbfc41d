"""Compares the index of words with the texts of all documents."""

from __future__ import annotations

import json

import numpy as np

from satchel.store.index import MOST_FIELDS, Block, NewSegment, PassageTable, fingerprint
from satchel.store.index.coding import Numbers
from satchel.store.sqlite.connection import SqliteFile
from satchel.store.sqlite.words import (
    OF_SEGMENT,
    builders_of_all,
    field_numbers,
    plain_form,
    read_segments,
    read_words,
    stream_rows,
)
from satchel.types import IntArray

_AT_ONCE = 50_000


def index_is_whole(file: SqliteFile) -> bool:
    """Whether the index matches the texts of all documents.

    Streams, words and passages are compared one by one, postings by the sum of their fingerprints.
    """
    try:
        return _is_whole(file)
    except (ValueError, IndexError, OverflowError, MemoryError):  # damaged so that it cannot be read
        return False


def _is_whole(file: SqliteFile) -> bool:
    numbers = np.array(file.rows("SELECT number FROM documents"), np.int64).reshape(-1)
    segments, names = read_segments(file), field_numbers(file)
    table = PassageTable(segments, numbers)
    if table.missing or file.value("SELECT count(*) FROM streams") != len(numbers):
        return False
    n_passages, here = 0, 0
    for builder in builders_of_all(file, names):
        kept = _KeptWords(file)
        new = builder.build(kept, 0)
        places = _places_in_documents(new.documents)
        sizes = table.sizes[table.first[new.documents] + places]
        if names.is_changed or not (kept.are_right and np.array_equal(sizes, new.sizes) and _same_streams(file, new)):
            return False
        n_passages += len(new.documents)
        owner = np.repeat(np.arange(len(new.stems)), np.diff(new.ends, prepend=0))
        keys = _keys(new.documents[new.entries.passages], places[new.entries.passages])
        here += fingerprint(new.stems, owner, keys, new.entries)
    found = sum(_fingerprint_of(file, one.number, table) for one in segments)
    return n_passages == table.n_passages and found % 2**64 == here % 2**64


def _same_streams(file: SqliteFile, new: NewSegment) -> bool:
    """Whether the words and windows of these documents are in the file as they should be."""
    numbers = json.dumps([one.document for one in new.streams])
    question = "SELECT number, words, passages FROM streams WHERE number IN (SELECT value FROM json_each(?))"
    return sorted(file.run(question, numbers)) == sorted(stream_rows(new))


class _KeptWords:
    """Gives words the numbers that they have in the file; `are_right`: whether all are there with the right stems."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file
        self.are_right = True

    def __call__(self, words: list[str], stems: list[str]) -> Numbers:
        found = {word: (number, stem, plain) for word, number, stem, plain in read_words(self._file, words)}
        kept = [found.get(word, (MOST_FIELDS, "", None)) for word in words]
        self.are_right = [row[1:] for row in kept] == [
            (stem, plain_form(word)) for word, stem in zip(words, stems, strict=True)
        ]
        return np.array([number for number, *_ in kept], np.int32)


def _places_in_documents(documents: Numbers) -> IntArray:
    """The place of each passage within its document; passages of a document follow each other."""
    begins = np.ones(len(documents), np.bool_)
    begins[1:] = documents[1:] != documents[:-1]
    starts = np.flatnonzero(begins)
    return np.arange(len(documents)) - np.repeat(starts, np.diff([*starts, len(documents)]))


def _keys(documents: Numbers, places: IntArray) -> IntArray:
    return documents.astype(np.int64) * (1 << 20) + places


def _fingerprint_of(file: SqliteFile, segment: int, table: PassageTable) -> int:
    """The fingerprint of a segment's entries for passages that are in force."""
    cursor, total = file.run(OF_SEGMENT, segment), 0
    while rows := cursor.fetchmany(_AT_ONCE):
        blocks = [Block.unpacked(content) for *_, content in rows]
        entries = Block(*(np.concatenate(columns) for columns in zip(*blocks, strict=True)))
        owner = np.repeat(np.arange(len(rows)), [len(block.passages) for block in blocks])
        kept = table.alive[entries.passages]
        own = entries.of(kept)
        documents = table.document[own.passages]
        keys = _keys(documents, own.passages - table.first[documents])
        total += fingerprint([stem for stem, *_ in rows], owner[kept], keys, own)
    return total
