"""The query language: what a person types, as words to rank by and a condition that the documents must meet.

AND, OR and NOT join what stands beside them. Of what stands without them, phrases, fields, prefixes and NEAR are
required, and plain words are only ranked. Natural text stays as it is; `manner` says how the two are told apart.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import NamedTuple, TypeAlias

from satchel.query.condition import Condition, Not, Or, Phrase, all_of
from satchel.query.fields import field_names, list_of_fields
from satchel.query.leaves import (
    beginning,
    near_condition,
    near_parts,
    phrase,
    prefix_condition,
    span_condition,
    word_condition,
)
from satchel.query.manner import Manner, NotUnderstoodError, counting, is_in_capitals, is_long
from satchel.query.tokens import OPERATORS, SIGNS, Token, first_sign, tokens_of

MOST_PARSED, MOST_TOKENS = 20_000, 3_000
"""A text with more characters, or more words and signs, has no operators: it would take too long to read.

Long searches of systematic reviews have about 10,000 characters and 1,500 words and signs.
"""
DEEPEST = 100
"""How deep brackets may be nested."""


class Parsed(NamedTuple):
    """A query as it is searched.

    words: what to rank by, without excluded parts, names of fields, numbers and spans; natural text as it was given.
    condition: what is required and excluded. raised: quotations in a long text, which only raise the rank.
    notes: what was not understood, each a sentence that points at the column.
    """

    words: str
    condition: Condition | None = None
    raised: tuple[Phrase, ...] = ()
    notes: tuple[str, ...] = ()


def parse(text: str, fields: Collection[str] = ()) -> Parsed:
    """Reads a query; `fields` are those that the documents have beside title, text, id, source and file.

    Never raises: what cannot be parsed is searched as plain words, with a note that says so.
    """
    signs = text if text.isascii() else text.translate(SIGNS)
    first = first_sign(signs)
    if first is None:
        return Parsed(text)
    capitals, joined = is_in_capitals(signs), OPERATORS.search(signs) is not None
    if capitals and joined:
        return Parsed(text)
    names = {} if capitals else field_names(fields)
    tokens = list(islice(tokens_of(text, signs, names), MOST_TOKENS + 1)) if len(text) <= MOST_PARSED else []
    if not 0 < len(tokens) <= MOST_TOKENS:
        most = f"{MOST_PARSED:,} characters or {MOST_TOKENS:,} words and signs"
        note = f"column {first + 1}: operators are not read in a query of more than {most}"
        return Parsed(text, notes=(note,) if joined else ())
    try:
        return _parsed(text, tokens, fields, capitals)
    except NotUnderstoodError as error:
        return Parsed(text, notes=(str(error),))


def _parsed(text: str, tokens: list[Token], fields: Collection[str], capitals: bool) -> Parsed:
    joined = any(token.kind in ("AND", "OR", "NOT") for token in tokens)
    manner = Manner(is_long(text), joined, capitals)
    reader = _Reader(manner)
    for token in counting(tokens, manner, reader.notes):
        reader.read(token)
    condition = all_of(*(one.condition for one in reader.ended() if one.is_required))
    notes = reader.notes
    if not (manner.long or capitals):
        there_are = f"fields are {list_of_fields(fields)}"
        unknown = (token for token in tokens if token.unknown)
        notes += [f"column {one.start + 1}: there is no field {one.unknown!r}; {there_are}" for one in unknown]
    words = text if condition is None else " ".join(reader.words)
    return Parsed(words, condition, tuple(dict.fromkeys(reader.raised)), tuple(notes))


class _Part(NamedTuple):
    """A condition in a row of parts; required, or only ranked unless an operator joins it."""

    condition: Condition
    is_required: bool = True


_Row: TypeAlias = list[_Part]


class _Level:
    """What stands within one pair of brackets, while it is read: a row of parts, each of ORs of ANDs."""

    def __init__(self, opening: Token | None = None, is_excluded: bool = False) -> None:
        self.opening = opening
        self.fields = opening.fields if opening else ()
        self.is_excluded = is_excluded
        self.waiting: Token | None = None  # an operator whose right side has not come
        self._negates = False
        self._done: _Row = []
        self._either: list[list[_Row]] = [[]]

    @property
    def excludes_next(self) -> bool:
        return self.is_excluded != self._negates

    def join(self, operator: Token) -> None:
        """Reads AND, OR, NOT or a minus."""
        if operator.kind in ("NOT", "-"):
            if self.waiting is None:
                self._end_part()
            self._negates = not self._negates
        elif self.waiting is not None or not self._either[-1]:
            raise NotUnderstoodError(operator.start, f"{operator.kind} has nothing on its left")
        elif operator.kind == "OR":
            self._either.append([])
        self.waiting = operator

    def take(self, row: _Row) -> None:
        """Reads a word, a phrase or a pair of brackets."""
        if self.waiting is None:
            self._end_part()
        if self._negates:
            row = [_Part(Not(one)) for one in _all_of(row)]
        elif self.waiting is not None and self.waiting.kind in ("NOT", "-"):
            row = [_Part(one) for one in _all_of(row)]
        self._either[-1].append(row)
        self.waiting, self._negates = None, False

    def ended(self) -> _Row:
        """The row of parts of this level; raises NotUnderstoodError if an operator lacks its right side."""
        if self.waiting is not None:
            raise NotUnderstoodError(self.waiting.start, f"{self.waiting.kind} has nothing on its right")
        self._end_part()
        return [_Part(part.condition) for part in self._done] if self.fields else self._done

    def _end_part(self) -> None:
        if len(self._either) == 1 and len(self._either[0]) <= 1:
            self._done += (part for row in self._either[0] for part in row)
        else:
            sides = [one for rows in self._either for one in _all_of([part for row in rows for part in row])]
            if sides:
                self._done.append(_Part(sides[0] if len(sides) == 1 else _either_of(sides)))
        self._either = [[]]


def _all_of(row: _Row) -> list[Condition]:
    """All parts of a row as one condition; none if the row is empty."""
    joined = all_of(*(part.condition for part in row))
    return [] if joined is None else [joined]


def _either_of(sides: list[Condition]) -> Or:
    return Or(tuple(part for side in sides for part in (side.parts if isinstance(side, Or) else (side,))))


class _Reader:
    """Reads the tokens of a query one by one."""

    def __init__(self, manner: Manner) -> None:
        self._manner = manner
        self._levels = [_Level()]
        self.words: list[str] = []
        self.raised: list[Phrase] = []
        self.notes: list[str] = []

    def read(self, token: Token) -> None:
        level = self._levels[-1]
        if token.kind == "(":
            if len(self._levels) > DEEPEST:
                raise NotUnderstoodError(token.start, f"brackets are nested more than {DEEPEST} deep")
            token = token._replace(fields=token.fields or level.fields)
            self._levels.append(_Level(token, level.excludes_next))
        elif token.kind == ")":
            row = self._levels.pop().ended()
            self._levels[-1].take(row)
        elif token.kind in ("AND", "OR", "NOT", "-"):
            level.join(token)
        else:
            level.take(self._row_of(token, token.fields or level.fields, level.excludes_next))

    def ended(self) -> _Row:
        return self._levels[0].ended()

    def _row_of(self, token: Token, fields: tuple[str, ...], is_excluded: bool) -> _Row:
        """The condition of a token that is no operator; its words are kept unless they are excluded."""
        words, is_required = token.value, True
        found: Condition | None
        if token.kind == "quotation":
            found = quoted = phrase(token.value, fields)
            if quoted and self._manner.natural and not fields:
                self.raised.append(quoted)
                is_required = False
        elif token.kind == "NEAR":
            words, found = near_parts(token.value)[0], near_condition(token.value, fields)
        elif fields and (found := span_condition(token.value, fields)):
            words = ""
        elif (start := beginning(token.value, self._manner.joined)) and (fields or self._manner.has_prefixes):
            words, found = start, prefix_condition(start, fields)
        else:
            is_required = bool(fields)
            needed = fields or is_excluded or self._manner.joined
            found = word_condition(token.value, fields) if needed else None
        if words and not is_excluded:
            self.words.append(words.strip())
        return [_Part(found, is_required)] if found else []
