"""A collection's model is learned anew while the old one serves, and changes together with all vectors."""

from pathlib import Path

import numpy as np
import pytest

from made_collections import KITCHEN, SPACE, make_collection, two_topics
from satchel import BagOfEmbeddedWords, Collection, Lsi
from satchel.collection import train as training
from satchel.collection.model import default_encoder
from satchel.errors import CollectionError, InputError
from satchel.importing.types import Document


def vectors_of(collection: Collection, folder: Path) -> np.ndarray:
    collection.export(folder / "v.npy", "vectors")
    return np.load(folder / "v.npy")


def test_training_on_labels_gives_the_vectors_of_the_encoder_fitted_on_them(tmp_path: Path) -> None:
    documents = two_topics(60)
    with make_collection(tmp_path, 60) as collection:
        before = vectors_of(collection, tmp_path)
        report = collection.train(labels="topic")
        after = vectors_of(collection, tmp_path)
        texts = [f"{document.title}\n{document.text}" for document in documents]
        labels = [document.fields["topic"] for document in documents]
        expected = default_encoder(None, random_state=0).fit(texts, labels)
        assert np.array_equal(after, expected.transform(texts))
        assert not np.array_equal(after, before)
        assert (report.learned_from, report.n_documents, report.n_told) == ("labels", 60, 60)
        assert [one.learned_from for one in collection.info().trainings] == ["texts", "labels"]
        assert collection.check() == []


def test_documents_may_have_several_labels_or_none(tmp_path: Path) -> None:
    with make_collection(tmp_path, 40) as collection:
        collection.add([Document("u", "a rocket without a label"), Document("e", "bread", fields={"tags": []})])
        assert collection.train(labels="tags").n_told == 40


def test_the_old_model_serves_while_the_new_one_is_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learn, seen = training._from_texts, []
    with make_collection(tmp_path, 40) as collection:
        before = [(hit.id, hit.score) for hit in collection.search("rocket", mode="semantic")]

        def learn_slowly(material: training._Material) -> training._Learned:
            with Collection.open(collection.path) as other:
                seen.append([(hit.id, hit.score) for hit in other.search("rocket", mode="semantic")])
                other.add([Document("late", "a rocket and a moon")])
            return learn(material)

        monkeypatch.setattr(training, "_from_texts", learn_slowly)
        collection.train(encoder=BagOfEmbeddedWords(n_codewords=16, random_state=3))
        assert seen == [before]
        assert vectors_of(collection, tmp_path).shape == (41, 16)
        assert "late" in [hit.id for hit in collection.search("rocket", 41, mode="semantic")]
        assert collection.check() == []


def test_an_error_in_training_leaves_model_and_vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with make_collection(tmp_path, 40) as collection:
        before = vectors_of(collection, tmp_path)

        def fail(*_: object) -> None:
            raise OSError("no more power")

        monkeypatch.setattr(training, "encode", fail)
        with pytest.raises(OSError, match="no more power"):
            collection.train()
        assert np.array_equal(vectors_of(collection, tmp_path), before)
        assert (collection.info().model, collection.check()) == (1, [])


def test_two_trainings_at_once_do_not_mix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learn = training._from_texts
    with make_collection(tmp_path, 40) as collection:

        def overtaken(material: training._Material) -> training._Learned:
            monkeypatch.setattr(training, "_from_texts", learn)
            with Collection.open(collection.path) as other:
                other.train()
            return learn(material)

        monkeypatch.setattr(training, "_from_texts", overtaken)
        with pytest.raises(CollectionError, match="was trained by another program meanwhile"):
            collection.train()
        assert (collection.info().model, collection.check()) == (2, [])


def test_training_on_marks_learns_from_projects_and_queries(tmp_path: Path) -> None:
    with make_collection(tmp_path, 60) as collection:
        for name, words, first in (("stars", SPACE, 0), ("food", KITCHEN, 1)):
            collection.projects.save(name, words[0])
            for number in range(first, 20, 2):
                collection.mark(f"d{number:03}", "relevant", project=name)
        collection.mark("d001", "irrelevant", query="rocket")
        collection.mark("d000", "relevant", query="rocket")
        report = collection.train(marks=True)
        assert (report.learned_from, report.n_told, report.details["classes"]) == ("marks", 20, 2)
        assert collection.check() == []
        hits = collection.search("moon", 20, mode="semantic", kept_marks=False)
        assert {hit.fields["topic"] for hit in hits} == {"space"}


def test_what_cannot_be_trained_is_said_in_one_sentence(tmp_path: Path) -> None:
    with make_collection(tmp_path, 20) as collection:
        with pytest.raises(InputError, match="no document has a field 'colour'; the fields are tags, topic, year"):
            collection.train(labels="colour")
        with pytest.raises(InputError, match="no document of the collection is marked"):
            collection.train(marks=True)
        with pytest.raises(InputError, match="on labels or on marks, not on both"):
            collection.train(labels="topic", marks=True)
    with Collection.create(tmp_path / "empty.satchel") as empty, pytest.raises(InputError, match="has no documents"):
        empty.train()
    with Collection.create(tmp_path / "lsi.satchel", model=Lsi(n_components=2).fit(["a cat", "a dog"])) as given:
        given.add(two_topics(5))
        with pytest.raises(InputError, match="is Lsi; training needs a BagOfEmbeddedWords"):
            given.train()
        given.train(encoder=BagOfEmbeddedWords())
        assert given.info().n_features == 64
