"""Files of word vectors: every form, every kind of damage."""

import gzip
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from satchel.errors import DamagedFileError, MissingFileError
from satchel.text import Vocabulary
from satchel.words import WordVectors
from satchel.words.formats import FORMATS, Format
from satchel.words.table import VocabularyLike

DIM = 8
WORDS = ("the", "of", "Größe", ". . .", "at name@domain.com", "\x85odd", "naïve", "last")
VECTORS = np.random.default_rng(0).standard_normal((len(WORDS), DIM)).astype(np.float32)


def text_lines(words: tuple[str, ...], vectors: np.ndarray) -> list[str]:
    return [" ".join([word, *(repr(float(value)) for value in row)]) for word, row in zip(words, vectors, strict=True)]


def glove_bytes() -> bytes:
    return "".join(f"{line}\n" for line in text_lines(WORDS, VECTORS)).encode()


def word2vec_text_bytes() -> bytes:
    """With the blank at the end of each line that the original tool writes."""
    return (f"{len(WORDS)} {DIM}\n" + "".join(f"{line} \n" for line in text_lines(WORDS, VECTORS))).encode()


def binary_bytes(end: bytes = b"\n") -> bytes:
    records = [w.replace(" ", "_").encode() + b" " + row.tobytes() + end for w, row in zip(WORDS, VECTORS, strict=True)]
    return f"{len(WORDS)} {DIM}\n".encode() + b"".join(records)


def read(path: Path, given: Format, vocabulary: VocabularyLike | None = None) -> WordVectors:
    """The word vectors of a file whose format is known, not detected."""
    return WordVectors.from_table(FORMATS[given](path, vocabulary))


FILES: dict[str, tuple[Callable[[], bytes], Format]] = {
    "glove": (glove_bytes, "glove"),
    "word2vec text": (word2vec_text_bytes, "word2vec-text"),
    "word2vec binary": (binary_bytes, "word2vec-binary"),
    "Google's binary": (lambda: binary_bytes(b""), "word2vec-binary"),
}


def expected_words(form: str) -> tuple[str, ...]:
    return tuple(word.replace(" ", "_") for word in WORDS) if "binary" in form else WORDS


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
@pytest.mark.parametrize("form", FILES)
def test_every_form_gives_back_its_words_and_vectors_detected_or_named(
    form: str, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    make, given = FILES[form]
    path = tmp_path / "no-hint-in-the-name"
    path.write_bytes(pack(make()))
    for found in (read(path, given), WordVectors.load(path)):
        assert found == WordVectors(expected_words(form), VECTORS)
        assert found.vectors.dtype == np.float32


@pytest.mark.parametrize("form", FILES)
def test_restricted_reading_equals_reading_all_then_restricting(form: str, tmp_path: Path) -> None:
    make, given = FILES[form]
    (tmp_path / "file").write_bytes(make())
    wanted = ["last", "naïve", ". . .", "._._.", "at", "of", "not there"]
    assert read(tmp_path / "file", given, wanted) == read(tmp_path / "file", given).restrict(wanted)
    assert len(read(tmp_path / "file", given, wanted)) == 4
    assert read(tmp_path / "file", given, Vocabulary(tuple(wanted))) == read(tmp_path / "file", given, wanted)
    assert len(read(tmp_path / "file", given, [])) == 0


@pytest.mark.parametrize("form", ["glove", "word2vec binary"])
def test_of_equal_words_the_first_wins_and_broken_utf8_is_replaced(form: str, tmp_path: Path) -> None:
    make, given = FILES[form]
    (tmp_path / "file").write_bytes(make().replace(b"of", b"a\xff").replace(b"last", b"a\xfe").replace(b"na", b"a\xfd"))
    found = read(tmp_path / "file", given)
    assert "a\ufffd" in found
    assert np.array_equal(found["a\ufffd"], VECTORS[1])
    assert read(tmp_path / "file", given, ["a\ufffd"]) == found.restrict(["a\ufffd"])


def damage(line: int, old: str, new: str) -> Callable[[list[str]], None]:
    def change(lines: list[str]) -> None:
        assert old in lines[line - 1]
        lines[line - 1] = lines[line - 1].replace(old, new, 1)

    return change


SIMPLE = ["3 4", "the 1 2 3 4", "of 5 6 7 8", "king 9 10 11 12"]
TEXT_DAMAGE = {
    "a value too few": (damage(3, " 8", ""), "line 3: 3 values; expected 4"),
    "a value too many": (damage(3, " 8", " 8 8"), "line 3: 5 values; expected 4"),
    "not a number": (damage(4, "10", "ten"), "line 4: value 2 is not a number: 'ten'"),
    "an underscore": (damage(4, "10", "1_0"), "line 4: value 2 is not a number: '1_0'"),
    "not ASCII": (damage(4, "10", "é"), "line 4: value 2 is not a number: 'é'"),
    "NaN": (damage(2, "3", "nan"), "line 2: value 3 is not a finite float32 number: 'nan'"),
    "infinity": (damage(2, "3", "-inf"), "line 2: value 3 is not a finite float32 number: '-inf'"),
    "beyond float32": (damage(2, "3", "1e39"), "line 2: value 3 is not a finite float32 number: '1e39'"),
    "an empty line": (damage(3, "of 5 6 7 8", ""), "line 3: 0 values; expected 4"),
    "rows missing": (
        damage(1, "3", "9"),
        "line 4: the file ends after 3 words, the header promises 9: it is truncated",
    ),
    "rows too many": (damage(1, "3", "2"), "line 4: the header promises 2 words, and here is one more"),
    "no header": (damage(1, "3", "three"), "line 1: expected a header of two whole numbers"),
    "no dimensions": (damage(1, "4", "0"), "line 1: the header says 0 dimensions"),
}


@pytest.mark.parametrize("kind", TEXT_DAMAGE)
def test_damaged_text_is_refused_with_path_line_and_reason(kind: str, tmp_path: Path) -> None:
    change, message = TEXT_DAMAGE[kind]
    lines = list(SIMPLE)
    change(lines)
    path = tmp_path / "words.vec"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(DamagedFileError) as error:
        read(path, "word2vec-text")
    assert f"{path}, {message}" in str(error.value)


def test_damage_is_found_by_its_line_far_behind_the_first_block(tmp_path: Path) -> None:
    lines = [f"word{i} 1 2 3" for i in range(1, 5001)]
    lines[4321] = "word4322 1 x 3"
    (tmp_path / "glove").write_text("\n".join(lines))
    with pytest.raises(DamagedFileError, match="line 4322: value 2 is not a number: 'x'"):
        read(tmp_path / "glove", "glove")
    lines[4321] = "word4322 1 2"
    (tmp_path / "glove").write_text("\n".join(lines))
    with pytest.raises(DamagedFileError, match="line 4322: 2 values; expected 3"):
        read(tmp_path / "glove", "glove", vocabulary=["word1"])


BINARY_DAMAGE = {
    "truncated in a vector": (lambda data: data[:-10], "record 8: the file ends here, the header promises 8 words"),
    "truncated after a record": (lambda data: data[: -(4 * DIM + 6)], "record 8: the file ends here"),
    "only a header": (lambda data: data[:4], "record 1: the file ends here"),
    "rows too many": (lambda data: data.replace(b"8 8", b"7 8", 1), "record 7: the header promises 7 words"),
    "no header": (lambda data: b"eight 8" + data[3:], "line 1: expected a header of two whole numbers"),
    "no words": (lambda data: b"8 8\n" + bytes(20_000), "record 1: no word ends within 10000 bytes"),
    "NaN": (lambda data: data.replace(VECTORS[2].tobytes(), b"\xff" * 4 * DIM), "record 3: value 1 is not a finite"),
}


@pytest.mark.parametrize("kind", BINARY_DAMAGE)
def test_damaged_binary_is_refused_with_path_record_and_reason(kind: str, tmp_path: Path) -> None:
    change, message = BINARY_DAMAGE[kind]
    path = tmp_path / "words.bin"
    path.write_bytes(change(binary_bytes()))
    with pytest.raises(DamagedFileError) as error:
        read(path, "word2vec-binary")
    assert f"{path}, {message}" in str(error.value)


def test_a_truncated_or_damaged_gzip_file_says_where(tmp_path: Path) -> None:
    rows = np.random.default_rng(1).standard_normal((3000, DIM)).astype(np.float32)
    packed = gzip.compress("\n".join(text_lines(tuple(f"w{i}" for i in range(3000)), rows)).encode())
    half = packed[: len(packed) // 2]
    (tmp_path / "cut").write_bytes(half)
    with pytest.raises(DamagedFileError, match=r"cut, after line \d+: the gzip data end too early") as error:
        WordVectors.load(tmp_path / "cut")
    there = zlib.decompressobj(wbits=31).decompress(half).count(b"\n")
    assert there - 200 < int(str(error.value).split("after line ")[1].split(":")[0]) <= there  # it reads 16 KB at once
    (tmp_path / "broken").write_bytes(packed[:-6] + b"xx" + packed[-4:])
    with pytest.raises(DamagedFileError, match=r"broken, after line 2\d+: the gzip data are damaged"):
        WordVectors.load(tmp_path / "broken")


def test_a_file_that_holds_nothing_or_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "empty.gz").write_bytes(gzip.compress(b""))
    (tmp_path / "prose").write_bytes(b"Lorem\nipsum\n")
    (tmp_path / "archive").write_bytes(b"PK\x03\x04 and so on")
    for name in ("empty", "empty.gz"):
        with pytest.raises(DamagedFileError, match="it is empty"):
            WordVectors.load(tmp_path / name)
        for given in ("glove", "word2vec-text", "word2vec-binary"):
            with pytest.raises(DamagedFileError, match="it is empty"):
                read(tmp_path / name, given)
    with pytest.raises(DamagedFileError, match="line 1: expected a word and its vector"):
        WordVectors.load(tmp_path / "prose")
    with pytest.raises(DamagedFileError, match="is a zip archive; unpack it"):
        WordVectors.load(tmp_path / "archive")
    with pytest.raises(DamagedFileError, match="is a folder"):
        read(tmp_path, "glove")
    with pytest.raises(MissingFileError, match="does not exist"):
        WordVectors.load(tmp_path / "absent")


@pytest.mark.parametrize("form", ["glove", "word2vec binary", "folder"])
def test_a_restricted_read_needs_memory_only_for_what_it_keeps(form: str, tmp_path: Path) -> None:
    n, dim = 20_000, 100
    words, vectors = tuple(f"w{i}" for i in range(n)), np.full((n, dim), 0.125, dtype=np.float32)
    path = tmp_path / "file"
    if form == "folder":
        WordVectors(words, vectors).save(path)
    elif form == "glove":
        path.write_text("".join(f"{word}{' 0.125' * dim}\n" for word in words))
    else:
        path.write_bytes(f"{n} {dim}\n".encode() + b"".join(w.encode() + b" " + vectors[0].tobytes() for w in words))
    tracemalloc.start()
    kept = WordVectors.load(path, words[::100])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(kept) == 200
    assert peak < 0.6 * vectors.nbytes  # 8 MB; a block of lines, or all words of the folder as strings, is the most


def test_the_folder_form_is_read_in_half_precision_too(tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_bytes("one\ntwo\u2028three\none".encode())
    np.save(tmp_path / "vectors.f16.npy", np.array([[1, 2], [3, 4], [5, 6]], dtype=np.float16))
    found = WordVectors.load(tmp_path)
    assert found == WordVectors(("one", "two\u2028three"), np.array([[1, 2], [3, 4]], dtype=np.float32))
    assert WordVectors.load(tmp_path, ["two\u2028three"]) == found.restrict(["two\u2028three"])


def break_folder(folder: Path, kind: str) -> None:
    vectors = folder / "vectors.f32.npy"
    if kind == "a word missing":
        (folder / "vocab.txt").write_text("the\n")
    elif kind == "not UTF-8":
        (folder / "vocab.txt").write_bytes(b"the\nof\n\xff\n")
    elif kind == "truncated":
        vectors.write_bytes(vectors.read_bytes()[:-5])
    elif kind == "not numpy":
        vectors.write_bytes(b"")
    elif kind == "other numbers":
        np.save(vectors, np.zeros((len(WORDS), 2)))
    elif kind == "NaN":
        np.save(vectors, np.where(np.arange(len(WORDS))[:, None] == 4, np.nan, VECTORS).astype(np.float32))


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("a word missing", "holds 1 words in vocab.txt, but 8 vectors"),
        ("not UTF-8", "vocab.txt, line 3: the word is not UTF-8"),
        ("truncated", "vectors.f32.npy is damaged or truncated"),
        ("not numpy", "vectors.f32.npy is damaged or truncated"),
        ("other numbers", r"holds float64 of shape \(8, 2\); expected float32"),
        ("NaN", "row 5 of the vectors: holds a value that is not a finite number"),
    ],
)
def test_a_damaged_folder_is_refused(kind: str, message: str, tmp_path: Path) -> None:
    WordVectors(WORDS, VECTORS).save(tmp_path / "words")
    break_folder(tmp_path / "words", kind)
    with pytest.raises(DamagedFileError, match=message):
        WordVectors.load(tmp_path / "words", vocabulary=WORDS)


def test_a_folder_without_one_of_its_files_says_which(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match=r"has no vocab\.txt"):
        WordVectors.load(tmp_path)
    (tmp_path / "vocab.txt").write_text("the\n")
    with pytest.raises(MissingFileError, match=r"has no vectors\.f32\.npy or vectors\.f16\.npy"):
        WordVectors.load(tmp_path)
