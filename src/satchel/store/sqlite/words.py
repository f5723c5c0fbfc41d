"""The index of words in the SQLite file: segments with their blocks, streams of words, and all words by number."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np

from satchel.store.index import (
    MOST_FIELDS,
    TOKENS_OF_SEGMENT,
    Block,
    NewSegment,
    PassageTable,
    Segment,
    SegmentBuilder,
    fingerprint,
    merged,
    to_merge,
)
from satchel.store.index.coding import Numbers
from satchel.store.indexed import FieldNumbers, indexed_values
from satchel.store.sqlite.connection import SqliteFile
from satchel.text import without_accents
from satchel.types import IntArray

_INSERT = "INSERT INTO postings (segment, stem, block) VALUES (?, ?, ?)"
_OF_SEGMENT = "SELECT stem, segment, block FROM postings WHERE segment = ? ORDER BY stem"
_STEM = itemgetter(0)
_AT_ONCE = 50_000
FIELDS_NOTE = "indexed fields"


def read_segments(file: SqliteFile, first: int = 0) -> list[Segment]:
    """All segments, or those from number `first` on."""
    found = []
    question = "SELECT segment, first, documents FROM segments WHERE segment >= ? ORDER BY segment"
    for number, begin, content in file.rows(question, first):
        documents, sizes = np.frombuffer(content, "<i4").reshape(2, -1)
        found.append(Segment(number, begin, documents, sizes))
    return found


def read_blocks(file: SqliteFile, stems: Sequence[str]) -> Iterator[tuple[str, int, Block]]:
    """The blocks of these stems in all segments, oldest first."""
    question = (
        "SELECT p.stem, p.segment, p.block FROM json_each(?) w CROSS JOIN segments s "
        "CROSS JOIN postings p ON p.segment = s.segment AND p.stem = w.value"
    )
    for stem, segment, content in file.run(question, json.dumps(stems)):
        yield stem, segment, Block.unpacked(content)


def read_streams(file: SqliteFile, numbers: Iterable[int]) -> dict[int, bytes]:
    """Document number -> its stream of words."""
    return dict(_chosen(file, "SELECT number, words FROM streams WHERE number IN", numbers))


def read_windows(file: SqliteFile, numbers: Iterable[int]) -> dict[int, Numbers]:
    """Document number -> the windows of its passages, (n_passages, 4), for documents that have several."""
    rows = _chosen(file, "SELECT number, passages FROM streams WHERE passages IS NOT NULL AND number IN", numbers)
    return {number: np.frombuffer(content, "<i4").reshape(-1, 4) for number, content in rows}


def _chosen(file: SqliteFile, question: str, numbers: Iterable[int]) -> list[Any]:
    return file.rows(f"{question} (SELECT value FROM json_each(?))", json.dumps(list(numbers)))


def words_of(file: SqliteFile, numbers: Iterable[int]) -> dict[int, str]:
    """Word number -> the word."""
    return dict(_chosen(file, "SELECT number, word FROM words WHERE number IN", numbers))


class WordNumbers:
    """Gives words their numbers in the file, and writes new words."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file
        self._known: dict[str, int] = {}

    def __call__(self, words: list[str], stems: list[str]) -> Numbers:
        last = int(self._file.value("SELECT coalesce(max(number), 0) FROM words")) or MOST_FIELDS - 1
        if len(self._known) < last - MOST_FIELDS + 1:  # some words of the file were not met yet
            self._look_up([word for word in words if word not in self._known])
        new = [(word, stem) for word, stem in zip(words, stems, strict=True) if word not in self._known]
        rows = []
        for number, (word, stem) in enumerate(new, start=last + 1):
            plain = word if word.isascii() else without_accents(word)
            rows.append((number, word, stem, None if plain == word else plain))
            self._known[word] = number
        self._file.run_many("INSERT INTO words (number, word, stem, folded) VALUES (?, ?, ?, ?)", rows)
        return np.fromiter(map(self._known.__getitem__, words), np.int32, len(words))

    def _look_up(self, words: list[str]) -> None:
        question = "SELECT word, number FROM words WHERE word IN (SELECT value FROM json_each(?))"
        for start in range(0, len(words), _AT_ONCE):
            self._known.update(self._file.rows(question, json.dumps(words[start : start + _AT_ONCE])))


def write_segment(file: SqliteFile, builder: SegmentBuilder, numbering: WordNumbers) -> None:
    """Adds the documents of the builder as the newest segment."""
    number = int(file.value("SELECT coalesce(max(segment), 0) + 1 FROM segments"))
    last = file.rows("SELECT first, length(documents) / 8 FROM segments ORDER BY segment DESC LIMIT 1")
    first = sum(last[0]) if last else 0
    new = builder.build(numbering, first)
    file.run_many(_INSERT, ((number, stem, content) for stem, content in new.packed()))
    file.run_many("INSERT OR REPLACE INTO streams (number, words, passages) VALUES (?, ?, ?)", _stream_rows(new))
    _list_segment(file, Segment(number, first, new.documents, new.sizes), len(new.entries.passages))


def _stream_rows(new: NewSegment) -> Iterator[tuple[int, bytes, bytes | None]]:
    for one in new.streams:
        yield one.document, one.words, None if one.passages is None else one.passages.tobytes()


def _list_segment(file: SqliteFile, segment: Segment, n_entries: int) -> None:
    content = np.stack([segment.documents, segment.sizes]).astype("<i4").tobytes()
    file.run(
        "INSERT INTO segments (segment, first, documents, n_postings) VALUES (?, ?, ?, ?)",
        segment.number,
        segment.first,
        content,
        n_entries,
    )


def merge_segments(file: SqliteFile) -> None:
    """Merges neighbouring segments until there are few; entries of passages that are not in force are dropped."""
    while pair := to_merge(dict(file.rows("SELECT segment, n_postings FROM segments"))):
        segments = {one.number: one for one in read_segments(file, pair[0])}
        older, newer = (segments[number] for number in pair)
        table = _table_since(file, list(segments.values()), older.first)
        written = list(_merged_rows(file, older, newer, table))
        file.run("DELETE FROM postings WHERE segment IN (?, ?)", *pair)
        file.run("DELETE FROM segments WHERE segment IN (?, ?)", *pair)
        file.run_many(_INSERT, ((newer.number, stem, block.packed()) for stem, block in written))
        n_entries = sum(len(block.passages) for _, block in written)
        _list_segment(file, _merged_segment(older, newer, table), n_entries)


def _table_since(file: SqliteFile, segments: list[Segment], first: int) -> PassageTable:
    """The passages of the segments from passage `first` on; older ones do not matter here."""
    listed = np.unique(np.concatenate([one.documents for one in segments]))
    question = "SELECT number FROM documents WHERE number IN (SELECT value FROM json_each(?))"
    there = file.rows(question, json.dumps(listed[listed >= 0].tolist()))
    return PassageTable(segments, np.array(there, np.int64).reshape(-1))


def _merged_segment(older: Segment, newer: Segment, table: PassageTable) -> Segment:
    """One segment of both; passages that are not in force belong to no document."""
    documents = np.concatenate([older.documents, newer.documents])
    sizes = np.concatenate([older.sizes, newer.sizes])
    alive = table.alive[older.first : older.first + len(documents)]
    return Segment(newer.number, older.first, np.where(alive, documents, -1), np.where(alive, sizes, 0))


def _merged_rows(file: SqliteFile, older: Segment, newer: Segment, table: PassageTable) -> Iterator[tuple[str, Block]]:
    both = (file.run(_OF_SEGMENT, one.number) for one in (older, newer))
    for stem, rows in groupby(heapq.merge(*both, key=_STEM), key=_STEM):
        parts = [(segment, Block.unpacked(content)) for _, segment, content in rows]
        block = merged(table.in_force(segment, part) for segment, part in parts)
        if block is not None:
            yield stem, block


def index_all(file: SqliteFile) -> None:
    """Indexes the words of all documents again."""
    for table in ("postings", "segments", "streams", "words"):
        file.run(f"DELETE FROM {table}")
    numbering = WordNumbers(file)
    for builder in _builders_of_all(file):
        write_segment(file, builder, numbering)
    merge_segments(file)


def index_is_whole(file: SqliteFile) -> bool:
    """Whether the index matches the texts of all documents: compares the sums of their fingerprints."""
    numbers = np.array(file.rows("SELECT number FROM documents"), np.int64).reshape(-1)
    segments = read_segments(file)
    table = PassageTable(segments, numbers)
    if table.missing or file.value("SELECT count(*) FROM streams") != len(numbers):
        return False
    kept = sum(_fingerprint_of(file, one.number, table) for one in segments)
    here = 0
    for builder in _builders_of_all(file):
        new = builder.build(_ThrownAway(), 0)
        places = _places_in_documents(new.documents)
        sizes = table.sizes[table.first[new.documents] + places]
        if not np.array_equal(sizes, new.sizes) or not _same_streams(file, new):
            return False
        owner = np.repeat(np.arange(len(new.stems)), np.diff(new.ends, prepend=0))
        keys = _keys(new.documents[new.entries.passages], places[new.entries.passages])
        here += fingerprint(new.stems, owner, keys, new.entries)
    return kept % 2**64 == here % 2**64


def _same_streams(file: SqliteFile, new: NewSegment) -> bool:
    """Whether the streams of these documents have the right number of words; their order is not compared."""
    kept = read_windows(file, [one.document for one in new.streams])
    return all(
        np.array_equal(kept.get(one.document, 0), 0 if one.passages is None else one.passages) for one in new.streams
    )


class _ThrownAway:
    """Numbers words for a segment that is only compared."""

    def __call__(self, words: list[str], stems: list[str]) -> Numbers:
        return np.arange(MOST_FIELDS, MOST_FIELDS + len(words), dtype=np.int32)


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
    cursor, total = file.run(_OF_SEGMENT, segment), 0
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


def _builders_of_all(file: SqliteFile) -> Iterator[SegmentBuilder]:
    """Builders with all documents, each small enough for memory."""
    builder, names = SegmentBuilder(), field_numbers(file)
    question = "SELECT number, id, title, text, fields, source FROM documents ORDER BY number"
    for number, id_, title, text, fields, source in file.run(question):
        builder.add(number, title, text, indexed_values(id_, source, json.loads(fields), names))
        if builder.n_tokens > TOKENS_OF_SEGMENT:
            yield builder
    write_field_numbers(file, names)
    if builder:
        yield builder


def field_numbers(file: SqliteFile) -> FieldNumbers:
    kept = file.value("SELECT value FROM meta WHERE name = ?", FIELDS_NOTE)
    return FieldNumbers(json.loads(kept) if kept else [])


def write_field_numbers(file: SqliteFile, names: FieldNumbers) -> None:
    if names.is_changed:
        file.run("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", FIELDS_NOTE, json.dumps(names.names))
        names.is_changed = False


def word_numbers(file: SqliteFile, tests: Mapping[str, object]) -> dict[int, str]:
    """Number -> stem of the words that meet one test: `word`, `stem` or `prefix`."""
    ((kind, value),) = tests.items()
    if kind == "stem":
        return dict(file.rows("SELECT number, stem FROM words WHERE stem = ?", value))
    if kind == "word":
        return dict(file.rows("SELECT number, stem FROM words WHERE word = ? OR folded = ?", value, value))
    end = f"{value}\U0010ffff"
    both = "SELECT number, stem FROM words WHERE word >= ?1 AND word < ?2 OR folded >= ?1 AND folded < ?2"
    return dict(file.rows(both, value, end))
