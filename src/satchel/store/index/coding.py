"""How postings and streams of words are packed into bytes, many at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from satchel.types import IntArray

Bytes: TypeAlias = NDArray[np.uint8]
Numbers: TypeAlias = NDArray[np.int32]
MOST_COUNT = 255
_HEAD = 5
_WIDTHS = ("<u1", "<u2", "<u4")
_WITH_FIELDS, _WITH_COUNTS = 4, 8
_ESCAPE, _LOW_BITS = 0xE000, 15
_PLAIN = bytes(4)
MOST_NUMBER = _ESCAPE + (1 << 28) - 1
"""The highest number of a word."""


class Block(NamedTuple):
    """Where one stem stands: passages, ascending, with the field and the count of each entry, (n_entries,) each.

    A passage has an entry for each field that holds the stem.
    """

    passages: Numbers
    fields: Bytes
    counts: Bytes

    def of(self, kept: NDArray[np.bool_] | slice) -> Block:
        return Block(self.passages[kept], self.fields[kept], self.counts[kept])

    def packed(self) -> bytes:
        return next(packed_blocks(self, np.array([len(self.passages)], np.int64)))

    @classmethod
    def unpacked(cls, content: bytes) -> Block:
        """The block that `packed_blocks` wrote."""
        head = content[0]
        width = 1 << (head & 3)
        with_fields, with_counts = bool(head & _WITH_FIELDS), bool(head & _WITH_COUNTS)
        n = (len(content) - _HEAD) // (width + with_fields + with_counts)
        passages = np.frombuffer(content, _WIDTHS[head & 3], n, _HEAD).cumsum(dtype=np.int32)
        passages += np.frombuffer(content, "<i4", 1, 1)
        place = _HEAD + n * width
        fields = np.frombuffer(content, np.uint8, n, place) if with_fields else np.zeros(n, np.uint8)
        counts = np.frombuffer(content, np.uint8, n, place + n * with_fields) if with_counts else np.ones(n, np.uint8)
        return cls(passages, fields, counts)


def packed_blocks(entries: Block, ends: IntArray) -> Iterator[bytes]:
    """The blocks of many stems as bytes; entries: of all stems, one stem after the other; ends: where each stem ends.

    A head byte (width of the steps, whether fields and counts follow), the first passage, then the steps from passage
    to passage in one, two or four bytes each, the fields unless all are 0, and the counts unless all are 1.
    """
    if not len(ends):
        return
    starts = np.concatenate([np.zeros(1, np.int64), ends[:-1]])
    steps = np.diff(entries.passages, prepend=0)
    firsts = entries.passages[starts].astype("<i4")
    steps[starts] = 0
    largest = np.maximum.reduceat(steps, starts)
    kinds = (largest > 0xFF).astype(np.uint8) + (largest > 0xFFFF)
    with_fields = np.maximum.reduceat(entries.fields, starts) > 0
    with_counts = np.maximum.reduceat(entries.counts, starts) > 1
    heads = (kinds + _WITH_FIELDS * with_fields + _WITH_COUNTS * with_counts).astype(np.uint8).tobytes()
    written = [steps.astype(width).tobytes() for width in _WIDTHS]
    first, fields, counts = firsts.tobytes(), entries.fields.tobytes(), entries.counts.tobytes()
    place = 0
    for number, (end, kind, has_fields, has_counts) in enumerate(
        zip(ends.tolist(), kinds.tolist(), with_fields.tolist(), with_counts.tolist(), strict=True)
    ):
        yield b"".join(
            (
                heads[number : number + 1],
                first[4 * number : 4 * number + 4],
                written[kind][place << kind : end << kind],
                fields[place:end] if has_fields else b"",
                counts[place:end] if has_counts else b"",
            )
        )
        place = end


def packed_streams(words: Numbers, ends: IntArray) -> Iterator[bytes]:
    """Streams of word numbers as bytes; words: of all streams, one after the other; ends: where each one ends.

    A number below 57,344 takes two bytes. A higher one takes four: its high part, marked by its three highest bits,
    then its low part.
    """
    if (largest := int(words.max(initial=0))) > MOST_NUMBER:
        raise OverflowError(f"the index can number words up to {MOST_NUMBER:,}, but not {largest:,}")
    is_high = words >= _ESCAPE
    rest = words[is_high].astype(np.int64) - _ESCAPE
    places = np.arange(len(words)) + np.cumsum(is_high) - is_high
    written = np.empty(len(words) + len(rest), "<u2")
    written[places] = np.where(is_high, 0, words)
    written[places[is_high]] = _ESCAPE + (rest >> _LOW_BITS)
    written[places[is_high] + 1] = rest & ((1 << _LOW_BITS) - 1)
    content = written.tobytes()
    n_high = np.concatenate([np.zeros(1, np.int64), np.cumsum(is_high)])
    stops = (2 * (ends + n_high[ends])).tolist()
    start = 0
    for stop in stops:
        yield content[start:stop]
        start = stop


def packed_plainly(words: Numbers) -> bytes:
    """A stream with four bytes a word, of which a part can be read by itself.

    It begins with two numbers of 0, which no stream of `packed_streams` does: after the mark of the text comes a word,
    or the mark of the title.
    """
    return words.astype("<i4").tobytes()


def part_of_stream(start: int, stop: int) -> tuple[int, int]:
    """Where some words of the text are in the bytes that `packed_plainly` gives: the first byte, and how many."""
    return 4 * (1 + start), 4 * (stop - start)


def unpacked_streams(contents: Sequence[bytes]) -> tuple[Numbers, IntArray]:
    """The word numbers of many streams, one after the other, and where each begins, (n_streams + 1,)."""
    plain = [place for place, content in enumerate(contents) if content[:4] == _PLAIN]
    if not plain:
        return _unpacked(contents)
    parts = list[Numbers]()
    before = 0
    for place in (*plain, len(contents)):
        words, starts = _unpacked(contents[before:place])
        parts += np.split(words, starts[1:-1]) if place > before else []
        parts += [np.frombuffer(contents[place], "<i4")] if place < len(contents) else []
        before = place + 1
    return np.concatenate(parts), np.cumsum([0, *map(len, parts)])


def _unpacked(contents: Sequence[bytes]) -> tuple[Numbers, IntArray]:
    written = np.frombuffer(b"".join(contents), "<u2")
    starts = np.cumsum([0, *(len(content) // 2 for content in contents)])
    words = written.astype(np.int32)
    high = np.flatnonzero(written >= _ESCAPE)
    if not len(high):
        return words, starts
    words[high] = ((words[high] - _ESCAPE) << _LOW_BITS) + words[high + 1] + _ESCAPE
    kept = np.ones(len(words), np.bool_)
    kept[high + 1] = False
    gone = np.concatenate([np.zeros(1, np.int64), np.cumsum(~kept)])
    return words[kept], starts - gone[starts]
