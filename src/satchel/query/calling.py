"""A method that takes the fields of a request as its arguments."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar, get_type_hints

P = ParamSpec("P")
Asked = TypeVar("Asked")
Self = TypeVar("Self")
Answer = TypeVar("Answer")


def asked_by(
    request: Callable[P, Asked],
) -> Callable[[Callable[[Self, Asked], Answer]], Callable[Concatenate[Self, P], Answer]]:
    """Turns a method of a request into one of the request's own arguments: a new field is a new argument at once."""

    def of_method(method: Callable[[Self, Asked], Answer]) -> Callable[Concatenate[Self, P], Answer]:
        @functools.wraps(method)
        def called(self: Self, /, *args: P.args, **kwargs: P.kwargs) -> Answer:
            return method(self, request(*args, **kwargs))

        answer, hints = inspect.signature(method).return_annotation, get_type_hints(request)
        first = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        own = [one.replace(annotation=hints[one.name]) for one in inspect.signature(request).parameters.values()]
        called.__signature__ = inspect.Signature([first, *own], return_annotation=answer)  # type: ignore[attr-defined]
        return called

    return of_method
