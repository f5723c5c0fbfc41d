"""A source has one name however it is spelled, and sources with the same ids are told apart."""

from pathlib import Path

import pytest

from satchel import Collection
from satchel.importing.types import Document

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
        change = own._file.change
        moved = folder.rename(tmp_path / "moved")
        assert own.add(moved)[:3] == (0, 0, 3)
        assert own["a.txt"].source == str(moved / "a.txt")
        assert (own._file.change, own.check()) == (change, [])


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
