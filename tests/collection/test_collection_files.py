"""A file that cannot be used is one clear sentence, and stays as it was."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from made_collections import make_collection, two_topics
from satchel import Collection
from satchel.errors import (
    CollectionError,
    DamagedCollectionError,
    DiskFullError,
    InputError,
    LockedCollectionError,
    MissingCollectionError,
    NewerCollectionError,
    NotACollectionError,
    ReadOnlyCollectionError,
)
from satchel.importing.types import Document
from satchel.store import SqliteStore
from satchel.store.sqlite import check, schema
from satchel.store.sqlite import open as opening

FIRST_PROJECTS = """
DROP INDEX marks_by_project;
ALTER TABLE marks RENAME COLUMN project TO interest;
CREATE INDEX marks_by_interest ON marks (interest, id);
ALTER TABLE projects RENAME TO interests;
"""
"""What a project is now was called interest."""
FIRST_INDEX = """
DROP TABLE postings;
DROP TABLE segments;
DROP TABLE streams;
DROP TABLE words;
DROP TABLE passage_vectors;
CREATE VIRTUAL TABLE lexical USING fts5 (
    title, text, content = 'documents', content_rowid = 'number', tokenize = 'porter unicode61'
);
CREATE TRIGGER documents_added AFTER INSERT ON documents BEGIN
    INSERT INTO lexical (rowid, title, text) VALUES (new.number, new.title, new.text);
END;
CREATE TRIGGER documents_removed AFTER DELETE ON documents BEGIN
    INSERT INTO lexical (lexical, rowid, title, text) VALUES ('delete', old.number, old.title, old.text);
END;
CREATE TRIGGER documents_replaced AFTER UPDATE OF title, text ON documents BEGIN
    INSERT INTO lexical (lexical, rowid, title, text) VALUES ('delete', old.number, old.title, old.text);
    INSERT INTO lexical (rowid, title, text) VALUES (new.number, new.title, new.text);
END;
"""

THIRD_INDEX = """
DROP TABLE postings;
DROP TABLE segments;
DROP TABLE streams;
DROP TABLE words;
DROP TABLE passage_vectors;
CREATE TABLE segments (segment INTEGER PRIMARY KEY, documents BLOB NOT NULL, n_postings INTEGER NOT NULL);
CREATE TABLE postings (
    segment INTEGER NOT NULL, stem TEXT NOT NULL, block BLOB NOT NULL, PRIMARY KEY (segment, stem)
) WITHOUT ROWID;
INSERT INTO segments VALUES (1, x'0100000001000000', 1);
INSERT INTO postings VALUES (1, 'moon', x'0100000001000000');
DELETE FROM meta WHERE name = 'indexed fields';
PRAGMA user_version = 3;
"""
"""Its postings were of whole documents, without fields."""


def value_in(path: Path, statement: str) -> object:
    """The first value that a statement reads in the file."""
    file = opening.open_file(path)
    try:
        return file.value(statement)
    finally:
        file.close()


def database(path: Path) -> Path:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    return path


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def changed_header(path: Path, place: int, value: int) -> Path:
    make_collection(path.parent, 5, path.name).close()
    with path.open("r+b") as stream:
        stream.seek(place)
        stream.write(value.to_bytes(4, "big"))
    return path


def truncated(path: Path, share: float) -> Path:
    make_collection(path.parent, 30, path.name).close()
    os.truncate(path, int(path.stat().st_size * share))
    return path


REFUSED = {
    "text": (lambda path: written(path, b"just some text, longer than a header" * 10), NotACollectionError),
    "empty": (lambda path: written(path, b""), NotACollectionError),
    "zeros": (lambda path: written(path, bytes(10_000)), NotACollectionError),
    "database": (database, NotACollectionError),
    "header only": (lambda path: written(path, b"SQLite format 3\0 and then"), DamagedCollectionError),
    "newer": (lambda path: changed_header(path, 60, schema.VERSION + 1), NewerCollectionError),
    "half": (lambda path: truncated(path, 0.5), DamagedCollectionError),
    "most": (lambda path: truncated(path, 0.95), DamagedCollectionError),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_whole_collection_is_refused_and_stays_as_it_was(tmp_path: Path, kind: str) -> None:
    make, error = REFUSED[kind]
    path = make(tmp_path / "x.satchel")
    before = path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(error, match=r"x\.satchel .*; (take|give|install)") as caught:
            Collection.open(path, read_only=read_only)
        assert str(caught.value).count("\n") == 0
    assert path.read_bytes() == before
    with pytest.raises(InputError, match="a file of that name exists"):
        Collection.create(path)
    assert path.read_bytes() == before


def test_a_missing_file_or_a_folder_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(MissingCollectionError, match=r"no collection at .*none\.satchel"):
        Collection.open(tmp_path / "none.satchel")
    with pytest.raises(NotACollectionError, match="is a folder, not a collection"):
        Collection.open(tmp_path)
    with pytest.raises(InputError, match="there is no folder"):
        Collection.create(tmp_path / "no" / "x.satchel")


@pytest.mark.parametrize("place", [1, 3, 8, 9, 19, 22, 26, 28])
def test_damaged_pages_are_found_or_told_in_a_sentence(tmp_path: Path, place: int) -> None:
    make_collection(tmp_path, 30).close()
    path = tmp_path / "own.satchel"
    content = bytearray(path.read_bytes())
    content[place * 4096 : place * 4096 + 200] = b"\xa5" * 200
    path.write_bytes(content)
    try:
        with Collection.open(path) as collection:
            found = collection.check()
    except CollectionError as error:
        found = [str(error)]
    assert found
    assert "\n" not in found[0]


def test_a_changed_text_a_lost_vector_and_a_foreign_vector_are_found(tmp_path: Path) -> None:
    make_collection(tmp_path, 30).close()
    with sqlite3.connect(tmp_path / "own.satchel") as connection:
        connection.execute("UPDATE documents SET fields = '{}' WHERE id = 'd001'")
        connection.execute("UPDATE vectors SET vector = zeroblob(256) WHERE number = 3")
        connection.execute("DELETE FROM vectors WHERE number = 5")
        connection.execute("DELETE FROM postings WHERE stem = 'cake'")
    connection.close()
    with Collection.open(tmp_path / "own.satchel") as collection:
        found = "\n".join(collection.check())
        for sentence in (
            "'d001' has changed since",
            "'d002' does not match its text",
            "29 of 30 documents have vectors",
        ):
            assert sentence in found
        assert "index of words" in found
        with pytest.raises(DamagedCollectionError, match="lacks vectors of documents; `satchel check --repair`"):
            collection.search("rocket")
        collection.train()
        assert collection.search("rocket", mode="semantic").total > 0


def test_another_may_write_while_documents_and_vectors_are_checked(tmp_path: Path, monkeypatch) -> None:
    def marked_meanwhile(_: object) -> list[str]:
        with Collection.open(tmp_path / "own.satchel") as other:
            other.mark("d001", "relevant", query="x")
        return []

    monkeypatch.setitem(check.CHECKS, "words", marked_meanwhile)
    with make_collection(tmp_path, 20) as collection:
        assert collection.check() == []
        assert [mark.id for mark in collection.marks()] == ["d001"]


def test_a_second_writer_gets_a_sentence_and_readers_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "WAIT_SECONDS", 0.05)
    with make_collection(tmp_path, 20) as first, Collection.open(first.path) as second:
        readers = [Collection.open(first.path, read_only=True) for _ in range(5)]
        writer = opening.open_file(first.path)
        with writer.writing():
            writer.run("UPDATE documents SET title = 'changed'")
            for change in (
                lambda: second.add([Document("x", "y")]),
                lambda: second.mark("d001", "relevant", query="q"),
                lambda: second.remove(["d001"]),
                second.train,
            ):
                with pytest.raises(LockedCollectionError, match="is being changed by another program; try again"):
                    change()
            assert {len(reader.search("rocket", 3)) for reader in (*readers, second)} == {3}
            assert second.check() == []
            assert {reader["d001"].title for reader in readers} == {"On bread"}
        assert {reader["d001"].title for reader in readers} == {"changed"}
        second.mark("d001", "relevant", query="q")
        for one in (*readers, writer):
            one.close()


def test_two_writers_take_turns(tmp_path: Path) -> None:
    make_collection(tmp_path, 10).close()
    code = """
import sys
from satchel import Collection
with Collection.open(sys.argv[1]) as collection:
    for number in range(20):
        collection.mark("d001", "relevant", query=f"{sys.argv[2]} {number}")
"""
    arguments = [sys.executable, "-c", code, str(tmp_path / "own.satchel")]
    writers = [subprocess.Popen([*arguments, name], stderr=subprocess.PIPE, text=True) for name in ("a", "b")]
    assert [writer.communicate()[1] for writer in writers] == ["", ""]
    with Collection.open(tmp_path / "own.satchel") as collection:
        assert len(collection.marks()) == 40


def test_a_collection_open_for_reading_refuses_every_change(tmp_path: Path) -> None:
    make_collection(tmp_path, 10).close()
    before = (tmp_path / "own.satchel").read_bytes()
    with Collection.open(tmp_path / "own.satchel", read_only=True) as collection:
        for change in (
            lambda: collection.add(two_topics(20)),
            lambda: collection.remove(["d001"]),
            lambda: collection.mark("d001", "relevant"),
            collection.undo,
            lambda: collection.projects.save("x", "y"),
            collection.train,
        ):
            with pytest.raises(ReadOnlyCollectionError, match="is open for reading only"):
                change()
        assert collection.search("rocket").total > 0
        assert collection.check() == []
    assert (tmp_path / "own.satchel").read_bytes() == before


def test_a_file_that_may_not_be_written_is_opened_for_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_collection(tmp_path, 10).close()
    path = tmp_path / "own.satchel"
    path.chmod(0o444)
    monkeypatch.setattr(os, "access", lambda *_: False)  # as it is for everyone but the superuser
    with Collection.open(path) as collection:
        assert collection.read_only
        assert collection.search("rocket").total > 0
        with pytest.raises(ReadOnlyCollectionError):
            collection.remove(["d001"])


def test_a_folder_that_may_not_be_written_can_be_read_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_collection(tmp_path, 10).close()
    connected, asked = opening._connected, []

    def refused_at_first(path: Path, how: str) -> sqlite3.Connection:
        asked.append(how)
        if how == "mode=ro":
            raise sqlite3.OperationalError("unable to open database file")
        return connected(path, how)

    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(opening, "_connected", refused_at_first)
    with Collection.open(tmp_path / "own.satchel") as collection:
        assert len(collection) == 10
    assert asked == ["mode=ro", "mode=ro&immutable=1"]


def test_a_full_disk_changes_nothing(tmp_path: Path) -> None:
    make_collection(tmp_path, 20).close()
    file = opening.open_file(tmp_path / "own.satchel")
    with Collection(SqliteStore(file)) as collection:
        file.run(f"PRAGMA max_page_count = {file.value('PRAGMA page_count') + 3}")
        with pytest.raises(DiskFullError, match=r"own\.satchel was not changed: the disk is full"):
            collection.add(two_topics(2000))
        assert (len(collection), collection.check()) == (20, [])
        file.run("PRAGMA max_page_count = 1000000")
        assert collection.add(two_topics(2000)).added == 1980


def test_a_limit_on_the_size_of_files_changes_nothing(tmp_path: Path) -> None:
    make_collection(tmp_path, 20).close()
    code = """
import resource, sys
sys.path.insert(0, sys.argv[2])
from made_collections import two_topics
from satchel import Collection
from satchel.errors import DiskFullError
with Collection.open(sys.argv[1]) as collection:
    resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))
    try:
        collection.add(two_topics(3000))
    except DiskFullError as error:
        print(error)
    print(len(collection))
"""
    arguments = [sys.executable, "-c", code, str(tmp_path / "own.satchel"), str(Path(__file__).parents[1])]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    sentence, count = done.stdout.splitlines()
    assert "nothing was changed" in sentence
    assert count == "20"
    with Collection.open(tmp_path / "own.satchel") as collection:
        assert (len(collection), collection.check()) == (20, [])


def test_an_older_file_is_brought_up_to_date_in_one_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_collection(tmp_path, 10).close()
    now = schema.VERSION
    monkeypatch.setitem(schema.MIGRATIONS, now, ("CREATE TABLE more (x)", "INSERT INTO more VALUES (3)"))
    monkeypatch.setattr(opening, "VERSION", now + 1)
    with pytest.raises(ReadOnlyCollectionError, match=f"has format version {now}, older than version {now + 1}"):
        Collection.open(tmp_path / "own.satchel", read_only=True)
    with Collection.open(tmp_path / "own.satchel") as collection:
        assert value_in(collection.path, "SELECT x FROM more") == 3
        assert value_in(collection.path, "PRAGMA user_version") == now + 1
    monkeypatch.setattr(opening, "VERSION", now)
    with pytest.raises(NewerCollectionError, match=f"has format version {now + 1}, newer than version {now}"):
        Collection.open(tmp_path / "own.satchel")


def test_a_step_that_fails_leaves_the_older_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_collection(tmp_path, 10).close()
    monkeypatch.setitem(schema.MIGRATIONS, schema.VERSION, ("CREATE TABLE more (x)", "INSERT INTO nowhere VALUES (3)"))
    monkeypatch.setattr(opening, "VERSION", schema.VERSION + 1)
    with pytest.raises(CollectionError, match=r"own\.satchel"):
        Collection.open(tmp_path / "own.satchel")
    monkeypatch.undo()
    with Collection.open(tmp_path / "own.satchel") as collection:
        assert collection.check() == []
        assert value_in(collection.path, "SELECT count(*) FROM sqlite_schema WHERE name = 'more'") == 0


def test_a_file_of_the_first_version_is_whole_after_it_is_opened(tmp_path: Path) -> None:
    """Its checksums held the sources, its marks had no steps, and SQLite's own index held its words."""
    documents = two_topics(10)
    with make_collection(tmp_path, 10) as collection:
        before = list(collection.search("rocket bread", 10))
    with sqlite3.connect(tmp_path / "own.satchel") as connection:
        connection.executescript(FIRST_INDEX)
        connection.executescript(FIRST_PROJECTS)
        connection.execute("INSERT INTO lexical (lexical) VALUES ('rebuild')")
        connection.execute("UPDATE documents SET checksum = zeroblob(16)")
        connection.execute("ALTER TABLE marks DROP COLUMN step")
        connection.execute("PRAGMA user_version = 1")
    connection.close()
    with Collection.open(tmp_path / "own.satchel") as collection:
        assert collection.check() == []
        assert list(collection.search("rocket bread", 10)) == before
        assert collection.add(documents)[:3] == (0, 0, 10)
        collection.mark_together(["d001", "d002"], "relevant")
        assert len(collection.undo_together()) == 2


def test_a_file_of_the_third_version_is_indexed_by_passages_and_fields_when_it_is_opened(tmp_path: Path) -> None:
    long = Document("long", "rocket " * 400 + "bread " * 400)
    with make_collection(tmp_path, 10) as collection:
        collection.add([long])
        modes = ("both", "lexical", "semantic")
        before = [list(collection.search("rocket bread space", 10, mode=mode)) for mode in modes]  # type: ignore[arg-type]
    with sqlite3.connect(tmp_path / "own.satchel") as connection:
        connection.executescript(THIRD_INDEX)
    connection.close()
    with pytest.raises(ReadOnlyCollectionError, match="version 3"):
        Collection.open(tmp_path / "own.satchel", read_only=True)
    with Collection.open(tmp_path / "own.satchel") as collection:
        assert list(collection.search("rocket bread space", 10, mode="lexical")) == before[1]
        told = collection.check()
        assert ["passages of 1 document" in one for one in told] == [True]
        collection.repair()
        assert collection.check() == []
        assert [list(collection.search("rocket bread space", 10, mode=mode)) for mode in modes] == before  # type: ignore[arg-type]
