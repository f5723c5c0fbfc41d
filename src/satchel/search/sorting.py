"""The order of hits by their title, date, time of adding or a field, in place of relevance."""

from __future__ import annotations

from dataclasses import replace

from satchel.errors import InputError
from satchel.query import field_names
from satchel.search.result import Ranked
from satchel.store import OF_DOCUMENT, Store

DATES = ("date", "year")
"""What "date" means: the first of these fields that a document of the collection has."""


def sorted_by(store: Store, ranked: Ranked, sort: str) -> Ranked:
    """The ranking in the order of a field; documents without a value are last, ties are in the order of ids."""
    name = sort.removeprefix("-")
    codes = store.field_codes(sorted_field(store, name))
    order = codes.ordered(ranked.numbers, store.in_order(ranked.numbers), descending=sort != name)
    return replace(
        ranked,
        numbers=ranked.numbers[order],
        scores=ranked.scores[order],
        lexical=ranked.lexical[order],
        semantic=ranked.semantic[order],
        passages=ranked.passages[order],
    )


def sorted_field(store: Store, name: str) -> str:
    """The field that a name to sort by means; raises InputError if no document has it."""
    names = DATES if name == DATES[0] else (name,)
    for one in names:
        found = existing_field(store, one)
        if found is not None:
            return found
    if not store.count():
        return name
    there = ", ".join(dict.fromkeys((*OF_DOCUMENT, *sorted(store.field_names()))))
    raise InputError(f"no document has a field {name!r:.200} to sort by; choose from relevance, {there:.1000}")


def existing_field(store: Store, name: str) -> str | None:
    """The field of that name, in another spelling if need be (author, authors); None if no document has one."""
    if name in OF_DOCUMENT or len(store.field_codes(name).numbers):
        return name
    others = field_names(store.field_names()).get(name.casefold(), ())
    return others[0] if others else None
