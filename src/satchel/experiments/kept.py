"""Caches what the steps of a run share, such as data sets and word vectors: made once and released together."""

import json
from collections.abc import Callable, Sequence
from functools import wraps
from inspect import signature
from typing import ParamSpec, Protocol, TypeVar, runtime_checkable

P = ParamSpec("P")
R = TypeVar("R")


@runtime_checkable
class _Closable(Protocol):
    def close(self) -> None: ...


class SharedResults:
    """The results of functions by their arguments. Everything that a run keeps is here, and `forget` releases it."""

    def __init__(self) -> None:
        self._scopes: list[dict[str, dict[str, object]]] = []

    def shared(self, most: int = 1, of: Sequence[str] = ()) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Makes a function compute each result once; a call with equal arguments returns the same result.

        of: the arguments that make up a scope, such as the name of a data set; all of them if none is named. The
        results of the `most` scopes that were used last are kept; the others are closed, if possible, and dropped.
        """

        def sharing(make: Callable[P, R]) -> Callable[P, R]:
            scopes: dict[str, dict[str, object]] = {}  # the least recently used first
            self._scopes.append(scopes)
            known = signature(make)

            @wraps(make)
            def made(*positional: P.args, **named: P.kwargs) -> R:
                given = known.bind(*positional, **named)
                given.apply_defaults()
                scope = _key([given.arguments[name] for name in of or given.arguments])
                results = scopes[scope] = scopes.pop(scope, {})
                while len(scopes) > most:
                    _close(scopes.pop(next(iter(scopes))))
                key = _key(given.arguments)
                if key not in results:
                    results[key] = make(*positional, **named)
                return results[key]  # type: ignore[return-value]  # what `make` gave

            return made

        return sharing

    def forget(self) -> None:
        """Releases everything and closes what can be closed."""
        for scopes in self._scopes:
            while scopes:
                _close(scopes.popitem()[1])


def _key(arguments: object) -> str:
    """The same key for equal arguments, including parameters in tables."""
    return json.dumps(arguments, default=str, sort_keys=True)


def _close(results: dict[str, object]) -> None:
    for result in results.values():
        if isinstance(result, _Closable):
            result.close()


KEPT = SharedResults()
"""The results that this process shares."""
