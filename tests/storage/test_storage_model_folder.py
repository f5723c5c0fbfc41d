"""Model folders: what is saved comes back, and anything else is refused in one sentence."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from forging import forge
from satchel.errors import DamagedFileError, InputError, MissingFileError
from satchel.storage import ARRAYS_FILE, CONFIG_FILE, FILES, WORDS_FILE, load_model, save_model

CONFIG = {"encoder": "Some", "parameters": {"n": 3, "name": "ä", "none": None, "rate": 0.1}}
ARRAYS = {"rows": np.arange(6, dtype=np.float32).reshape(2, 3), "idf": np.array([0.5, 2.0])}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_model(tmp_path / "model", CONFIG, ARRAYS, ["wörd", "two"])
    return tmp_path / "model"


def test_what_is_saved_comes_back(folder: Path) -> None:
    config, arrays, words, _ = load_model(folder)
    assert config == CONFIG
    assert words == ("wörd", "two")
    assert {name: (a.dtype, a.tolist()) for name, a in arrays.items()} == {
        name: (a.dtype, a.tolist()) for name, a in ARRAYS.items()
    }


def test_folder_holds_exactly_the_three_files_and_nothing_lies_beside_it(folder: Path) -> None:
    assert sorted(entry.name for entry in folder.iterdir()) == sorted(FILES)
    assert [entry.name for entry in folder.parent.iterdir()] == ["model"]


def test_same_model_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    save_model(tmp_path / "twin", CONFIG, ARRAYS, ["wörd", "two"])
    assert all((folder / name).read_bytes() == (tmp_path / "twin" / name).read_bytes() for name in FILES)


def test_words_are_split_at_newlines_only(tmp_path: Path) -> None:
    words = ("", "a b", "c\rd", "e\x0bf", "g\x85h", "i\u2028j", "")
    save_model(tmp_path / "model", CONFIG, {}, words)
    assert load_model(tmp_path / "model").words == words


def test_no_words_and_one_empty_word_differ(tmp_path: Path) -> None:
    save_model(tmp_path / "none", CONFIG, {}, [])
    save_model(tmp_path / "one", CONFIG, {}, [""])
    assert (load_model(tmp_path / "none").words, load_model(tmp_path / "one").words) == ((), ("",))


@pytest.mark.parametrize("word", ["a\nb", "\ud800"])
def test_word_that_cannot_be_a_line_of_text_is_refused_before_anything_is_written(tmp_path: Path, word: str) -> None:
    with pytest.raises(InputError, match="vocabulary"):
        save_model(tmp_path / "model", CONFIG, {}, ["fine", word])
    assert list(tmp_path.iterdir()) == []


def test_array_in_another_memory_order_keeps_its_values(tmp_path: Path) -> None:
    save_model(tmp_path / "model", CONFIG, {"t": ARRAYS["rows"].T}, [])
    np.testing.assert_array_equal(load_model(tmp_path / "model").arrays["t"], ARRAYS["rows"].T)


@pytest.mark.parametrize(
    "config", [{}, {"encoder": 3}, {"encoder": "A", "x": float("nan")}, {"encoder": "A", "x": {1}}]
)
def test_config_that_is_not_plain_json_with_an_encoder_is_refused(tmp_path: Path, config: dict) -> None:
    with pytest.raises(InputError, match="config"):
        save_model(tmp_path / "model", config, {}, [])


@pytest.mark.parametrize("key", ["format", "version", "files"])
def test_config_cannot_claim_a_key_of_the_folder_itself(tmp_path: Path, key: str) -> None:
    with pytest.raises(InputError, match=key):
        save_model(tmp_path / "model", {"encoder": "A", key: 1}, {}, [])


def test_an_existing_model_is_replaced_and_an_empty_folder_filled(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for target in (folder, tmp_path / "empty"):
        save_model(target, CONFIG, {}, ["new"])
        assert load_model(target).words == ("new",)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["empty", "model"]


def test_a_folder_with_other_files_is_never_touched(folder: Path, tmp_path: Path) -> None:
    (folder / "notes.txt").write_text("mine")
    other = tmp_path / "photos"
    other.mkdir()
    (other / CONFIG_FILE).write_text("{}")
    for target in (folder, other):
        with pytest.raises(InputError, match="other files"):
            save_model(target, CONFIG, {}, ["new"])
    assert (folder / "notes.txt").read_text() == "mine"
    assert load_model(folder).words == ("wörd", "two")


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model").write_text("mine")
    with pytest.raises(InputError, match="a file of that name"):
        save_model(tmp_path / "model", CONFIG, {}, [])


def test_a_save_that_fails_leaves_the_old_model_and_no_litter(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(OSError, match="disk full"):
        save_model(folder, CONFIG, {}, ["new"])
    assert load_model(folder).words == ("wörd", "two")
    assert [entry.name for entry in folder.parent.iterdir()] == ["model"]


def test_missing_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="no model folder at"):
        load_model(tmp_path / "nowhere")


@pytest.mark.parametrize("name", FILES)
def test_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(MissingFileError, match=f"{name} is missing"):
        load_model(folder)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("keep", [0, 1, -1])
def test_truncated_file_is_named(folder: Path, name: str, keep: int) -> None:
    content = (folder / name).read_bytes()
    (folder / name).write_bytes(content[:keep] if name != CONFIG_FILE else content[: 2 * keep])
    with pytest.raises(DamagedFileError, match=f"{name} in .* is damaged"):
        load_model(folder)


def test_every_altered_byte_is_refused_or_changes_nothing(folder: Path) -> None:
    whole = load_model(folder)
    for name in FILES:
        content = (folder / name).read_bytes()
        for position in range(len(content)):
            (folder / name).write_bytes(content[:position] + bytes([content[position] ^ 1]) + content[position + 1 :])
            try:
                config, arrays, words, _ = load_model(folder)
            except DamagedFileError:
                continue
            assert name == CONFIG_FILE  # white space between values
            assert (config, words) == (whole.config, whole.words)
            assert all(np.array_equal(arrays[key], whole.arrays[key]) for key in whole.arrays)
        (folder / name).write_bytes(content)


def test_newer_version_says_so(folder: Path) -> None:
    forge(folder, version=3)
    with pytest.raises(DamagedFileError, match=r"version 3, newer than version 2 .* install a newer"):
        load_model(folder)


@pytest.mark.parametrize("version", [None, 0, "1", True, 1.5])
def test_version_that_is_no_number_is_refused(folder: Path, version: object) -> None:
    forge(folder, version=version)
    with pytest.raises(DamagedFileError, match="version"):
        load_model(folder)


@pytest.mark.parametrize("text", ["[]", "null", "{}", '{"format": "other"}', "[" * 100_000])
def test_json_that_is_no_model_is_refused(folder: Path, text: str) -> None:
    (folder / CONFIG_FILE).write_text(text)
    with pytest.raises(DamagedFileError, match=CONFIG_FILE):
        load_model(folder)


@pytest.mark.parametrize("files", [None, {}, {CONFIG_FILE: 1}, [1]])
def test_config_without_checksums_is_refused(folder: Path, files: object) -> None:
    header = json.loads((folder / CONFIG_FILE).read_text("utf-8")) | {"files": files}
    (folder / CONFIG_FILE).write_text(json.dumps(header))
    with pytest.raises(DamagedFileError, match="SHA-256"):
        load_model(folder)


@pytest.mark.parametrize(("name", "content"), [(ARRAYS_FILE, b"not tensors"), (WORDS_FILE, b"\xff\n")])
def test_forged_file_with_a_matching_checksum_is_still_only_data(folder: Path, name: str, content: bytes) -> None:
    files = json.loads((folder / CONFIG_FILE).read_text("utf-8"))["files"]
    files[name] = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    (folder / name).write_bytes(content)
    forge(folder, files=files)
    with pytest.raises(DamagedFileError, match=name):
        load_model(folder)
