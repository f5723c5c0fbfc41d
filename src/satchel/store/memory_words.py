"""The words of a store in memory: indexes documents as they come, and reads what the index has of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from satchel.store.found_by_field import size_of_each
from satchel.store.index import MOST_FIELDS, Block, Segment
from satchel.store.index.coding import Numbers, part_of_stream
from satchel.store.indexed import FieldNumbers, indexed_values
from satchel.store.memory_content import Content, Held
from satchel.store.rows import Prepared
from satchel.text import PAGE_BREAK


class KeepsWordsInMemory:
    """The part of `MemoryStore` that keeps words."""

    _held: Held

    @property
    def _content(self) -> Content:
        return self._held.content

    def _add_words(self, one: Prepared) -> None:
        if one.number in self._held.new_words:
            self._index_new_words()
        values = indexed_values(one.id, one.source, json.loads(one.fields), self._held.fields)
        self._held.new_words.add(one.number, one.title, one.text, values)

    def _index_new_words(self) -> None:
        if self._held.new_words:
            content, number = self._content, max(self._content.segments, default=0) + 1
            last = content.segments[number - 1][0] if number > 1 else None
            first = last.first + len(last.documents) if last else 0
            new = self._held.new_words.build(self._held.words, first)
            segment = Segment(number, first, new.documents, new.sizes)
            content.segments[number] = segment, dict(new.blocks())
            content.streams.update((one.document, one) for one in new.streams if one.document in content.documents)

    def _segments(self) -> list[Segment]:
        return [segment for segment, _ in self._content.segments.values()]

    def _blocks(self, stems: Sequence[str]) -> Iterator[tuple[str, int, Block]]:
        for number, (_, blocks) in self._content.segments.items():
            yield from ((stem, number, blocks[stem]) for stem in stems if stem in blocks)

    def some_windows(self, passages: Mapping[int, int]) -> dict[int, list[int]]:
        windows = self.windows(passages)
        return {number: rows[passages[number]].tolist() for number, rows in windows.items()}

    def parts_of_streams(self, parts: Mapping[int, tuple[int, int]]) -> dict[int, Numbers]:
        spans = {number: part_of_stream(*part) for number, part in parts.items()}
        words = ((number, self._content.streams[number].words, *span) for number, span in spans.items())
        return {number: np.frombuffer(content, "<i4", n // 4, start) for number, content, start, n in words}

    def _streams(self, numbers: Iterable[int]) -> dict[int, bytes]:
        if self._held.is_changing:
            self._index_new_words()
        return {number: self._content.streams[number].words for number in numbers if number in self._content.streams}

    def _word_numbers(self, **test: Any) -> dict[int, str]:
        return self._held.words.meeting(**test)

    def _fields_there(self) -> tuple[str, ...]:
        return tuple(sorted({row.name for kept in self._content.documents.values() for row in kept.fields}))

    def _field_numbers(self) -> FieldNumbers:
        return self._held.fields

    def words_of(self, numbers: Iterable[int]) -> dict[int, str]:
        return {number: self._held.words.words[number - MOST_FIELDS] for number in numbers}

    def windows(self, numbers: Iterable[int]) -> dict[int, Numbers]:
        if self._held.is_changing:
            self._index_new_words()  # of documents that were added in this transaction
        found = ((number, self._content.streams[number].passages) for number in numbers)
        return {number: windows for number, windows in found if windows is not None}

    def words_beginning(self, prefix: str, most: int) -> dict[str, str]:
        return self._held.words.beginning(prefix, most)

    def sizes_of(self, stems: Sequence[str]) -> dict[str, int]:
        return size_of_each((stem, len(block.passages)) for stem, _, block in self._blocks(stems))

    def texts_before(self, places: Mapping[int, int], most: int) -> dict[int, tuple[str, int]]:
        found = ((number, self._content.documents[number].prepared.text[:place]) for number, place in places.items())
        return {number: (text[max(0, len(text) - most) :], text.count(PAGE_BREAK)) for number, text in found}
