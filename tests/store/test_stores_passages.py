"""Passages of long documents in both stores, and what is left of changes that fail, move, or come from elsewhere."""

from __future__ import annotations

import multiprocessing
import random
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from test_stores_words import afresh, all_found, passages_of

from made_stores import MakeStore, by_id, ids_of, makers, prepared, put, remove, sqlite_store, vector_of
from satchel.errors import CollectionError, DamagedCollectionError
from satchel.store import Prepared, SqliteStore, Store
from satchel.store.index import PassageTable, Segment, segments
from satchel.store.index.segments import MOST_REPEATED
from satchel.text import title_first, windows


@pytest.fixture(params=["sqlite", "memory"])
def make_store(request: pytest.FixtureRequest, tmp_path: Path) -> MakeStore:
    return makers(tmp_path)[request.param]


def n_passages_of(table: PassageTable, number: int) -> int:
    """How many passages of a document are in force."""
    return int((table.alive & (table.document == number)).sum())


def long_text(number: int, n_words: int = 700) -> str:
    return " ".join(random.Random(number).choices([f"w{word}" for word in range(50)], k=n_words))


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


def near(store: Store, query: np.ndarray) -> dict[str, tuple[float, int]]:
    found = store.find_near(query, None, 100)
    return dict(
        zip(ids_of(store, found.numbers), zip(found.scores.tolist(), found.passages.tolist(), strict=True), strict=True)
    )


def near_slowly(store: Store, query: np.ndarray) -> dict[str, tuple[float, int]]:
    """Each document by its own vector and those of its passages."""
    found: dict[str, tuple[float, int]] = {}
    numbers = store.listed().tolist()
    cuts = store.windows(numbers)
    for number, one in zip(numbers, store.documents(numbers), strict=True):
        parts = [cosine(query, vector_of(one.text[a:b])) for a, b in cuts[number][:, 2:]] if number in cuts else []
        best = max([cosine(query, vector_of(one.text)), *parts])
        if best > 0:
            found[one.id] = best, int(np.argmax(parts)) if parts and max(parts) > 0 else 0
    return found


def change_often(store: Store) -> None:
    put(store, *(prepared(f"d{n}", long_text(n, 20 if n % 2 else 500 + 90 * n)) for n in range(8)))
    store.find_near(vector_of("any"), None, 3)
    put(store, prepared("d2", "short now"), prepared("d3", long_text(33)), prepared("new", long_text(44)))
    store.find_near(vector_of("any"), None, 3)
    remove(store, "d4", "new")
    put(store, prepared("later", "takes the number of another"))


def test_a_long_document_is_as_near_as_its_nearest_passage(make_store: MakeStore) -> None:
    store = make_store()
    change_often(store)
    for word in ("one", "two", "three", "four"):
        expected, found = near_slowly(store, vector_of(word)), near(store, vector_of(word))
        assert found.keys() == expected.keys()
        for id_, (score, place) in expected.items():
            assert found[id_] == (pytest.approx(score, abs=1e-6), place)


def test_passage_vectors_after_changes_are_those_of_a_fresh_store_in_both_stores(tmp_path: Path) -> None:
    stores = [make() for make in makers(tmp_path).values()]
    for store in stores:
        change_often(store)
    fresh = afresh(makers(tmp_path)["sqlite"], stores[0])
    for word in ("one", "two", "three"):
        first, *others = (near(store, vector_of(word)) for store in (*stores, fresh))
        assert others == [first, first]
    assert all_found(stores[0]) == all_found(stores[1]) == all_found(fresh)


def test_only_vectors_of_changed_passages_are_read(make_store: MakeStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store = make_store()
    put(store, *(prepared(f"d{n}", long_text(n)) for n in range(6)))
    store.find_near(vector_of("any"), None, 3)
    read: list[list[int]] = []
    kind, own = type(store), store._passage_vectors_since  # type: ignore[attr-defined]

    def counted(_: Store, change: int) -> object:
        found = own(change)
        read.append(list(found[0]))
        return found

    monkeypatch.setattr(kind, "_passage_vectors_since", counted)
    put(store, prepared("d2", long_text(22)), prepared("d3", "short"), prepared("d9", long_text(9)))
    store.find_near(vector_of("any"), None, 3)
    remove(store, "d5")
    store.find_near(vector_of("any"), None, 3)
    numbers = store.known(["d2", "d9"])
    assert read == [[numbers["d2"].number, numbers["d9"].number], []]


def test_a_part_of_a_text_is_read_though_it_holds_nul(make_store: MakeStore) -> None:
    store = make_store()
    text = "nul\0 first " + long_text(1)
    put(store, prepared("a", text), prepared("b", "plain"))
    number, other = (store.known(["a", "b"])[id_].number for id_ in "ab")
    for start, stop in store.windows([number])[number][:, 2:].tolist():
        both = store.documents([number, other, number], None, {number: (start, stop)})
        assert [one.text for one in both] == [text[start:stop], "plain", text[start:stop]]
    assert [one.text for one in store.documents([number], 5)] == [text[:5]]
    assert [one.text for one in store.documents([number], 0)] == [""]


# changes


def test_a_document_removed_in_the_change_that_added_it_leaves_nothing(make_store: MakeStore) -> None:
    store = make_store()
    put(store, prepared("a", "moon"))
    with store.writing():
        put(store, prepared("b", "moon rock " * 200))
        store.remove(["b"])
    assert store.word_counts(["moon", "rock"]) == {"moon": 1, "rock": 0}
    assert store.check(None) == []
    put(store, prepared("c", "short"))
    assert store.windows(store.listed().tolist()) == {}


def change_and_fail(store: Store) -> None:
    with store.writing():
        put(store, prepared("b", "lost words " + long_text(3)), prepared("a", "lost"))
        store.windows([1])  # indexes what was added
        put(store, prepared("c", "more words that are lost"))
        raise ZeroDivisionError


def test_a_change_that_fails_leaves_no_words_and_no_numbers_of_words(make_store: MakeStore) -> None:
    store = make_store()
    put(store, prepared("a", "moon"))
    with pytest.raises(ZeroDivisionError):
        change_and_fail(store)
    assert store.word_counts(["moon", "lost", "w3"]) == {"moon": 1, "lost": 0, "w3": 0}
    put(store, prepared("d", "found words instead"), prepared("e", long_text(4)))
    assert all_found(store) == all_found(afresh(make_store, store))
    assert store.check(None) == []


def test_a_new_name_of_a_file_is_found_and_the_old_one_is_not(make_store: MakeStore) -> None:
    store = make_store()
    put(store, prepared("a", "text", source="/x/red paper.txt"), prepared("b", "red", source="/x/b.txt"))
    number = store.known(["a"])["a"].number
    assert by_id(store, store.find_words({"red": 1.0}, 9)).keys() == {"a", "b"}
    with store.writing():
        store.next_change()
        assert store.move({number: "/other folder/red paper.txt"}) == 0
        assert store.move({number: "/x/blue paper.txt"}) == 1
    assert by_id(store, store.find_words({"red": 1.0}, 9)).keys() == {"b"}
    assert by_id(store, store.find_words({"blue": 1.0}, 9)).keys() == {"a"}
    assert store.word_counts(["folder", "other"]) == {"folder": 0, "other": 0}
    assert all_found(store) == all_found(afresh(make_store, store))
    assert store.check(None) == []


def test_segments_are_merged_though_words_were_asked_for_in_the_change(tmp_path: Path) -> None:
    store = sqlite_store(tmp_path / "own.satchel")
    for number in range(30):
        with store.writing():
            put(store, prepared(f"d{number}", f"text {number}"))
            store.windows([1])
    assert len(store._segments()) <= segments.MOST_SEGMENTS


def test_more_than_255_fields_are_all_found(make_store: MakeStore) -> None:
    store = make_store()
    put(store, prepared("a", "x", fields={f"field {n}": f"value{n}" for n in range(300)}), prepared("b", "x"))
    put(store, prepared("c", "x", fields={"field 299": "moon", "field 0": "moon"}), prepared("d", "x"))
    for stem in ("value0", "value250", "value251", "value299"):
        assert by_id(store, store.find_words({stem: 1.0}, 9)).keys() == {"a"}
    assert by_id(store, store.find_words({"moon": 1.0}, 9)).keys() == {"c"}
    assert store.check(None) == []


def test_documents_without_words_are_passages_of_no_words(make_store: MakeStore) -> None:
    store = make_store()
    assert store.word_counts(["x"]) == {"x": 0}
    assert not len(store.find_words({"x": 1.0}, 9).numbers)
    put(store, prepared("-", "… !"), prepared("+", ""))
    assert store.word_counts(["x"]) == {"x": 0}
    assert not len(store.find_words({"x": 1.0}, 9).numbers)
    words, starts = store.streams(store.listed().tolist())
    assert (words.tolist(), starts.tolist()) == ([0, 1, 2, 0, 1, 2], [0, 3, 6])
    assert [len(part) for part in store.streams([])] == [0, 1]
    remove(store, "-", "+")
    assert store.check(None) == []


# others who change


def add_many(path: Path, name: str) -> None:
    store = SqliteStore.open(path)
    for number in range(12):
        put(store, document_of(name, number))
    store.close()


def document_of(name: str, number: int) -> Prepared:
    return prepared(f"{name}{number}", f"word{number} {name} " + long_text(number, 350), source=f"/{name}.txt")


def test_two_processes_add_and_number_words_as_one_would(tmp_path: Path) -> None:
    store = sqlite_store(tmp_path / "own.satchel")
    started = multiprocessing.get_context("spawn").Process
    processes = [started(target=add_many, args=(store.path, name)) for name in ("one", "two")]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
        assert process.exitcode == 0
    assert len(store.listed()) == 24
    assert store.check(None) == []
    assert all_found(store) == all_found(afresh(lambda: sqlite_store(tmp_path / "fresh.satchel"), store))


def test_a_file_open_for_reading_is_searched_and_checked(tmp_path: Path) -> None:
    store = sqlite_store(tmp_path / "own.satchel")
    put(store, prepared("a", long_text(1), fields={"kind": "moon"}), prepared("b", "sun"))
    expected = all_found(store)
    store.close()
    reader = SqliteStore.open(tmp_path / "own.satchel", read_only=True)
    assert all_found(reader) == expected
    assert reader.check(None) == []
    with pytest.raises(CollectionError), reader.writing():
        reader.remove(["a"])
    reader.close()


def test_a_missing_stream_is_told_of_with_its_cure(tmp_path: Path) -> None:
    store = sqlite_store(tmp_path / "own.satchel")
    put(store, prepared("a", "moon"), prepared("b", "sun"))
    with sqlite3.connect(store.path) as file:
        file.execute("DELETE FROM streams WHERE number = 2")
    file.close()
    with pytest.raises(DamagedCollectionError, match="--repair"):
        store.streams([1, 2])
    assert [finding.part for finding in store.check(None)] == ["words"]
    store.close()


# the table of passages


def table_of(documents: list[list[int]], numbers: list[int], firsts: list[int]) -> PassageTable:
    own = [
        Segment(place, first, np.array(part, np.int32), np.ones(len(part), np.int32))
        for place, (part, first) in enumerate(zip(documents, firsts, strict=True), start=1)
    ]
    return PassageTable(own, np.array(numbers, np.int64))


def test_passages_in_force_are_the_newest_of_documents_that_exist() -> None:
    table = table_of([[1, 1, 2, 3], [3], [1, 4, 4]], [1, 3, 4, 5], [0, 4, 10])
    assert np.flatnonzero(table.alive).tolist() == [4, 10, 11, 12]  # between 5 and 10 there is nothing
    assert [int(table.first[number]) for number in (1, 2, 3, 4, 5)] == [10, -1, 4, 11, -1]
    assert [n_passages_of(table, number) for number in (1, 3, 4)] == [1, 1, 2]
    assert (table.missing, table.n_documents, table.n_passages, table.whole) == (1, 4, 4, {2, 3})
    empty = table_of([], [], [])
    assert (empty.missing, empty.n_passages, empty.mean_size) == (0, 0, 0)


def test_passages_of_a_document_are_those_that_the_texts_give(make_store: MakeStore) -> None:
    store, own = make_store(), [prepared(f"d{n}", long_text(n, 100 * n), "title") for n in range(9)]
    put(store, *own)
    table = store.arrays().words  # type: ignore[attr-defined]
    for one in own:
        assert n_passages_of(table, store.known([one.id])[one.id].number) == len(passages_of(one))
    assert title_first("title", "title x") == "title x"  # what a model reads of a passage


def test_later_passages_count_only_the_beginning_of_a_long_field(make_store: MakeStore) -> None:
    store = make_store()
    field = " ".join([*(f"early{n}" for n in range(MOST_REPEATED)), "late"])
    put(store, prepared("long", " ".join(["text"] * 1000), "title", {"notes": field}), prepared("other", "a b c"))
    with store.reading():
        passages = {word: store.word_counts([word])[word] for word in ("early0", "late", "titl")}
    n_passages = len(windows(1000))
    assert passages == {"early0": n_passages, "late": 1, "titl": n_passages}
