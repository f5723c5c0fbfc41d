"""What search keeps in memory is brought up to date by what changed, and is that of a fresh opening to the last bit."""

import random
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from made_collections import make_collection, two_topics
from made_stores import by_id, makers, prepared, put, remove, sqlite_store
from satchel import Collection
from satchel.collection import Document
from satchel.errors import CollectionError
from satchel.query import Between
from satchel.store import SqliteStore
from satchel.types import FloatArray, IntArray


@pytest.fixture
def n_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many vectors each loading read."""
    counts, read = list[int](), SqliteStore._vectors_since

    def counted(store: SqliteStore, change: int) -> tuple[IntArray, FloatArray]:
        found = read(store, change)
        counts.append(len(found[0]))
        return found

    monkeypatch.setattr(SqliteStore, "_vectors_since", counted)
    return counts


def test_marks_read_no_vectors_and_new_documents_only_their_own(tmp_path: Path, n_read: list[int]) -> None:
    with make_collection(tmp_path, 40) as own:
        own.search("rocket")
        own.mark("d001", "relevant", query="rocket")
        own.undo()
        own.projects.save("space", "rocket")
        own.search("rocket")
        assert n_read == [40]
        own.add(two_topics(43))
        own.search("rocket")
        own.remove(["d001", "d042"])
        own.search("rocket")
        assert n_read == [40, 3, 0]
        own.train()
        own.search("rocket")
        assert n_read == [40, 3, 0, 41]


def test_what_one_way_in_has_loaded_no_other_loads(tmp_path: Path, n_read: list[int]) -> None:
    with make_collection(tmp_path, 40) as own:
        others = [own.another() for _ in range(3)]
        found = [one.search("rocket moon", 40) for one in (own, *others)]
        assert found == found[:1] * 4
        assert n_read == [40]
        own.add(two_topics(43))
        assert {one.search("rocket").total for one in others} == {own.search("rocket").total}
        assert n_read == [40, 3]
        for one in others:
            one.close()


def test_threads_that_ask_at_once_load_once(tmp_path: Path, n_read: list[int]) -> None:
    with make_collection(tmp_path, 200) as own:
        ways, found = [own.another() for _ in range(6)], list[object]()
        threads = [threading.Thread(target=lambda way=way: found.append(way.search("rocket"))) for way in ways]  # type: ignore[misc]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (len(found), n_read) == (6, [200])
        assert all(one == found[0] for one in found)
        for way in ways:
            way.close()


def test_whatever_another_connection_does_memory_is_that_of_a_fresh_opening(tmp_path: Path) -> None:
    draw, documents = random.Random(0), two_topics(80)
    path = tmp_path / "own.satchel"
    make_collection(tmp_path, 30).close()
    with Collection.open(path) as reader, Collection.open(path) as writer:
        for turn in range(40):
            for _ in range(draw.randint(1, 3)):
                some = draw.sample(documents, 5)
                text = f"rocket oven {turn} bread moon"
                actions = (
                    lambda some=some: writer.add(some),
                    lambda some=some, text=text: writer.add([one._replace(text=text) for one in some]),
                    lambda some=some: writer.remove([one.id for one in some]),
                    lambda: writer.remove(list(writer)[-3:]),
                    lambda turn=turn: writer.train() if turn % 10 == 5 else writer.remove([]),
                )
                draw.choice(actions)()
            with Collection.open(path, read_only=True) as fresh:
                (held, vectors), (anew, others) = reader.vectors(), fresh.vectors()
                assert held == anew
                assert vectors.tobytes() == others.tobytes()
                assert list(reader.search("rocket bread", 40)) == list(fresh.search("rocket bread", 40))


def test_a_document_that_is_added_reads_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    connect, connections = sqlite3.connect, []

    def kept(*given: Any, **how: Any) -> sqlite3.Connection:
        connections.append(connect(*given, **how))
        return connections[-1]

    monkeypatch.setattr(sqlite3, "connect", kept)
    with make_collection(tmp_path, 40) as own:
        connection = connections[-1]  # the collection's own, which was opened last
        connection.set_trace_callback(asked.append)
        for number in range(16):  # so many that segments are merged
            own.add([Document(f"before {number}", "a rocket to the moon")])
        own.add([Document("new", "rocket rocket"), Document("d001", "moon")])
        connection.set_trace_callback(None)
        reading = [one for one in asked if one.startswith("SELECT") and not one.startswith("SELECT count(*)")]
        plans = {one: connection.execute(f"EXPLAIN QUERY PLAN {one}").fetchall() for one in reading}
    assert any("FROM postings" in one for one in plans)
    whole = ("SCAN documents", "SCAN vectors", "SCAN fields", "SCAN postings")
    assert not {one: plan for one, plan in plans.items() if any(step[3].startswith(whole) for step in plan)}


def test_what_is_known_of_a_later_moment_is_not_taken_for_an_earlier_one(tmp_path: Path) -> None:
    late = sqlite_store(tmp_path / "own.satchel")
    put(late, *(prepared(f"d{number}", f"text {number}") for number in range(30)))
    early = late.another()
    with early.reading():
        before = early.vectors(early.listed()), by_id(early, early.find_words({"text": 1.0}, 99))
        remove(late, "d3")
        put(late, prepared("d4", "other text"), prepared("new", "new text"))
        assert late.word_counts(["text"]) == {"text": 30}
        again = early.vectors(early.listed()), by_id(early, early.find_words({"text": 1.0}, 99))
        assert late.shared.arrays is not None
        assert late.shared.arrays.state.change == 3  # the later one stays for those that ask next
    assert before[0].tobytes() == again[0].tobytes()
    assert before[1] == again[1]
    assert early.word_counts(["text", "other"]) == {"text": 30, "other": 1}


def test_what_is_asked_outside_a_moment_is_that_of_now(tmp_path: Path) -> None:
    condition = Between("n", 2)
    for make in makers(tmp_path).values():
        first = make()
        put(first, prepared("a", "moon", fields={"n": 1}), prepared("b", "moon", fields={"n": 2}))
        second = first.another()
        assert second.listed(condition).tolist() == [2]
        put(first, prepared("0", "moon", fields={"n": 5}), prepared("b", "moon", fields={"n": 0}))
        assert second.listed(condition).tolist() == [3]
        assert by_id(second, second.find_words({"moon": 1.0}, 5, condition)).keys() == {"0"}


def test_a_search_in_the_middle_of_a_change_is_refused_and_nothing_is_remembered(tmp_path: Path) -> None:
    def new_ones(collection: Collection) -> Iterator[Document]:
        yield Document("new", "rocket rocket")
        collection.search("rocket")

    with make_collection(tmp_path, 20) as own:
        own.search("rocket")
        with pytest.raises(CollectionError, match="cannot be searched inside a transaction of its own"):
            own.add(new_ones(own))
        assert "new" not in own
        own.add(one for one in [*two_topics(21), Document("new", "rocket rocket")] if one.id not in own)
        assert "new" in [hit.id for hit in own.search("rocket", 30)]


_CHANGES = """
import sys
from satchel import Collection
from satchel.collection import Document
with Collection.open(sys.argv[1]) as own:
    for change in sys.stdin:
        eval(change)
        print("done", flush=True)
"""


def test_what_another_process_changes_is_in_the_next_search(tmp_path: Path) -> None:
    path = tmp_path / "own.satchel"
    make_collection(tmp_path, 30).close()
    changes = (
        "own.add([Document('d000', 'bread oven'), Document('new', 'rocket moon', source='/old')])",
        "own.remove(['d002', 'new'])",
        "own.add([Document('other', 'oven cake', fields={'year': 2001})])",
        "own.mark('d004', 'relevant', query='rocket bread')",
        "own.undo()",
        "own.train(labels='topic')",
    )
    started = [sys.executable, "-c", _CHANGES, str(path)]
    with (
        Collection.open(path) as reader,
        subprocess.Popen(started, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer,
    ):
        assert writer.stdin is not None
        assert writer.stdout is not None
        for change in changes:
            reader.search("rocket bread", 40)
            print(change, file=writer.stdin, flush=True)
            assert writer.stdout.readline() == "done\n"
            with Collection.open(path, read_only=True) as fresh:
                for asked in ({}, {"filters": {"year": 2001}}, {"like": "d004"}, {"irrelevant": ["d001"]}):
                    assert reader.search("rocket bread", 40, **asked) == fresh.search("rocket bread", 40, **asked)
