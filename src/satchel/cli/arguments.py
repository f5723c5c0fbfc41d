"""The arguments that commands share, and the options of a search, made from the fields of a request.

A new field of a request is a new option at once.
"""

from __future__ import annotations

import functools
import inspect
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeAlias, get_args, get_origin, get_type_hints

import typer

from satchel.errors import InputError
from satchel.query import Request

if TYPE_CHECKING:
    from satchel.collection import Collection, Filters, Hits

MOST_COMPARED = 50_000
"""How many ids are compared with an unknown one."""
RequestFields: TypeAlias = dict[str, Any]
"""The fields of a request that were given, as the library takes them."""


def one_of_these(*choices: str) -> Callable[[str], list[str]]:
    """The completions that a shell offers for the value of an option."""
    return lambda incomplete: [choice for choice in choices if choice.startswith(incomplete)]


File = Annotated[Path, typer.Argument(help="The collection, such as papers.satchel.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing on success.")]


def opened(path: Path) -> Collection:
    """The collection in a file; the caller closes it."""
    from satchel.collection import Collection

    return Collection.open(path)


def listed_ids(given: Iterable[str]) -> list[str]:
    """The ids; a single "-" stands for those on standard input, one per line, as `satchel search --ids` prints them."""
    ids = list(given)
    return [line for line in sys.stdin.read().split("\n") if line] if ids == ["-"] else ids


def check_ids(collection: Collection, ids: Iterable[str]) -> None:
    """Raises an error for an id that is not in the collection, with the ids that may have been meant."""
    for id_ in ids:
        if id_ not in collection:
            near = near_ids(collection, id_)
            meant = (
                f"is it {' or '.join(map(repr, near))}?" if near else f"`satchel search {collection.path}` lists ids"
            )
            raise InputError(f"no document {id_!r} is in {collection.path}; {meant}")


def near_ids(collection: Collection, id_: str) -> list[str]:
    """Three ids at most: those that hold the one given, such as a path that ends in it, else those spelt alike."""
    every, wanted = list(collection), id_.casefold()
    holding = [one for one in every if wanted in one.casefold()]
    return sorted(holding, key=len)[:3] or get_close_matches(id_, every[:MOST_COMPARED], n=3)


class Spelling(NamedTuple):
    """How an option is spelled if it is not `--name VALUE`. help: replaces the help of the field.

    read: turns what was written into the value of the field. once: the option is given once; without it, a field of
    many values is a repeatable option.
    """

    flag: str = ""
    help: str = ""
    read: Callable[[Any], Any] = lambda written: written
    once: bool = False


def _filters(written: Sequence[str]) -> Filters:
    from satchel.collection import read_filters

    return read_filters(written)


def _weights(written: Sequence[str]) -> dict[int, float]:
    weights: dict[int, float] = {}
    for one in written:
        theme, _, weight = one.partition("=")
        try:
            weights[int(theme)] = float(weight)
        except ValueError:
            raise InputError(f"{one!r} is not the weight of a theme; write THEME=WEIGHT, such as 12=0") from None
    return weights


def _comparison(written: str) -> Any:
    try:
        return json.loads(written)
    except ValueError as error:
        raise InputError(f"--compare-with is not JSON: {error}") from error


SPELLINGS = {
    "k": Spelling("-k"),
    "filters": Spelling(
        "--where",
        "Find only matching documents: FIELD=VALUE, FIELD=A,B (either one), FIELD>=VALUE, FIELD<=VALUE",
        _filters,
    ),
    "weights": Spelling(
        "--weight",
        "Weight a theme by its number in --why, as THEME=WEIGHT: 0 leaves it out, 2 counts it twice",
        _weights,
    ),
    "area": Spelling(
        help="Find only documents between two corners of the map: X,Y,X,Y, each from 0 to 1.",
        read=lambda written: written.split(","),
        once=True,
    ),
    "compare_with": Spelling(
        help='Show the rank of each hit under other marks and weights too, given as JSON: {"marks": {"ID": "maybe"}}.',
        read=_comparison,
        once=True,
    ),
    "facets": Spelling(
        help="Count the values of these fields among all that was found: FIELD,FIELD.",
        read=lambda written: [name for name in written.split(",") if name],
        once=True,
    ),
    "sort": Spelling(
        help="Order by relevance, title, date, added or a field; -FIELD from high to low, as in --sort=-year.",
    ),
    "kept_marks": Spelling("--kept-marks/--unmarked"),
    "only_new": Spelling("--new"),
}
ARGUMENT = "query"
"""The field that is an argument, without a flag."""


def with_request(
    only: tuple[str, ...] | None = None, without: tuple[str, ...] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a command the options of a request, or some of them, and passes what was given as `request`.

    The command keeps its own parameter where it has one for a field.
    """

    def of_command(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        own = [one for name, one in signature.parameters.items() if name != "request"]
        left_out = {*without, *(one.name for one in own)}
        names = [one.name for one in fields(Request) if one.name not in left_out and (only is None or one.name in only)]

        @functools.wraps(command)
        def called(**given: Any) -> None:
            written = {name: given.pop(name) for name in names}
            command(request=_read(written), **given)

        needed = [one for one in own if one.default is one.empty]
        every = [*needed, *map(_option, names), *(one for one in own if one not in needed)]
        called.__signature__ = signature.replace(parameters=every)  # type: ignore[attr-defined]
        called.__annotations__ = {one.name: one.annotation for one in every}
        return called

    return of_command


def flag_of(name: str) -> str:
    """How a person writes the option for a field."""
    return SPELLINGS.get(name, Spelling()).flag.partition("/")[0] or f"--{name.replace('_', '-')}"


def searched(collection: Collection, request: RequestFields, **more: Any) -> Hits:
    """What the request finds. For an unknown id or field, the error names those that may have been meant."""
    for name in ("like", "relevant", "irrelevant", "maybe"):
        check_ids(collection, request.get(name, ()))
    collection.check_fields(request.get("filters", ()))
    return collection.search(**{**request, **more})


_HINTS = get_type_hints(Request, include_extras=True)
_DEFAULTS = {one.name: one.default for one in fields(Request)}


def _option(name: str) -> inspect.Parameter:
    """The parameter of a command that stands for a field."""
    (kind, about), spelling, more = get_args(_HINTS[name]), SPELLINGS.get(name, Spelling()), dict[str, Any]()
    flag, said, default = spelling.flag or flag_of(name), spelling.help or about.help, _DEFAULTS[name]
    written: Any = kind
    if get_origin(kind) is Literal:
        written, more = str, {"autocompletion": one_of_these(*get_args(kind))}
    elif kind is int or kind is float:
        more = {"min": about.least}
    elif kind is bool and default and not spelling.flag:
        flag = f"{flag}/--no-{flag.removeprefix('--')}"
    elif kind is not str and kind is not bool:
        once = spelling.once or kind == str | None
        written, default = (str if once else list[str]) | None, None
        said = said if once else f"{said.rstrip('.')}; repeatable."
    typed = typer.Argument(help=said) if name == ARGUMENT else typer.Option(flag, help=said, **more)
    annotation = Annotated[written, typed]
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=annotation)


def _read(written: Mapping[str, Any]) -> RequestFields:
    given = {name: value for name, value in written.items() if value not in (None, [], _DEFAULTS[name])}
    return {name: SPELLINGS.get(name, Spelling()).read(value) for name, value in given.items()}
