"""Words and their vectors: look-up, nearest words, restriction, storage, alignment with a vocabulary."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from satchel.errors import InputError, seed, unknown_name, whole_number
from satchel.types import FloatArray
from satchel.words.formats import parse_any
from satchel.words.known import locate
from satchel.words.table import (
    VectorTable,
    VocabularyLike,
    folder_files,
    read_folder_files,
    save_folder,
    word_list,
)


class NearestWord(NamedTuple):
    """A word and its cosine to the word or vector that was given."""

    word: str
    cosine: float


@dataclass(frozen=True, eq=False, repr=False)
class WordVectors:
    """Distinct words and their vectors, float32 (n_words, dim). Nothing in it can be changed.

    It behaves as a collection of its words (`len`, `in`, iteration) with `vectors["king"]` for one vector. Because it
    cannot change, copies and scikit-learn's `clone` share it.
    """

    words: tuple[str, ...]
    vectors: FloatArray
    _rows: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        words, vectors = _check_words(self.words), _check_vectors(self.vectors)
        if len(words) != len(vectors):
            raise InputError(f"{len(words)} words, but {len(vectors)} vectors; expected one for each word")
        rows = dict(zip(words, range(len(words)), strict=True))
        if len(rows) != len(words):
            twice = next(word for row, word in enumerate(words) if rows[word] != row)
            raise InputError(f"the word {twice!r} is given more than once; expected distinct words")
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "vectors", vectors)
        object.__setattr__(self, "_rows", rows)

    @classmethod
    def from_table(cls, table: VectorTable) -> WordVectors:
        """Word vectors from what a reader found; the table's array is used without a copy."""
        table.vectors.setflags(write=False)
        return cls(tuple(table.words), table.vectors)

    @classmethod
    def load(cls, name_or_path: str | Path, vocabulary: VocabularyLike | None = None) -> WordVectors:
        """Word vectors by the name that `satchel words` knows, or from a file or folder of any format.

        vocabulary: keep only these words; a large file then needs little memory.
        """
        return cls.from_table(parse_any(locate(name_or_path), vocabulary))

    def save(self, folder: str | Path) -> None:
        """Writes a folder of word vectors, whole or not at all; it replaces only a folder of that format."""
        save_folder(Path(folder), self.words, self.vectors)

    def files(self) -> dict[str, bytes]:
        """The files that `save` writes, by name, to be kept elsewhere."""
        return folder_files(self.words, self.vectors)

    @classmethod
    def from_files(cls, files: Mapping[str, bytes]) -> WordVectors:
        """Word vectors from the files that `files` gave."""
        return cls.from_table(read_folder_files(files))

    @property
    def dim(self) -> int:
        return int(self.vectors.shape[1])

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __getitem__(self, word: str) -> FloatArray:
        """The vector of a word, (dim,)."""
        if not isinstance(word, str):
            raise InputError(f"the word is of type {type(word).__name__}; expected a string")
        if word not in self._rows:
            raise InputError(self._unknown_word(word))
        vector: FloatArray = self.vectors[self._rows[word]]
        return vector

    def rows(self, words: Sequence[str]) -> NDArray[np.int64]:
        """The row of each word in `vectors`, -1 for words that are not here."""
        return np.fromiter((self._rows.get(word, -1) for word in words), dtype=np.int64, count=len(words))

    def nearest(self, query: str | ArrayLike, k: int = 10) -> list[NearestWord]:
        """The k words of the highest cosine similarity to a word (which is left out) or to a vector (dim,).

        Exact; equal similarities stand in the order of `words`; words whose vector is zero are never near.
        """
        k = whole_number("k", k)
        scores = self._cosines(self[query] if isinstance(query, str) else self._check_query(query))
        if isinstance(query, str):
            scores[self._rows[query]] = -np.inf
        k = min(k, len(scores))
        candidates = np.flatnonzero(scores >= np.partition(scores, -k)[-k]) if k else np.arange(0)
        best = candidates[np.argsort(-scores[candidates], kind="stable")][:k]
        return [NearestWord(self.words[row], float(scores[row])) for row in best if scores[row] > -np.inf]

    def restrict(self, vocabulary: VocabularyLike) -> WordVectors:
        """Only the words of a vocabulary, in the order they have here."""
        wanted = frozenset(word_list(vocabulary))
        kept = [row for row, word in enumerate(self.words) if word in wanted]
        return WordVectors.from_table(VectorTable([self.words[row] for row in kept], self.vectors[kept]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WordVectors):
            return NotImplemented
        return self is other or (self.words == other.words and np.array_equal(self.vectors, other.vectors))

    def __hash__(self) -> int:
        return hash((self.words, self.vectors.shape))

    def __repr__(self) -> str:
        return f"<WordVectors: {len(self):,} words × {self.dim}>"

    def __copy__(self) -> WordVectors:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> WordVectors:
        return self

    def __sklearn_clone__(self) -> WordVectors:
        return self

    def __reduce__(self) -> tuple[type[WordVectors], tuple[tuple[str, ...], FloatArray]]:
        return WordVectors, (self.words, self.vectors)

    @cached_property
    def _norms(self) -> NDArray[np.float64]:
        """Lengths (n_words,), summed in float64: the square of a float32 may not be one."""
        squares = np.einsum("ij,ij->i", self.vectors, self.vectors, dtype=np.float64)
        return np.asarray(np.sqrt(squares))

    def _cosines(self, vector: FloatArray) -> NDArray[np.float64]:
        """Cosine of a vector to every word, (n_words,); -inf for zero vectors."""
        length = np.linalg.norm(vector.astype(np.float64))
        if length == 0:
            raise InputError("the zero vector has no direction, so no word is nearest to it; give another one")
        unit = vector / length
        with np.errstate(over="ignore", invalid="ignore"):  # values near the end of float32: done again in float64
            products = (self.vectors @ unit.astype(np.float32)).astype(np.float64)
        lost = np.flatnonzero(~np.isfinite(products))
        products[lost] = self.vectors[lost].astype(np.float64) @ unit
        cosines: NDArray[np.float64] = np.full(len(self), -np.inf)
        np.divide(products, self._norms, out=cosines, where=self._norms > 0)
        return cosines

    def _check_query(self, query: ArrayLike) -> FloatArray:
        try:
            with np.errstate(over="ignore"):  # what is too large for float32 becomes infinite, and is refused
                vector = np.asarray(query, dtype=np.float32)
        except (TypeError, ValueError):
            raise InputError(f"the query is neither a word nor a vector of {self.dim} numbers") from None
        if vector.shape != (self.dim,):
            raise InputError(f"the query has shape {vector.shape}; expected ({self.dim},)")
        if not np.isfinite(vector).all():
            raise InputError("the query holds a value that is not a finite number")
        return vector

    def _unknown_word(self, word: str) -> str:
        """One sentence, with words spelled alike among the first 50,000 (the frequent ones in published files)."""
        alike = [w for w in self.words[:50_000] if w[:1] == word[:1] and abs(len(w) - len(word)) <= 2]
        near = difflib.get_close_matches(word, alike, n=3)
        hint = f"; did you mean {', '.join(near)}?" if near else ""
        return f"no vector for the word {word!r} among {len(self):,} words{hint}"


def _check_words(words: Sequence[str]) -> tuple[str, ...]:
    if isinstance(words, str | bytes):
        raise InputError("words must be a sequence of strings, not one string: put it in a list")
    if not isinstance(words, Iterable):
        raise InputError(f"words must be a sequence of strings, not {type(words).__name__}")
    checked = tuple(words)
    for position, word in enumerate(checked):
        if not isinstance(word, str):
            raise InputError(f"word {position} is of type {type(word).__name__}; every word must be a string")
    return checked


def _check_vectors(vectors: ArrayLike) -> FloatArray:
    """Float32, two-dimensional, finite, read-only; copied unless it is so already."""
    try:
        given = np.asarray(vectors)
        with np.errstate(over="ignore"):  # what is too large for float32 becomes infinite, and is refused
            checked: FloatArray = given if _is_frozen(given) else np.array(given, dtype=np.float32, order="C")
    except (TypeError, ValueError):
        raise InputError("the vectors are not an array of numbers; expected one row of numbers a word") from None
    if checked.ndim != 2:
        raise InputError(f"the vectors have shape {checked.shape}; expected two dimensions, words and values")
    bad = np.flatnonzero(~np.isfinite(checked).all(axis=1))
    if len(bad):
        raise InputError(f"the vector of word {bad[0]} holds a value that is not a finite number")
    checked.setflags(write=False)
    return checked


def _is_frozen(array: NDArray[np.generic]) -> bool:
    return array.dtype == np.float32 and not array.flags.writeable and array.flags.owndata and array.flags.c_contiguous


UnknownStart = Literal["paper", "zeros", "small"]


class AlignedWords(NamedTuple):
    """vectors (n_vocabulary, dim), row i for word i; known (n_vocabulary,): whether the row came from word vectors."""

    vectors: FloatArray
    known: NDArray[np.bool_]


def align(
    words: WordVectors, vocabulary: VocabularyLike, unknown: UnknownStart = "paper", random_state: int = 0
) -> AlignedWords:
    """A vector for every word of the vocabulary; the rule `unknown` makes those that `words` does not have.

    paper: a Gaussian with μ = 1 and σ = 1, [PT18] section 3.3.
    zeros: the zero vector, so that unknown words weigh nothing.
    small: 0.1·N(0, 1), as the authors' published code does, unlike the paper.
    """
    if not isinstance(words, WordVectors):
        raise InputError(f"words must be WordVectors, not {type(words).__name__}; see WordVectors.load")
    wanted = word_list(vocabulary)
    rows = words.rows(wanted)
    known = rows >= 0
    vectors: FloatArray = np.empty((len(wanted), words.dim), dtype=np.float32)
    vectors[known] = words.vectors[rows[known]]
    vectors[~known] = unknown_vectors(
        int((~known).sum()), words.dim, unknown, np.random.default_rng(seed(random_state))
    )
    return AlignedWords(vectors, known)


def unknown_vectors(n: int, dim: int, rule: UnknownStart, random: np.random.Generator) -> FloatArray:
    """(n, dim) start vectors for words without one, see `align`."""
    if rule not in get_args(UnknownStart):
        raise unknown_name("rule for unknown words", rule, get_args(UnknownStart))
    if rule == "zeros":
        return np.zeros((n, dim), dtype=np.float32)
    normal = random.standard_normal((n, dim), dtype=np.float32)
    return normal + np.float32(1) if rule == "paper" else normal * np.float32(0.1)
