"""Operators of the query language, through the whole search and in both stores, against a brute-force evaluator."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from satchel import Collection
from satchel.importing.types import Document
from satchel.query import Condition, Leaf, Near, Not, Or, Phrase, Prefix, Word, all_of, evaluate
from satchel.text import folded, stem, stems_of

WORDS = ["heat", "heats", "heating", "pump", "Pump", "pumps", "café", "cafe", "happy", "happiness", "Heat-pump", "2019"]
NAMES = ["author", "tags", "title", "text", "file", "source", "id", "missing"]
values = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)


@st.composite
def documents(draw: st.DrawFn, number: int) -> Document:
    """A few words in all places; one text in eight is long, so that it has several passages."""
    text = draw(values)
    if draw(st.integers(0, 7)) == 0:
        seed = draw(st.integers(0, 99))
        filling = " ".join(random.Random(seed).choices(["word", "other", "heat", "thing"], k=350))
        text = f"{text} {filling} {draw(values)}"
    fields: dict[str, str | list[str]] = {}
    if draw(st.booleans()):
        fields["author"] = draw(st.one_of(values, st.lists(values, max_size=3)))
    if draw(st.booleans()):
        fields["tags"] = draw(st.lists(values, min_size=1, max_size=2))
    if draw(st.integers(0, 4)) == 0:
        fields["source"] = draw(values)
    source = f"/folder/{draw(st.sampled_from(WORDS))}.txt" if draw(st.booleans()) else ""
    return Document(f"pump-{number}" if number % 3 else f"P{number}", text, draw(values), fields, source)


@st.composite
def histories(draw: st.DrawFn) -> list[list[Document] | list[str]]:
    """Documents that are added, some of them again with other words, and ids that are removed."""
    steps: list[list[Document] | list[str]] = [[draw(documents(number)) for number in range(8)]]
    for _ in range(draw(st.integers(0, 2))):
        numbers = draw(st.lists(st.integers(0, 9), min_size=1, max_size=3, unique=True))
        changed = [draw(documents(number)) for number in numbers]
        steps.append(changed if draw(st.booleans()) else [one.id for one in changed])
    return steps


fields = st.one_of(st.just(()), st.lists(st.sampled_from(NAMES), min_size=1, max_size=2, unique=True).map(tuple))
typed = st.sampled_from(sorted({word for one in WORDS for word in folded(one)} | {"word", "0", "p1", "nowhere"}))
rows = st.lists(typed, min_size=1, max_size=3).map(tuple)
leaves: st.SearchStrategy[Leaf] = st.one_of(
    st.builds(Word, typed, fields),
    st.builds(Phrase, rows, fields),
    st.builds(Prefix, typed.flatmap(lambda word: st.integers(1, len(word)).map(lambda n: word[:n])), fields),
    st.builds(Near, st.lists(typed, min_size=2, max_size=3).map(tuple), st.integers(0, 4), fields),
)
conditions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.lists(inner, min_size=1, max_size=2).map(lambda parts: all_of(*parts)),
        st.builds(Or, st.lists(inner, min_size=1, max_size=2).map(tuple)),
    ),
    max_leaves=3,
)


def values_of(document: Document, names: tuple[str, ...]) -> Iterator[str]:
    """All values of these fields; of all fields where none is named."""
    file = document.source.rpartition("/")[2]
    own = [("title", document.title), ("text", document.text), ("id", document.id), ("file", file), ("source", file)]
    for name, value in [*own, *document.fields.items()]:
        if not names or name in names:
            yield from value if isinstance(value, list) else [str(value)]


def is_met(leaf: Leaf, value: str) -> bool:
    words = folded(value)
    stems = stems_of(words)
    if isinstance(leaf, Word):
        return stem(leaf.word) in stems
    if isinstance(leaf, Prefix):
        return any(word.startswith(leaf.prefix) for word in words)
    if isinstance(leaf, Phrase):
        return any(words[i : i + len(leaf.words)] == leaf.words for i in range(len(words)))
    assert isinstance(leaf, Near)
    wanted = set(stems_of(leaf.words))
    width = len(wanted) + leaf.distance
    return any(wanted <= set(stems[i : i + width]) for i in range(len(stems)))


def meets(document: Document, condition: Condition) -> bool:
    return evaluate(
        condition,
        lambda leaf: any(is_met(leaf, value) for value in values_of(document, leaf.fields)),  # type: ignore[union-attr]
        all,
        any,
        lambda part: not part,
    )


@contextmanager
def made(path: Path | str, history: list[list[Document] | list[str]]) -> Iterator[tuple[Collection, list[Document]]]:
    """A collection after a history, and the documents that it then holds."""
    there: dict[str, Document] = {}
    with Collection.create(path) as own:
        for step in history:
            if step and isinstance(step[0], Document):
                own.add(step)
                there |= {one.id: one for one in step}
            else:
                own.remove(step)
                there = {id_: one for id_, one in there.items() if id_ not in step}
        yield own, list(there.values())


def ids_found(own: Collection, **request: object) -> list[str]:
    return sorted(hit.id for hit in own.search(k=100, mode="lexical", **request))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["memory", "file"])
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(history=histories(), asked=st.lists(conditions, min_size=5, max_size=15))
def test_conditions_on_words_find_what_a_brute_force_evaluator_finds(
    tmp_path_factory: pytest.TempPathFactory,
    kind: str,
    history: list[list[Document] | list[str]],
    asked: list[Condition],
) -> None:
    path = ":memory:" if kind == "memory" else tmp_path_factory.mktemp("own") / "own.satchel"
    with made(path, history) as (own, there):
        for condition in asked:
            expected = sorted(one.id for one in there if meets(one, condition))
            assert ids_found(own, filters=condition) == expected, condition
