"""The index of words in the SQLite file: segments and their blocks as rows."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

import numpy as np

from satchel.store.sqlite.connection import SqliteFile
from satchel.store.words import (
    TOKENS_OF_SEGMENT,
    Block,
    NewSegment,
    Segment,
    SegmentBuilder,
    WordTable,
    fingerprint,
    joined,
    merged,
    to_merge,
)

_INSERT = "INSERT INTO postings (segment, stem, block) VALUES (?, ?, ?)"
_OF_SEGMENT = "SELECT stem, segment, block FROM postings WHERE segment = ? ORDER BY stem"
_STEM = itemgetter(0)
_AT_ONCE = 50_000


def read_segments(file: SqliteFile, first: int = 0) -> list[Segment]:
    """All segments, or those from number `first` on."""
    found = []
    for number, content in file.rows("SELECT segment, documents FROM segments WHERE segment >= ?", first):
        documents, sizes = np.frombuffer(content, "<i4").reshape(2, -1)
        found.append(Segment(number, documents, sizes))
    return found


def read_blocks(file: SqliteFile, stems: Sequence[str]) -> Iterator[tuple[str, int, Block]]:
    """The blocks of these stems in all segments."""
    question = (
        "SELECT p.stem, p.segment, p.block FROM json_each(?) w CROSS JOIN segments s "
        "CROSS JOIN postings p ON p.segment = s.segment AND p.stem = w.value"
    )
    for stem, segment, content in file.run(question, json.dumps(stems)):
        yield stem, segment, Block.unpacked(content)


def write_segment(file: SqliteFile, new: NewSegment) -> None:
    """Adds a segment as the newest one."""
    number = int(file.value("SELECT coalesce(max(segment), 0) + 1 FROM segments"))
    file.run_many(_INSERT, ((number, stem, content) for stem, content in new.packed()))
    _list_segment(file, Segment(number, new.documents, new.sizes), len(new.postings.numbers))


def _list_segment(file: SqliteFile, segment: Segment, n_postings: int) -> None:
    content = np.stack([segment.documents, segment.sizes]).astype("<i4").tobytes()
    file.run(
        "INSERT INTO segments (segment, documents, n_postings) VALUES (?, ?, ?)", segment.number, content, n_postings
    )


def merge_segments(file: SqliteFile) -> None:
    """Merges neighbouring segments until there are few; entries of removed or replaced documents are dropped."""
    while pair := to_merge(dict(file.rows("SELECT segment, n_postings FROM segments"))):
        segments = {one.number: one for one in read_segments(file, pair[0])}
        older, newer = (segments[number] for number in pair)
        listed = np.union1d(older.documents, newer.documents).tolist()
        there = file.rows(
            "SELECT number FROM documents WHERE number IN (SELECT value FROM json_each(?))", json.dumps(listed)
        )
        table = WordTable(list(segments.values()), np.array(there, np.int64).reshape(-1))
        written = list(_merged_rows(file, older, newer, table))
        file.run("DELETE FROM postings WHERE segment IN (?, ?)", *pair)
        file.run("DELETE FROM segments WHERE segment IN (?, ?)", *pair)
        file.run_many(_INSERT, written)
        _list_segment(file, _merged_segment(older, newer, table), sum(len(content) // 8 for *_, content in written))


def _merged_segment(older: Segment, newer: Segment, table: WordTable) -> Segment:
    """The documents that still belong to one of the two segments."""
    own = [(one, table.owned(one.number, one.documents)) for one in (older, newer)]
    documents = np.concatenate([one.documents[kept] for one, kept in own])
    sizes = np.concatenate([one.sizes[kept] for one, kept in own])
    order = np.argsort(documents, kind="stable")
    return Segment(newer.number, documents[order], sizes[order])


def _merged_rows(
    file: SqliteFile, older: Segment, newer: Segment, table: WordTable
) -> Iterator[tuple[int, str, bytes]]:
    """Merges the rows of two segments. Blocks are not unpacked if nothing is dropped and all numbers are in order."""
    both = (file.run(_OF_SEGMENT, one.number) for one in (older, newer))
    follow = older.documents.max(initial=-1) < newer.documents.min(initial=2**31 - 1)
    as_they_are = follow and {older.number, newer.number} <= table.whole
    for stem, rows in groupby(heapq.merge(*both, key=_STEM), key=_STEM):
        parts = [(segment, content) for _, segment, content in rows]
        if as_they_are:
            content = parts[0][1] if len(parts) == 1 else joined(parts[0][1], parts[1][1])
        else:
            content = merged(table.in_force(segment, Block.unpacked(part)) for segment, part in parts).packed()
        if content:
            yield newer.number, stem, content


def index_all(file: SqliteFile) -> None:
    """Indexes the words of all documents again."""
    file.run("DELETE FROM postings")
    file.run("DELETE FROM segments")
    for new in _segments_of_all(file):
        write_segment(file, new)
    merge_segments(file)


def index_is_whole(file: SqliteFile) -> bool:
    """Whether the index matches the texts of all documents: compares the sums of their fingerprints."""
    numbers = np.array(file.rows("SELECT number FROM documents"), np.int64).reshape(-1)
    segments = read_segments(file)
    table = WordTable(segments, numbers)
    if table.missing or file.value("SELECT 1 FROM postings WHERE length(block) % 8 LIMIT 1"):
        return False
    kept = sum(_fingerprint_of(file, one.number, table) for one in segments)
    here = 0
    for new in _segments_of_all(file):
        if not np.array_equal(table.sizes[new.documents], new.sizes):
            return False
        here += fingerprint(new.stems, np.repeat(np.arange(len(new.stems)), np.diff(new.ends, prepend=0)), new.postings)
    return kept % 2**64 == here % 2**64


def _fingerprint_of(file: SqliteFile, segment: int, table: WordTable) -> int:
    """The fingerprint of a segment's entries for documents that belong to it now."""
    cursor, total = file.run(_OF_SEGMENT, segment), 0
    while rows := cursor.fetchmany(_AT_ONCE):
        contents = [content for *_, content in rows]
        lengths = [len(content) // 8 for content in contents]
        numbers = b"".join([content[: 4 * n] for content, n in zip(contents, lengths, strict=True)])
        text = b"".join([content[4 * n : 6 * n] for content, n in zip(contents, lengths, strict=True)])
        title = b"".join([content[6 * n :] for content, n in zip(contents, lengths, strict=True)])
        block = Block.unpacked(numbers + text + title)
        owned = table.owned(segment, block.numbers)
        owner = np.repeat(np.arange(len(rows)), lengths)[owned]
        total += fingerprint([stem for stem, *_ in rows], owner, block.of(owned))
    return total


def _segments_of_all(file: SqliteFile) -> Iterator[NewSegment]:
    """Builds segments for all documents, each small enough for memory."""
    builder = SegmentBuilder()
    for number, title, text in file.run("SELECT number, title, text FROM documents ORDER BY number"):
        builder.add(number, title, text)
        if builder.n_tokens > TOKENS_OF_SEGMENT:
            yield builder.build()
    if builder:
        yield builder.build()
