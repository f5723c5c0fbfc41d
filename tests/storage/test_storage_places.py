"""The data folder, the cache and the search through both."""

import sys
from pathlib import Path

import pytest

from satchel.errors import InputError
from satchel.storage import cache_folder, data_folder, find


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """An empty data folder and an empty cache, both named by the environment."""
    data, cache = tmp_path / "data", tmp_path / "cache"
    data.mkdir()
    cache.mkdir()
    monkeypatch.setenv("SATCHEL_DATA", str(data))
    monkeypatch.setenv("SATCHEL_CACHE", str(cache))
    return data, cache


def test_the_data_folder_is_what_the_environment_names(places: tuple[Path, Path]) -> None:
    assert data_folder() == places[0]


@pytest.mark.parametrize("value", [None, ""])
def test_no_data_folder_is_none(value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SATCHEL_DATA", raising=False)
    if value is not None:
        monkeypatch.setenv("SATCHEL_DATA", value)
    assert data_folder() is None


def test_a_data_folder_that_is_not_a_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SATCHEL_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match=r"SATCHEL_DATA is .*nowhere.* not a folder"):
        data_folder()


def test_the_data_folder_comes_before_the_cache(places: tuple[Path, Path]) -> None:
    for place in places:
        (place / "r8").mkdir()
    assert find("r8") == places[0] / "r8"


def test_what_only_the_cache_holds_is_found_there(places: tuple[Path, Path]) -> None:
    (places[1] / "r8").mkdir()
    (places[1] / "r8" / "train.tsv").write_text("earn\tprofit\n", encoding="utf-8")
    assert find("r8/train.tsv") == places[1] / "r8" / "train.tsv"
    assert find("r8/test.tsv") is None


@pytest.mark.parametrize("name", ["/etc/passwd", "../secret", "r8/../../secret", "..\\secret", "C:/x", "", "."])
def test_a_name_that_leads_out_of_the_folder_is_refused(name: str, places: tuple[Path, Path]) -> None:
    (places[0].parent / "secret").write_text("no", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be looked up"):
        find(name)


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, ".cache/satchel"),
        ("linux", {"XDG_CACHE_HOME": "own"}, "own/satchel"),
        ("darwin", {}, "Library/Caches/satchel"),
        ("win32", {"LOCALAPPDATA": "local"}, "local/satchel"),
        ("win32", {}, "AppData/Local/satchel"),
    ],
)
def test_without_a_name_the_cache_is_the_platforms(
    platform: str, variables: dict[str, str], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SATCHEL_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, str(tmp_path / value))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_folder() == tmp_path / expected


def test_a_relative_xdg_cache_is_ignored_as_its_standard_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SATCHEL_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache_folder() == tmp_path / ".cache" / "satchel"
