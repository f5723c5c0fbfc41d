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
    merged,
    to_merge,
)
from satchel.store.index.coding import Numbers, part_of_stream
from satchel.store.indexed import FieldNumbers, indexed_values
from satchel.store.sqlite.connection import SqliteFile
from satchel.text import without_accents

_INSERT = "INSERT INTO postings (segment, stem, block) VALUES (?, ?, ?)"
_INSERT_STREAM = (  # a document may have been removed in the transaction that added it
    "INSERT OR REPLACE INTO streams (number, words, passages) "
    "SELECT ?1, ?2, ?3 WHERE ?1 IN (SELECT number FROM documents)"
)
OF_SEGMENT = "SELECT stem, segment, block FROM postings WHERE segment = ? ORDER BY stem"
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


def read_words(file: SqliteFile, words: Sequence[str]) -> Iterator[tuple[str, int, str, str | None]]:
    """Those of these words that are in the file, each with its number, its stem and its form without accents."""
    for start in range(0, len(words), _AT_ONCE):
        some = json.dumps(words[start : start + _AT_ONCE])
        question = "SELECT word, number, stem, folded FROM words WHERE word IN (SELECT value FROM json_each(?))"
        yield from file.run(question, some)


def read_some_windows(file: SqliteFile, passages: Mapping[int, int]) -> dict[int, list[int]]:
    """Document number -> the window of one of its passages, by place, for documents that have several."""
    question = (
        "SELECT number, substr(passages, 1 + 16 * (w.value ->> 1), 16) FROM json_each(?) w "
        "JOIN streams ON number = w.value ->> 0 WHERE passages IS NOT NULL"
    )
    rows = file.rows(question, json.dumps(list(passages.items())))
    return {number: np.frombuffer(content, "<i4").tolist() for number, content in rows}


def read_parts(file: SqliteFile, parts: Mapping[int, tuple[int, int]]) -> dict[int, Numbers]:
    """Document number -> some words of its text; for documents that have several passages."""
    question = (
        "SELECT number, substr(words, 1 + (w.value ->> 1), w.value ->> 2) FROM json_each(?) w "
        "JOIN streams ON number = w.value ->> 0"
    )
    wanted = [(number, *part_of_stream(start, stop)) for number, (start, stop) in parts.items()]
    return {number: np.frombuffer(content, "<i4") for number, content in file.rows(question, json.dumps(wanted))}


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
            missing = [word for word in words if word not in self._known]
            self._known.update((word, number) for word, number, *_ in read_words(self._file, missing))
        new = [(word, stem) for word, stem in zip(words, stems, strict=True) if word not in self._known]
        rows = []
        for number, (word, stem) in enumerate(new, start=last + 1):
            rows.append((number, word, stem, plain_form(word)))
            self._known[word] = number
        self._file.run_many("INSERT INTO words (number, word, stem, folded) VALUES (?, ?, ?, ?)", rows)
        return np.fromiter(map(self._known.__getitem__, words), np.int32, len(words))


def plain_form(word: str) -> str | None:
    """The word without accents; None if that is the word itself."""
    plain = word if word.isascii() else without_accents(word)
    return None if plain == word else plain


def write_segment(file: SqliteFile, builder: SegmentBuilder, numbering: WordNumbers) -> None:
    """Adds the documents of the builder as the newest segment."""
    number = int(file.value("SELECT coalesce(max(segment), 0) + 1 FROM segments"))
    last = file.rows("SELECT first, length(documents) / 8 FROM segments ORDER BY segment DESC LIMIT 1")
    first = sum(last[0]) if last else 0
    new = builder.build(numbering, first)
    file.run_many(_INSERT, ((number, stem, content) for stem, content in new.packed()))
    file.run_many(_INSERT_STREAM, stream_rows(new))
    _list_segment(file, Segment(number, first, new.documents, new.sizes), len(new.entries.passages))


def stream_rows(new: NewSegment) -> Iterator[tuple[int, bytes, bytes | None]]:
    """The rows of streams."""
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
    both = (file.run(OF_SEGMENT, one.number) for one in (older, newer))
    for stem, rows in groupby(heapq.merge(*both, key=_STEM), key=_STEM):
        parts = [(segment, Block.unpacked(content)) for _, segment, content in rows]
        block = merged(table.in_force(segment, part) for segment, part in parts)
        if block is not None:
            yield stem, block


def index_all(file: SqliteFile) -> None:
    """Indexes the words of all documents again."""
    for table in ("postings", "segments", "streams", "words"):
        file.run(f"DELETE FROM {table}")
    numbering, names = WordNumbers(file), field_numbers(file)
    for builder in builders_of_all(file, names):
        write_segment(file, builder, numbering)
    write_field_numbers(file, names)
    merge_segments(file)


def builders_of_all(file: SqliteFile, names: FieldNumbers) -> Iterator[SegmentBuilder]:
    """Builders with all documents, each small enough for memory."""
    builder = SegmentBuilder()
    question = "SELECT number, id, title, text, fields, source FROM documents ORDER BY number"
    for number, id_, title, text, fields, source in file.run(question):
        builder.add(number, title, text, indexed_values(id_, source, json.loads(fields), names))
        if builder.n_tokens > TOKENS_OF_SEGMENT:
            yield builder
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
    """Number -> stem of the words that meet one test: `word`, `stems` or `prefix`."""
    ((kind, value),) = tests.items()
    if kind == "stems":
        question = "SELECT number, stem FROM words WHERE stem IN (SELECT value FROM json_each(?))"
        return dict(file.rows(question, json.dumps(value)))
    if kind == "word":
        return dict(file.rows("SELECT number, stem FROM words WHERE word = ? OR folded = ?", value, value))
    end = f"{value}\U0010ffff"
    both = "SELECT number, stem FROM words WHERE word >= ?1 AND word < ?2 OR folded >= ?1 AND folded < ?2"
    return dict(file.rows(both, value, end))
