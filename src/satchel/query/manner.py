"""How a query is meant: as natural text, as a text in capitals, or with operators; and which of its signs count."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from satchel.query.tokens import OPERATORS, Token

LONG = 12
"""A text of more words is natural text unless AND, OR or NOT stands in it."""
_LETTER = re.compile(r"[^\W\d_]")
# the fields of a search in Ovid's manner: asthma.ti,ab.
_OVID = re.compile(r"\.(?:ti|ab|tw|mp|kw|kf|sh|pt|hw|ot|tiab)(?:,(?:ti|ab|tw|mp|kw|kf|sh|pt|hw|ot|tiab))*\.?\Z")


class NotUnderstoodError(Exception):
    """What cannot be parsed, as a sentence that points at the column."""

    def __init__(self, start: int, what: str) -> None:
        super().__init__(f"column {start + 1}: {what}; the query was searched as plain words")


class Manner(NamedTuple):
    """How a query is meant; `joined` says whether it has AND, OR or NOT."""

    long: bool
    joined: bool
    capitals: bool

    @property
    def natural(self) -> bool:
        """Whether quotations only raise the rank."""
        return self.long and not self.joined

    @property
    def has_prefixes(self) -> bool:
        """Whether a word may end in an asterisk; in natural text this is the sign of a footnote."""
        return not (self.natural or self.capitals)


def is_in_capitals(signs: str) -> bool:
    """Whether all words but the operators are in capitals, so that AND, OR, NOT and NEAR cannot be told from words."""
    words = OPERATORS.sub(" ", signs)
    return words.isupper() or not _LETTER.search(words)


def is_long(text: str) -> bool:
    """Whether the text has more than 12 words; a word stands between spaces and holds a letter or a digit."""
    found = 0
    for word in text.split():
        found += any(map(str.isalnum, word))
        if found > LONG:
            return True
    return False


def counting(tokens: Sequence[Token], manner: Manner, notes: list[str]) -> Iterator[Token]:
    """The tokens whose signs count in this manner; other signs are left out or become words."""
    groups = _groups(tokens, manner)
    was_kept = True  # whether the minus before this token was
    for place, token in enumerate(tokens):
        if token.kind == "-":
            was_kept = _excludes(tokens[place + 1], manner)
            if was_kept:
                yield token
            continue
        if token.kind in "()":
            if place in groups:
                yield token
        elif token.kind == "unclosed":
            if token.fields or not manner.natural:
                raise NotUnderstoodError(token.end - 1, "this quotation is never closed")
        elif token.kind == "tag":
            if not manner.joined:
                yield token._replace(kind="word")
            elif not any("in square brackets" in note for note in notes):
                notes.append(f"column {token.start + 1}: names in square brackets, as {token.value}, are left out")
        elif token.kind == "quotation" and not was_kept:
            yield token._replace(kind="word")
        else:
            if token.value == "NEAR" and tokens[min(place + 1, len(tokens) - 1)][:2] == ("(", token.end):
                raise NotUnderstoodError(token.end, "this bracket is never closed, or others stand in it")
            if manner.joined and token.kind == "word":
                token = _of_ovid(token, notes)
                if not any(map(str.isalnum, token.value)):
                    continue
            yield token
        was_kept = True


def _excludes(following: Token, manner: Manner) -> bool:
    if manner.capitals:
        return False
    if following.fields:
        return True
    return (
        manner.joined
        if following.kind == "("
        else not manner.natural
        if following.kind == "quotation"
        else (not manner.long)
    )


def _of_ovid(token: Token, notes: list[str]) -> Token:
    """The word without the names of fields that Ovid puts behind it; empty if it is nothing else."""
    found = _OVID.search(token.value) if "." in token.value else None
    if found is None:
        return token
    if not any("behind a word" in note for note in notes):
        notes.append(f"column {token.start + 1}: names of fields behind a word, as {found[0]}, are left out")
    return token._replace(value=token.value[: found.start()])


def _groups(tokens: Sequence[Token], manner: Manner) -> set[int]:
    """The places of the brackets that count: in pairs, all beside AND, OR and NOT, else those behind a field."""
    counted, open_ = set[int](), list[int]()
    for place, token in enumerate(tokens):
        if token.kind == "(":
            open_.append(place)
        elif token.kind == ")":
            if not open_ and manner.joined:
                raise NotUnderstoodError(token.start, "this bracket was never opened")
            if open_ and (manner.joined or tokens[open_[-1]].fields):
                counted |= {open_[-1], place}
            del open_[-1:]
    unclosed = next((place for place in open_ if manner.joined or tokens[place].fields), None)
    if unclosed is not None:
        raise NotUnderstoodError(tokens[unclosed].end - 1, "this bracket is never closed")
    return counted
