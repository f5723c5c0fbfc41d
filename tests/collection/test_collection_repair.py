"""What follows from the documents can be made anew; what does not is never touched."""

import sqlite3
from pathlib import Path

import pytest

from made_collections import make_collection
from satchel import Collection
from satchel.errors import DamagedCollectionError

INDEX = "UPDATE segments SET documents = zeroblob(16)"
WORDS = "UPDATE postings SET stem = 'other' WHERE stem = 'moon'"
COUNTS = "UPDATE postings SET block = (SELECT block FROM postings WHERE stem = 'rocket') WHERE stem = 'moon'"
DAMAGES = {
    "a word index that lacks documents": (INDEX, "indexes the words"),
    "a word index of other words": (WORDS, "indexes the words"),
    "a word index of other counts": (COUNTS, "indexes the words"),
    "a word index without some words": ("DELETE FROM postings WHERE stem > 'n'", "indexes the words"),
    "a word index that is cut off": ("UPDATE postings SET block = substr(block, 1, 9)", "indexes the words"),
    "an empty block": ("UPDATE postings SET block = x'' WHERE stem = 'moon'", "indexes the words"),
    "a block of an unknown kind": (
        "UPDATE postings SET block = x'ff' || block",
        "indexes the words",
    ),
    "a segment of half a document": ("UPDATE segments SET documents = zeroblob(9)", "indexes the words"),
    "fields without numbers": ("DELETE FROM meta WHERE name = 'indexed fields'", "indexes the words"),
    "a stream of other words": (
        "UPDATE streams SET words = (SELECT words FROM streams WHERE number = 2) WHERE number = 1",
        "indexes the words",
    ),
    "a missing stream": ("DELETE FROM streams WHERE number = 3", "indexes the words"),
    "windows of a short document": ("UPDATE streams SET passages = zeroblob(32) WHERE number = 3", "indexes the words"),
    "windows that are cut off": ("UPDATE streams SET passages = zeroblob(7) WHERE number = 3", "indexes the words"),
    "words with other numbers": ("UPDATE words SET number = number + 9999 WHERE number > 280", "indexes the words"),
    "words with other stems": ("UPDATE words SET stem = 'other' WHERE word = 'rocket'", "indexes the words"),
    "words with other accents": ("UPDATE words SET folded = 'other' WHERE word = 'rocket'", "indexes the words"),
    "documents in no segment": ("DELETE FROM segments", "indexes the words"),
    "missing vectors": ("DELETE FROM vectors WHERE number % 3 = 0", "encodes all documents again"),
    "vectors of nothing": ("UPDATE vectors SET vector = zeroblob(256)", "encodes all documents again"),
    "vectors of another length": ("UPDATE vectors SET vector = zeroblob(8)", "encodes all documents again"),
    "missing fields": ("DELETE FROM fields WHERE number < 20", "indexes the fields"),
    "passages of a short document": ("INSERT INTO passage_vectors VALUES (3, zeroblob(800))", "encodes all documents"),
    "stray words": ("INSERT INTO streams (number, words) VALUES (9999, x'')", "drops fields, words and vectors"),
    "stray passages": ("INSERT INTO passage_vectors VALUES (9999, zeroblob(256))", "drops fields, words and vectors"),
    "strays": ("INSERT INTO vectors VALUES (9999, zeroblob(256))", "drops fields, words and vectors"),
}


def damage(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize("what", DAMAGES)
def test_a_repaired_collection_ranks_as_it_did_before_the_damage(tmp_path: Path, what: str) -> None:
    statement, sentence = DAMAGES[what]
    with make_collection(tmp_path, 40) as made:
        made.mark("d001", "relevant", query="moon")
        before = [list(made.search("rocket moon", 40, mode=mode)) for mode in ("both", "lexical", "semantic")]  # type: ignore[arg-type]
    damage(tmp_path / "own.satchel", statement)
    told: list[str] = []
    with Collection.open(tmp_path / "own.satchel") as own:
        assert own.check()
        done = own.repair(on_progress=lambda stage, *_: told.append(stage))
        assert done == told
        assert sentence in done[0]
        assert own.check() == own.repair() == []
        after = [list(own.search("rocket moon", 40, mode=mode)) for mode in ("both", "lexical", "semantic")]  # type: ignore[arg-type]
        assert after == before
        assert len(own.marks()) == 1


def test_a_lost_model_is_learned_anew(tmp_path: Path) -> None:
    make_collection(tmp_path, 40).close()
    damage(tmp_path / "own.satchel", "DELETE FROM stored_files")
    with Collection.open(tmp_path / "own.satchel") as own:
        assert "the model is missing" in own.check()
        own.repair()
        assert own.check() == []
        assert own.search("rocket", mode="semantic").total > 0


def test_a_text_that_was_changed_stays_told_of(tmp_path: Path) -> None:
    make_collection(tmp_path, 10).close()
    damage(tmp_path / "own.satchel", "UPDATE documents SET fields = '{\"a\": 1}' WHERE id = 'd001'")
    with Collection.open(tmp_path / "own.satchel") as own:
        own.repair()
        assert own.check() == ["the document 'd001' has changed since it was added"]


def test_damaged_pages_cannot_be_repaired_and_the_file_stays_as_it_is(tmp_path: Path) -> None:
    make_collection(tmp_path, 200).close()
    path = tmp_path / "own.satchel"
    content = bytearray(path.read_bytes())
    content[12 * 4096 : 12 * 4096 + 3000] = b"\xa5" * 3000
    path.write_bytes(content)
    with Collection.open(path) as own, pytest.raises(DamagedCollectionError, match="take another copy"):
        own.repair()
    assert path.read_bytes() == bytes(content)


def test_another_program_that_is_reading_sees_repaired_vectors(tmp_path: Path) -> None:
    with make_collection(tmp_path, 30) as made:
        before = list(made.search("rocket moon"))
    with sqlite3.connect(tmp_path / "own.satchel") as connection:
        connection.execute("UPDATE vectors SET vector = (SELECT vector FROM vectors WHERE number = 2)")
    connection.close()
    with Collection.open(tmp_path / "own.satchel") as reader, Collection.open(tmp_path / "own.satchel") as writer:
        assert list(reader.search("rocket moon")) != before
        writer.repair()
        assert list(reader.search("rocket moon")) == before
