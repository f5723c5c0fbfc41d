"""What a person asks for, checked and put together: a query or an interest, with marks given now and marks kept."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple, get_args

from satchel.collection.documents import ids_of, writable
from satchel.collection.file import CollectionFile
from satchel.collection.filters import Filters, check_filters
from satchel.collection.hits import Mode, Verdict
from satchel.collection.interests import Interest, plain_weights, read_interest
from satchel.collection.legs import Moved, Request
from satchel.collection.map_places import Area, check_area
from satchel.collection.marks import marks_in_force, verdicts
from satchel.errors import InputError, one_of, whole_number


class Asked(NamedTuple):
    """The arguments of `Collection.search`."""

    query: str = ""
    k: int = 10
    offset: int = 0
    mode: Mode = "both"
    like: str | Iterable[str] | None = None
    filters: Filters | None = None
    relevant: Iterable[str] = ()
    irrelevant: Iterable[str] = ()
    maybe: Iterable[str] = ()
    interest: str | None = None
    kept_marks: bool = True
    explained: bool = True
    weights: Mapping[int, float] | None = None
    area: Area | None = None
    earlier_marks: Mapping[str, Verdict] | None = None
    earlier_weights: Mapping[int, float] | None = None


def request_of(file: CollectionFile, asked: Asked, only_new: bool = False) -> Request:
    """The request; marks given now count before those that were kept for the query or interest."""
    if not isinstance(asked.query, str):
        raise InputError(f"the query is of type {type(asked.query).__name__}; expected a string")
    one_of("mode", asked.mode, get_args(Mode))
    check_filters(asked.filters)
    interest = None if asked.interest is None else read_interest(file, asked.interest)
    query = writable(asked.query) or (interest.query if interest is not None else "")
    like = () if asked.like is None else (asked.like,) if isinstance(asked.like, str) else ids_of("like", asked.like)
    given = _given_marks(file, asked)
    return Request(
        query=query,
        k=whole_number("k", asked.k),
        offset=whole_number("offset", asked.offset, 0),
        mode=asked.mode,
        like=like,
        filters={**(interest.filters if interest is not None else {}), **(asked.filters or {})},
        marks={**(_kept_marks(file, query, interest) if asked.kept_marks else {}), **given},
        weights=_weights(interest, asked.weights),
        explained=asked.explained,
        area=None if asked.area is None else check_area(asked.area),
        earlier=_earlier(asked),
        since=interest.seen if interest is not None and only_new else None,
    )


def _weights(interest: Interest | None, given: Mapping[int, float] | None) -> Mapping[int, float]:
    """Those given now stand in place of those of the interest."""
    if given is None:
        return interest.weights if interest is not None else {}
    return plain_weights(given)


def _earlier(asked: Asked) -> Moved | None:
    if asked.earlier_marks is None and asked.earlier_weights is None:
        return None
    if not isinstance(asked.earlier_marks or {}, Mapping):
        raise InputError(
            f"earlier_marks are {asked.earlier_marks!r}; expected id -> mark, such as {{'a.pdf': 'maybe'}}"
        )
    marks = dict(asked.earlier_marks or {})
    for verdict in marks.values():
        one_of("earlier mark", verdict, get_args(Verdict))
    return Moved(marks, _weights(None, asked.earlier_weights or {}))


def _given_marks(file: CollectionFile, asked: Asked) -> dict[str, Verdict]:
    marks: dict[str, Verdict] = {}
    sides: dict[Verdict, Iterable[str]] = {
        "relevant": asked.relevant,
        "maybe": asked.maybe,
        "irrelevant": asked.irrelevant,
    }
    for verdict, ids in sides.items():
        for id_ in ids_of(verdict, ids):
            if marks.setdefault(id_, verdict) != verdict:
                raise InputError(f"the document {id_!r} is given as {marks[id_]} and as {verdict}; choose one")
    _check_there(file, list(marks))
    return marks


def _check_there(file: CollectionFile, ids: list[str]) -> None:
    """The error for an id that is neither that of a document nor of one whose text came with an interest."""
    among, asked = "WHERE id IN (SELECT value FROM json_each(?))", json.dumps(ids)
    tables = ("documents", "mark_texts")
    known = {id_ for table in tables for (id_,) in file.rows(f"SELECT id FROM {table} {among}", asked)}
    missing = next((id_ for id_ in ids if id_ not in known), None)
    if missing is not None:
        raise InputError(f"no document {missing!r} is in {file.path}; give the id of a hit")


def _kept_marks(file: CollectionFile, query: str, interest: Interest | None) -> Mapping[str, Verdict]:
    if interest is not None:
        return interest.marks
    return verdicts(marks_in_force(file, query=query)) if query.strip() else {}
