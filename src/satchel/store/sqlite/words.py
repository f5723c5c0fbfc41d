"""The index of words in the file: segments and their blocks as rows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby

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
    merged,
    to_merge,
)
from satchel.types import IntArray

_INSERT = "INSERT INTO postings (segment, stem, block) VALUES (?, ?, ?)"


def read_segments(file: SqliteFile, first: int = 0) -> list[Segment]:
    """All segments, or those from one on."""
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
    """Adds a segment, the newest one."""
    number = int(file.value("SELECT coalesce(max(segment), 0) + 1 FROM segments"))
    n_postings = 0

    def rows() -> Iterator[tuple[int, str, bytes]]:
        nonlocal n_postings
        for stem, block in new.blocks:
            n_postings += len(block.numbers)
            yield number, stem, block.packed()

    file.run_many(_INSERT, rows())
    content = np.stack([new.documents, new.sizes]).astype("<i4").tobytes()
    file.run("INSERT INTO segments (segment, documents, n_postings) VALUES (?, ?, ?)", number, content, n_postings)


def merge_segments(file: SqliteFile) -> None:
    """Merges neighbours until there are few; what is no longer in force is left out."""
    while pair := to_merge(dict(file.rows("SELECT segment, n_postings FROM segments"))):
        segments = {one.number: one for one in read_segments(file, pair[0])}  # what is older has no say in what is here
        table, last = WordTable(list(segments.values()), _those_here(file, [segments[one] for one in pair])), pair[-1]
        owned = [table.owned(number, segments[number].documents) for number in pair]
        documents = np.concatenate([segments[number].documents[own] for number, own in zip(pair, owned, strict=True)])
        sizes = np.concatenate([segments[number].sizes[own] for number, own in zip(pair, owned, strict=True)])
        order = np.argsort(documents, kind="stable")
        rows = file.rows(
            "SELECT stem, segment, block FROM postings WHERE segment IN (?, ?) ORDER BY stem, segment", *pair
        )
        file.run("DELETE FROM postings WHERE segment IN (?, ?)", *pair)
        file.run("DELETE FROM segments WHERE segment IN (?, ?)", *pair)
        n_postings = 0
        written = []
        for stem, own_rows in groupby(rows, key=lambda row: str(row[0])):
            block = merged(table.in_force(segment, Block.unpacked(content)) for _, segment, content in own_rows)
            if len(block.numbers):
                written.append((last, stem, block.packed()))
                n_postings += len(block.numbers)
        file.run_many(_INSERT, written)
        content = np.stack([documents[order], sizes[order]]).astype("<i4").tobytes()
        file.run("INSERT INTO segments (segment, documents, n_postings) VALUES (?, ?, ?)", last, content, n_postings)


def _those_here(file: SqliteFile, segments: Sequence[Segment]) -> IntArray:
    """The numbers of the documents in these segments that were not removed."""
    listed = np.unique(np.concatenate([one.documents for one in segments]))
    question = "SELECT number FROM documents WHERE number IN (SELECT value FROM json_each(?))"
    return np.array(file.rows(question, json.dumps(listed.tolist())), np.int64).reshape(-1)


def index_all(file: SqliteFile) -> None:
    """Indexes the words of all documents anew."""
    file.run("DELETE FROM postings")
    file.run("DELETE FROM segments")
    for new in _segments_of_all(file):
        write_segment(file, new)
    merge_segments(file)


def index_is_whole(file: SqliteFile) -> bool:
    """Whether the index says of all documents what their texts say: the sums of both fingerprints are the same."""
    numbers = np.array(file.rows("SELECT number FROM documents"), np.int64).reshape(-1)
    table = WordTable(read_segments(file), numbers)
    if table.missing:
        return False
    kept = here = 0
    for stem, segment, content in file.run("SELECT stem, segment, block FROM postings"):
        if len(content) % 8:
            return False
        kept += fingerprint(stem, table.in_force(segment, Block.unpacked(content)))
    for new in _segments_of_all(file):
        if not np.array_equal(table.sizes[new.documents], new.sizes):
            return False
        here += sum(fingerprint(stem, block) for stem, block in new.blocks)
    return kept % 2**64 == here % 2**64


def _segments_of_all(file: SqliteFile) -> Iterator[NewSegment]:
    """The words of all documents, so many at a time as memory should hold."""
    builder = SegmentBuilder()
    for number, title, text in file.run("SELECT number, title, text FROM documents ORDER BY number"):
        builder.add(number, title, text)
        if builder.n_tokens > TOKENS_OF_SEGMENT:
            yield builder.build()
    if builder:
        yield builder.build()
