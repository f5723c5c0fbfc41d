"""What all readers of word vectors share: the table they fill, the header of a file, and the form of an error."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn, TypeAlias

import numpy as np

from satchel.errors import DamagedFileError, InputError
from satchel.storage import open_unpacked
from satchel.text import Vocabulary
from satchel.types import FloatArray

VocabularyLike: TypeAlias = Vocabulary | Collection[str]
"""A `Vocabulary` or any collection of words: what to keep while reading, or what to align vectors with."""


class VectorTable(NamedTuple):
    """What a reader returns: distinct words and their vectors, (n_words, dim)."""

    words: list[str]
    vectors: FloatArray


class TableBuilder:
    """Collects words and their rows block by block; a word that was seen before is skipped.

    The array grows in place, by a quarter at a time: reading a whole file needs little more memory than the result.
    """

    def __init__(self, dim: int, wanted: frozenset[str] | None) -> None:
        self._wanted = wanted
        self._seen: dict[str, None] = {}
        self._vectors: FloatArray = np.empty((0, dim), dtype=np.float32)

    def takes(self, word: str) -> bool:
        """Whether the word is wanted and new; if so it is taken, and its row must be in the next `add`."""
        if word in self._seen or (self._wanted is not None and word not in self._wanted):
            return False
        self._seen[word] = None
        return True

    def add(self, n_before: int, rows: FloatArray) -> None:
        """The rows (n, dim) of the words taken since there were `n_before`."""
        n_after = n_before + len(rows)
        if n_after > len(self._vectors):
            self._resize(max(n_after, len(self._vectors) * 5 // 4))
        self._vectors[n_before:n_after] = rows

    def __len__(self) -> int:
        return len(self._seen)

    def finish(self) -> VectorTable:
        self._resize(len(self._seen))
        return VectorTable(list(self._seen), self._vectors)

    def _resize(self, n_words: int) -> None:
        self._vectors.resize((n_words, self._vectors.shape[1]), refcheck=False)  # no other reference leaves this class


def word_list(vocabulary: VocabularyLike) -> Sequence[str]:
    """The words of a vocabulary or of a collection of words, in their order."""
    if isinstance(vocabulary, Vocabulary):
        return vocabulary.words
    if isinstance(vocabulary, str | bytes):
        raise InputError("vocabulary must be a collection of words, not one string: put it in a list")
    if not isinstance(vocabulary, Iterable):
        raise InputError(f"vocabulary must be a collection of words, not {type(vocabulary).__name__}")
    return tuple(vocabulary)


def wanted_words(vocabulary: VocabularyLike | None) -> frozenset[str] | None:
    """The words to keep while reading; None keeps all."""
    return None if vocabulary is None else frozenset(word_list(vocabulary))


_MAX_DIM = 100_000  # a header beyond this is damage, not a word vector


class Header(NamedTuple):
    """The first line of word2vec's and fastText's files."""

    n_words: int
    dim: int


def damaged(path: Path, place: str, what: str) -> NoReturn:
    """Raises the error of a damaged file: its path, the place (a line or a record), and what is wrong."""
    raise DamagedFileError(f"{path}, {place}: {what}") from None


def read_header(path: Path, line: bytes) -> Header:
    """`n dim` as two whole numbers, or an error that names line 1."""
    header = header_of(line)
    if header is None:
        shown = line[:60].decode("utf-8", "replace").strip()
        damaged(path, "line 1", f"expected a header of two whole numbers, words and dimensions, not {shown!r}")
    if not 1 <= header.dim <= _MAX_DIM:
        damaged(path, "line 1", f"the header says {header.dim} dimensions; expected 1 to {_MAX_DIM}")
    return header


def header_of(line: bytes) -> Header | None:
    """The header, if the line is one; a GloVe file has none and begins with a word and its vector."""
    parts = line.split()
    if len(parts) == 2 and all(part.isdigit() and len(part) < 19 for part in parts):
        return Header(int(parts[0]), int(parts[1]))
    return None


def first_bytes(path: Path, n: int) -> bytes:
    """The first n bytes of a file, unpacked; fewer where the file is shorter."""
    with open_unpacked(path, lambda: "at the beginning") as stream:
        return stream.read(n)
