"""Boolean expressions: AND, OR, NOT in capitals, parentheses, words and "quoted phrases".

NOT binds closest, then AND, then OR; two terms side by side mean AND. An expression is put into postfix order, operands
before their operator, so that a stack evaluates it and no nesting is too deep.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from satchel.errors import InputError

BINDING = {"OR": 1, "AND": 2, "NOT": 3}
_PIECES = re.compile(r'"([^"]*)"|([()])|([^\s()"]+)|(")')


class Operand(NamedTuple):
    """What is looked for: a word, or a phrase as it stood between quotes."""

    text: str


class Piece(NamedTuple):
    """A part of the expression with its place, from 1 on; symbol is "" for an operand."""

    symbol: str
    text: str
    place: int


def postfix(expression: str) -> list[Operand | str]:
    """The operands and operators in postfix order; [] for an expression without any. Refuses what makes no sense."""
    output: list[Operand | str] = []
    waiting: list[Piece] = []  # operators and parentheses whose right side is not complete
    for piece in _with_ands(_pieces(expression), expression):
        if not piece.symbol:
            output.append(Operand(piece.text))
        elif piece.symbol in ("(", "NOT"):
            waiting.append(piece)
        elif piece.symbol == ")":
            while waiting and waiting[-1].symbol != "(":
                output.append(waiting.pop().symbol)
            if not waiting:
                raise _bad(expression, f"the ) at place {piece.place} closes nothing; remove it or open a (")
            waiting.pop()
        else:
            while waiting and BINDING.get(waiting[-1].symbol, 0) >= BINDING[piece.symbol]:
                output.append(waiting.pop().symbol)
            waiting.append(piece)
    while waiting:
        last = waiting.pop()
        if last.symbol == "(":
            raise _bad(expression, f"the ( at place {last.place} is never closed; add a )")
        output.append(last.symbol)
    return output


def _pieces(expression: str) -> Iterator[Piece]:
    for found in _PIECES.finditer(expression):
        phrase, parenthesis, word, quote = found.groups()
        if quote:
            raise _bad(expression, f"the quote at place {found.start() + 1} is never closed; add another")
        symbol = parenthesis or (word if word in BINDING else "")
        yield Piece(symbol, phrase if phrase is not None else found.group(), found.start() + 1)


def _with_ands(pieces: Iterator[Piece], expression: str) -> Iterator[Piece]:
    """The pieces with the ANDs that were left out; refuses operators that have nothing on a side."""
    before: Piece | None = None
    for piece in pieces:
        complete = before is not None and before.symbol in ("", ")")
        if piece.symbol in ("AND", "OR", ")") and not complete and not (piece.symbol == ")" and before is None):
            lone = piece if piece.symbol != ")" else before
            raise _bad(expression, _incomplete(lone, "before" if lone is piece else "after"))
        if piece.symbol in ("", "(", "NOT") and complete:
            yield Piece("AND", "AND", piece.place)
        yield piece
        before = piece
    if before is not None and before.symbol in BINDING:
        raise _bad(expression, _incomplete(before, "after"))


def _incomplete(piece: Piece | None, side: str) -> str:
    if piece is None or piece.symbol == "(":
        return "there is nothing between ( and ); write a word there"
    return f"{piece.symbol} at place {piece.place} has nothing {side} it; add a word there"


def _bad(expression: str, what: str) -> InputError:
    shown = expression if len(expression) <= 60 else expression[:57] + "..."
    return InputError(f"cannot read the expression {shown!r}: {what}")
