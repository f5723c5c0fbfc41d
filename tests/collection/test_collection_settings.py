"""Synonyms, extra stop words and weights of fields belong to a collection and can be changed at any time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from satchel import Collection
from satchel.collection import Hits, read_stop_words, read_synonyms
from satchel.errors import InputError, MissingFileError
from satchel.importing.types import Document

DOCUMENTS = [
    Document("auto", "an automobile in the rain", "", {"abstract": "wheels and roads", "authors": ["Ann Weber"]}),
    Document("car", "a car in the rain", "", {"authors": ["Car, Max"]}),
    Document("both", "the car is an automobile", "About wheels"),
    Document("motor", "a motor vehicle and a study", ""),
    Document("bread", "bread and butter, a study", "wheels"),
    *(Document(f"other{n}", f"many small things {n}", "") for n in range(6)),
]


@pytest.fixture(params=["file", "memory"])
def own(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Collection]:
    with Collection.create(":memory:" if request.param == "memory" else tmp_path / "own.satchel") as made:
        made.add(DOCUMENTS)
        yield made


def by_words(own: Collection, query: str) -> dict[str, float]:
    return scores(own.search(query, 50, mode="lexical"))


def scores(hits: Hits) -> dict[str, float]:
    return {hit.id: hit.score for hit in hits}


def test_a_synonym_counts_less_than_the_word_that_was_typed_and_once(own: Collection) -> None:
    car, auto = by_words(own, "car"), by_words(own, "automobile")
    assert "auto" not in car
    own.settings.change(synonyms=[["car", "automobile"], ["car", "automobile", "cars"]])
    for query, typed, other in (("car", car, auto), ("automobiles", auto, car)):
        expected = {id_: typed.get(id_, 0.0) + 0.6 * other.get(id_, 0.0) for id_ in typed.keys() | other.keys()}
        assert by_words(own, query) == pytest.approx(expected)
    both = {id_: car.get(id_, 0.0) + auto.get(id_, 0.0) for id_ in car.keys() | auto.keys()}
    assert by_words(own, "car automobile") == pytest.approx(both)


def test_a_synonym_of_several_words_is_recognised_and_searched(own: Collection) -> None:
    own.settings.change(synonyms=[["car", "motor vehicle"]])
    assert "motor" in by_words(own, "car")
    assert "car" in by_words(own, "a motor vehicle")
    assert "car" not in by_words(own, "motor of a vehicle")


def test_a_document_found_by_a_synonym_names_and_highlights_it(own: Collection) -> None:
    own.settings.change(synonyms=[["car", "automobile"]])
    (hit,) = [hit for hit in own.search("car", 50) if hit.id == "auto"]
    assert hit.reasons.matches == ("automobile",)
    assert hit.snippet.marked("[", "]") == "an [automobile] in the rain"
    assert own.read("auto", "car").matches == ((3, 13),)


def test_extra_stop_words_are_not_searched_unless_alone(own: Collection) -> None:
    bread = by_words(own, "bread")
    own.settings.change(stop_words=["Study", "paper, of"])
    assert own.settings.read().stop_words == ("study", "paper", "of")
    assert by_words(own, "a study of bread") == bread
    assert set(by_words(own, "study")) == {"bread", "motor"}
    both = scores(own.search("bread study", 50))
    assert both == pytest.approx(scores(own.search("bread", 50)))


def test_the_usual_weights_of_fields_change_no_bit(own: Collection) -> None:
    before = {query: by_words(own, query) for query in ("wheels", "car", "weber study")}
    own.settings.change(field_weights={"title": 2, "text": 1, "abstract": 0.5, "authors": 0.5, "file": 0.5})
    assert {query: by_words(own, query) for query in before} == before


def test_a_weight_of_a_field_changes_its_words_at_once(own: Collection) -> None:
    before = by_words(own, "wheels")
    own.settings.change(field_weights={"title": 0, "abstract": 3})
    assert set(by_words(own, "wheels")) == {"auto"}
    assert by_words(own, "wheels")["auto"] > before["auto"]
    own.settings.change(field_weights={"title": None})
    assert dict(own.settings.read().field_weights) == {"abstract": 3}
    own.settings.change(field_weights={"abstract": None})
    assert by_words(own, "wheels") == before


def test_a_weight_counts_for_the_other_name_of_a_field(own: Collection) -> None:
    own.settings.change(field_weights={"author": 0})
    assert "car" not in by_words(own, "max")


def test_a_field_that_comes_later_has_its_weight(own: Collection) -> None:
    own.settings.change(field_weights={"notes": 0})
    own.add([Document("new", "plain", fields={"notes": "zebra", "other": "zebu"})])
    assert (set(by_words(own, "zebra")), set(by_words(own, "zebu"))) == (set(), {"new"})


def test_settings_stay_in_the_file_and_reach_other_connections(tmp_path: Path) -> None:
    with Collection.create(tmp_path / "own.satchel") as own, own.another() as other:
        own.add(DOCUMENTS)
        assert "auto" not in by_words(other, "car")
        own.settings.change(synonyms=[("car", "automobile")], stop_words=["study"], field_weights={"title": 3})
        assert "auto" in by_words(other, "car")
    with Collection.open(tmp_path / "own.satchel", read_only=True) as own:
        found = own.settings.read()
        assert (found.synonyms, found.stop_words) == ((("car", "automobile"),), ("study",))
        assert dict(found.field_weights) == {"title": 3.0}
        assert own.check() == []


def test_the_same_settings_are_no_change(own: Collection) -> None:
    own.settings.change(stop_words=["study"])
    before = own._store.state()
    own.settings.change(stop_words=["study"])
    assert own._store.state() == before
    own.settings.change(stop_words=[])
    assert own.settings.read().stop_words == ()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"synonyms": [["car"]]}, "not two different words"),
        ({"synonyms": [["car", "Cars"]]}, "not two different words"),
        ({"synonyms": ["car, automobile"]}, "not two different words"),
        ({"field_weights": {"title": -1}}, "from 0 to 100"),
        ({"field_weights": {"title": float("nan")}}, "from 0 to 100"),
        ({"field_weights": {"title": "much"}}, "expected field -> weight"),
        ({"field_weights": [3]}, "expected field -> weight"),
        ({"stop_words": [3]}, "expected words"),
    ],
)
def test_wrong_settings_change_nothing(own: Collection, given: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        own.settings.change(**{"stop_words": ["kept"], **given})  # type: ignore[arg-type]
    assert own.settings.read().stop_words == ()


def test_files_of_synonyms_and_stop_words(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("# vehicles\ncar, motor vehicle\n\nbus,coach , omnibus\n", "utf-8")
    assert read_synonyms(path) == [["car", "motor vehicle"], ["bus", "coach", "omnibus"]]
    path.write_text("study, paper\nreview of", "utf-8")
    assert read_stop_words(path) == ["study", "paper", "review", "of"]
    with pytest.raises(InputError, match="review of"):
        read_synonyms(path)
    with pytest.raises(MissingFileError, match="no file"):
        read_synonyms(tmp_path / "none.txt")
