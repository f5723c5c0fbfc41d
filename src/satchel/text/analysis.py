"""The analysis of a text: its words, their places and their stems, computed once for all that use the text."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from itertools import compress

import numpy as np

from satchel.text.languages import porter_stems
from satchel.types import IntArray

_CODES = range(sys.maxunicode + 1)


@cache
def word_pattern(letters_only: bool, min_length: int, marks: str = "", numbers: str = "") -> re.Pattern[str]:
    """A run of word characters; the run may go on with combining marks, which `\\w` leaves out."""
    first = rf"[^\W\d_{numbers}]" if letters_only else r"\w"
    following = f"(?:{first}|[{marks}])" if letters_only and marks else f"[\\w{marks}]" if marks else first
    return re.compile(f"{first}{following}{{{min_length - 1},}}")


@cache
def unicode_pattern(letters_only: bool, min_length: int) -> re.Pattern[str]:
    """The pattern for any text. It is compiled for the first text that is not ASCII, because this takes a while."""
    return word_pattern(letters_only, min_length, combining_marks(), number_signs() if letters_only else "")


@cache
def combining_marks() -> str:
    """All combining marks as regular-expression ranges; without them, words of Hindi, for example, would be split."""
    kinds = map(unicodedata.category, map(chr, _CODES))
    return _as_ranges(list(compress(_CODES, map(("Mn", "Mc").__contains__, kinds))))


@cache
def number_signs() -> str:
    """All signs for numbers that `\\w` matches and `\\d` does not: superscripts, fractions, Roman numerals …"""
    signs = map(chr, _CODES)
    return _as_ranges([ord(s) for s in signs if s.isalnum() and not s.isalpha() and not s.isdecimal()])


def _as_ranges(codes: list[int]) -> str:
    """Ascending code points as ranges for the brackets of a regular expression."""
    ranges: list[list[int]] = []
    for code in codes:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"{chr(low)}-{chr(high)}" for low, high in ranges)


SHORTEST_STEMMED = 3
"""Shorter words are their own stems."""
_ASCII_WORD = re.compile(r"[A-Za-z0-9]+")
_IN_ASCII_WORD = np.array([chr(code).isalnum() for code in range(128)])
_ACCENTS = re.compile("[\u0300-\u036f]")
_MOST_STEMS = 1 << 17


class _Stems(dict[str, str]):
    """A cache of stems; threads may share it."""

    def of(self, words: list[str]) -> list[str]:
        """The stems of these words."""
        if len(self) > _MOST_STEMS:
            self.clear()
        return list(map(self.__getitem__, words))

    def __missing__(self, word: str) -> str:
        self[word] = found = stems_of([word])[0]
        return found


_STEMS = _Stems()


class Analysed(str):
    """A string that holds its words. It can replace any string; its words are found once, on first use.

    A word is a run of letters and digits with their combining marks; signs and underscores separate words. `words` are
    in lower case, as the tokenizer gives them; `spans` are the beginning and end of each word in the text; `stems` are
    the entries of the index of words: without accents, by Porter's algorithm. All three have one entry for each word,
    in order.

    Only English is stemmed so far. A part of a text is an Analysed of its own.
    """

    @cached_property
    def words(self) -> list[str]:
        if self.isascii():
            return _ASCII_WORD.findall(self.lower())
        # as a whole, as the tokenizer does: whether a Greek sigma ends a word depends on what follows the word
        return [unicodedata.normalize("NFC", word) for word in _any_word().findall(self.lower())]

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        if not self.isascii():
            return [match.span() for match in _any_word().finditer(self)]
        edges = self._edges.tolist()  # words begin and end in turn
        return list(zip(edges[::2], edges[1::2], strict=True))

    def places(self, words: Sequence[int]) -> IntArray:
        """Where these words begin and end in the text, (len(words), 2); faster than `spans` for a few of many."""
        if not self.isascii():
            return np.array([self.spans[word] for word in words], np.int64).reshape(-1, 2)
        found: IntArray = self._edges.reshape(-1, 2)[words]
        return found

    @property
    def _edges(self) -> IntArray:
        """Where words begin and end in a text of ASCII, in turn."""
        in_word = np.zeros(len(self) + 2, np.bool_)
        in_word[1:-1] = _IN_ASCII_WORD[np.frombuffer(self.encode("ascii"), np.uint8)]
        return np.flatnonzero(in_word[1:] != in_word[:-1])

    @cached_property
    def stems(self) -> list[str]:
        return _STEMS.of(self.words)


def analysed(text: str) -> Analysed:
    """The text with its words; a text that is Analysed already is returned as it is."""
    return text if isinstance(text, Analysed) else Analysed(text)


def stem(word: str) -> str:
    """The stem of a word in lower case, as the index of words holds it."""
    return _STEMS.get(word) or _STEMS.of([word])[0]


def stems_of(words: Sequence[str] | Iterable[str]) -> list[str]:
    """The stems of words in lower case: accents are left out, then Porter's algorithm is applied.

    Differs from Porter's paper, as Porter's own later program does: "biology" and "biological" have one stem, and so
    have "visibly" and "visible".
    """
    plain = [word if word.isascii() else without_accents(word) for word in words]
    found = porter_stems([f"{word[:-1]}e" if word.endswith("bly") else word for word in plain])
    return [
        word if len(word) < SHORTEST_STEMMED else one[:-1] if one.endswith("logi") else one
        for word, one in zip(plain, found, strict=True)
    ]


def without_accents(word: str) -> str:
    """The word without the accents of Latin, Greek and Cyrillic letters; other marks belong to their letters."""
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", word)))


def folded(text: str) -> tuple[str, ...]:
    """The words of a text as phrases compare them: in lower case, without accents, not stemmed."""
    return tuple(word if word.isascii() else without_accents(word) for word in analysed(text).words)


@cache
def _any_word() -> re.Pattern[str]:
    return re.compile(f"[^\\W_](?:[^\\W_]|[{combining_marks()}])*")
