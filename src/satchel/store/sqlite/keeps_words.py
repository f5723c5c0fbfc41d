"""The words of a SQLite store: indexes documents as they come, and reads what the index has of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from satchel.importing import Fields
from satchel.store.found_by_field import size_of_each
from satchel.store.index import TOKENS_OF_SEGMENT, Block, Segment, SegmentBuilder
from satchel.store.index.coding import Numbers
from satchel.store.indexed import FieldNumbers, file_name, indexed_values
from satchel.store.rows import Prepared
from satchel.store.sqlite.connection import SqliteFile
from satchel.store.sqlite.fields import block_sizes, words_beginning
from satchel.store.sqlite.words import (
    WordNumbers,
    field_numbers,
    merge_segments,
    read_blocks,
    read_parts,
    read_segments,
    read_some_windows,
    read_streams,
    read_windows,
    word_numbers,
    words_of,
    write_field_numbers,
    write_segment,
)
from satchel.text import PAGE_BREAK


class KeepsWords:
    """The part of `SqliteStore` that keeps words."""

    _file: SqliteFile
    _new_words: SegmentBuilder
    _numbering: WordNumbers
    _has_new_segments: bool

    def _forget_new_words(self) -> None:
        """Begins anew, before a transaction and after it, whether it failed or not."""
        self._new_words, self._numbering = SegmentBuilder(), WordNumbers(self._file)
        self._has_new_segments = False

    def _add_words(self, documents: Sequence[tuple[Prepared, Fields]]) -> None:
        if any(one.number in self._new_words for one, _ in documents):
            self._index_new_words()
        names = field_numbers(self._file)
        for one, fields in documents:
            self._new_words.add(one.number, one.title, one.text, indexed_values(one.id, one.source, fields, names))
        write_field_numbers(self._file, names)
        if self._new_words.n_tokens > TOKENS_OF_SEGMENT:
            self._index_new_words()

    def _finish_words(self) -> None:
        """Indexes what is left at the end of a transaction, and merges small segments."""
        self._index_new_words()
        if self._has_new_segments:
            merge_segments(self._file)

    def _index_new_words(self) -> None:
        """Indexes the documents that were added in this transaction."""
        if self._new_words:
            write_segment(self._file, self._new_words, self._numbering)
            self._has_new_segments = True

    def move(self, sources: Mapping[int, str]) -> int:
        before = self._file.rows(
            "SELECT number, source FROM documents WHERE number IN (SELECT value FROM json_each(?))",
            json.dumps(list(sources)),
        )
        moved = ((source, number) for number, source in sources.items())
        self._file.run_many("UPDATE documents SET source = ? WHERE number = ?", moved)
        renamed = [number for number, source in before if file_name(source) != file_name(sources[number])]
        if any(number in self._new_words for number in renamed):
            self._index_new_words()
        names = field_numbers(self._file)
        question = "SELECT number, title, text, id, source, fields FROM documents WHERE number = ?"
        for number in renamed:
            ((_, title, text, id_, source, fields),) = self._file.rows(question, number)
            self._new_words.add(number, title, text, indexed_values(id_, source, json.loads(fields), names))
            if self._new_words.n_tokens > TOKENS_OF_SEGMENT:
                self._index_new_words()
        return len(renamed)

    def words_beginning(self, prefix: str, most: int) -> dict[str, str]:
        return words_beginning(self._file, prefix, most)

    def sizes_of(self, stems: Sequence[str]) -> dict[str, int]:
        return size_of_each(block_sizes(self._file, stems))

    def _segments(self) -> list[Segment]:
        return read_segments(self._file)

    def _blocks(self, stems: Sequence[str]) -> Iterator[tuple[str, int, Block]]:
        return read_blocks(self._file, stems)

    def _streams(self, numbers: Iterable[int]) -> dict[int, bytes]:
        self._index_new_words()
        return read_streams(self._file, numbers)

    def some_windows(self, passages: Mapping[int, int]) -> dict[int, list[int]]:
        return read_some_windows(self._file, passages)

    def parts_of_streams(self, parts: Mapping[int, tuple[int, int]]) -> dict[int, Numbers]:
        return read_parts(self._file, parts)

    def _word_numbers(self, **test: object) -> dict[int, str]:
        return word_numbers(self._file, test)

    def _field_numbers(self) -> FieldNumbers:
        return field_numbers(self._file)

    def words_of(self, numbers: Iterable[int]) -> dict[int, str]:
        return words_of(self._file, numbers)

    def windows(self, numbers: Iterable[int]) -> dict[int, Numbers]:
        self._index_new_words()
        return read_windows(self._file, numbers)

    def texts_before(self, places: Mapping[int, int], most: int) -> dict[int, tuple[str, int]]:
        found: dict[int, tuple[str, int]] = {}
        for number, place in places.items():
            text = str(self._file.value("SELECT substr(text, 1, ?) FROM documents WHERE number = ?", place, number))
            found[number] = text[max(0, len(text) - most) :], text.count(PAGE_BREAK)
        return found
