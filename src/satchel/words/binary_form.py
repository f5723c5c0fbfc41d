"""word2vec's binary form: a header line `n dim`, then for each word its bytes, a space, and `dim` float32 values.

Google's files put the records back to back; the original tool ends each with a newline. Both are read. Words are
decoded as UTF-8 with a replacement sign for broken bytes (published files have such words); of equal words the first
wins.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO, NoReturn

import numpy as np

from satchel.errors import DamagedFileError
from satchel.storage import open_unpacked
from satchel.types import FloatArray
from satchel.words.streams import Header, damaged, read_header
from satchel.words.table import TableBuilder, VocabularyLike, WordTable, wanted_words

_BLOCK = 1 << 20  # bytes read at once
_LONGEST_WORD = 10_000  # bytes without a space: this is not a word


def parse_binary(path: Path, vocabulary: VocabularyLike | None) -> WordTable:
    """The words of a word2vec binary file with their vectors, in the file's order."""
    return _BinaryFile(path, vocabulary).parse()


class _BinaryFile:
    """One pass over a file; knows the number of the record that it has come to."""

    def __init__(self, path: Path, vocabulary: VocabularyLike | None) -> None:
        self.path = path
        self.wanted = wanted_words(vocabulary)
        self.record = 0

    def parse(self) -> WordTable:
        with open_unpacked(self.path, lambda: f"after record {self.record}") as stream:
            line = stream.readline(1000)
            if not line:
                raise DamagedFileError(f"{self.path} holds no word vectors: it is empty")
            header = read_header(self.path, line)
            table = TableBuilder(header.dim, self.wanted)
            rest = b""
            while self.record < header.n_words:
                rest = self._parse_block(self._more(stream, rest, header), table, header)
            if (rest + stream.read(2)).strip(b"\n"):
                self._fail(f"the header promises {header.n_words} words, but the file goes on")
        return table.finish()

    def _more(self, stream: BinaryIO, rest: bytes, header: Header) -> bytes:
        chunk = stream.read(_BLOCK + 4 * header.dim)  # longer than any record, so every round gets on
        if not chunk:
            self.record += 1
            self._fail(f"the file ends here, the header promises {header.n_words} words: it is truncated")
        return rest + chunk

    def _parse_block(self, buffer: bytes, table: TableBuilder, header: Header) -> bytes:
        """Take the whole records of the buffer; return the bytes after them."""
        n_before, first, size = len(table), self.record, 4 * header.dim
        position, kept, numbers = 0, [], []
        while self.record < header.n_words:
            space = buffer.find(b" ", position)
            if space < 0 and len(buffer) - position > _LONGEST_WORD:
                self.record += 1
                self._fail(f"no word ends within {_LONGEST_WORD} bytes; this is not word2vec's binary form")
            if space < 0 or space + 1 + size > len(buffer):
                break
            self.record += 1
            if table.takes(buffer[position:space].lstrip(b"\n").decode("utf-8", "replace")):
                kept.append(buffer[space + 1 : space + 1 + size])
                numbers.append(self.record)
            position = space + 1 + size
        if kept:
            table.add(n_before, self._rows(kept, numbers, header.dim))
        return buffer[position:] if self.record > first else buffer

    def _rows(self, kept: list[bytes], numbers: list[int], dim: int) -> FloatArray:
        rows = np.frombuffer(b"".join(kept), dtype="<f4").reshape(-1, dim)
        bad = ~np.isfinite(rows)
        if bad.any():
            row, column = np.argwhere(bad)[0].tolist()
            self.record = numbers[row]
            self._fail(f"value {column + 1} is not a finite number: {float(rows[row, column])}")
        return rows.astype(np.float32, copy=False)

    def _fail(self, what: str) -> NoReturn:
        damaged(self.path, f"record {self.record}", what)
