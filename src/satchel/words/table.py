"""Tables of words and their vectors: what every reader fills, and our own folder that keeps one.

The folder holds `vocab.txt` (one word a line) and `vectors.f32.npy` or `vectors.f16.npy` (n_words, dim).
"""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn, TypeAlias

import numpy as np

from satchel.errors import DamagedFileError, InputError, MissingFileError
from satchel.storage import open_unpacked, whole_folder
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
    """The first n bytes of a file, unpacked; fewer if the file is shorter."""
    with open_unpacked(path, lambda: "at the beginning") as stream:
        return stream.read(n)


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
