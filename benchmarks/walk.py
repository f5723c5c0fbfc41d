"""Counts the way that a request goes through the code: `python -m benchmarks.walk`, with `--json` as one JSON object.

Each piece of work is done once to warm up and then once more, with other words, under `sys.setprofile` in all threads.

functions    distinct functions and methods of satchel that were entered; comprehensions belong to the function around
             them, and generated methods (of dataclasses and named tuples) are left out
calls        how often they were entered; a generator that goes on is not entered again
modules      distinct modules of satchel that these functions stand in
returns      calls from one module of satchel to another one that had been visited before
first_returns  the same in the list of functions by their first call: how often a reader turns back to an earlier module
statements   SQL statements that SQLite ran on any connection, BEGIN and COMMIT among them, each row of an
             `executemany` for itself; those that FTS5 runs within another one are left out
analyses     how often the text of the query, or more than one of its words in one string, is split into words or groups
             of letters: calls of a function named in `SPLITTERS` within which no other one was called, and MATCH in SQL
word_analyses  the same for single words of the query: spelling, stems, tokens
resolutions  SQL statements that carry the id of a marked document
"""

import argparse
import json
import os
import re
import sqlite3
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from itertools import pairwise
from pathlib import Path
from random import Random
from types import FrameType
from typing import NamedTuple

import satchel

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
SEARCH_PATH = "/api/collections/{name}/search"
N_DOCUMENTS, N_ADDED = 60, 10
_HOME = str(Path(satchel.__file__).parent) + os.sep
_GOES_ON = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR
_WORD = re.compile(r"\w+")


class Walked(NamedTuple):
    """The numbers of one piece of work, as the module's docstring tells them."""

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
        split = [_words_of(text) for text in texts if isinstance(text, str)]
        return next((words for words in split if words and Counter(words) <= self.query), [])


def _returns_along(modules: Sequence[str]) -> int:
    """Steps to another module that came earlier: along a, b, a, a, c there is one."""
    return sum(here != before and here in modules[:i] for i, (before, here) in enumerate(pairwise(modules), start=1))


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


TOPICS = {
    "space": ["rocket", "orbit", "planet", "moon", "engine", "launch", "satellite", "astronaut", "telescope", "comet"],
    "kitchen": ["oven", "bread", "flour", "butter", "sugar", "recipe", "stove", "dough", "cake", "spoon"],
}
COMMON = ["people", "often", "think", "about", "many", "small", "things", "during", "long", "quiet", "days"]
WARM, MARKED = "launch of a comet", ("d000", "d001")
QUERIES = {
    "search": "rocket engines in orbit",
    "search_with_marks": "a satellite near the moon",
    "http": "astronauts on a planet",
}
"""No word in two of them, as what is kept for a word would not be looked up again."""


def documents(n: int, start: int = 0) -> list[dict[str, str]]:
    """Rows of documents d000, d001 …: about space and about the kitchen in turn."""
    random, made = Random(start), []
    for number in range(start, start + n):
        topic = list(TOPICS)[number % 2]
        text = " ".join([*random.choices(TOPICS[topic], k=8), *random.choices(COMMON, k=8)])
        made.append({"id": f"d{number:03}", "title": f"Note {number}", "text": text, "topic": topic})
    return made


def write_rows(path: Path, rows: Sequence[dict[str, str]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def walk_collection(walker: Walker, folder: Path) -> dict[str, Walked]:
    """A first add teaches the collection its model; what is counted is a second one, of ten documents."""
    first = write_rows(folder / "first.jsonl", documents(N_DOCUMENTS))
    second = write_rows(folder / "second.jsonl", documents(N_ADDED, N_DOCUMENTS))
    relevant, irrelevant = MARKED
    with satchel.Collection.create(folder / "toy.satchel") as collection:
        collection.add(first)
        found = {"add": walker.walk(lambda: collection.add(second))}
        collection.search(WARM)
        query, other = QUERIES["search"], QUERIES["search_with_marks"]
        found["search"] = walker.walk(lambda: collection.search(query), query)
        marks = {"relevant": [relevant], "irrelevant": [irrelevant]}
        collection.search(WARM, **marks)
        found["search_with_marks"] = walker.walk(lambda: collection.search(other, **marks), other, MARKED)
    return found


def walk_http(walker: Walker, folder: Path) -> Walked:
    """A search asked of the server in this process, counted in all its threads."""
    from starlette.testclient import TestClient

    from satchel.server import create_app

    path, asked = SEARCH_PATH.format(name="toy"), QUERIES["http"]

    def ask(query: str) -> None:
        answer = client.post(path, json={"query": query})
        if answer.status_code != 200 or not answer.json()["hits"]:
            raise RuntimeError(f"POST {path} was answered {answer.status_code}: {answer.text[:200]}")

    with TestClient(create_app([folder / "toy.satchel"]), base_url="http://localhost") as client:
        for query in (WARM, WARM.split()[-1]):
            ask(query)
        return walker.walk(lambda: ask(asked), asked)


def walk_fit(walker: Walker) -> Walked:
    """Texts with labels, without word vectors of others and without torch."""
    rows = documents(N_DOCUMENTS)
    texts, labels = [row["text"] for row in rows], [row["topic"] for row in rows]

    def fit() -> object:
        return satchel.BagOfEmbeddedWords(n_codewords=4, dim=4, random_state=0).fit(texts, labels)

    fit()
    return walker.walk(fit)


TABLE = """
title = "A toy table"
source = "Nowhere Table 1"
dataset = "r8"
protocol = "label-retrieval"
judged_by = "mAP (11-point)"
[[methods]]
method = "LSI"
encoder = "Lsi"
parameters = { n_components = 2 }
seeds = [0, 1]
distances = ["cosine"]
"""


def walk_reproduce(walker: Walker, folder: Path) -> Walked:
    """A table of one method with two seeds, on toy texts that lie where those of a known set would."""
    from satchel.experiments import read_experiment, run_experiment

    (folder / "r8").mkdir()
    for split, start in (("train", 0), ("test", N_DOCUMENTS)):
        lines = [f"{row['topic']}\t{row['text']}\n" for row in documents(N_DOCUMENTS // 2, start)]
        (folder / "r8" / f"{split}.tsv").write_text("".join(lines), encoding="utf-8")
    path = folder / "toy.toml"
    path.write_text(TABLE, encoding="utf-8")

    def reproduce() -> object:
        return run_experiment(read_experiment(str(path)))

    with in_environment("SATCHEL_DATA", str(folder)):
        reproduce()
        return walker.walk(reproduce)


@contextmanager
def in_environment(name: str, value: str) -> Iterator[None]:
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def walk_all() -> dict[str, Walked]:
    walker = Walker()
    with tempfile.TemporaryDirectory() as name, walker.installed():
        folder = Path(name)
        found = walk_collection(walker, folder)
        return found | {
            "http": walk_http(walker, folder),
            "fit": walk_fit(walker),
            "reproduce": walk_reproduce(walker, folder),
        }


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.walk", description="Count the way of a request.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given, found = parser.parse_args(arguments), walk_all()
    if given.json:
        print(json.dumps({name: walked._asdict() for name, walked in found.items()}, indent=2))
        return
    print(f"{'':18}" + "".join(f"{field:>15}" for field in Walked._fields))
    for name, walked in found.items():
        print(f"{name:18}" + "".join(f"{number:15,}" for number in walked))


if __name__ == "__main__":
    main(sys.argv[1:])
