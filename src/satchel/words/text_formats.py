"""Word vectors as text: GloVe's files (no header), word2vec's text format and fastText's .vec (header `n dim`).

A line is a word, then `dim` numbers, separated by single spaces. GloVe 840B has words that hold spaces themselves, so a
line is split from the right.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import BinaryIO, NoReturn

import numpy as np

from satchel.errors import DamagedFileError
from satchel.storage import open_unpacked
from satchel.types import FloatArray
from satchel.words.table import Header, TableBuilder, VectorTable, VocabularyLike, damaged, read_header, wanted_words

_BLOCK = 1000  # lines that are parsed at once
_LARGEST = float(np.finfo(np.float32).max)


def parse_text(path: Path, vocabulary: VocabularyLike | None, *, has_header: bool) -> VectorTable:
    """The words of a text file with their vectors, in the file's order.

    Every line must have the right number of values; the values themselves are read only for the words kept.
    """
    return _TextFile(path, vocabulary).parse(has_header)


class _TextFile:
    """One pass over a file; it keeps the number of the line it has reached."""

    def __init__(self, path: Path, vocabulary: VocabularyLike | None) -> None:
        self.path = path
        self.wanted = wanted_words(vocabulary)
        self.line = 0  # the line that a complaint is about
        self.block: list[bytes] = []  # the lines read after it
        self.dim = 0

    def parse(self, has_header: bool) -> VectorTable:
        with open_unpacked(self.path, lambda: f"after line {self.line + len(self.block)}") as stream:
            header = self._header(stream) if has_header else None
            if not self._read_block(stream):
                raise DamagedFileError(f"{self.path} holds no word vectors: it is empty")
            self.dim = header.dim if header else self._dim(self.block[0])
            table = TableBuilder(self.dim, self.wanted)
            self._parse_block(table, header)
            while self._read_block(stream):
                self._parse_block(table, header)
        n_words = self.line - 1
        if header and n_words < header.n_words:
            self._fail(f"the file ends after {n_words} words, the header promises {header.n_words}: it is truncated")
        return table.finish()

    def _read_block(self, stream: BinaryIO) -> bool:
        """Read some lines; where the stream breaks off, the lines before stay in `block`."""
        self.block = []
        self.block.extend(islice(stream, _BLOCK))
        return bool(self.block)

    def _header(self, stream: BinaryIO) -> Header:
        line = stream.readline(1000)
        if not line:
            raise DamagedFileError(f"{self.path} holds no word vectors: it is empty")
        self.line = 1
        return read_header(self.path, line)

    def _dim(self, line: bytes) -> int:
        """Without a header the first line sets the number of dimensions; its word holds no space."""
        dim = line.rstrip().count(b" ")
        if dim == 0:
            self.line = 1
            self._fail("expected a word and its vector, separated by spaces")
        return dim

    def _parse_block(self, table: TableBuilder, header: Header | None) -> None:
        """Split off each line's word; parse the numbers of all kept lines in one call."""
        first, n_before = self.line, len(table)
        numbers: list[int] = []
        values: list[bytes] = []
        for number, line in enumerate(self.block, start=first + 1):
            line = line.rstrip()
            surplus = line.count(b" ") - self.dim
            if surplus == 0:
                word_end = line.index(b" ")
            else:
                self.line = number
                word_end = self._unusual_word_end(line, surplus)
            if table.takes(line[:word_end].decode("utf-8", "replace")):
                numbers.append(number)
                values.append(line[word_end + 1 :])
        if values:
            table.add(n_before, self._rows(values, numbers))
        self.line = first + len(self.block)
        if header and self.line - 1 > header.n_words:
            self.line = header.n_words + 2
            self._fail(f"the header promises {header.n_words} words, and here is one more")

    def _unusual_word_end(self, line: bytes, surplus: int) -> int:
        """Where a line's word ends if the line has more or fewer pieces than usual.

        The word may hold spaces, but not end in a number: that is a value too many.
        """
        word = line.rsplit(b" ", self.dim)[0]
        if surplus < 0 or _is_number(word.rsplit(b" ", 1)[-1]):
            self._fail(f"{surplus + self.dim} values; expected {self.dim}")
        return len(word)

    def _rows(self, values: list[bytes], numbers: list[int]) -> FloatArray:
        """The numbers of some lines, (len(values), dim); the slow search for a wrong value starts only when parsing
        fails."""
        try:
            text = [line.decode("ascii") for line in values]
            rows: FloatArray = np.loadtxt(text, dtype=np.float32, delimiter=" ", comments=None, ndmin=2)
        except ValueError:  # UnicodeDecodeError is one
            self._blame(values, numbers)
        if not np.isfinite(rows).all():
            self._blame(values, numbers)
        return rows

    def _blame(self, values: list[bytes], numbers: list[int]) -> NoReturn:
        """Raise the error for the first value that is no finite float32."""
        for self.line, line in zip(numbers, values, strict=True):
            for position, piece in enumerate(line.split(b" "), start=1):
                shown = piece.decode("utf-8", "replace")
                if not _is_number(piece):
                    self._fail(f"value {position} is not a number: {shown!r}")
                if not abs(float(piece)) <= _LARGEST:  # written so that NaN fails too
                    self._fail(f"value {position} is not a finite float32 number: {shown!r}")
        self.line = numbers[0]
        self._fail("the values cannot be read as numbers")

    def _fail(self, what: str) -> NoReturn:
        damaged(self.path, f"line {self.line}", what)


def _is_number(piece: bytes) -> bool:
    try:
        float(piece)
    except ValueError:
        return False
    return b"_" not in piece and piece == piece.strip()
