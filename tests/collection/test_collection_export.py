"""What leaves a collection can be read by those who expect its form, and by a collection again."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from made_collections import make_collection, two_topics
from satchel import Collection
from satchel.datasets.beir import read_judgments
from satchel.encoders import load_encoder
from satchel.errors import InputError
from satchel.evaluation.runs import read_run
from satchel.importing import read_documents
from satchel.importing.types import Document


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    with make_collection(tmp_path, 20) as made:
        yield made


def test_documents_come_back_from_json_lines_as_they_were(collection: Collection, tmp_path: Path) -> None:
    assert collection.export(tmp_path / "d.jsonl", "documents") == 20
    rows = [json.loads(line) for line in (tmp_path / "d.jsonl").read_text("utf-8").splitlines()]
    assert [Document(row["id"], row["text"], row["title"], row["fields"]) for row in rows] == two_topics(20)


ODD_DOCUMENTS = [
    Document("a", 'rocket\n\nand "moon", in two\nlines', "A, B", {"year": 2019, "cost": 1.5, "tags": ["x; y", "z"]}),
    Document("b 🎒", "=rocket()", fields={"label": "007", "grade": "2019", "class": 3, "is open": True, "x.y": "z"}),
    Document("c", "rocket", "C", {"title": "another", "source": "elsewhere", "text": "no text"}),
]


def test_adding_exported_json_lines_again_changes_nothing(tmp_path: Path) -> None:
    with Collection.create(tmp_path / "a.satchel") as old, Collection.create(tmp_path / "b.satchel") as new:
        old.add(ODD_DOCUMENTS)
        old.export(tmp_path / "d.jsonl", "documents")
        assert old.add(tmp_path / "d.jsonl").unchanged == new.add(tmp_path / "d.jsonl").added == 3
        assert [(new[id_].id, new[id_].text, new[id_].title, new[id_].fields) for id_ in new] == [
            (old[id_].id, old[id_].text, old[id_].title, old[id_].fields) for id_ in old
        ]


def test_a_table_that_merely_looks_like_an_export_keeps_all_its_columns(tmp_path: Path) -> None:
    row = {"id": 1, "title": "t", "text": "rocket", "source": "a newspaper", "fields": "physics"}
    (tmp_path / "t.jsonl").write_text(json.dumps(row), "utf-8")
    (found,) = read_documents(tmp_path / "t.jsonl")
    assert isinstance(found, Document)
    assert found.fields == {"source": "a newspaper", "fields": "physics"}


def test_texts_of_several_lines_stand_in_one_cell(tmp_path: Path) -> None:
    with Collection.create(tmp_path / "a.satchel") as collection:
        collection.add(ODD_DOCUMENTS)
        collection.export(tmp_path / "d.csv", "documents")
    with (tmp_path / "d.csv").open(newline="", encoding="utf-8") as stream:
        assert [(row["id"], row["text"]) for row in csv.DictReader(stream)] == [(d.id, d.text) for d in ODD_DOCUMENTS]
    again = [one for one in read_documents(tmp_path / "d.csv") if isinstance(one, Document)]
    assert [(one.id, one.title, one.text) for one in again] == [(d.id, d.title, d.text) for d in ODD_DOCUMENTS]


def test_hits_are_a_table_with_ranks_scores_and_fields(collection: Collection, tmp_path: Path) -> None:
    hits = collection.search("rocket, moon", 5)
    assert collection.export(tmp_path / "h.csv", "hits", hits=hits) == 5
    with (tmp_path / "h.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["rank"], row["id"], row["query"]) for row in rows] == [
        (str(hit.rank), hit.id, "rocket, moon") for hit in hits
    ]
    assert [float(row["score"]) for row in rows] == [hit.score for hit in hits]
    assert [row["tags"] for row in rows] == ["; ".join(hit.fields["tags"]) for hit in hits]  # type: ignore[arg-type]


def test_a_trec_run_holds_the_ranking(collection: Collection, tmp_path: Path) -> None:
    collection.add([Document("id with spaces", "rocket")])
    hits = collection.search("a rocket", 4, explained=False)
    collection.export(tmp_path / "h.run", "hits", hits=hits)
    assert read_run(tmp_path / "h.run") == {"a_rocket": {"_".join(hit.id.split()): hit.score for hit in hits}}


def test_marks_are_judgments_by_project_or_query(collection: Collection, tmp_path: Path) -> None:
    collection.projects.save("space flight", "rocket")
    collection.mark("d000", "relevant", project="space flight")
    collection.mark("d001", "irrelevant", project="space flight")
    collection.mark("d003", "maybe", query="fresh bread")
    assert collection.export(tmp_path / "m.qrels", "marks") == 3
    assert read_judgments(tmp_path / "m.qrels") == {
        "space_flight": {"d000": 2, "d001": 0},
        "fresh_bread": {"d003": 1},
    }
    assert collection.export(tmp_path / "m.csv", "marks", project="space flight") == 2


def test_references_come_back_from_ris(tmp_path: Path) -> None:
    fields = {"authors": ["A. Ant", "B. Bee"], "year": 1999, "doi": "10.1/x", "journal": "J", "keywords": ["k1", "k2"]}
    with Collection.create(tmp_path / "r.satchel") as collection:
        collection.add([Document("10.1/x", "An abstract\nin two lines.", "A title", fields)])
        collection.export(tmp_path / "out.ris", "documents")
    (again,) = read_documents(tmp_path / "out.ris")
    assert isinstance(again, Document)
    assert (again.id, again.title, again.text) == ("10.1/x", "A title", "An abstract in two lines.")
    assert {name: str(again.fields[name]) for name in fields} == {name: str(value) for name, value in fields.items()}


def test_vectors_stand_beside_their_ids(collection: Collection, tmp_path: Path) -> None:
    collection.add([Document("a\n🎒", "rocket")])
    assert collection.export(tmp_path / "v.npy", "vectors") == 21
    ids, vectors = json.loads((tmp_path / "v.ids.json").read_text("utf-8")), np.load(tmp_path / "v.npy")
    assert ids == list(collection)
    parquet = pytest.importorskip("pyarrow.parquet")
    collection.export(tmp_path / "v.parquet", "vectors")
    table = parquet.read_table(tmp_path / "v.parquet")
    assert table.column("id").to_pylist() == ids
    assert np.array_equal(np.array(table.column("vector").to_pylist(), np.float32), vectors)


def test_the_model_folder_gives_the_same_vectors(collection: Collection, tmp_path: Path) -> None:
    collection.export(tmp_path / "model", "model")
    collection.export(tmp_path / "v.npy", "vectors")
    texts = [f"{document.title}\n{document.text}" for document in two_topics(20)]
    assert np.array_equal(load_encoder(tmp_path / "model").transform(texts), np.load(tmp_path / "v.npy"))


def test_what_cannot_be_exported_is_said_and_nothing_is_written(collection: Collection, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    for arguments, message in (
        (("x.csv", "pictures"), "unknown export 'pictures'; choose from documents, hits, marks, model, vectors"),
        (("x.csv", "hits"), "give the hits to export"),
        (("own.satchel", "documents"), "is the collection itself"),
        (("", "documents"), "is a folder; give the name of a file"),
        (("", "vectors"), "is a folder; give the name of a file"),
        (("x.xlsx", "documents"), "documents are not written as .xlsx; choose from csv, jsonl, ris"),
        (("x.npy", "marks"), "marks are not written as .npy; choose from csv, jsonl, ris, qrels"),
    ):
        with pytest.raises(InputError, match=message):
            collection.export(tmp_path / arguments[0], arguments[1])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="unknown form of marks 'npy'; choose from csv, jsonl, qrels, ris"):
        collection.export(tmp_path / "x", "marks", form="npy")
    with pytest.raises(InputError, match="there is no project 'space'"):
        collection.export(tmp_path / "x.csv", "marks", project="space")
    with Collection.create(tmp_path / "e.satchel") as empty, pytest.raises(InputError, match="has no vectors yet"):
        empty.export(tmp_path / "x.npy", "vectors")
    assert sorted(tmp_path.iterdir()) == sorted([*before, tmp_path / "e.satchel"])


def test_info_counts_what_is_inside(collection: Collection) -> None:
    collection.projects.save("i", "rocket")
    collection.mark("d000", "relevant", project="i")
    info = collection.info()
    assert (info.n_documents, info.n_marks, info.projects, info.n_features) == (20, 1, ("i",), 64)
    assert info.fields == {"tags": 20, "topic": 20, "year": 20}
    assert "documents  20" in str(info)
