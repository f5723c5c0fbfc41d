"""A collection in memory and one in a file find the same: ids, scores to the last bits, snippets and reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from made_collections import two_topics
from satchel import Collection
from satchel.collection import Hits
from satchel.datasets import AdHocSet, load
from satchel.errors import CollectionError
from satchel.importing.types import Document
from satchel.query import Between, Condition, Contains, Is, Marked, Mode, Not, Or, Since

MODES: tuple[Mode, ...] = ("both", "lexical", "semantic")


def same(one: Hits, other: Hits) -> None:
    """All that a page of hits tells, but for places of files; equal floats are equal bits."""
    assert list(one) == list(other)
    assert (one.total, one.query, one.lessons, one.marks, one.words) == (
        *(other.total, other.query, other.lessons, other.marks, other.words),
    )


def each(pair: list[Collection], change: Callable[[Collection], object]) -> None:
    first, second = (change(own) for own in pair)
    assert first == second


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[list[Collection]]:
    """Forty documents in memory and in a file, written in two changes."""
    made = [Collection.create(":memory:"), Collection.create(tmp_path / "own.satchel")]
    for own in made:
        own.add(two_topics(30))
        own.add(two_topics(40))
    yield made
    for own in made:
        own.close()


def test_what_is_asked_in_every_way_is_found_alike(pair: list[Collection]) -> None:
    asked: list[dict[str, object]] = [
        {"query": "rocket bread"},
        {"query": "rokcet orbits", "k": 40},
        {"query": "moon", "relevant": ["d002", "d004"], "irrelevant": ["d001"], "maybe": ["d006"]},
        {"like": ["d003", "d005"], "k": 7, "offset": 3},
        {"query": "oven", "filters": {"year": {"from": 2003, "to": "2007"}, "topic": "kitchen"}},
        {"query": "oven", "filters": {"tags": ["s", "t1"]}, "weights": {0: 0.0, 1: 2.0}},
        {"query": ""},
        {"query": "the of and"},
        {"query": "moon", "relevant": ["d002"], "compare_with": {"marks": {"d001": "relevant"}}},
        {"query": "xyzzy", "explained": False},
    ]
    for one in asked:
        for mode in MODES:
            first, second = (own.search(mode=mode, **one) for own in pair)  # type: ignore[arg-type]
            same(first, second)


def test_conditions_limit_alike(pair: list[Collection]) -> None:
    each(pair, lambda own: own.mark_together(["d001", "d002"], "relevant", query="moon")[0].id)
    conditions: list[Condition] = [
        Or((Is("topic", ("space",)), Between("year", 2008))),
        Not(Contains("title", "ON R")),
        Since(1),
        Marked(query="moon"),
    ]
    for condition in conditions:
        first, second = (own.search("moon oven", 40, filters=condition) for own in pair)
        same(first, second)
        assert 0 < first.total < 40


def test_whatever_is_changed_they_stay_alike(pair: list[Collection]) -> None:
    changes: list[Callable[[Collection], object]] = [
        lambda own: own.remove(["d039", "d003", "nowhere"]),
        lambda own: own.add([Document("new", "a rocket oven", fields={"year": "2019-05-01"})])[:3],
        lambda own: own.add([one._replace(text="bread and moon") for one in two_topics(8)])[:3],
        lambda own: own.mark("d004", "relevant", query="moon").value,
        lambda own: own.mark_together(["d005", "d006"], "irrelevant", query="moon")[1].id,
        lambda own: own.undo().id,  # type: ignore[union-attr]
        lambda own: own.projects.save("space", "moon", filters={"topic": "space"}, weights={1: 0.5}).marks,
        lambda own: own.projects.seen("space"),
        lambda own: own.add(two_topics(50))[:3],
        lambda own: own.projects["space"].new,
        lambda own: own.train().n_documents,
        lambda own: own.map.places().points.tolist(),
        lambda own: own.add(two_topics(52))[:3],
    ]
    for change in changes:
        each(pair, change)
        for asked in ({"query": "moon rocket"}, {"query": "moon", "irrelevant": ["d001"]}):
            same(*(own.search(k=60, **asked) for own in pair))  # type: ignore[arg-type]
    same(*(own.search(project="space", only_new=True) for own in pair))
    same(*(own.search("moon", area=(0, 0, 0.5, 0.7)) for own in pair))
    assert pair[0].search("moon", area=(0, 0, 0.5, 0.7)).total > 0


def test_what_is_told_and_exported_is_alike(pair: list[Collection]) -> None:
    each(pair, lambda own: own.mark("d004", "maybe", query="moon").value)
    each(pair, lambda own: own.info()._replace(path=Path(), n_bytes=0, version=0, trainings=(), last_added=0))
    each(pair, lambda own: list(own.exported("documents", "csv")))
    each(pair, lambda own: [line.split('"time"')[0] for line in own.exported("marks", "jsonl")])
    each(pair, lambda own: (own.vectors()[0], own.vectors()[1].tolist()))
    each(pair, lambda own: [own.field_values(name) for name in ("topic", "year", "tags")])
    each(pair, lambda own: own.map.values_of("tags"))
    each(pair, lambda own: own.read("d002", "moon")._replace(document=None))  # type: ignore[arg-type]
    each(pair, lambda own: own.map.scores("moon").tolist())
    each(pair, lambda own: own.projects.progress(query="moon"))
    each(pair, lambda own: own.check())
    each(pair, lambda own: own.repair())


def test_an_project_goes_from_memory_to_a_file_and_back(pair: list[Collection]) -> None:
    memory, file = pair
    memory.mark("d004", "relevant", query="moon")
    memory.projects.save("space", "moon", filters={"topic": "space"})
    file.projects.take_in(memory.projects.exported())
    same(*(own.search(project="space") for own in pair))
    told = file.projects.exported()
    memory.projects.remove("space")
    memory.projects.take_in(told)
    same(*(own.search(project="space") for own in pair))


def test_a_collection_in_memory_is_gone_when_it_is_closed() -> None:
    own = Collection.create(":memory:")
    own.add(two_topics(5))
    second = own.another()
    own.close()
    assert len(second) == 5
    second.close()
    for closed in (own, second):
        with pytest.raises(CollectionError, match="is closed"):
            closed.search("moon")
    assert not Path(":memory:").exists()


@pytest.fixture(scope="module")
def cranfield(
    data_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[list[Collection], AdHocSet]]:
    read = load("cranfield")
    assert isinstance(read, AdHocSet)
    own = read.documents
    documents = [
        Document(id_, text.removeprefix(title), title, fields={"n": place})
        for place, (id_, text, title) in enumerate(zip(own.ids, own.texts, own.titles, strict=True))
    ]
    made = [Collection.create(":memory:"), Collection.create(tmp_path_factory.mktemp("cranfield") / "own.satchel")]
    for collection in made:
        collection.add(documents[:1000])
        collection.add(documents[1000:])
    yield made, read
    for collection in made:
        collection.close()


def test_real_queries_with_marks_find_the_same_bits(cranfield: tuple[list[Collection], AdHocSet]) -> None:
    pair, read = cranfield
    for query in read.queries.texts[:20]:
        plain = [own.search(query, 20) for own in pair]
        same(*plain)
        ids = [hit.id for hit in plain[0]]
        for asked in (
            {"relevant": ids[2:4], "irrelevant": ids[:1]},
            {"relevant": ids[5:6], "maybe": ids[7:9], "filters": {"n": {"from": 200}}},
            {"like": ids[3], "mode": "semantic"},
        ):
            same(*(own.search(query, 20, **asked) for own in pair))  # type: ignore[arg-type]


def test_a_real_set_that_was_added_in_parts_and_changed_ranks_as_one_made_afresh(
    cranfield: tuple[list[Collection], AdHocSet], tmp_path: Path
) -> None:
    _, file = cranfield[0]
    with Collection.create(tmp_path / "afresh.satchel", model=file.model) as fresh:
        documents = [file[id_] for id_ in file]
        fresh.add(Document(one.id, one.text, one.title, one.fields) for one in reversed(documents))
        assert file.check() == fresh.check() == []
        for query in cranfield[1].queries.texts[20:30]:
            same(file.search(query, 50), fresh.search(query, 50))
