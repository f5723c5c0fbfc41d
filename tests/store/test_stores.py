"""What every store keeps to: one file of promises, run over the store in a file and the store in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from made_stores import MakeStore, by_id, ids_of, makers, prepared, put, remove, sqlite_store, vector_of
from satchel.errors import CollectionError, ReadOnlyCollectionError
from satchel.progress import no_progress
from satchel.query import Contains, Is, Not, Since
from satchel.store import DiaryRow, MarkText, ProjectRow, Store, TrainingRow
from satchel.store.rows import State, checksum_of

TEXTS = {"a": "moon rock", "b": "bread oven", "c": "moon bread"}
A_PROJECT = ProjectRow("space", "moon", "{}", "{}", 1, 5.0, 2)


@pytest.fixture(params=["sqlite", "memory"])
def make_store(request: pytest.FixtureRequest, tmp_path: Path) -> MakeStore:
    return makers(tmp_path)[request.param]


@pytest.fixture
def store(make_store: MakeStore) -> Iterator[Store]:
    """Three documents with fields, words and vectors."""
    made = make_store()
    put(made, *(prepared(id_, text, f"On {id_}", {"place": id_}, f"/{id_}") for id_, text in TEXTS.items()))
    yield made
    made.close()


def everything(store: Store) -> object:
    """All that can be asked of a store, to be compared."""
    with store.reading():
        numbers = store.listed()
        return (
            store.state(),
            [one._replace(added=0) for one in store.documents(numbers.tolist())],
            list(store.scan()),
            store.known(store.ids()),
            store.vectors(numbers).tolist(),
            by_id(store, store.find_words({"moon": 1.0, "bread": 2.0, "new": 1.0}, 10)),
            store.word_counts(["moon", "bread", "rock", "new"]),
            by_id(store, store.find_near(vector_of("moon rock"), None, 10)),
            store.field_names(),
            store.field_values("place"),
            [store.rows(kind) for kind in (DiaryRow, ProjectRow, MarkText, TrainingRow)],
            store.files("folder"),
            store.note("own", None),
        )


def write_all(store: Store) -> None:
    """Changes something of every kind."""
    put(store, prepared("new", "new moon", fields={"place": "new"}), prepared("a", "new rock"))
    store.move({store.known(["b"])["b"].number: "/moved"})
    store.write_rows([DiaryRow(0, "a", "relevant", "moon", None, 1.0), A_PROJECT, MarkText("far", "text")])
    store.write_rows([TrainingRow(1, 1.0, "texts", 3, 0.5, "{}")])
    store.write_files("folder", {"one": b"1"})
    store.write_note("own", 7)
    remove(store, "c")


# documents


def test_documents_come_back_as_they_were_put(store: Store) -> None:
    number = store.known(["a"])["a"].number
    (found,) = store.documents([number])
    assert found._replace(added=0) == ("a", "moon rock", "On a", {"place": "a"}, "/a", 0)
    assert found.added > 1.6e9
    assert store.known(["a", "nowhere"]) == {
        "a": (number, checksum_of("a", "On a", "moon rock", '{"place": "a"}'), "/a")
    }
    assert store.count() == 3


def test_documents_come_in_the_order_that_is_asked_for_and_no_longer_than_asked_for(store: Store) -> None:
    put(store, prepared("ü", "häuser und 🚀 rockets"))
    numbers = [store.known([id_])[id_].number for id_ in ("ü", "b", "ü")]
    assert [one.text for one in store.documents(numbers, 11)] == ["häuser und ", "bread oven", "häuser und "]
    assert [one.text for one in store.documents(numbers, 0)] == ["", "", ""]
    assert store.documents([]) == []


def test_ids_stand_in_the_order_of_their_signs_whenever_documents_came(store: Store) -> None:
    put(store, prepared("B"), prepared("é"), prepared("b10"), prepared("b9"), prepared("🚀"), prepared("\uffff"))
    assert store.ids() == sorted(store.ids())
    assert ids_of(store, store.listed()) == store.ids()
    numbers = store.listed()
    assert store.in_order(numbers).tolist() == list(range(9))
    assert store.in_order(numbers[::-2]).tolist() == [8, 6, 4, 2, 0]


@pytest.mark.parametrize("id_", ["a\0b", "a\0", "'", '"', "a b", "\n", "\\u0000", "%", "ﬁ", "A", "x" * 3000])
def test_any_text_may_be_an_id(store: Store, id_: str) -> None:
    put(store, prepared(id_, "first"))
    assert list(store.known([id_])) == [id_]
    put(store, prepared(id_, "second"))
    assert store.count() == 4
    assert store.documents([store.known([id_])[id_].number])[0].text == "second"
    assert ids_of(store, store.listed(Is("id", (id_,)))) == [id_]
    assert remove(store, id_) == 1


def test_an_id_that_cannot_be_written_is_of_no_document(store: Store) -> None:
    assert list(store.known(["a", "\ud800", "a\0", "a\0b"])) == ["a"]


def test_a_replaced_document_keeps_number_and_day_and_loses_its_vector(store: Store) -> None:
    before = store.known(["b"])["b"].number
    added = store.documents([before])[0].added
    with store.writing():
        store.put([prepared("b", "new text", number=before)], store.next_change())
        store.write_vectors([before], np.ones((1, 3), np.float32))
    assert store.known(["b"])["b"].number == before
    assert store.documents([before])[0].added == added
    assert store.vectors(np.array([before])).tolist() == [[1, 1, 1]]
    assert store.field_names() == {"place": 2}
    assert ids_of(store, store.listed(Is("place", ("b",)))) == []


def test_a_removed_document_is_gone_from_everything(store: Store) -> None:
    assert remove(store, "a", "nowhere", "a") == 1
    assert store.ids() == ["b", "c"]
    assert store.known(["a"]) == {}
    assert by_id(store, store.find_words({"rock": 1.0}, 10)) == {}
    assert "a" not in by_id(store, store.find_near(vector_of("moon rock"), None, 10))
    assert store.field_names() == {"place": 2}
    assert store.vectors(store.listed()).shape == (2, 3)


def test_a_moved_document_is_the_same_but_for_its_place(store: Store) -> None:
    before = store.known(["a"])["a"]
    with store.writing():
        store.move({before.number: "/else"})
    assert store.known(["a"])["a"] == before._replace(source="/else")
    assert list(store.scan(since=1)) == []


def test_a_scan_gives_all_as_they_came_or_those_since_a_change(store: Store) -> None:
    put(store, prepared("A", "late"), prepared("b", "changed"))
    assert [one.id for one in store.scan()] == ["a", "b", "c", "A"]
    assert [(one.id, one.text) for one in store.scan(1)] == [("b", "changed"), ("A", "late")]
    assert list(store.scan(2)) == []
    assert next(store.scan())[1:] == ("a", "On a", "moon rock", '{"place": "a"}', "/a")
    assert ids_of(store, store.listed(Since(1))) == ["A", "b"]
    assert (store.count(Since(0)), store.count(Not(Since(1))), store.count()) == (4, 2, 4)


def test_vectors_may_be_written_while_documents_are_scanned(store: Store) -> None:
    with store.writing():
        store.forget_vectors()
        for one in store.scan():
            store.write_vectors([one.number], np.full((1, 2), one.number, np.float32))
    assert store.vectors(store.listed()).tolist() == [[1, 1], [2, 2], [3, 3]]


# fields


def test_fields_are_told_alike(make_store: MakeStore) -> None:
    store = make_store()
    put(
        store,
        prepared("a", fields={"year": 2001, "tags": ["z", "a", "z"], "draft": True}),
        prepared("b", fields={"year": "1999", "tags": ["b"]}),
        prepared("c", fields={"year": 2001.0, "draft": False, "tags": []}),
    )
    assert store.field_names() == {"year": 3, "draft": 2, "tags": 2}
    assert list(store.field_names()) == ["year", "draft", "tags"]
    assert store.field_values("year") == ("year", ((2001, 2), ("1999", 1)), 2, True, 1999.0, 2001.0)
    assert store.field_values("tags") == ("tags", (("a", 1), ("b", 1), ("z", 1)), 3, False, None, None)
    assert store.field_values("draft") == ("draft", ((0, 1), (1, 1)), 2, True, 0.0, 1.0)
    assert store.field_values("nowhere") is None
    assert store.field_of_each("tags") == ["z", "b", None]
    assert [type(one) for one in store.field_of_each("draft")] == [int, type(None), int]
    assert store.field_of_each("nowhere") == [None, None, None]


def test_of_many_values_the_fifty_most_frequent_are_told(make_store: MakeStore) -> None:
    store = make_store()
    put(store, *(prepared(f"d{n:03}", fields={"v": n // 2 if n < 60 else f"t{n}"}) for n in range(100)))
    found = store.field_values("v")
    assert found is not None
    assert [one.value for one in found.values] == [*range(30), *(f"t{n}" for n in range(60, 80))]
    assert (found.n_distinct, found.numeric, found.least) == (70, False, None)


# transactions


def go_wrong(store: Store, change: Callable[[], None]) -> None:
    """A change that is interrupted before its end."""

    def interrupted() -> None:
        with store.writing():
            change()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()


def test_what_goes_wrong_leaves_everything_as_it_was(store: Store) -> None:
    with store.writing():
        store.write_rows([DiaryRow(0, "b", "maybe", "x", None, 1.0)])
        store.write_files("folder", {"kept": b"0"})
    before = everything(store)
    go_wrong(store, lambda: write_all(store))
    assert everything(store) == before
    with store.writing():
        write_all(store)
    assert everything(store) != before
    assert by_id(store, store.find_words({"new": 1.0}, 10)).keys() == {"a", "new"}


def test_what_was_put_into_a_change_that_failed_is_in_none_that_follows(store: Store) -> None:
    go_wrong(store, lambda: store.put([prepared("x", "moon")], store.next_change()))
    put(store, prepared("y", "sun"))
    assert store.word_counts(["moon", "sun"]) == {"moon": 2, "sun": 1}
    assert store.check(None) == []


def test_a_change_within_a_change_is_part_of_it(store: Store) -> None:
    before = everything(store)

    def within() -> None:
        with store.writing():
            write_all(store)

    go_wrong(store, within)
    assert everything(store) == before
    with store.writing(), store.writing():
        write_all(store)
    assert store.ids() == ["a", "b", "new"]
    assert store.word_counts(["new"]) == {"new": 2}


def test_a_search_in_the_middle_of_a_change_is_refused(store: Store) -> None:
    with store.writing():
        put(store, prepared("new", "moon"))
        for ask in (store.listed, lambda: store.find_words({"moon": 1.0}, 5), lambda: store.word_counts(["moon"])):
            with pytest.raises(CollectionError, match="inside a transaction"):
                ask()
        assert store.count(Contains("id", "ne")) == store.count(Since(1)) == 1
    assert store.word_counts(["moon"]) == {"moon": 3}


def test_a_change_while_one_moment_is_read_is_refused(store: Store) -> None:
    before = everything(store)
    with store.reading():
        for _ in range(2):
            with pytest.raises(CollectionError, match="cannot be changed while one moment of it is read"):
                put(store, prepared("new", "moon"))
        with store.reading():
            assert store.count() == 3
    assert everything(store) == before
    put(store, prepared("new", "moon"))
    assert store.count() == 4


def test_numbers_of_a_store_tell_what_changed(store: Store) -> None:
    assert store.state() == State(1, 1, 0)
    with store.writing():
        assert store.next_change() == 2
        store.write_note("model", 3)
    assert store.state() == State(2, 3, 0)
    assert store.note("model", 0) == 3
    assert store.note("unknown share", "none") == "none"


# rows and files


def test_rows_come_by_key_and_by_what_their_columns_have_to_be(store: Store) -> None:
    rows = [
        DiaryRow(0, "a", "relevant", "moon", None, 1.0),
        DiaryRow(0, "a", "none", "", "space", 2.0),
        DiaryRow(0, "b", "maybe", "moon", None, 3.0, 0, 4),
    ]
    store.write_rows(rows)
    kept = store.rows(DiaryRow)
    assert kept == [row._replace(number=place) for place, row in enumerate(rows, start=1)]
    assert store.rows(DiaryRow, project=None, query="moon") == [kept[0], kept[2]]
    assert store.rows(DiaryRow, id="a", project="space") == [kept[1]]
    assert store.rows(DiaryRow, id="nowhere") == []
    assert store.last_row(DiaryRow, query="moon") == kept[2]
    assert store.last_row(DiaryRow, query="sun") is None
    assert store.last_row(MarkText) is None


def test_a_row_with_the_same_key_is_replaced(store: Store) -> None:
    store.write_rows([DiaryRow(0, "a", "relevant", "moon", None, 1.0), A_PROJECT, MarkText("x", "y")])
    store.write_rows([DiaryRow(1, "a", "relevant", "moon", None, 1.0, undone=1), A_PROJECT._replace(query="sun")])
    store.write_rows([MarkText("x", "z"), TrainingRow(2, 1.0, "texts", 3, 0.5, "{}")])
    assert [row.undone for row in store.rows(DiaryRow)] == [1]
    assert store.rows(ProjectRow) == [A_PROJECT._replace(query="sun")]
    assert store.rows(MarkText) == [("x", "z")]
    assert store.last_row(TrainingRow) == (2, 1.0, "texts", 3, 0.5, "{}")


def test_projects_stand_in_the_order_of_their_names(store: Store) -> None:
    store.write_rows(A_PROJECT._replace(name=name) for name in ("b", "Z", "ä", "a"))
    assert [row.name for row in store.rows(ProjectRow)] == ["Z", "a", "b", "ä"]


def test_the_number_of_a_line_of_the_diary_is_never_given_twice(store: Store) -> None:
    line = DiaryRow(0, "a", "relevant", "moon", None, 1.0)
    store.write_rows([line, line])
    store.delete_rows(DiaryRow, number=2)
    store.write_rows([line, line._replace(number=9), line])
    assert [row.number for row in store.rows(DiaryRow)] == [1, 3, 9, 10]
    store.delete_rows(DiaryRow, project=None)
    assert store.rows(DiaryRow) == []


def test_files_of_a_folder_are_replaced_together(store: Store) -> None:
    long = bytes(range(256)) * 70_000  # more than one part
    store.write_files("folder", {"b": b"", "a": long})
    store.write_files("other", {"a": b"1"})
    assert store.files("folder") == {"a": long, "b": b""}
    assert store.files("folder", "b") == {"b": b""}
    assert store.files("folder", "c") == store.files("nowhere") == {}
    store.write_files("folder", {"c": b"2"})
    assert store.files("folder") == {"c": b"2"}
    store.write_files("folder", {})
    assert (store.files("folder"), store.files("other")) == ({}, {"a": b"1"})


# vectors


def test_what_is_near_comes_best_first_and_ties_in_the_order_of_ids(make_store: MakeStore) -> None:
    store = make_store()
    put(store, *(prepared(id_, text) for id_, text in zip("edcba", ["x", "moon", "x", "bread", "x"], strict=True)))
    found = store.find_near(vector_of("x"), None, 10)
    assert ids_of(store, found.numbers)[:3] == ["a", "c", "e"]
    assert (np.diff(found.scores) <= 0).all()
    assert (found.scores > 0).all()
    assert found.scores[:3] == pytest.approx(1)
    assert ids_of(store, store.find_near(vector_of("x"), None, 2).numbers) == ["a", "c"]


def test_what_is_near_is_what_a_double_loop_finds(make_store: MakeStore) -> None:
    store, words = make_store(), [f"text {number}" for number in range(60)]
    put(store, *(prepared(f"d{number:02}", text, fields={"n": number}) for number, text in enumerate(words)))
    query, r = vector_of("asked"), np.array([1.0, 0.5, 2.0], np.float32)
    for mask in (None, r):
        for condition, among in ((None, range(60)), (Is("n", tuple(range(0, 60, 7))), range(0, 60, 7))):
            weights = np.ones(3) if mask is None else mask
            expected = {}
            for number in among:
                z = vector_of(words[number]).astype(np.float64)
                norms = np.linalg.norm(weights * query) * np.linalg.norm(weights * z)
                if (cosine := float((weights * query) @ (weights * z) / norms)) > 0:
                    expected[f"d{number:02}"] = cosine
            assert by_id(store, store.find_near(query, mask, 60, condition)) == pytest.approx(expected, abs=1e-6)
            best = sorted(expected, key=lambda id_: -expected[id_])[:4]
            assert ids_of(store, store.find_near(query, mask, 4, condition).numbers) == best


def test_the_score_of_a_document_is_the_same_whatever_else_may_be_found(make_store: MakeStore) -> None:
    store = make_store()
    put(store, *(prepared(f"d{number:02}", f"text {number}", fields={"n": number}) for number in range(60)))
    whole = by_id(store, store.find_near(vector_of("asked"), None, 60))
    for n_kept in (1, 2, 7, 33):
        some = by_id(store, store.find_near(vector_of("asked"), None, 60, Is("n", tuple(range(n_kept)))))
        assert some == {id_: score for id_, score in whole.items() if int(id_[1:]) < n_kept}


def test_nothing_is_near_to_no_direction_or_among_no_documents(make_store: MakeStore, store: Store) -> None:
    assert not len(store.find_near(np.zeros(3, np.float32), None, 5).numbers)
    assert not len(store.find_near(vector_of("x"), None, 5, Is("id", ("nowhere",))).numbers)
    empty = make_store()
    assert not len(empty.find_near(vector_of("x"), None, 5).numbers)
    assert not len(empty.find_words({"moon": 1.0}, 5).numbers)
    assert empty.ids() == list(empty.listed()) == list(empty.scan()) == []
    assert empty.sample(5).vectors.shape == (0, 0)


def test_a_sample_is_every_nth_document_in_the_order_of_ids(make_store: MakeStore) -> None:
    store = make_store()
    put(store, *(prepared(f"d{9 - number}", f"text {number}") for number in range(10)))
    vectors = store.vectors(store.listed())
    for most, step in ((10, 1), (99, 1), (9, 2), (5, 2), (4, 3), (1, 10)):
        sample = store.sample(most)
        assert (sample.step, len(sample.vectors) <= most) == (step, True)
        assert np.array_equal(sample.vectors, vectors[::step])


# ways in


def test_a_second_way_in_sees_what_the_first_changed(store: Store) -> None:
    other = store.another()
    assert everything(other) == everything(store)
    with store.writing():
        write_all(store)
    assert everything(other) == everything(store)
    assert other.shared is store.shared  # type: ignore[attr-defined]


def test_the_version_is_another_one_after_somebody_else_changed_anything(store: Store) -> None:
    other = store.another()
    changes = (
        lambda: put(store, prepared("new", "text")),
        lambda: store.write_rows([DiaryRow(0, "a", "maybe", "x", None, 1.0)]),
        lambda: store.write_files("folder", {"a": b""}),
        lambda: store.write_note("own", 1),
    )
    for change in changes:
        before = other.version()
        assert other.version() == before
        with store.writing():
            change()
        assert other.version() != before


def test_one_moment_is_read_whatever_others_change_meanwhile(tmp_path: Path) -> None:
    first = sqlite_store(tmp_path / "own.satchel")
    put(first, prepared("a", "moon"), prepared("b", "bread"))
    second = first.another()
    with second.reading():
        before = everything(second)
        put(first, prepared("c", "moon bread"), prepared("a", "sun"))
        remove(first, "b")
        assert everything(second) == before
    assert everything(second) == everything(first) != before


def test_a_closed_store_says_so_and_closing_twice_does_no_harm(store: Store) -> None:
    store.close()
    store.close()
    assert not store.is_open
    for enter in (store.reading, store.writing):
        with pytest.raises(CollectionError, match="is closed"), enter():
            pass


def test_a_second_way_in_that_is_closed_leaves_the_first_open(store: Store) -> None:
    store.another().close()
    assert store.is_open
    with store.reading():
        assert store.count() == 3


def test_a_store_that_is_open_for_reading_refuses_changes(tmp_path: Path) -> None:
    sqlite_store(tmp_path / "own.satchel").close()
    store = type(sqlite_store(tmp_path / "other.satchel")).open(tmp_path / "own.satchel", read_only=True)
    assert store.read_only
    with pytest.raises(ReadOnlyCollectionError, match="open for reading only"), store.writing():
        pass


# whole


def test_a_summary_counts_and_a_whole_store_has_nothing_to_repair(make_store: MakeStore, store: Store) -> None:
    summary = store.summary()
    assert (summary.n_features, summary.n_bytes > 0) == (3, True)
    assert summary.last_added == max(one.added for one in store.documents(store.listed().tolist()))
    assert make_store().summary()[2:] == (0, None)
    assert store.check(None) == []
    with store.writing():
        assert store.repair([], no_progress) == []
