"""Turns texts into a vocabulary, sparse counts and sequences of word ids, without a Python loop over words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, repeat
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from satchel.errors import InputError, whole_number
from satchel.text.tokenizer import Tokenizer
from satchel.types import IntArray, SparseArray

UNKNOWN = "<unk>"


@dataclass(frozen=True)
class Vocabulary:
    """Words with ids 0, 1, …: most frequent first, equally frequent ones in alphabetical order.

    With `has_unknown`, id 0 is `<unk>`, which stands for every word that is not in the vocabulary ([MW] section 3.4);
    without, such words are left out.
    """

    words: tuple[str, ...]
    has_unknown: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.words, tuple):
            raise InputError(f"words of a vocabulary must be a tuple of strings, not {type(self.words).__name__}")
        if not all(issubclass(kind, str) for kind in set(map(type, self.words))):
            odd = next(word for word in self.words if not isinstance(word, str))
            raise InputError(f"the word {odd!r} of a vocabulary is of type {type(odd).__name__}; expected strings")
        if self.has_unknown and (not self.words or self.words[0] != UNKNOWN):
            raise InputError(f"a vocabulary with has_unknown must begin with {UNKNOWN!r}")
        if len(self._ids) != len(self.words):
            raise InputError(f"a vocabulary needs distinct words: {len(self.words)} given, {len(self._ids)} distinct")

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self._ids

    def ids(self, words: Iterable[str]) -> IntArray:
        """The id of each word; if there is none, 0 with `has_unknown`, else -1."""
        missing = 0 if self.has_unknown else -1
        return np.fromiter(map(self._ids.get, words, repeat(missing)), dtype=np.int64)

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {word: id_ for id_, word in enumerate(self.words)}


Ids: TypeAlias = NDArray[np.int32]

_FLUSH = 1 << 20  # words held as Python objects before they are packed: bounds memory at four bytes a word


class WordSequences(NamedTuple):
    """The words of each text in order: text i holds `ids[starts[i]:starts[i + 1]]`."""

    ids: Ids
    starts: IntArray


class _SplitTexts(NamedTuple):
    """All texts as ids into their distinct words, in order of first appearance."""

    ids: Ids
    starts: IntArray
    words: list[str]


class ReadTexts(list[str]):
    """Texts that come with their words, as `Analysed` finds them, so that they need not be split again.

    The words of text i are `words[j]` for j in `ids[starts[i]:starts[i + 1]]`; `words` may hold a word twice. Whatever
    counts these texts finds the same as in a plain list of them: where a tokenizer splits a text differently, that text
    is split again.
    """

    def __init__(self, texts: Iterable[str], ids: Ids, starts: IntArray, words: list[str]) -> None:
        super().__init__(texts)
        self._known = _SplitTexts(ids, starts, words)

    def split(self, tokenizer: Tokenizer) -> _SplitTexts:
        """The words of the texts as the tokenizer splits them."""
        if not tokenizer.splits_as_analysed:
            return _split(list(self), tokenizer)
        known = self._known
        if tokenizer.min_length > 1:
            is_long = np.array([tokenizer.min_length <= len(word) for word in known.words], np.bool_)
            ids, starts = _without_missing(np.where(is_long[known.ids], known.ids, np.int32(-1)), known.starts)
            known = known._replace(ids=ids, starts=starts)
        odd = np.array([_is_odd(text) for text in self], np.bool_)
        return _spliced(known, _split(list(compress(self, odd)), tokenizer), odd) if odd.any() else known


def _is_odd(text: str) -> bool:
    """Whether a tokenizer may split the text differently from `Analysed`, or its parts differently from the whole."""
    return "_" in text or (
        not text.isascii() and "\u03a3" in text
    )  # a capital sigma: lower case depends on what follows


def _spliced(known: _SplitTexts, others: _SplitTexts, is_other: NDArray[np.bool_]) -> _SplitTexts:
    """Replaces the words of some texts; is_other (n_texts,): which ones."""
    before = np.diff(known.starts)
    lengths = before.copy()
    lengths[is_other] = np.diff(others.starts)
    of_other = np.repeat(is_other, lengths)  # of each word
    ids = np.empty(len(of_other), np.int32)
    ids[~of_other] = known.ids[np.repeat(~is_other, before)]
    ids[of_other] = others.ids + np.int32(len(known.words))
    return _SplitTexts(ids, np.concatenate(([0], np.cumsum(lengths))), known.words + others.words)


def check_texts(texts: Iterable[str]) -> list[str]:
    """The texts as a list, or an error that names the first item that is not a string."""
    if isinstance(texts, ReadTexts):
        return texts
    if isinstance(texts, str | bytes):
        raise InputError("texts must be a list of strings, not one string: put it in a list")
    try:
        items = iter(texts)
    except TypeError:
        raise InputError(f"texts must be a list of strings, not {type(texts).__name__}") from None
    checked = list(items)
    for position, text in enumerate(checked):
        if not isinstance(text, str):
            raise InputError(f"text {position} is of type {type(text).__name__}; every text must be a string")
    return checked


def learn_vocabulary(
    texts: Iterable[str],
    tokenizer: Tokenizer,
    *,
    min_count: int = 1,
    min_documents: int = 1,
    max_size: int | None = None,
    has_unknown: bool = False,
) -> tuple[Vocabulary, SparseArray]:
    """The vocabulary of the texts, and their counts over it, in one pass.

    min_count: the fewest occurrences in all texts together; min_documents: the fewest texts that hold the word.
    max_size: keep this many words, the most frequent ones. has_unknown: add `<unk>` to them.
    """
    whole_number("min_count", min_count)
    whole_number("min_documents", min_documents)
    if max_size is not None:
        whole_number("max_size", max_size)
    counts, terms = _count_terms(_split(check_texts(texts), tokenizer), tokenizer)
    totals = np.asarray(np.bincount(counts.indices, weights=counts.data, minlength=len(terms)), dtype=np.float64)
    documents = np.bincount(counts.indices, minlength=len(terms))
    kept = np.flatnonzero((totals >= min_count) & (documents >= min_documents))
    words = [terms[id_] for id_ in _by_frequency(kept, totals, terms)[:max_size]]
    vocabulary = Vocabulary((*([UNKNOWN] * has_unknown), *words), has_unknown)
    return vocabulary, _rename_columns(counts, vocabulary.ids(terms), len(vocabulary), merge=has_unknown)


def count_words(
    texts: Iterable[str], tokenizer: Tokenizer, vocabulary: Vocabulary, *, max_length: int | None = None
) -> SparseArray:
    """How often each word of the vocabulary occurs in each text: float32 (n_texts, n_words).

    max_length: count only this many words, from the beginning of each text.
    """
    ids, starts = word_sequences(texts, tokenizer, vocabulary)
    if max_length is not None:
        place = np.arange(len(ids)) - np.repeat(starts[:-1], np.diff(starts))  # of each word in its text
        ids, starts = _without_missing(np.where(place < max_length, ids, np.int32(-1)), starts)
    return _counts(ids, starts, len(vocabulary))


def word_sequences(texts: Iterable[str], tokenizer: Tokenizer, vocabulary: Vocabulary) -> WordSequences:
    """The ids of each text's words in order; words without an id are left out."""
    if not isinstance(vocabulary, Vocabulary):
        raise InputError(f"vocabulary must be a Vocabulary, not {type(vocabulary).__name__}; see learn_vocabulary")
    split = _split(check_texts(texts), tokenizer)
    ids = _ids_of_distinct(tokenizer.terms(split.words), vocabulary)[split.ids]
    return _without_missing(ids, split.starts)


def _split(texts: Sequence[str], tokenizer: Tokenizer) -> _SplitTexts:
    if not isinstance(tokenizer, Tokenizer):
        raise InputError(f"tokenizer must be a Tokenizer, not {type(tokenizer).__name__}")
    if isinstance(texts, ReadTexts):
        return texts.split(tokenizer)
    split = tokenizer.splitter()
    distinct: defaultdict[str, int] = defaultdict()
    distinct.default_factory = distinct.__len__  # a new word gets the next id, inside the C look-up
    id_of = distinct.__getitem__
    starts = np.zeros(len(texts) + 1, dtype=np.int64)
    packed: list[Ids] = []
    pending: list[int] = []
    for position, text in enumerate(texts):
        before = len(pending)
        pending.extend(map(id_of, split(text)))
        starts[position + 1] = len(pending) - before
        if len(pending) > _FLUSH:
            packed.append(np.array(pending, dtype=np.int32))
            pending = []
    packed.append(np.array(pending, dtype=np.int32))
    return _SplitTexts(np.concatenate(packed), np.cumsum(starts), list(distinct))


def _by_frequency(ids: IntArray, totals: NDArray[np.float64], terms: list[str]) -> list[int]:
    """The ids, most frequent term first, equally frequent ones in alphabetical order."""
    alphabetical = np.array(sorted(ids.tolist(), key=terms.__getitem__), dtype=np.int64)
    order: list[int] = alphabetical[np.argsort(-totals[alphabetical], kind="stable")].tolist()
    return order


def _ids_of_distinct(terms: list[str | None], vocabulary: Vocabulary) -> Ids:
    """The vocabulary's ids of terms; -1 for a stop word (None), even if unknown words have an id."""
    ids = vocabulary.ids(term or "" for term in terms)
    if None in terms:
        ids[np.array([term is None for term in terms], dtype=bool)] = -1
    return ids.astype(np.int32)


def _without_missing(ids: Ids, starts: IntArray) -> WordSequences:
    present = ids >= 0
    if present.all():
        return WordSequences(ids, starts)
    kept_before = np.concatenate(([0], np.cumsum(present)))
    return WordSequences(ids[present], kept_before[starts])


def _count_terms(split: _SplitTexts, tokenizer: Tokenizer) -> tuple[SparseArray, list[str]]:
    """Counts over the distinct terms of the texts."""
    terms = tokenizer.terms(split.words)
    distinct = Vocabulary(tuple(dict.fromkeys(term for term in terms if term is not None)))
    ids, starts = _without_missing(_ids_of_distinct(terms, distinct)[split.ids], split.starts)
    return _counts(ids, starts, len(distinct)), list(distinct.words)


def _counts(ids: Ids, starts: IntArray, n_words: int) -> SparseArray:
    from scipy.sparse import csr_array

    ones = np.ones(len(ids), dtype=np.float32)
    counts = csr_array((ones, ids, starts.astype(_index_type(len(ids)))), shape=(len(starts) - 1, n_words))
    counts.sum_duplicates()
    return counts


def _index_type(n: int) -> type[np.int32] | type[np.int64]:
    return np.int32 if n < 2**31 else np.int64


def _rename_columns(counts: SparseArray, new_ids: IntArray, n_words: int, *, merge: bool) -> SparseArray:
    """The same counts with column j moved to new_ids[j]; -1 drops it. merge: several columns may move to one."""
    from scipy.sparse import csr_array

    columns = new_ids.astype(np.int32)[counts.indices]
    ids, starts = _without_missing(columns, counts.indptr.astype(np.int64))
    data = counts.data[columns >= 0]
    renamed = csr_array((data, ids, starts.astype(counts.indptr.dtype)), shape=(counts.shape[0], n_words))
    renamed.sum_duplicates() if merge else renamed.sort_indices()
    return renamed
