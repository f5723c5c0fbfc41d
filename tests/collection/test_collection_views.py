"""What a page shows of a collection: the map, one document read for a query, how far a screening has come."""

import inspect
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from made_collections import make_collection
from satchel import Collection
from satchel.collection import Document
from satchel.collection import map as map_of_collection
from satchel.errors import InputError
from satchel.screening.stopping import estimate_remaining
from satchel.store.sqlite import open as opening


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collection]:
    with make_collection(tmp_path_factory.mktemp("views"), 60) as made:
        made.map.places()
        yield made


def spread(points: np.ndarray) -> float:
    return float(np.linalg.norm(points - points.mean(axis=0), axis=1).mean())


def test_documents_of_one_topic_lie_together_on_the_map(collection: Collection) -> None:
    ids, points, regions = collection.map.places()
    assert ids == list(collection)
    assert points.shape == (60, 2)
    assert points.min() >= 0
    assert points.max() <= 1
    topics = np.array([collection[id_].fields["topic"] for id_ in ids])
    assert all(spread(points[topics == topic]) < 0.7 * spread(points) for topic in set(topics))
    assert regions


def test_the_map_is_kept_and_new_documents_get_a_place_among_their_neighbours(tmp_path: Path) -> None:
    with make_collection(tmp_path, 60) as made:
        assert not made.map.is_made()
        before = made.map.places()
        twin = made["d000"]
        made.add([Document("new", twin.text, twin.title)])
        assert made.map.is_made()
        after = made.map.places()
        kept = [after.ids.index(id_) for id_ in before.ids]
        assert np.array_equal(after.points[kept], before.points)
        apart = np.linalg.norm(after.points[after.ids.index("new")] - after.points[after.ids.index("d000")])
        assert apart < 0.15
        path = made.path
    with Collection.open(path, read_only=True) as opened:
        assert np.array_equal(opened.map.places().points, after.points)


def test_a_map_is_made_anew_for_a_new_model_and_for_a_collection_that_has_grown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with make_collection(tmp_path, 12) as made:
        made.map.places()
        made.add([Document(f"more {n}", f"rocket orbit moon launch {n}") for n in range(40)])
        assert not made.map.is_made()
        made.map.places()
        made.train()
        assert not made.map.is_made()


def test_documents_beyond_the_landmarks_are_placed_by_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(map_of_collection, "N_LANDMARKS", 20)
    with make_collection(tmp_path, 60) as made:
        ids, points, _ = made.map.places()
        topics = np.array([made[id_].fields["topic"] for id_ in ids])
        assert all(spread(points[topics == topic]) < 0.8 * spread(points) for topic in set(topics))


def test_a_search_in_an_area_finds_what_lies_there(collection: Collection) -> None:
    ids, points, _ = collection.map.places()
    left, top, right, bottom = area = (0.0, 0.0, 0.5, 1.0)
    inside = {id_ for id_, (x, y) in zip(ids, points, strict=True) if left <= x <= right and top <= y <= bottom}
    assert 0 < len(inside) < 60
    assert {hit.id for hit in collection.search("", 60, area=area)} == inside
    every = [hit.id for hit in collection.search("moon oven", 60, mode="lexical")]
    found = [hit.id for hit in collection.search("moon oven", 60, mode="lexical", area=area)]
    assert found == [id_ for id_ in every if id_ in inside]


@pytest.mark.parametrize("area", [(0, 0, 1), 1, "left", (0, "a", 1, 1), (float("nan"), 0, 1, 1)])
def test_what_is_no_area_gets_one_sentence(collection: Collection, area: object) -> None:
    with pytest.raises(InputError, match="area is"):
        collection.search("moon", area=area)  # type: ignore[arg-type]


def test_an_area_needs_a_map(tmp_path: Path) -> None:
    with make_collection(tmp_path, 8) as made, pytest.raises(InputError, match="has no map yet"):
        made.search("moon", area=(0, 0, 1, 1))


@pytest.mark.parametrize("n_documents", [0, 1, 2, 5])
def test_small_collections_have_a_map_too(tmp_path: Path, n_documents: int) -> None:
    with make_collection(tmp_path, n_documents) as made:
        drawn = made.map.places()
        assert drawn.points.shape == (n_documents, 2)
        assert np.isfinite(drawn.points).all()


def test_a_hit_tells_its_rank_under_earlier_marks(collection: Collection) -> None:
    before = collection.search("moon oven", 60)
    ranks = {hit.id: hit.rank for hit in before}
    marked = before[-1].id
    after = collection.search("moon oven", 60, relevant=[marked], compare_with={})
    assert [hit.earlier_rank for hit in after] == [ranks.get(hit.id) for hit in after]
    assert any(hit.rank != hit.earlier_rank for hit in after)
    assert after.marks == {marked: "relevant"}
    again = collection.search("moon oven", 60, relevant=[marked], compare_with={"marks": after.marks})
    assert all(hit.rank == hit.earlier_rank for hit in again)
    assert all(hit.earlier_rank is None for hit in before)


def test_weights_given_now_act_like_those_of_an_project(collection: Collection) -> None:
    weights = {0: 0.0, 3: 2.0}
    collection.projects.save("weighted", "moon oven", weights=weights)
    expected = collection.search("moon oven", 20, project="weighted")
    found = collection.search("moon oven", 20, weights=weights)
    assert [(hit.id, hit.score) for hit in found] == [(hit.id, hit.score) for hit in expected]
    assert found.weights == weights
    collection.projects.remove("weighted")
    with pytest.raises(InputError, match="expected theme -> weight"):
        collection.search("moon", weights={"a": 1.0})  # type: ignore[dict-item]


def test_scores_are_the_semantic_ones_in_the_order_of_ids(collection: Collection) -> None:
    scores = dict(zip(collection, collection.map.scores("moon rocket").tolist(), strict=True))
    for hit in collection.search("moon rocket", 60, mode="semantic"):
        assert scores[hit.id] == pytest.approx(hit.score, abs=1e-6)
    assert not collection.map.scores("").any()


def test_a_document_is_read_with_the_passage_that_answers_first(tmp_path: Path) -> None:
    filler = "The oven bakes bread and the pan fries onions in butter while the soup is on the stove. "
    answer = "A rocket brings the probe into orbit around the moon, where it lands in autumn. "
    with make_collection(tmp_path, 40) as made:
        made.add([Document("long", filler * 3 + answer + filler * 2)])
        reading = made.read("long", "rocket to the moon")
        best = reading.passages[0]
        assert reading.document.text[best.start : best.stop] == answer.strip()
        words = [reading.document.text[start:stop] for start, stop in reading.matches]
        assert words == ["rocket", "moon"]
        with pytest.raises(InputError, match="no document 'short'"):
            made.read("short", "rocket")


def test_an_empty_query_and_an_empty_document_are_read_without_passages(tmp_path: Path) -> None:
    with make_collection(tmp_path, 10) as made:
        made.add([Document("empty", "", "title")])
        assert made.read("d000").passages == ()
        assert made.read("empty", "rocket").passages == ()


def test_a_screening_counts_finds_in_the_order_of_marks(tmp_path: Path) -> None:
    with make_collection(tmp_path, 30) as made:
        assert made.projects.progress(query="moon").remaining is None
        for id_, value in {"d000": "relevant", "d001": "irrelevant", "d002": "maybe", "d003": "irrelevant"}.items():
            made.mark(id_, value, query="moon")  # type: ignore[arg-type]
        seen = made.projects.progress(query="moon")
        assert (seen.n_documents, seen.n_marked, seen.n_relevant, seen.finds) == (30, 4, 2, [1, 1, 2, 2])
        assert seen.remaining == estimate_remaining([1, 0, 1, 0], 30)
        assert seen.chance is not None
        made.projects.save("moons", "moon")
        assert made.projects.progress("moons") == seen
        with pytest.raises(InputError, match="give one of them"):
            made.projects.progress()


def test_the_model_gives_the_words_of_a_theme(collection: Collection) -> None:
    assert collection.model is not None
    words = collection.model.describe(0, 5)  # type: ignore[attr-defined]  # the default model has themes
    assert words
    assert all(word in collection.model.vocabulary_ for word in words)  # type: ignore[attr-defined]


def test_a_collection_has_at_most_25_methods_of_its_own() -> None:
    """What belongs to projects, to the map and to the model is behind these three."""
    methods = [name for name, _ in inspect.getmembers(Collection, callable) if not name.startswith("_")]
    assert len(methods) <= 25


def test_a_field_tells_its_frequent_values_and_where_its_numbers_begin_and_end(tmp_path: Path) -> None:
    years = [1999, 1999, 2003, "2001", 2003.5]
    documents = [
        Document(f"d{n}", "a moon", fields={"year": year, "tag": ["x", f"t{n}"]}) for n, year in enumerate(years)
    ]
    with Collection.create(tmp_path / "own.satchel") as own:
        own.add(documents)
        year, tag = own.field_values("year"), own.field_values("tag")
    assert year.values == ((1999, 2), (2003, 1), (2003.5, 1), ("2001", 1))
    assert (year.n_distinct, year.numeric, year.least, year.most) == (4, True, 1999, 2003.5)
    assert tag.values[:2] == (("x", 5), ("t0", 1))
    assert (tag.n_distinct, tag.numeric, tag.least) == (6, False, None)


def test_of_many_values_the_frequent_ones_are_told(tmp_path: Path) -> None:
    documents = [Document(f"d{n:03}", "a moon", fields={"place": f"p{n % 70:02}"}) for n in range(100)]
    with Collection.create(tmp_path / "own.satchel") as own:
        own.add(documents)
        told = own.field_values("place")
        with pytest.raises(InputError, match="no document has a field 'colour'; choose from place"):
            own.field_values("colour")
    assert [value for value, count in told.values] == [f"p{n:02}" for n in range(50)]
    assert [count for value, count in told.values] == [2] * 30 + [1] * 20
    assert told.n_distinct == 70


def test_a_document_with_the_number_of_a_removed_one_or_a_new_text_gets_a_place_of_its_own(tmp_path: Path) -> None:
    with make_collection(tmp_path, 60) as made:
        made.map.places()
        made.remove(["d059"])
        twins = {"new": made["d000"], "d001": made["d002"]}
        made.add([Document(id_, twin.text, twin.title) for id_, twin in twins.items()])
        assert sorted(one.number for one in made._store.scan()) == list(range(1, 61))
        assert "new" not in {hit.id for hit in made.search("", 60, area=(0, 0, 1, 1))}
        ids, points, _ = made.map.places()
        places = dict(zip(ids, points, strict=True))
        for id_, twin in (("new", "d000"), ("d001", "d002")):
            assert np.linalg.norm(places[id_] - places[twin]) < 0.15
        assert {hit.id for hit in made.search("", 60, area=(0, 0, 1, 1))} == set(ids)


def test_a_map_is_drawn_while_another_program_writes_and_kept_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "WAIT_SECONDS", 0.05)
    make_collection(tmp_path, 20).close()
    with Collection.open(tmp_path / "own.satchel") as made, Collection.open(made.path) as other:
        with other._store.writing():
            drawn = made.map.places()
        assert not made.map.is_made()
        assert np.array_equal(made.map.places().points, drawn.points)
        assert made.map.is_made()
