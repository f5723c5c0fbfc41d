"""The files of word vectors that others publish: GloVe, word2vec as text and binary, fastText; and their detection.

As text, a line is a word, then `dim` numbers, separated by single spaces. GloVe's files have no header; word2vec's and
fastText's .vec begin with a header line `n dim`. GloVe 840B has words that hold spaces themselves, so a line is split
from the right.

word2vec's binary format has the same header, then for each word its bytes, a space, and `dim` float32 values. Google's
files put the records back to back; the original tool ends each with a newline. Both are read. Words are decoded as
UTF-8 with a replacement sign for broken bytes (published files have such words); of equal words the first wins.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Literal, NoReturn

import numpy as np

from satchel.errors import DamagedFileError
from satchel.storage import open_unpacked
from satchel.types import FloatArray
from satchel.words.table import (
    Header,
    TableBuilder,
    VectorTable,
    VocabularyLike,
    damaged,
    first_bytes,
    header_of,
    load_folder,
    read_header,
    wanted_words,
)

_LINES = 1000  # lines that are parsed at once
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
        """Reads some lines; if the stream breaks off, the lines before stay in `block`."""
        self.block = []
        self.block.extend(islice(stream, _LINES))
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
        """The end of a line's word, for a line with more or fewer pieces than usual.

        The word may hold spaces. If it ends in a number, the line has a value too many.
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


_BYTES = 1 << 20  # bytes read at once
_LONGEST_WORD = 10_000  # bytes without a space: this is not a word


def parse_binary(path: Path, vocabulary: VocabularyLike | None) -> VectorTable:
    """The words of a word2vec binary file with their vectors, in the file's order."""
    return _BinaryFile(path, vocabulary).parse()


class _BinaryFile:
    """One pass over a file; it keeps the number of the record it has reached."""

    def __init__(self, path: Path, vocabulary: VocabularyLike | None) -> None:
        self.path = path
        self.wanted = wanted_words(vocabulary)
        self.record = 0

    def parse(self) -> VectorTable:
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
        chunk = stream.read(_BYTES + 4 * header.dim)  # longer than any record, so that every round makes progress
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
                self._fail(f"no word ends within {_LONGEST_WORD} bytes; this is not word2vec's binary format")
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


Format = Literal["folder", "glove", "word2vec-text", "word2vec-binary"]
FORMATS: dict[Format, Callable[[Path, VocabularyLike | None], VectorTable]] = {
    "folder": load_folder,
    "glove": partial(parse_text, has_header=False),
    "word2vec-text": partial(parse_text, has_header=True),
    "word2vec-binary": parse_binary,
}
"""The formats and their readers; fastText's .vec is word2vec's text format."""

_PRINTABLE = bytes([9, 10, 13, *range(32, 127)])


def parse_any(path: Path, vocabulary: VocabularyLike | None) -> VectorTable:
    """The words of a file or folder of any format with their vectors."""
    return FORMATS[detect_format(path)](path, vocabulary)


def detect_format(path: Path) -> Format:
    """The format of a file or folder, detected from its first 64 KB."""
    if path.is_dir():
        return "folder"
    sample = first_bytes(path, 1 << 16)
    if not sample:
        raise DamagedFileError(f"{path} holds no word vectors: it is empty")
    line, _, rest = sample.partition(b"\n")
    header = header_of(line)
    if header is None:
        return "glove"
    return "word2vec-binary" if _is_binary(rest, header) else "word2vec-text"


def _is_binary(rest: bytes, header: Header) -> bool:
    """Whether float32 bytes follow the first word. In text they are printable: 2·dim bytes of values."""
    _, _, values = rest.partition(b" ")
    return bool(values[: 2 * header.dim].translate(None, _PRINTABLE))
