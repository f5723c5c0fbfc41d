"""The options of a search, made from the fields of a request: a new field is a new option at once."""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import typer

from satchel.cli.opened import one_of_these
from satchel.errors import InputError


class Spelling(NamedTuple):
    """How a field that is no plain value is written on a command line, and how it is read."""

    flags: tuple[str, ...]
    read: Callable[[list[str]], Any]
    help: str
    several: bool = True


def read_weights(written: Iterable[str]) -> dict[int, float]:
    """Weights of themes as a person writes them: 12=0.5."""
    weights: dict[int, float] = {}
    for one in written:
        theme, _, weight = one.partition("=")
        try:
            weights[int(theme)] = float(weight)
        except ValueError:
            raise InputError(f"{one!r} is no weight of a theme; write THEME=WEIGHT, such as 12=0") from None
    return weights


def _area(written: list[str]) -> list[str]:
    return written[0].split(",")


def _comparison(written: list[str]) -> Mapping[str, Any]:
    try:
        found = json.loads(written[0])
    except ValueError as error:
        raise InputError(f"--compare-with is not JSON: {error}") from error
    return dict(found) if isinstance(found, dict) else {"marks": found}


def _filters(written: list[str]) -> Any:
    from satchel.collection import read_filters

    return read_filters(written)


SPELLINGS: dict[str, Spelling] = {
    "filters": Spelling(
        ("--where",),
        _filters,
        "Only these: FIELD=VALUE, FIELD=A,B (one of them), FIELD>=VALUE or FIELD<=VALUE; repeatable.",
    ),
    "weights": Spelling(
        ("--weight",),
        read_weights,
        "THEME=WEIGHT by the numbers that --why shows: 0 leaves it out, 2 counts it twice; repeatable.",
    ),
    "area": Spelling(
        ("--area",), _area, "Only documents between two corners on the map: X,Y,X,Y, each from 0 to 1.", False
    ),
    "compare_with": Spelling(
        ("--compare-with",),
        _comparison,
        'Other marks and weights as JSON, {"marks": {"ID": "maybe"}}: each hit also tells its rank under these.',
        False,
    ),
    "k": Spelling(("-k", "--k"), lambda written: written, ""),
    "kept_marks": Spelling(("--kept-marks/--unmarked",), lambda written: written, ""),
    "only_new": Spelling(("--new",), lambda written: written, ""),
}
FIRST = ("query",)
"""Fields that are written without a flag, in this order."""


def with_request(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the options of a request. The command is called with `asked`: the fields that were given."""
    from satchel.query import Request

    hints = get_type_hints(Request, include_extras=True)
    options = [_option(field.name, hints[field.name], field.default) for field in fields(Request)]
    own = inspect.signature(command, eval_str=True)
    others = [parameter for name, parameter in own.parameters.items() if name != "asked"]
    taken = {parameter.name for parameter in others}
    added = [option for option in options if option.name not in taken]

    @functools.wraps(command)
    def called(**given: Any) -> None:
        asked = {one.name: given.pop(one.name) for one in added}
        command(asked=_read(asked), **given)

    before = [one for one in others if get_origin(one.annotation) is Annotated and _is_argument(one)]
    rest = [one for one in others if one not in before]
    called.__signature__ = own.replace(parameters=[*before, *added, *rest])  # type: ignore[attr-defined]
    called.__annotations__ = {one.name: one.annotation for one in (*before, *added, *rest)}
    return called


def _is_argument(parameter: inspect.Parameter) -> bool:
    return any(type(one).__name__ == "ArgumentInfo" for one in get_args(parameter.annotation))


def _option(name: str, hint: Any, default: Any) -> inspect.Parameter:
    kind, told = get_args(hint)[0], get_args(hint)[1]
    spelling = SPELLINGS.get(name)
    flags = spelling.flags if spelling is not None else (f"--{name.replace('_', '-')}",)
    said = (spelling.help if spelling is not None else "") or told.help
    more: dict[str, Any] = {"help": said}
    if kind is int:
        more["min"] = told.least
    if get_origin(kind) is Literal:
        more["autocompletion"] = one_of_these(*get_args(kind))
    if name in FIRST:
        return _parameter(name, Annotated[str, typer.Argument(help=said)], default)
    if kind in (int, bool, str) or get_origin(kind) is Literal:
        plain = str if get_origin(kind) is Literal else kind
        return _parameter(name, Annotated[plain, typer.Option(*flags, **more)], default)
    if type(None) in get_args(kind) and str in get_args(kind) and len(get_args(kind)) == 2:
        return _parameter(name, Annotated[str | None, typer.Option(*flags, **more)], None)
    if spelling is not None and not spelling.several:
        return _parameter(name, Annotated[str | None, typer.Option(*flags, **more)], None)
    return _parameter(name, Annotated[list[str] | None, typer.Option(*flags, **more)], None)


def _parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=annotation)


def _read(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that were given, as the request takes them."""
    found: dict[str, Any] = {}
    for name, value in given.items():
        if value is None or value == []:
            continue
        if name in SPELLINGS and isinstance(value, str | list):
            value = SPELLINGS[name].read([value] if isinstance(value, str) else value)
        found[name] = value
    return found
