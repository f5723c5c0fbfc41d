"""Marks are kept with their query or project, count in every later search, and can be undone."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from made_collections import make_collection, two_topics
from satchel import Collection
from satchel.errors import DamagedFileError, InputError, MissingFileError
from satchel.feedback import Refined
from satchel.importing.types import Document
from satchel.search.explain import theme_shares


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    with make_collection(tmp_path, 40) as made:
        yield made


def ids(hits: object) -> list[str]:
    return [hit.id for hit in hits]  # type: ignore[attr-defined]


def test_a_kept_mark_counts_like_one_given_with_the_search(collection: Collection) -> None:
    given = collection.search("people moon", relevant=["d001"], irrelevant=["d000"])
    collection.mark("d001", "relevant", query="people moon")
    collection.mark("d000", "irrelevant", query="People  moon ")
    kept = collection.search("PEOPLE moon")
    assert [(hit.id, hit.score, hit.mark) for hit in kept] == [(hit.id, hit.score, hit.mark) for hit in given]
    assert kept.learned == given.learned != ()
    assert ids(collection.search("people moon", kept_marks=False)) != ids(kept)


def test_marks_of_one_query_do_not_touch_another(collection: Collection) -> None:
    before = ids(collection.search("things"))
    collection.mark("d001", "relevant", query="people")
    assert ids(collection.search("things")) == before


def test_the_last_verdict_counts_and_undo_brings_back_the_one_before(collection: Collection) -> None:
    def verdicts() -> list[tuple[str, str]]:
        return [(mark.id, mark.value) for mark in collection.marks(query="q")]

    collection.mark("d001", "relevant", query="q")
    collection.mark("d001", "maybe", query="q")
    collection.mark("d002", "irrelevant", query="q")
    assert verdicts() == [("d001", "maybe"), ("d002", "irrelevant")]
    collection.mark("d001", None, query="q")
    assert verdicts() == [("d002", "irrelevant")]
    assert collection.undo().value == "none"
    assert verdicts() == [("d001", "maybe"), ("d002", "irrelevant")]
    assert [collection.undo().id, collection.undo().id] == ["d002", "d001"]
    assert verdicts() == [("d001", "relevant")]
    assert collection.undo().value == "relevant"
    assert collection.undo() is None
    assert verdicts() == []


def test_marks_survive_the_removal_of_a_document(collection: Collection) -> None:
    document = two_topics(40)[1]
    collection.mark("d001", "relevant", query="people")
    marked = ids(collection.search("people"))
    collection.remove(["d001"])
    assert "d001" not in ids(collection.search("people", 50))
    collection.add([document])
    assert ids(collection.search("people")) == marked


def test_a_mark_must_be_one_that_there_is_on_a_document_that_there_is(collection: Collection) -> None:
    with pytest.raises(InputError, match="unknown mark 'good'; choose from irrelevant, maybe, none, relevant"):
        collection.mark("d001", "good", query="q")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no document 'd999' is in"):
        collection.mark("d999", "relevant", query="q")
    with pytest.raises(InputError, match="no project 'x'"):
        collection.mark("d001", "relevant", project="x")
    assert collection.marks() == []


def test_an_project_takes_the_marks_of_its_query_and_goes_its_own_way(collection: Collection) -> None:
    collection.mark("d001", "relevant", query="people")
    collection.projects.save("bakers", "people", filters={"year": {"from": 2003}})
    collection.mark("d000", "irrelevant", project="bakers")
    project = collection.projects["bakers"]
    assert (project.query, project.marks) == ("people", {"d001": "relevant", "d000": "irrelevant"})
    assert [mark.id for mark in collection.marks(query="people")] == ["d001"]
    hits = collection.search(project="bakers")
    again = collection.search(
        "people", relevant=["d001"], irrelevant=["d000"], filters={"year": {"from": 2003}}, kept_marks=False
    )
    assert [(hit.id, hit.score) for hit in hits] == [(hit.id, hit.score) for hit in again]
    assert min(hit.fields["year"] for hit in hits) == 2003


def test_projects_are_listed_changed_and_removed_with_their_marks(collection: Collection) -> None:
    collection.projects.save("b", "bread")
    collection.projects.save("a", "rocket")
    collection.mark("d000", "relevant", project="a")
    assert [project.name for project in collection.projects.values()] == ["a", "b"]
    assert collection.projects.save("a", "moon rocket").marks == {"d000": "relevant"}
    collection.projects.remove("a")
    assert [project.name for project in collection.projects.values()] == ["b"]
    assert collection.marks() == []
    with pytest.raises(InputError, match="unknown project 'a'; choose from b"):
        collection.projects["a"]
    with pytest.raises(InputError, match="the name of a project is ' '"):
        collection.projects.save(" ", "x")


def test_what_is_new_for_an_project_came_after_it_was_looked_at(collection: Collection) -> None:
    collection.projects.save("space", "rocket orbit")
    assert (collection.projects["space"].new, len(collection.projects.new("space"))) == (0, 0)
    old = two_topics(40)
    collection.add([Document("n1", "a rocket in orbit"), Document("n2", "bread"), old[0]._replace(text="moon rocket")])
    assert collection.projects["space"].new == 3
    assert set(ids(collection.projects.new("space"))) >= {"n1", "d000"}
    assert set(ids(collection.projects.new("space", mode="lexical"))) == {"d000", "n1"}
    collection.mark("n1", "relevant", project="space")
    assert "n1" not in ids(collection.projects.new("space"))
    collection.projects.seen("space")
    assert len(collection.projects.new("space")) == 0


def test_weights_of_themes_by_hand_count_until_the_model_changes(collection: Collection) -> None:
    plain = collection.search("rocket people", 5, mode="semantic")
    query = collection.model.transform(["rocket people"])[0]  # type: ignore[union-attr]
    ids, vectors = collection.vectors()
    shares = theme_shares(Refined(query, query * 0 + 1), vectors[[ids.index(plain[0].id)]])
    best = int(shares.argmax())
    collection.projects.save("i", "rocket people", weights={best: 0})
    assert collection.projects["i"].weights == {best: 0}
    without = collection.search(project="i", k=5, mode="semantic")
    assert best not in [theme.codeword for hit in without for theme in hit.reasons.themes]
    collection.train()
    assert collection.projects["i"].weights == {}


def test_an_project_teaches_another_collection_by_the_texts_of_its_marks(tmp_path: Path) -> None:
    with make_collection(tmp_path, 40) as own:
        own.projects.save("bakers", "people", filters={"topic": "kitchen"})
        own.mark("d001", "relevant", project="bakers")
        own.mark("d000", "irrelevant", project="bakers")
        (tmp_path / "i.json").write_text(json.dumps(own.projects.exported()), "utf-8")
        bare = own.projects.exported(["bakers"], texts=False)
    assert "text" not in bare["projects"][0]["marks"][0]
    with Collection.create(tmp_path / "other.satchel") as other:
        other.add(document._replace(id=f"o{document.id}") for document in two_topics(40, 5))
        before = ids(other.search("people", mode="semantic"))
        assert other.projects.take_in(tmp_path / "i.json") == ["bakers"]
        assert other.projects["bakers"].marks == {"d001": "relevant", "d000": "irrelevant"}
        assert other.projects["bakers"].filters == {"topic": "kitchen"}
        found = other.search(project="bakers", filters={"topic": ["kitchen", "space"]}, mode="semantic")
        assert {hit.fields["topic"] for hit in found} == {"kitchen"}
        assert ids(found) != before
        assert other.projects.take_in(json.loads((tmp_path / "i.json").read_text("utf-8"))) == ["bakers"]
        assert len(other.marks(project="bakers")) == 2


def test_of_two_verdicts_on_a_document_the_later_one_counts_after_an_import(tmp_path: Path) -> None:
    with make_collection(tmp_path, 10) as own:
        own.projects.save("bakers", "bread")
        own.mark("d001", "relevant", project="bakers")
        own.mark("d003", "relevant", project="bakers")
        early = own.projects.exported()
        own.mark("d001", "irrelevant", project="bakers")
        late = own.projects.exported()
        own.projects.take_in(early)
        assert own.projects["bakers"].marks == {"d001": "irrelevant", "d003": "relevant"}
    with make_collection(tmp_path, 10, "other.satchel") as other:
        for content in (early, late):
            other.projects.take_in(content)
        assert other.projects["bakers"].marks == {"d001": "irrelevant", "d003": "relevant"}


def _one_project(value: str = '"relevant"', time: str = "1") -> str:
    mark = f'{{"id": "d001", "value": {value}, "time": {time}}}'
    entry = f'{{"name": "x", "query": "", "filters": {{}}, "weights": {{}}, "marks": [{mark}]}}'
    return f'{{"format": "satchel-projects", "version": 1, "projects": [{entry}]}}'


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"format": "satchel-projects", "version": 1, "projects": [{"name": "x"}]}',
        '{"format": "x"}',
        _one_project(time='"nan"'),
        _one_project(time="1e300"),
        _one_project(value='"nice"'),
    ],
)
def test_a_file_that_holds_no_projects_is_refused_and_nothing_is_changed(
    collection: Collection, tmp_path: Path, content: str
) -> None:
    (tmp_path / "bad.json").write_text(content)
    with pytest.raises((DamagedFileError, InputError), match=r"bad\.json"):
        collection.projects.take_in(tmp_path / "bad.json")
    with pytest.raises((DamagedFileError, InputError), match=r"^what was given (is|holds)"):
        collection.projects.take_in(json.loads(content or "3"))
    with pytest.raises(MissingFileError, match=r"no file of projects at .*none\.json"):
        collection.projects.take_in(tmp_path / "none.json")
    assert collection.projects.values() == []


def test_a_verdict_said_twice_is_undone_once(tmp_path):
    with make_collection(tmp_path) as collection:
        first = collection.mark("d001", "relevant", query="bread")
        assert collection.mark("d001", "relevant", query=" Bread") == first
        assert collection.mark("d002", None, query="bread").value == "none"  # there was none: nothing to undo
        assert collection.undo() == first
        assert collection.undo() is None


def test_marks_made_together_are_one_step(collection: Collection) -> None:
    collection.mark("d005", "maybe", query="q")
    made = collection.mark_together(["d001", "d002", "d001", "d003"], "relevant", query="q")
    assert [mark.id for mark in made] == ["d001", "d002", "d003"]
    collection.mark("d004", "irrelevant", query="q")
    assert [mark.id for mark in collection.undo_together()] == ["d004"]
    assert [mark.id for mark in collection.undo_together()] == ["d001", "d002", "d003"]
    assert [mark.id for mark in collection.marks(query="q")] == ["d005"]
    assert collection.undo() is not None
    assert collection.undo_together() == []


def test_of_several_marks_none_is_made_where_one_document_is_not_there(collection: Collection) -> None:
    with pytest.raises(InputError, match="no document 'd999'"):
        collection.mark_together(["d001", "d999"], "relevant", query="q")
    assert collection.marks() == []
    with pytest.raises(InputError, match=r"not one string: \['d001'\]"):
        collection.mark_together("d001", "relevant")
    assert collection.mark_together([], "relevant") == []


def test_words_of_marks_are_told_where_no_theme_moved(tmp_path):
    texts = {"a": "the oven bakes sourdough", "b": "the rocket burns kerosene", "c": "a letter of the oven"}
    with Collection.create(tmp_path / "tiny.satchel") as tiny:
        tiny.add([Document(id_, text) for id_, text in texts.items()])
        found = tiny.search("oven", relevant=["a"], irrelevant=["b"], mode="lexical")
        assert set(found.words) == {"bakes", "sourdough"}
        assert found.lessons == ((), ())
        assert found.learned == (f"more: {', '.join(found.words)}",)
        assert tiny.search("oven").learned == ()
        assert tiny.search("oven", relevant=["a"], irrelevant=["b"]).learned


def test_the_last_mark_of_a_query_or_an_project_is_undone_and_no_other(tmp_path):
    with make_collection(tmp_path) as collection:
        collection.projects.save("baking", "bread")
        collection.mark("d001", "relevant", query="Bread  oven")
        collection.mark("d003", "relevant", project="baking")
        collection.mark("d002", "relevant", query="moon")
        assert collection.undo(query="bread oven").id == "d001"
        assert collection.undo(query="bread oven") is None
        assert collection.undo(project="baking").id == "d003"
        assert [mark.id for mark in collection.marks()] == ["d002"]


def test_what_cannot_be_kept_with_an_project_or_a_mark_is_one_sentence(collection: Collection) -> None:
    for action, message in (
        (lambda: collection.projects.save("x", "q", weights={"a": 1}), "expected theme -> weight"),
        (lambda: collection.projects.save("x", None), "the query of a project is of type NoneType"),
        (lambda: collection.projects.save("\ud800", "q"), "cannot be written as UTF-8"),
        (lambda: collection.mark("d001", "relevant", query=3), "the query of a mark is of type int"),
        (lambda: collection.mark("\ud800", "relevant"), r"no document '\\ud800' is in"),
        (lambda: collection.mark_together([3], "relevant"), "expected a list of ids"),
    ):
        with pytest.raises(InputError, match=message):
            action()
    assert (collection.projects.values(), collection.marks()) == ([], [])
