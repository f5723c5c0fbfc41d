"""The signs and words of a query, each with its place: brackets, quotations, operators and names of fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from satchel.query.fields import FieldNames, plain_name

Kind: TypeAlias = Literal["word", "quotation", "(", ")", "AND", "OR", "NOT", "-", "NEAR", "tag", "unclosed"]


class Token(NamedTuple):
    """A part of a query: from `start` to `end` in the text; `value` is what stands within its signs.

    `fields` are those named before it; `unknown` is a name before it that is no field.
    """

    kind: Kind
    start: int
    end: int
    value: str
    fields: tuple[str, ...] = ()
    unknown: str = ""


# One character for one, so that columns stay. Curly quotation marks keep their direction: “ opens even within a word.
SIGNS = str.maketrans(
    {"＂": '"', "„": "“", "«": "“", "»": "”", "「": "“", "」": "”", "『": "“", "』": "”", "‟": "“"}
    | {"（": "(", "）": ")", "：": ":", "－": "-", "−": "-", "＊": "*", "，": ",", "．": "."}
)
_OPERATOR = r'(?:AND|OR|NOT)(?=[\s()"“”]|\Z)'
_CHEAP = re.compile(r'["“”:*-]')
_FORMAL = re.compile(r'["“”:*]|(?<![^\s(])-(?=[^\W\d_]|["“”(])' + rf'|(?<![^\s()"“”]){_OPERATOR}|(?<![^\s(:-])NEAR\(')
OPERATORS = re.compile(rf'(?<![^\s()"“”])(?:{_OPERATOR}|NEAR\()')
_WORD = r'[^\s()"“”][^\s()“”\[]*(?:\([^\s()"“”]*\)[^\s()“”\[]*)*'
_VALUE = (
    r'(?P<NEAR>NEAR\([^()]*\))|(?P<quotation>["“”][^"“”]*["“”])|(?P<open>\()|(?P<unclosed>["“”])'
    + rf"|(?P<word>{_WORD})"
)
_TAG = r'(?<=[\w"”*)\]])\[[\w /,:~-]{1,40}\]'
_NAME = r"(?P<name>[^\W\d_][\w-]{0,40}):(?!\s|:|//|\Z)"
_ANY = re.compile(
    rf'(?<![^\s()"“”])(?P<operator>{_OPERATOR})|(?P<minus>(?<![^\s(])-(?=[^\W\d_]|["“”(]))|(?P<close>\))'
    rf"|(?P<tag>{_TAG})|{_NAME}|{_VALUE}"
)
_AFTER_NAME, _WHOLE = re.compile(_VALUE), re.compile(_WORD)
_SCHEMES = frozenset(("http", "https", "ftp", "mailto", "urn"))
_KINDS: dict[str, Kind] = {"open": "(", "close": ")", "minus": "-", "tag": "tag", "unclosed": "unclosed"}


def first_sign(signs: str) -> int | None:
    """The place of what may be the first operator of a text, its signs translated; cheap where there is none."""
    if _CHEAP.search(signs) or "AND" in signs or "OR" in signs or "NOT" in signs or "NEAR(" in signs:
        found = _FORMAL.search(signs)
        return None if found is None else found.start()
    return None


def tokens_of(text: str, signs: str, names: FieldNames) -> Iterator[Token]:
    """The tokens of a query from left to right; `signs` is the text with its signs translated."""
    found = _ANY.search(signs)
    while found is not None:
        token = _named(text, signs, names, found) if found.lastgroup == "name" else _token(text, found)
        yield token
        found = _ANY.search(signs, token.end)


def _named(text: str, signs: str, names: FieldNames, found: re.Match[str]) -> Token:
    """The token after a name and a colon; a word with the colon in it where there is no such field."""
    start, name = found.start(), found["name"]
    fields, value = names.get(plain_name(name), ()), _AFTER_NAME.match(signs, found.end())
    if fields and value:
        return _token(text, value)._replace(start=start, fields=fields)
    whole = _WHOLE.match(signs, start) if value is None or value.lastgroup == "word" else None
    end = whole.end() if whole else found.end()
    # a full-width colon is the punctuation of a sentence, unless the name of a field stands before it
    meant = text[found.end() - 1] == ":" and (signs[found.end()].isalnum() or signs[found.end()] in '("“”')
    unknown = name if meant and name.casefold() not in _SCHEMES else ""
    return Token("word", start, end, text[start:end], unknown=unknown)


def _token(text: str, found: re.Match[str]) -> Token:
    start, end = found.span()
    value, group = text[start:end], found.lastgroup or "word"
    if group == "word":
        return Token("word", start, end, value)
    if group == "operator":
        return Token("AND" if value == "AND" else "OR" if value == "OR" else "NOT", start, end, value)
    if group == "quotation":
        return Token("quotation", start, end, value[1:-1])
    if group == "NEAR":
        return Token("NEAR", start, end, value[len("NEAR(") : -1])
    return Token(_KINDS[group], start, end, value)
