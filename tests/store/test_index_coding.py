"""Blocks of postings and streams of words as bytes: what is packed is unpacked unchanged."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from satchel.store.index import SegmentBuilder, fingerprint, merged
from satchel.store.index.coding import (
    MOST_NUMBER,
    Block,
    packed_blocks,
    packed_plainly,
    packed_streams,
    part_of_stream,
    unpacked_streams,
)
from satchel.store.index.segments import FILE, MOST_FIELDS, TEXT, TITLE
from satchel.text import windows

entries = st.tuples(st.integers(0, 2**31 - 1), st.integers(0, 255), st.integers(1, 255))
near = st.tuples(st.integers(0, 300), st.just(0), st.just(1))
blocks = st.lists(entries, min_size=1, max_size=20) | st.lists(near, min_size=1, max_size=20)
word_numbers = st.integers(0, 300) | st.integers(0xDFF0, 0xE010) | st.integers(0, MOST_NUMBER)


def as_block(rows: list[tuple[int, int, int]]) -> Block:
    passages, fields, counts = zip(*sorted(rows), strict=True)
    return Block(np.array(passages, np.int32), np.array(fields, np.uint8), np.array(counts, np.uint8))


def rows_of(block: Block) -> list[tuple[int, ...]]:
    return list(zip(*(column.tolist() for column in block), strict=True))


@given(st.lists(blocks, max_size=5))
def test_blocks_of_many_stems_are_unpacked_as_they_were(given: list[list[tuple[int, int, int]]]) -> None:
    own = [as_block(rows) for rows in given]
    empty = Block(np.empty(0, np.int32), np.empty(0, np.uint8), np.empty(0, np.uint8))
    every = Block(*(np.concatenate(columns) for columns in zip(empty, *own, strict=True)))
    contents = list(packed_blocks(every, np.cumsum([len(rows) for rows in given], dtype=np.int64)))
    assert [rows_of(Block.unpacked(content)) for content in contents] == [sorted(rows) for rows in given]
    assert contents == [block.packed() for block in own]


@pytest.mark.parametrize(("step", "width"), [(255, 1), (256, 2), (65_535, 2), (65_536, 4), (2**30, 4)])
def test_steps_take_as_many_bytes_as_the_largest_needs(step: int, width: int) -> None:
    block = as_block([(7, 0, 1), (7 + step, 0, 1)])
    assert len(block.packed()) == 5 + 2 * width
    assert rows_of(Block.unpacked(block.packed())) == rows_of(block)


streams = st.lists(st.lists(word_numbers, max_size=12).filter(lambda one: one[:2] != [0, 0]), max_size=6)


@given(streams, st.sets(st.integers(0, 5)))
def test_streams_with_four_bytes_a_word_are_unpacked_beside_others(given: list[list[int]], plain: set[int]) -> None:
    given = [[0, *one] if place in plain else one for place, one in enumerate(given)]
    packed = [np.array(one, np.int32) for one in given]
    contents = [
        packed_plainly(own) if place in plain else next(packed_streams(own, np.array([len(own)])))
        for place, own in enumerate(packed)
    ]
    found, starts = unpacked_streams(contents)
    assert [own.tolist() for own in np.split(found, starts[1:-1])][: len(given)] == given
    for one, content in zip(given, contents, strict=True):
        start, length = part_of_stream(0, 2)
        if content[:4] == bytes(4) and len(one) > 2:
            assert np.frombuffer(content[start : start + length], "<i4").tolist() == one[1:3]


@given(streams)
@example([[], [0xDFFF, 0xE000, MOST_NUMBER], []])
def test_streams_are_unpacked_as_they_were(given: list[list[int]]) -> None:
    words = np.array([word for stream in given for word in stream], np.int32)
    ends = np.cumsum([len(stream) for stream in given], dtype=np.int64)
    contents = list(packed_streams(words, ends))
    found, starts = unpacked_streams(contents)
    assert found.tolist() == words.tolist()
    assert starts.tolist() == [0, *ends.tolist()]
    for own, content in zip(given, contents, strict=True):
        assert unpacked_streams([content])[0].tolist() == own


def test_more_words_than_can_be_numbered_are_refused_and_not_written_wrong() -> None:
    with pytest.raises(OverflowError, match="268,492,800"):
        list(packed_streams(np.array([MOST_NUMBER + 1], np.int32), np.array([1])))


def test_blocks_are_merged_in_the_order_of_passages() -> None:
    one, other = as_block([(2, 0, 1), (3, 1, 2)]), as_block([(4, 0, 255)])
    none = one.of(np.zeros(2, np.bool_))
    both = merged([one, none, other])
    assert both is not None
    assert rows_of(both) == [(2, 0, 1), (3, 1, 2), (4, 0, 255)]
    assert merged([none]) is merged([]) is None


def numbered(words: list[str], stems: list[str]) -> np.ndarray:
    return np.arange(len(words), dtype=np.int32) + MOST_FIELDS


def test_a_builder_gives_stem_by_stem_what_it_took_document_by_document() -> None:
    builder = SegmentBuilder()
    assert not builder
    builder.add(7, "Moon", "moon rocks")
    builder.add(3, "", "")
    builder.add(5, "rock", "rock the rock", [(FILE, "rock"), (9, "the end"), (9, "the")])
    assert builder
    assert 7 in builder
    new = builder.build(numbered, 100)
    assert (new.documents.tolist(), new.sizes.tolist()) == ([7, 3, 5], [3, 0, 4])
    found = {stem: rows_of(block) for stem, block in new.blocks()}
    assert found == {
        "end": [(102, 9, 1)],
        "moon": [(100, TEXT, 1), (100, TITLE, 1)],
        "rock": [(100, TEXT, 1), (102, TEXT, 2), (102, TITLE, 1), (102, FILE, 1)],
        "the": [(102, TEXT, 1), (102, 9, 2)],
    }
    assert {stem: rows_of(Block.unpacked(content)) for stem, content in new.packed()} == found
    words, starts = unpacked_streams([one.words for one in new.streams])
    moon, rocks, rock, the, end = range(256, 261)
    streams = [words[start:stop].tolist() for start, stop in pairwise(starts.tolist())]
    assert streams == [
        [TEXT, moon, rocks, TITLE, moon],
        [TEXT, TITLE],
        [TEXT, rock, the, rock, TITLE, rock, FILE, rock, 9, the, end, 9, the],
    ]
    assert not builder
    assert 7 not in builder
    assert builder.n_tokens == 0


def test_documents_without_words_make_a_segment_without_stems() -> None:
    builder = SegmentBuilder()
    builder.add(1, "", "… !")
    new = builder.build(numbered, 0)
    assert (new.documents.tolist(), new.sizes.tolist(), new.stems) == ([1], [0], [])
    assert list(new.packed()) == list(new.blocks()) == []


def test_each_passage_of_a_long_document_has_its_words_and_those_of_the_title() -> None:
    builder = SegmentBuilder()
    text = " ".join(f"w{number}" for number in range(700))
    builder.add(4, "title", text)
    new = builder.build(numbered, 10)
    cuts = windows(700)
    assert new.documents.tolist() == [4] * len(cuts)
    assert new.sizes.tolist() == [stop - start + 1 for start, stop in cuts]
    found = dict(new.blocks())
    assert found["titl"].passages.tolist() == list(range(10, 10 + len(cuts)))
    for place in range(700):
        holding = [10 + number for number, (start, stop) in enumerate(cuts) if start <= place < stop]
        assert found[f"w{place}"].passages.tolist() == holding
    kept = new.streams[0].passages
    assert kept is not None
    assert kept[:, :2].tolist() == [list(cut) for cut in cuts]
    for start, stop, begin, end in kept.tolist():
        assert text[begin:end].split() == text.split()[start:stop]


def test_a_fingerprint_is_a_sum_that_any_change_changes() -> None:
    block = as_block([(1, 0, 1), (5, 3, 2)])
    others = [
        block._replace(passages=np.array([1, 6], np.int32)),
        block._replace(fields=np.array([3, 0], np.uint8)),
        block._replace(counts=np.array([2, 1], np.uint8)),
    ]

    def of(stem: str, own: Block) -> int:
        return fingerprint([stem], np.zeros(len(own.passages), np.int64), own.passages, own)

    parts = [block.of(np.array(kept)) for kept in ([True, False], [False, True])]
    assert sum(of("moon", part) for part in parts) % 2**64 == of("moon", block)
    assert len({of("moon", block), of("sun", block), *(of("moon", other) for other in others)}) == 5
