"""Documents go into a collection, are replaced and go out again, in whole changes."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from made_collections import make_collection, two_topics
from satchel import Collection, Lsi, TfIdf, WordVectors
from satchel.errors import CollectionError, InputError
from satchel.importing.types import Document, Skipped


def test_what_was_added_is_there_when_the_file_is_opened_again(tmp_path: Path) -> None:
    document = Document("a/b.txt", "the text", "the title", {"year": 1999, "tags": ["x", "y"], "open": True}, "a/b.txt")
    with Collection.create(tmp_path / "one.satchel") as collection:
        assert collection.add([document]).added == 1
    with Collection.open(tmp_path / "one.satchel") as collection:
        found = collection["a/b.txt"]
        assert (found.id, found.text, found.title, found.fields, found.source) == (
            "a/b.txt",
            "the text",
            "the title",
            document.fields,
            "a/b.txt",
        )
        assert len(collection) == 1
        assert "a/b.txt" in collection
        assert "other" not in collection


def test_a_closed_collection_is_one_file(tmp_path: Path) -> None:
    with make_collection(tmp_path) as collection:
        collection.mark("d001", "relevant", query="bread")
    assert [path.name for path in tmp_path.iterdir()] == ["own.satchel"]


def test_adding_again_takes_only_what_changed(tmp_path: Path) -> None:
    documents = two_topics(10)
    with make_collection(tmp_path, 10) as collection:
        assert collection.add(documents)[:3] == (0, 0, 10)
        changed = [documents[0]._replace(text="new words"), documents[1]._replace(fields={"year": 1}), *documents[2:]]
        assert collection.add([*changed, Document("new", "a new one")])[:3] == (1, 2, 8)
        assert collection["d000"].text == "new words"
        assert collection["d001"].fields == {"year": 1}


def test_of_two_documents_with_one_id_the_first_is_kept_and_the_second_reported(tmp_path: Path) -> None:
    with Collection.create(tmp_path / "two.satchel") as collection:
        report = collection.add([Document("x", "first", source="f1"), Document("x", "second", source="f2")])
        assert (report.added, [skipped.source for skipped in report.skipped]) == (1, ["f2"])
        assert "came twice" in report.skipped[0].reason
        assert collection["x"].text == "first"


@pytest.mark.parametrize("id_", ["a\nb", "🎒 \u200d\t", "x" * 5000, "'; DROP TABLE documents; --", '%_*"', "a\0b"])
def test_any_id_is_kept_as_it_is(tmp_path: Path, id_: str) -> None:
    with Collection.create(tmp_path / "ids.satchel") as collection:
        collection.add([Document(id_, "some words here"), Document("other", "more words there")])
        assert list(collection) == sorted([id_, "other"])
        assert {hit.id for hit in collection.search("words")} == {id_, "other"}
        collection.mark(id_, "relevant", query="q")
        assert collection.marks()[0].id == id_
        assert collection.remove([id_]) == 1
        assert id_ not in collection


def test_what_cannot_be_a_document_is_skipped_with_its_reason_and_stops_nothing(tmp_path: Path) -> None:
    wrong = [
        Document("", "no id", source="s1"),
        Document("\ud800", "no Unicode", source="s2"),
        Document("f", "a bad field", fields={"x": {"y": 1}}, source="s3"),  # type: ignore[dict-item]
        Document("n", "a bad number", fields={"x": float("nan")}, source="s4"),
        Document("b", b"bytes", source="s5"),  # type: ignore[arg-type]
        Skipped("s6", "it is a picture"),
        Document("l", "fields that are none", fields=None, source="s7"),  # type: ignore[arg-type]
    ]
    with Collection.create(tmp_path / "some.satchel") as collection:
        report = collection.add([wrong[0], Document("good", "fine words"), *wrong[1:]])
        assert report.added == 1
        assert [skipped.source for skipped in report.skipped] == ["s1", "s2", "s3", "s4", "s5", "s6", "s7"]
        assert list(collection) == ["good"]
        assert "\ud800" not in collection


def test_texts_lose_nothing_but_what_cannot_be_written(tmp_path: Path) -> None:
    with Collection.create(tmp_path / "texts.satchel") as collection:
        collection.add([Document("x", "line\r\nnext \ud800 \0 🎒", title="\0t")])
        assert collection["x"].text == "line\r\nnext ?   🎒"
        assert collection.check() == []


def test_an_error_while_documents_come_leaves_the_collection_as_it_was(tmp_path: Path) -> None:
    def some() -> Iterator[Document]:
        yield from two_topics(700)
        raise OSError("the cable was pulled")

    with make_collection(tmp_path, 4) as collection:
        with pytest.raises(OSError, match="the cable was pulled"):
            collection.add(some())
        assert list(collection) == ["d000", "d001", "d002", "d003"]
        assert collection.check() == []
        assert collection.add(two_topics(6)).added == 2


def test_removing_counts_what_was_there(tmp_path: Path) -> None:
    with make_collection(tmp_path, 6) as collection:
        assert collection.remove(["d000", "nothing", "d003", "d000"]) == 2
        assert list(collection) == ["d001", "d002", "d004", "d005"]
        assert collection.check() == []
        with pytest.raises(KeyError):
            _ = collection["d000"]
        with pytest.raises(InputError, match=r"not one string: \['d001'\]"):
            collection.remove("d001")


def test_documents_without_words_wait_for_those_that_teach_a_model(tmp_path: Path) -> None:
    with Collection.create(tmp_path / "empty.satchel") as collection:
        assert collection.add([Document("e1", ""), Document("e2", " … ")]).added == 2
        assert collection.info().model == 0
        assert len(collection.search("anything")) == 0
        collection.add(two_topics(10))
        assert collection.info().n_features == 64
        assert collection.search("rocket", mode="semantic").total > 0
        assert collection.check() == []


@pytest.mark.parametrize("n_documents", [1, 2, 3, 20])
def test_the_smallest_collections_can_be_searched(tmp_path: Path, n_documents: int) -> None:
    with make_collection(tmp_path, n_documents) as collection:
        assert collection.search(collection["d000"].text)[0].id == "d000"
        assert collection.check() == []


def test_vectors_are_those_of_the_model_for_title_and_text(tmp_path: Path) -> None:
    documents = two_topics(30)
    encoder = Lsi(n_components=5, random_state=0).fit([document.text for document in documents])
    with Collection.create(tmp_path / "given.satchel", model=encoder) as collection:
        collection.add(documents)
        collection.export(tmp_path / "v.npy", "vectors")
    texts = [f"{document.title}\n{document.text}" for document in documents]
    assert np.array_equal(np.load(tmp_path / "v.npy"), encoder.transform(texts))


def test_a_model_folder_and_word_vectors_can_be_given(tmp_path: Path) -> None:
    documents = two_topics(30)
    Lsi(n_components=4).fit([document.text for document in documents]).save(tmp_path / "folder")
    with Collection.create(tmp_path / "a.satchel", model=tmp_path / "folder") as collection:
        collection.add(documents)
        assert collection.info().n_features == 4
    words = WordVectors(("rocket", "oven"), [[1.0, 0.0, 0.2], [0.0, 1.0, 0.1]])
    with Collection.create(tmp_path / "b.satchel", words=words):
        pass
    with Collection.open(tmp_path / "b.satchel") as collection:  # the words waited in the file
        collection.add(documents)
        collection.export(tmp_path / "bag", "model")
    assert (tmp_path / "bag" / "config.json").read_text().count('"stored"') == 1


def test_a_model_that_cannot_serve_is_refused_before_a_file_is_made(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="TfIdf gives sparse vectors"):
        Collection.create(tmp_path / "x.satchel", model=TfIdf().fit(["some words"]))
    with pytest.raises(InputError, match="words or a model, not both"):
        Collection.create(tmp_path / "x.satchel", model=tmp_path, words=WordVectors(("a",), [[1.0]]))
    with pytest.raises(InputError, match="random_state is -1"):
        Collection.create(tmp_path / "x.satchel", random_state=-1)
    assert list(tmp_path.iterdir()) == []


def test_the_same_documents_and_seed_give_the_same_vectors(tmp_path: Path) -> None:
    for name in ("a", "b"):
        with make_collection(tmp_path, 40, f"{name}.satchel") as collection:
            collection.export(tmp_path / f"{name}.npy", "vectors")
    assert (tmp_path / "a.npy").read_bytes() == (tmp_path / "b.npy").read_bytes()


def test_growth_and_unknown_words_bring_advice(tmp_path: Path) -> None:
    with make_collection(tmp_path, 40) as collection:
        assert collection.add(two_topics(50)).advice == ""
        strange = [Document(f"s{n}", f"zyx{n} wvu{n} tsr{n} qpo{n} nml{n} " * 3) for n in range(20)]
        assert "does not know" in collection.add(strange).advice
        assert "`satchel train`" in collection.info().advice
        collection.train()
        assert collection.info().advice == ""
        report = collection.add(two_topics(400))
        assert "was learned from 70 of the present 420 documents" in report.advice


def test_a_closed_collection_says_so_and_closes_twice(tmp_path: Path) -> None:
    collection = make_collection(tmp_path, 2)
    collection.close()
    collection.close()
    assert repr(collection).endswith("closed>")
    with pytest.raises(CollectionError, match="is closed; open it again"):
        len(collection)


def test_what_is_no_document_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with make_collection(tmp_path, 2) as collection:
        with pytest.raises(InputError, match=r"takes Document\(id, text, …\), not str"):
            collection.add(["a text"])  # type: ignore[list-item]
        with pytest.raises(InputError, match="a path or documents, not int"):
            collection.add(3)  # type: ignore[arg-type]


def test_a_notebook_shows_what_is_inside(tmp_path: Path) -> None:
    with make_collection(tmp_path, 2) as collection:
        assert "<td>2</td>" in collection._repr_html_()
        assert repr(collection).endswith("own.satchel, 2 documents>")


def test_a_file_with_a_new_name_is_found_by_it_at_once_and_by_others_too(tmp_path: Path) -> None:
    with Collection.create(tmp_path / "own.satchel") as own, Collection.open(own.path) as other:
        own.add([Document("a", "plain text", source="/x/red.txt"), Document("b", "plain text", source="/x/b.txt")])
        assert [hit.id for hit in other.search("red", mode="lexical")] == ["a"]
        assert own.add([Document("a", "plain text", source="/y/blue.txt")]).unchanged == 1
        for one in (own, other):
            assert [hit.id for hit in one.search("blue", mode="lexical")] == ["a"]
            assert not one.search("red", mode="lexical").hits
            assert {hit.id for hit in one.search("plain", mode="lexical")} == {"a", "b"}
            assert one.check() == []


@pytest.mark.parametrize("place", ["own.satchel", ":memory:"])
def test_a_renamed_file_is_found_by_its_new_name_at_once(tmp_path: Path, place: str) -> None:
    texts = {"a": "moon rock", "b": "moon bread"}
    with Collection.create(place if place == ":memory:" else tmp_path / place) as own:
        own.add([Document(id_, text, source=f"/x/{id_}.txt") for id_, text in texts.items()])
        assert own.search("moon").total == 2
        own.add([Document("a", "moon rock", source="/x/renamed.txt")])
        assert [hit.id for hit in own.search("renamed", mode="lexical")] == ["a"]
