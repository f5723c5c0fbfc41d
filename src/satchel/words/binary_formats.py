"""The binary formats of word vectors: word2vec's file and our own folder.

word2vec's binary format: a header line `n dim`, then for each word its bytes, a space, and `dim` float32 values.

Google's files put the records back to back; the original tool ends each with a newline. Both are read. Words are
decoded as UTF-8 with a replacement sign for broken bytes (published files have such words); of equal words the first
wins.

Our folder holds `vocab.txt` (one word a line) and `vectors.f32.npy` or `vectors.f16.npy` (n_words, dim).
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, NoReturn

import numpy as np

from satchel.errors import DamagedFileError, InputError, MissingFileError
from satchel.storage import open_unpacked, whole_folder
from satchel.types import FloatArray
from satchel.words.table import Header, TableBuilder, VectorTable, VocabularyLike, damaged, read_header, wanted_words

_BLOCK = 1 << 20  # bytes read at once
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
        chunk = stream.read(_BLOCK + 4 * header.dim)  # longer than any record, so that every round makes progress
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


VOCABULARY = "vocab.txt"
VECTORS = {"vectors.f32.npy": np.dtype(np.float32), "vectors.f16.npy": np.dtype(np.float16)}


def load_folder(folder: Path, vocabulary: VocabularyLike | None = None) -> VectorTable:
    """The words of a folder with their vectors, in its order; only the rows that are kept are read from the disk."""
    words = _load_words(folder)
    vectors = _open_vectors(folder)
    if len(words) != len(vectors):
        raise DamagedFileError(f"{folder} holds {len(words)} words in {VOCABULARY}, but {len(vectors)} vectors")
    wanted = wanted_words(vocabulary)
    first: dict[str, int] = {}
    for row, word in enumerate(words):
        if wanted is None or word in wanted:
            first.setdefault(word, row)
    rows = slice(None) if len(first) == len(words) else np.fromiter(first.values(), dtype=np.int64)
    kept: FloatArray = np.array(vectors[rows], dtype=np.float32)
    bad = np.flatnonzero(~np.isfinite(kept).all(axis=1))
    if len(bad):
        row = list(first.values())[bad[0]]
        damaged(folder, f"row {row + 1} of the vectors", "holds a value that is not a finite number")
    return VectorTable(list(first), kept)


def save_folder(folder: Path, words: Sequence[str], vectors: FloatArray) -> None:
    """Writes a folder of word vectors, whole or not at all.

    It replaces only a folder of this format; anything else in its place is left as it is.
    """
    _check_replaceable(folder)
    files = folder_files(words, vectors)
    with whole_folder(folder) as new:
        for name, content in files.items():
            (new / name).write_bytes(content)


def folder_files(words: Sequence[str], vectors: FloatArray) -> dict[str, bytes]:
    """The files of such a folder by name, to be kept elsewhere."""
    array = io.BytesIO()
    np.save(array, vectors, allow_pickle=False)
    return {VOCABULARY: _as_lines(words), "vectors.f32.npy": array.getvalue()}


def read_folder_files(files: Mapping[str, bytes]) -> VectorTable:
    """The words and vectors of files that `folder_files` made."""
    words = files[VOCABULARY].decode("utf-8").removesuffix("\n").split("\n")
    return VectorTable(words, np.load(io.BytesIO(files["vectors.f32.npy"]), allow_pickle=False))


def _as_lines(words: Sequence[str]) -> bytes:
    for word in words:
        if "\n" in word:
            raise InputError(f"the word {word!r} holds a line break, which {VOCABULARY} cannot store; leave it out")
    try:
        return "".join(f"{word}\n" for word in words).encode("utf-8")
    except UnicodeEncodeError as error:
        sign = error.object[error.start]
        raise InputError(f"a word holds {sign!r}, which is not Unicode text; leave that word out") from None


def _check_replaceable(folder: Path) -> None:
    if not folder.exists():
        return
    names = {entry.name for entry in folder.iterdir()} if folder.is_dir() else {folder.name}
    if names and not (VOCABULARY in names and names <= {VOCABULARY, *VECTORS}):
        raise InputError(f"{folder} exists and is not a folder of word vectors; choose another name or remove it")


def _load_words(folder: Path) -> list[str]:
    """The words, split at "\\n" only: other line breaks of Unicode may stand inside a word."""
    path = folder / VOCABULARY
    if not path.is_file():
        raise MissingFileError(f"{folder} has no {VOCABULARY}; expected a folder with it and {' or '.join(VECTORS)}")
    data = path.read_bytes()
    try:
        return data.decode("utf-8").removesuffix("\n").split("\n") if data else []
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        damaged(path, f"line {line}", "the word is not UTF-8")


def _open_vectors(folder: Path) -> FloatArray:
    """The matrix, mapped into memory."""
    path = next((folder / name for name in VECTORS if (folder / name).is_file()), None)
    if path is None:
        raise MissingFileError(f"{folder} has no {' or '.join(VECTORS)} beside its {VOCABULARY}; fetch it again")
    try:
        vectors = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise DamagedFileError(f"{path} is damaged or truncated ({error}); fetch it again") from None
    if vectors.ndim != 2 or vectors.dtype != VECTORS[path.name]:
        found = f"{vectors.dtype} of shape {vectors.shape}"
        raise DamagedFileError(f"{path} holds {found}; expected {VECTORS[path.name]} of two dimensions")
    opened: FloatArray = vectors
    return opened
