"""Folders that appear whole or not at all."""

from pathlib import Path

import pytest

from satchel.storage import files as module
from satchel.storage import whole_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "place").mkdir()
    (tmp_path / "place" / "old.txt").write_text("old")
    return tmp_path / "place"


def contents(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_the_new_folder_replaces_the_old_one_and_nothing_lies_beside_it(folder: Path) -> None:
    with whole_folder(folder) as new:
        (new / "new.txt").write_text("new")
        assert contents(folder) == {"old.txt": "old"}
    assert contents(folder.parent) == {"place/new.txt": "new"}
    assert [path.name for path in folder.parent.iterdir()] == ["place"]


def test_a_folder_that_is_not_there_yet_is_made_with_those_above_it(tmp_path: Path) -> None:
    with whole_folder(tmp_path / "a" / "b") as new:
        (new / "new.txt").write_text("new")
    assert contents(tmp_path) == {"a/b/new.txt": "new"}


def test_the_folder_one_stands_in_can_be_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    with whole_folder(Path()) as new:
        (new / "new.txt").write_text("new")
    assert contents(folder.parent) == {"place/new.txt": "new"}


def test_after_an_error_inside_the_block_all_is_as_it_was(folder: Path) -> None:
    with pytest.raises(ZeroDivisionError), whole_folder(folder) as new:
        (new / "half.txt").write_text(f"{1 / 0}")
    assert contents(folder.parent) == {"place/old.txt": "old"}


@pytest.mark.parametrize("broken", ["_write_through", "_put_in_place"])
def test_after_an_error_at_the_end_all_is_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(module, broken, fail)
    with pytest.raises(OSError, match="disk full"), whole_folder(folder) as new:
        (new / "new.txt").write_text("new")
    assert contents(folder.parent) == {"place/old.txt": "old"}


def test_the_old_folder_comes_back_when_the_new_one_cannot_be_renamed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = Path.rename

    def refuse_new(path: Path, target: Path) -> Path:
        if ".new-" in path.name:
            raise OSError("busy")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", refuse_new)
    with pytest.raises(OSError, match="busy"), whole_folder(folder) as new:
        (new / "new.txt").write_text("new")
    assert contents(folder.parent) == {"place/old.txt": "old"}
