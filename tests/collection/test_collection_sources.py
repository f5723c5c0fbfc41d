"""A source has one name however it is spelled, and sources with the same ids are told apart."""

import json
from pathlib import Path

import pytest

from satchel import Collection
from satchel.cli import main
from satchel.errors import InputError
from satchel.importing import IMPORT_FORMS, ColumnChoice, Document, Skipped, read_documents
from satchel.server.jobs import add_folder

LETTERS = {"a.txt": "bread and butter", "b.txt": "rockets to the moon", "deep/c.txt": "ovens bake bread"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in LETTERS.items():
        path = tmp_path / "letters" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path / "letters"


def table(path: Path, *texts: str) -> Path:
    path.write_text("id,text\n" + "".join(f"{n},{text}\n" for n, text in enumerate(texts, 1)), "utf-8")
    return path


def test_a_folder_by_any_path_is_the_same_folder(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to(folder)
    with Collection.create(tmp_path / "own.satchel") as own:
        assert own.add("letters").added == 3
        for spelled in (str(folder), "./letters", "letters/", "letters/../letters", "link", folder):
            assert own.add(spelled)[:3] == (0, 0, 3), spelled
            assert own["deep/c.txt"].source == str(folder.resolve() / "deep" / "c.txt")
        (folder / "a.txt").write_text("butter alone", "utf-8")
        report = own.add("link")
        assert (report[:3], report.overwritten) == ((0, 1, 2), {})


def test_a_folder_that_was_moved_holds_the_same_documents_at_their_new_place(tmp_path: Path, folder: Path) -> None:
    with Collection.create(tmp_path / "own.satchel") as own:
        own.add(folder)
        change = own._store.state().change
        moved = folder.rename(tmp_path / "moved")
        assert own.add(moved)[:3] == (0, 0, 3)
        assert own["a.txt"].source == str(moved / "a.txt")
        assert (own._store.state().change, own.check()) == (change, [])


def test_documents_of_another_file_with_the_same_ids_are_told_of(tmp_path: Path) -> None:
    first = table(tmp_path / "a.csv", "bread and butter", "the moon is far", "ovens are hot")
    second = table(tmp_path / "b.csv", "rockets fly far", "the moon is far")
    with Collection.create(tmp_path / "own.satchel") as own:
        assert own.add(first).overwritten == {}
        report = own.add(second)
        assert (report[:3], report.overwritten) == ((0, 1, 1), {str(first.resolve()): 1})
        assert f"1 of the replaced documents had come from {first.resolve()}, with the same ids" in str(report)
        table(second, "rockets fly very far", "the moon is far")
        assert own.add(second).overwritten == {}


def test_a_prefix_keeps_the_documents_of_both_files(tmp_path: Path) -> None:
    files = [table(tmp_path / name, f"bread of {name}", f"butter of {name}") for name in ("a.csv", "b.csv")]
    with Collection.create(tmp_path / "own.satchel") as own:
        for path in files:
            assert own.add(path, prefix="{name}#").added == 2
        assert list(own) == ["a.csv#1", "a.csv#2", "b.csv#1", "b.csv#2"]
        assert own.add([Document("1", "a note")], prefix="notes/").added == 1
        assert own["notes/1"].text == "a note"
        assert own.add(files[0], prefix="{name}#")[:3] == (0, 0, 2)


def test_the_encoding_of_files_can_be_said(tmp_path: Path) -> None:
    path = tmp_path / "greek.txt"
    path.write_bytes("ψωμί και βούτυρο".encode("iso8859-7"))
    with Collection.create(tmp_path / "own.satchel") as own:
        own.add(path, encoding="iso8859-7")
        assert own["greek.txt"].text == "ψωμί και βούτυρο"


@pytest.fixture
def mixed(folder: Path) -> Path:
    """The folder with tables that both count from 1, and files that give nothing."""
    table(folder / "x.csv", "the moon", "an oven")
    table(folder / "deep" / "x.csv", "a rocket")
    (folder / "empty.txt").touch()
    (folder / "picture.png").write_bytes(b"\x89PNG")
    return folder


MIXED = ["a.txt", "b.txt", "deep/c.txt", "deep/x.csv#1", "x.csv#1", "x.csv#2"]


def told(*_: object) -> None:
    pass


def test_library_command_line_and_upload_give_the_same_ids(
    tmp_path: Path, mixed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def command(*arguments: str) -> None:
        monkeypatch.setattr("sys.argv", ["satchel", "add", *arguments, "--quiet"])
        with pytest.raises(SystemExit) as end:
            main()
        assert not end.value.code

    one, more = str(tmp_path / "one.satchel"), str(tmp_path / "more.satchel")
    other = table(tmp_path / "x.csv", "bread")
    command(one, str(mixed))
    command(more, str(mixed), str(other), "--prefix", "{name}/")
    with Collection.create(tmp_path / "own.satchel") as own, Collection.create(tmp_path / "sent.satchel") as sent:
        own.add(mixed)
        add_folder(sent, mixed, told)
        assert list(own) == list(sent) == list(Collection.open(one)) == MIXED
        own.remove(MIXED)
        own.add([mixed, other], prefix="{name}/")
        apart = [*(f"letters/{id_}" for id_ in MIXED), "x.csv/1"]
        assert list(own) == list(Collection.open(more)) == apart
        assert {own[id_].source for id_ in own} == {Collection.open(more)[id_].source for id_ in apart}


def test_several_sources_are_one_change_that_fails_as_one(tmp_path: Path, folder: Path) -> None:
    good, bad = table(tmp_path / "good.csv", "bread"), tmp_path / "bad.csv"
    bad.write_text("id,words\n1,bread\n", "utf-8")
    with Collection.create(tmp_path / "own.satchel") as own:
        with pytest.raises(InputError, match="no column 'text'"):
            own.add([good, bad], columns=ColumnChoice(text=("text",)))
        assert list(own) == []
        own.add([folder, good])
        assert list(own) == ["1", *LETTERS]
        assert [one.n_documents for one in own.info().trainings] == [4]


def test_an_id_of_an_earlier_source_is_kept_and_the_second_told_with_a_way_out(tmp_path: Path) -> None:
    files = [table(tmp_path / name, f"bread of {name}") for name in ("a.csv", "b.csv")]
    with Collection.create(tmp_path / "own.satchel") as own:
        report = own.add(files)
        assert (report.added, own["1"].text) == (1, "bread of a.csv")
        (skipped,) = report.skipped
        assert skipped.source == f"{files[1]}, line 2"
        assert skipped.reason == "has the same id '1' as an earlier document, which was kept; a prefix keeps both"


def test_the_collections_own_files_are_left_out_and_all_others_told(tmp_path: Path, mixed: Path) -> None:
    link = tmp_path / "link.satchel"
    link.symlink_to(mixed / "own.txt")  # by whatever name: nothing is left out for what its name ends in
    (mixed / "again.txt").symlink_to(mixed / "own.txt")
    (mixed / "other.satchel").write_bytes(b"another collection")
    Collection.create(mixed / "own.txt").close()
    with Collection.open(link) as own:
        for _ in range(2):
            names = [Path(one.source).name for one in own.add(mixed).skipped]
            assert names == ["empty.txt", "other.satchel", "picture.png"]
        assert list(own) == MIXED


def test_documents_keep_whole_paths_and_what_is_skipped_is_told_as_it_was_named(
    tmp_path: Path, mixed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Collection.create(tmp_path / "own.satchel") as own:
        report = own.add("letters")
        assert [one.source for one in report.skipped] == ["letters/empty.txt", "letters/picture.png"]
        assert own["deep/x.csv#1"].source == f"{mixed.resolve() / 'deep' / 'x.csv'}, line 2"


def test_what_was_sent_is_told_by_its_name_and_never_by_where_it_lay(tmp_path: Path, mixed: Path) -> None:
    (mixed / "loop.txt").symlink_to(mixed / "loop.txt")
    (mixed / "bad.pdf").write_bytes(b"%PDF-1.4 nothing")
    (mixed / "cut.txt.gz").write_bytes(b"\x1f\x8b\x08\x00 no gzip")
    (mixed / "packed.txt").write_bytes(b"PK\x03\x04 an archive")
    with Collection.create(tmp_path / "own.satchel") as own:
        report = add_folder(own, mixed, told)
        assert own["deep/x.csv#1"].source == "deep/x.csv, line 2"
        sources = {one["source"] for one in report["skipped"]}
        assert sources == {"bad.pdf", "cut.txt.gz", "empty.txt", "loop.txt", "packed.txt", "picture.png"}
        assert str(tmp_path) not in json.dumps([report, [own[id_].source for id_ in own]])


def test_the_reason_of_an_unforeseen_failure_names_no_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(file: object, columns: object) -> None:
        raise RuntimeError(f"cannot parse {tmp_path / 'a.txt'} at 3")

    (tmp_path / "a.txt").write_text("bread")
    monkeypatch.setitem(IMPORT_FORMS, "text", IMPORT_FORMS["text"]._replace(read=failing))
    (found,) = read_documents(tmp_path, name_of=lambda path: path.name)
    assert found == Skipped("a.txt", "cannot be read (RuntimeError: cannot parse a.txt at 3)")


def test_the_name_of_a_source_in_a_prefix_is_as_safe_as_an_id(tmp_path: Path) -> None:
    path = table(tmp_path / "two\nlines.csv", "bread")
    (found,) = read_documents(path, prefix="{name}#")
    assert isinstance(found, Document)
    assert found.id == "two\\nlines.csv#1"
