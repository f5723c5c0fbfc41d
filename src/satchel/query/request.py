"""A request: all options of a search with their bounds, the same in the library, the command line and HTTP.

To add an option, add a field here and the step of the search that uses it. The command line and the server build
their options and their schema from these fields."""

from __future__ import annotations

import functools
import inspect
import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import (
    Annotated,
    Any,
    Concatenate,
    Literal,
    NamedTuple,
    ParamSpec,
    TypeAlias,
    TypeVar,
    get_args,
    get_type_hints,
)

from satchel.errors import InputError, one_of, true_or_false, whole_number
from satchel.query.condition import Condition, Filters, Within, condition_of
from satchel.types import GRADES, MarkValue

P = ParamSpec("P")
AnyRequest = TypeVar("AnyRequest")
Self = TypeVar("Self")
Answer = TypeVar("Answer")


def takes_fields_of(
    request: Callable[P, AnyRequest],
) -> Callable[[Callable[[Self, AnyRequest], Answer]], Callable[Concatenate[Self, P], Answer]]:
    """Makes a method that takes a `Request` take the request's fields as arguments; new fields are included."""

    def of_method(method: Callable[[Self, AnyRequest], Answer]) -> Callable[Concatenate[Self, P], Answer]:
        @functools.wraps(method)
        def called(self: Self, /, *args: P.args, **kwargs: P.kwargs) -> Answer:
            return method(self, request(*args, **kwargs))

        answer, hints = inspect.signature(method).return_annotation, get_type_hints(request)
        first = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        own = [one.replace(annotation=hints[one.name]) for one in inspect.signature(request).parameters.values()]
        called.__signature__ = inspect.Signature([first, *own], return_annotation=answer)  # type: ignore[attr-defined]
        return called

    return of_method


Mode: TypeAlias = Literal["both", "lexical", "semantic"]
Area: TypeAlias = tuple[float, float, float, float]
"""Two opposite corners on the map, (x, y, x, y), each number from 0 to 1."""
MOST_CHARACTERS, MOST_HITS, MOST_SKIPPED, MOST_IDS = 10_000, 1_000, 1_000_000, 10_000
"""The longest query over HTTP: some pages of text, which a person may paste. The library has no such limit."""
DEPTH = 1000
"""How many documents found by words, and by meaning, are fused; a later page may need more."""
MOST_DEPTH = 2**62
MOST_FACETS, MOST_SORT = 20, 200
RELEVANCE = "relevance"
"""The order of hits unless `sort` names another."""
NOTHING: Mapping[Any, Any] = MappingProxyType({})


class Comparison(NamedTuple):
    """Marks and weights of a second ranking; each hit then also shows its rank in that one."""

    marks: Mapping[str, MarkValue] = NOTHING
    weights: Mapping[int, float] = NOTHING


class Option(NamedTuple):
    """A field's help text, in one sentence, and its bounds over HTTP: of the number itself, or of the length."""

    help: str
    least: int | None = None
    most: int | None = None


Ids: TypeAlias = Iterable[str]


@dataclass(frozen=True)
class Request:
    """All options of one search. They are checked when the request is made, so later steps can rely on them."""

    query: Annotated[str, Option("What to look for; empty: the project's query, or all.", most=MOST_CHARACTERS)] = ""
    k: Annotated[int, Option("How many hits.", 1, MOST_HITS)] = 10
    offset: Annotated[int, Option("Skip this many hits: the next page.", 0, MOST_SKIPPED)] = 0
    mode: Annotated[Mode, Option("both, lexical (by words) or semantic (by meaning).")] = "both"
    like: Annotated[str | Ids | None, Option("Find documents like these ids.", most=100)] = None
    filters: Annotated[Filters | Condition | None, Option("Only documents that meet these conditions.", most=50)] = None
    relevant: Annotated[Ids, Option("Show more like these ids.", most=MOST_IDS)] = ()
    irrelevant: Annotated[Ids, Option("Show less like these ids.", most=MOST_IDS)] = ()
    maybe: Annotated[Ids, Option("Show a little more like these ids.", most=MOST_IDS)] = ()
    project: Annotated[str | None, Option("Use the query, marks and filters of this project.", most=200)] = None
    only_new: Annotated[bool, Option("Only unmarked documents added since the project was last seen.")] = False
    kept_marks: Annotated[bool, Option("Count the marks kept for this query or project.")] = True
    explained: Annotated[bool, Option("Add snippets and reasons.")] = True
    weights: Annotated[Mapping[int, float] | None, Option("Weights of themes, theme -> weight; 0 ignores a theme.")] = (
        None
    )
    area: Annotated[Area | None, Option("Only documents between two corners on the map, each from 0 to 1.")] = None
    facets: Annotated[Ids, Option("Count the values of these fields among what was found.", most=MOST_FACETS)] = ()
    sort: Annotated[
        str, Option("Order by relevance, title, date, added or a field; -year: from high to low.", most=MOST_SORT)
    ] = RELEVANCE
    compare_with: Annotated[
        Comparison | Mapping[str, Any] | None,
        Option("Other marks and weights; each hit also shows its rank under these."),
    ] = None

    def __post_init__(self) -> None:
        if not isinstance(self.query, str):
            raise InputError(f"the query is of type {type(self.query).__name__}; expected a string")
        one_of("mode", self.mode, get_args(Mode))
        self._keep("query", writable(self.query))
        self._keep("k", whole_number("k", self.k))
        self._keep("offset", whole_number("offset", self.offset, 0))
        like = (self.like,) if isinstance(self.like, str) else self.like or ()
        self._keep("like", tuple(dict.fromkeys(ids_of("like", like))))
        for value in GRADES:
            self._keep(value, ids_of(value, getattr(self, value)))
        for name in ("only_new", "kept_marks", "explained"):
            true_or_false(name, getattr(self, name))
        if not isinstance(self.project, str | None):
            raise InputError(f"the project is of type {type(self.project).__name__}; expected its name")
        if self.only_new and self.project is None:
            raise InputError("`only_new` needs a project; give its name")
        condition_of(self.filters)
        self._keep("weights", None if self.weights is None else plain_weights(self.weights))
        self._keep("area", None if self.area is None else _corners(self.area))
        self._keep("compare_with", None if self.compare_with is None else _comparison(self.compare_with))
        self._keep("facets", _facets(self.facets))
        if not isinstance(self.sort, str) or not self.sort.removeprefix("-"):
            raise InputError(f"sort is {self.sort!r}; expected relevance, title, date, added or a field, such as -year")
        _ = self.marks

    def _keep(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    @property
    def marks(self) -> dict[str, MarkValue]:
        """Document id -> its mark in this request."""
        marks: dict[str, MarkValue] = {}
        for value in GRADES:
            for id_ in getattr(self, value):
                if marks.setdefault(id_, value) != value:
                    raise InputError(f"the document {id_!r} is given as {marks[id_]} and as {value}; choose one")
        return marks

    @property
    def within(self) -> Within | None:
        """The area of the map as a condition."""
        return None if self.area is None else Within(*self.area)

    @property
    def is_sorted(self) -> bool:
        """Whether the hits come in another order than by relevance."""
        return self.sort != RELEVANCE

    @property
    def depth(self) -> int:
        """How many documents found by words, and by meaning, are fused."""
        return min(DEPTH * -(-(self.offset + self.k) // DEPTH), MOST_DEPTH)


def plain_weights(weights: Mapping[int, float]) -> dict[int, float]:
    """Weights of themes as numbers; raises InputError unless the argument maps themes to weights."""
    try:
        return {int(theme): float(weight) for theme, weight in weights.items()}
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"weights are {weights!r}; expected theme -> weight, such as {{12: 0.5}}") from error


def ids_of(name: str, given: object) -> tuple[str, ...]:
    """The ids of an argument as a tuple; raises InputError unless it is a list of strings."""
    if isinstance(given, str):
        raise InputError(f"{name} must be a list of ids, not one string: [{given!r}]")
    ids = tuple(given) if isinstance(given, Iterable) else ()
    if not isinstance(given, Iterable) or not all(isinstance(id_, str) for id_ in ids):
        raise InputError(f"{name} is {given!r}; expected a list of ids, such as ['a.pdf']")
    return ids


def _facets(given: object) -> tuple[str, ...]:
    names = tuple(dict.fromkeys((given,) if isinstance(given, str) else ids_of("facets", given)))
    if len(names) > MOST_FACETS:
        raise InputError(f"facets are {len(names)} fields; at most {MOST_FACETS} are counted in one search")
    return names


def writable(text: str) -> str:
    """The text without characters that UTF-8 cannot hold, and without NUL, where SQLite's functions stop reading."""
    if not is_unicode(text):
        text = text.encode("utf-8", "replace").decode()
    return text.replace("\0", " ") if "\0" in text else text


def is_unicode(text: str) -> bool:
    """Whether the text can be written as UTF-8; half of a surrogate pair cannot."""
    return text.isascii() or text.encode("utf-8", "replace").decode() == text


def _corners(area: object) -> Area:
    """The left, top, right and bottom of an area, in whatever order its corners were given."""
    try:
        x0, y0, x1, y1 = (float(end) for end in area)  # type: ignore[attr-defined]
        if not all(map(math.isfinite, (x0, y0, x1, y1))):
            raise ValueError
    except (TypeError, ValueError) as error:
        raise InputError(f"area is {area!r}; expected two corners x, y, x, y, each from 0 to 1") from error
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _comparison(given: object) -> Comparison:
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            given = None
    if isinstance(given, Mapping) and given.keys() <= set(Comparison._fields):
        given = Comparison(given.get("marks") or {}, given.get("weights") or {})
    if not isinstance(given, Comparison) or not isinstance(given.marks, Mapping):
        expected = '{"marks": {"a.pdf": "maybe"}, "weights": {"12": 0.5}}'
        raise InputError(f"compare_with is {given!r:.200}; expected marks and weights, such as {expected}")
    for value in given.marks.values():
        one_of("mark to compare with", value, GRADES)
    return Comparison(dict(given.marks), plain_weights(given.weights))
