"""Operators of the query language, through the whole search and in both stores, against a brute-force evaluator."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from satchel import Collection
from satchel.importing.types import Document
from satchel.query import And, Condition, Leaf, Near, Not, Or, Phrase, Prefix, Word, all_of, evaluate
from satchel.store import text_leaves
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


# as a person writes them


def written(condition: Condition) -> str:
    """The condition in the query language; joined by AND, so that each part is required."""

    def of_leaf(leaf: Leaf) -> str:
        assert isinstance(leaf, Word | Phrase | Prefix | Near)
        if isinstance(leaf, Near):
            return f"NEAR({' '.join(leaf.words)}, {leaf.distance})"
        own = {Word: "word", Prefix: "prefix"}.get(type(leaf))
        value = f'"{" ".join(leaf.words)}"' if isinstance(leaf, Phrase) else getattr(leaf, str(own))
        named = [f"{name}:{value}" for name in leaf.fields] or [value]
        every = " OR ".join(f"{one}*" if isinstance(leaf, Prefix) else one for one in named)
        return f"({every})" if len(named) > 1 else every

    return evaluate(
        condition,
        of_leaf,
        lambda parts: f"({' AND '.join(parts)})",
        lambda parts: f"({' OR '.join(parts)})",
        lambda part: f"(NOT {part})",
    )


always = st.lists(st.sampled_from(["title", "text", "file", "source", "id"]), max_size=2, unique=True).map(tuple)
letters = typed.filter(lambda word: not word.isdecimal())
written_leaves: st.SearchStrategy[Leaf] = st.one_of(
    st.builds(Word, letters, always),
    st.builds(Phrase, st.lists(letters, min_size=1, max_size=3).map(tuple), always),
    st.builds(Prefix, letters, always),
    st.builds(Near, st.lists(letters, min_size=2, max_size=3, unique=True).map(tuple), st.integers(0, 4)),
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(history=histories(), asked=st.lists(st.tuples(written_leaves, written_leaves), min_size=5, max_size=10))
def test_written_operators_require_and_exclude_in_every_mode(
    history: list[list[Document] | list[str]], asked: list[tuple[Leaf, Leaf]]
) -> None:
    with made(":memory:", history) as (own, there):
        for first, second in asked:
            for condition in (And((first, second)), Or((first, second)), And((first, Not(second)))):
                query = written(condition)
                expected = sorted(one.id for one in there if meets(one, condition))
                assert ids_found(own, query=query) == expected, query
                assert {hit.id for hit in own.search(query, 100)} <= set(expected), query
                assert {hit.id for hit in own.search(query, 100, mode="semantic")} <= set(expected), query


def test_streams_are_read_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_leaves, "AT_ONCE", 3)
    texts = ["heat pump" if number % 4 == 0 else "pump heat" for number in range(20)]
    with made(":memory:", [[Document(f"d{n:02}", text) for n, text in enumerate(texts)]]) as (own, _):
        assert ids_found(own, query='"heat pump"') == [f"d{n:02}" for n in range(0, 20, 4)]
        assert ids_found(own, query="NEAR(heat pump, 0)") == [f"d{n:02}" for n in range(20)]


@pytest.fixture(scope="module")
def houses() -> Iterator[Collection]:
    filling = "boiler " * 300
    with Collection.create(":memory:") as own:
        own.add(
            [
                Document("a", "A heat-pump makes noise.", "Noise", {"author": ["Weber, Ann", "Ant"], "year": 2019}),
                Document(
                    "b", "Pumps of heat; the pumping of heat", "Heat pump", {"author": "Ant, Weber", "year": 2020}
                ),
                Document("c", f"Heat of the pump. {filling} The new heat pump hums. {filling}", "Manual"),
                Document("d", "Nothing of that", "Café", {"keywords": ["Noise", "draft"]}, "/x/report_2019.txt"),
            ]
        )
        yield own


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('"heat pump"', "abc"),
        ('"Heat Pumps"', ""),
        ('title:"heat pump"', "b"),
        ('author:"Weber, A."', ""),
        ('author:"weber ann"', "a"),
        ('authors:"ant weber"', "b"),
        ("year:2019", "a"),
        ("year:2019..", "ab"),
        ("year:..2019 noise", "a"),
        ("cafe", "d"),
        ("pump*", "abc"),
        ("tag:noise", "d"),
        ("-tag:draft", "abc"),
        ("noise -draft", "a"),
        ("file:report", "d"),
        ("file:2019", "d"),
        ("id:a", "a"),
        ("noise AND (weber OR ant)", "a"),
        ("NEAR(heat boiler, 2)", "c"),
        ("NEAR(boiler heat, 1)", ""),
        ("NEAR(new boiler, 0)", ""),
        ("nowhere*", ""),
        ('"" noise', "ad"),
    ],
)
def test_one_operator_at_a_time(houses: Collection, query: str, expected: str) -> None:
    assert ids_found(houses, query=query) == list(expected)


def test_what_meets_a_query_without_a_word_to_rank_by_is_found_on_every_page(houses: Collection) -> None:
    pages = [houses.search('author:"ant" OR title:manual', 1, offset=start, mode="lexical") for start in range(5)]
    assert sorted(hit.id for page in pages for hit in page) == ["a", "b", "c"]
    assert {page.total for page in pages} == {3}


def test_words_that_begin_as_asked_for_are_ranked_as_words(houses: Collection) -> None:
    hits = houses.search("pum*", mode="lexical")
    assert hits[0].id == "b"
    assert all(hit.score > 0 for hit in hits)


def test_a_quotation_in_a_long_text_raises_the_rank_and_requires_nothing() -> None:
    texts = {"a": "the pump of a heat source", "b": "the heat pump of a source", "c": "the source"}
    query = "we ask in a text of more than twelve words what a {} is and where its source may be"
    with made(":memory:", [[Document(*one) for one in texts.items()]]) as (own, _):
        for mode in ("lexical", "both"):
            plain, quoted = (own.search(query.format(one), mode=mode) for one in ("heat pump", '"heat pump"'))  # type: ignore[arg-type]
            assert quoted[0].id == "b"
            assert sorted(hit.id for hit in plain) == sorted(hit.id for hit in quoted)


def test_the_snippet_shows_the_passage_with_the_phrase(houses: Collection) -> None:
    (hit,) = houses.search('"new heat pump"', mode="lexical")
    assert "new\1 \0heat\1 \0pump" in hit.snippet.marked("\0", "\1")
    reading = houses.read("c", '"the new heat pump"')
    assert [reading.document.text[start:stop] for start, stop in reading.matches][-4:] == ["The", "new", "heat", "pump"]


def test_words_that_begin_as_asked_for_are_highlighted_and_named(houses: Collection) -> None:
    hit = next(hit for hit in houses.search("pum*", mode="lexical") if hit.id == "b")
    assert hit.snippet.marked("<", ">") == "<Pumps> of heat; the <pumping> of heat"
    assert str(hit.reasons) == 'contains "pumps"'


def test_marks_and_projects_are_kept_under_the_query_as_it_is_typed(houses: Collection) -> None:
    query = '"heat pump" -noise'
    houses.mark("c", "relevant", query=query)
    hits = houses.search(query)
    assert hits.query == query
    assert {hit.id: hit.mark for hit in hits} == {"b": None, "c": "relevant"}
    houses.projects.save("pumps", query=query)
    assert {hit.id for hit in houses.search(project="pumps")} <= {"b", "c"}
    assert {hit.id for hit in houses.search(query, like="a")} <= {"b", "c"}
    compared = houses.search(query, compare_with={"marks": {"b": "relevant"}})
    assert {hit.earlier_rank for hit in compared} == {1, 2}


# what is not understood


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("foo:bar", "column 1: there is no field 'foo'"),
        ('heat "pump', "column 6: this quotation is never closed"),
        ("(heat OR pump", "column 1: this bracket is never closed"),
        ("heat AND", "column 6: AND has nothing on its right"),
    ],
)
def test_what_is_not_understood_is_searched_as_words_and_noted(houses: Collection, query: str, note: str) -> None:
    hits = houses.search(query)
    assert hits.notes[0].startswith(note)
    assert all(one.startswith("no document contains") for one in hits.notes[1:])
    assert houses.search("heat pump").notes == ()


HOSTILE = [
    *("(" * 10_000, ")" * 10_000, "(a OR " * 5_000, '"' * 9_999, '"a ' * 33_000, "a* " * 30_000, "-a " * 30_000),
    *(
        "AND",
        "OR",
        "NOT",
        "NEAR(",
        "NEAR()",
        "NEAR(,)",
        "-",
        "--",
        '""',
        '"',
        "*",
        ":",
        "a:",
        "title:",
        "title:*",
        "id:",
    ),
    *("AND OR NOT AND", "NOT NOT NOT a", "a OR", "year:..", "year:a..b", "NEAR(a b, 999999999)", 'title:"', "title:("),
    *("heat AND " * 12_500 + "heat", f'"{"heat " * 3_900}"', f"NEAR({'heat pump ' * 1_900}, 9)", "heat AND (" * 101),
    *("".join(map(chr, range(1, 32))) + " AND heat", "\ud800 AND \udfff", "e\u0301* AND cafe\u0301", '"\x00heat\x00"'),
    *("".join(chr(plane << 16 | 0x41) + f' "{chr(plane << 16 | 0x42)}" ' for plane in range(17)), "a" * 100_000 + "*"),
]


@pytest.mark.parametrize("query", HOSTILE, ids=lambda query: repr(query[:20]))
@pytest.mark.parametrize("mode", ["both", "lexical"])
def test_no_query_is_slow_or_breaks_the_search(houses: Collection, query: str, mode: str) -> None:
    houses.search(query, mode=mode)  # type: ignore[arg-type]
    took = []
    for n in range(3):
        start = time.thread_time()
        hits = houses.search(f"{query}{' ' * n}", mode=mode)  # type: ignore[arg-type]
        took.append(time.thread_time() - start)
    assert min(took) < 0.05
    assert all("\n" not in one and len(one) < 400 for one in hits.notes)
