"""What a word is: the regular expressions by which every text is split."""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache
from itertools import compress

_CODES = range(sys.maxunicode + 1)


@cache
def word_pattern(letters_only: bool, min_length: int, marks: str = "", numbers: str = "") -> re.Pattern[str]:
    """A run of word characters; the run may go on with combining marks, which `\\w` leaves out."""
    first = rf"[^\W\d_{numbers}]" if letters_only else r"\w"
    following = f"(?:{first}|[{marks}])" if letters_only and marks else f"[\\w{marks}]" if marks else first
    return re.compile(f"{first}{following}{{{min_length - 1},}}")


@cache
def unicode_pattern(letters_only: bool, min_length: int) -> re.Pattern[str]:
    """The pattern for any text. It is made when the first text comes that is not ASCII: it reads all of Unicode."""
    return word_pattern(letters_only, min_length, combining_marks(), number_signs() if letters_only else "")


@cache
def combining_marks() -> str:
    """All combining marks as regular-expression ranges: without them words of Hindi, for example, would fall apart."""
    kinds = map(unicodedata.category, map(chr, _CODES))
    return _as_ranges(list(compress(_CODES, map(("Mn", "Mc").__contains__, kinds))))


@cache
def number_signs() -> str:
    """All signs for numbers that `\\w` takes and `\\d` leaves out: superscripts, fractions, Roman numerals …"""
    signs = map(chr, _CODES)
    return _as_ranges([ord(s) for s in signs if s.isalnum() and not s.isalpha() and not s.isdecimal()])


def _as_ranges(codes: list[int]) -> str:
    """Rising code points as they stand between the brackets of a regular expression."""
    ranges: list[list[int]] = []
    for code in codes:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"{chr(low)}-{chr(high)}" for low, high in ranges)
