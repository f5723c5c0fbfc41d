"""Watches the functions of satchel and the statements of SQLite that a piece of work runs through."""

import os
import re
import sqlite3
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import satchel
from satchel.text import Analysed

SPLITTERS = {
    "_words",
    "count_groups",
    "query_terms",
    "query_weights",
    "read_text",
    "spellings",
    "split",
    "tokens",
    "tokens_of",
    "words",
}
"""Functions of satchel that split a text: an argument, one in a list, or the `text` of the object they belong to."""
TAKE_WORDS = {"query_weights", "split"}
"""Those that take the words of a text that knows them, where they have been made; a `split` of other words makes its
own, as its variable `as_analysed` says."""
_HOME = str(Path(satchel.__file__).parent) + os.sep
_GOES_ON = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR
_WORD = re.compile(r"\w+")


class Walked(NamedTuple):
    """The numbers of one piece of work, as the docstring of benchmarks/walk.py tells them."""

    functions: int
    modules: int
    returns: int
    statements: int
    analyses: int
    word_analyses: int
    resolutions: int
    calls: int
    first_returns: int


class Walker:
    """Watches all threads that start while it is installed; counts while something is measured."""

    def __init__(self) -> None:
        self._counting = False
        self._traced: set[sqlite3.Connection] = set()
        self._inside = threading.local()
        self._forget("", ())

    @contextmanager
    def installed(self) -> Iterator[None]:
        threading.setprofile(self._watch)
        sys.setprofile(self._watch)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)  # type: ignore[arg-type]  # None takes it away, as the documentation says
            for connection in self._traced:
                _untraced(connection)

    def walk(self, work: Callable[[], object], query: str = "", marked: Sequence[str] = ()) -> Walked:
        """Does the work and counts. query: the text whose analyses count; marked: the ids whose resolutions count."""
        self._forget(query, marked)
        self._counting = True
        try:
            work()
        finally:
            self._counting = False
        analyses = sum(len(text) > 1 for text in self.analysed)
        return Walked(
            functions=len(self.functions),
            modules=len({module for module, _ in self.functions}),
            returns=self.returns,
            statements=len(self.statements),
            analyses=analyses,
            word_analyses=len(self.analysed) - analyses,
            resolutions=sum(any(id_ in statement for id_ in self.marked) for statement in self.statements),
            calls=self.functions.total(),
            first_returns=_returns_along([module for module, _ in self.functions]),
        )

    def _forget(self, query: str, marked: Sequence[str]) -> None:
        self.query, self.marked = Counter(_words_of(query)), marked
        self.functions: Counter[tuple[str, str]] = Counter()
        self.statements: list[str] = []
        self.analysed: list[list[str]] = []
        self.returns = 0
        self._going_on: set[FrameType] = set()

    def _watch(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "c_call":
            self._trace(getattr(argument, "__self__", None))
        elif self._counting and frame.f_code.co_filename.startswith(_HOME):
            if event == "call":
                self._enter(frame)
            elif event == "return":
                self._leave(frame)

    def _trace(self, connection: object) -> None:
        """Statements of a connection are told to us from its next call on."""
        if isinstance(connection, sqlite3.Cursor):
            connection = connection.connection
        if isinstance(connection, sqlite3.Connection) and connection not in self._traced:
            self._traced.add(connection)
            connection.set_trace_callback(self._state)

    def _state(self, statement: str) -> None:
        if self._counting and not statement.startswith("--"):
            self.statements.append(statement)
            asked = statement.partition(" MATCH ")[2]
            self._analyse([word for word in _words_of(asked) if word in self.query])

    def _enter(self, frame: FrameType) -> None:
        code = frame.f_code
        if code.co_name.startswith("<") or frame in self._going_on:
            return
        if code.co_flags & _GOES_ON:
            self._going_on.add(frame)
        module, before = _module_of(frame), _caller_of(frame)
        is_known = any(module == known for known, _ in self.functions)
        self.returns += is_known and before is not None and before != module
        self.functions[module, code.co_qualname] += 1
        if code.co_name in SPLITTERS and (words := self._words_given(frame)):
            self._splitting.append((frame, words))

    def _leave(self, frame: FrameType) -> None:
        """The innermost of the functions that split is the one that does it."""
        stack = self._splitting
        if stack and stack[-1][0] is frame:
            self._analyse(stack.pop()[1])
            stack[:] = [(outer, []) for outer, _ in stack]

    def _analyse(self, words: list[str]) -> None:
        if words:
            self.analysed.append(words)

    @property
    def _splitting(self) -> list[tuple[FrameType, list[str]]]:
        """The functions that split, with the words of the query they were given, in this thread."""
        if not hasattr(self._inside, "stack"):
            self._inside.stack = []
        stack: list[tuple[FrameType, list[str]]] = self._inside.stack
        return stack

    def _words_given(self, frame: FrameType) -> list[str]:
        """The words of the first argument that holds nothing but words of the query."""
        code = frame.f_code
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        values = [frame.f_locals.get(name) for name in names]
        values += [getattr(value, "text", None) for value in values]
        texts = [text for value in values for text in (value if isinstance(value, list | tuple) else [value])]
        if code.co_name in TAKE_WORDS and frame.f_locals.get("as_analysed", True):
            texts = [text for text in texts if not _knows_its_words(text)]
        split = [_words_of(text) for text in texts if isinstance(text, str)]
        return next((words for words in split if words and Counter(words) <= self.query), [])


def _returns_along(modules: Sequence[str]) -> int:
    """Steps to another module that came earlier: along a, b, a, a, c there is one."""
    return sum(here != before and here in modules[:i] for i, (before, here) in enumerate(pairwise(modules), start=1))


def _knows_its_words(text: object) -> bool:
    """An Analysed whose words are made; `split` makes those anew that underscores join."""
    return isinstance(text, Analysed) and "words" in vars(text) and "_" not in text


def _words_of(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _module_of(frame: FrameType) -> str:
    name: str = frame.f_globals["__name__"]
    return name


def _caller_of(frame: FrameType) -> str | None:
    """The module of satchel from which control came, whoever stood between; None where it came from outside."""
    before = frame.f_back
    while before is not None and not before.f_code.co_filename.startswith(_HOME):
        before = before.f_back
    return None if before is None else _module_of(before)


def _untraced(connection: sqlite3.Connection) -> None:
    with suppress(sqlite3.ProgrammingError):  # closed meanwhile
        connection.set_trace_callback(None)
