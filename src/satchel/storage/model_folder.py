"""Models are folders: `config.json` + `model.safetensors` + `vocabulary.txt`; never pickle.

`config.json` says what the model is and holds the size and SHA-256 of the other two files and of its own values, so
that a missing, truncated or altered file is refused by name. Reading a model runs no code: it holds only JSON, raw
arrays and lines of text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

from satchel.errors import DamagedFileError, InputError, MissingFileError
from satchel.storage.files import whole_folder

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = "satchel-model"
VERSION = 2
"""Version 1 had all parameters side by side; version 2 has some in objects, as the constructors do."""
CONFIG_FILE, ARRAYS_FILE, WORDS_FILE = "config.json", "model.safetensors", "vocabulary.txt"
FILES = (CONFIG_FILE, ARRAYS_FILE, WORDS_FILE)
RESERVED = ("format", "version", "files")

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Arrays: TypeAlias = "Mapping[str, NDArray[Any]]"


class Model(NamedTuple):
    """What a model folder holds: `config` (with the key "encoder"), named arrays, and words in the arrays' order.

    version: the format that it was saved in; the caller converts the parameters of an older version.
    """

    config: dict[str, Json]
    arrays: dict[str, NDArray[Any]]
    words: tuple[str, ...]
    version: int


def save_model(folder: str | Path, config: Mapping[str, Json], arrays: Arrays, vocabulary: Iterable[str]) -> None:
    """Writes a model folder whole or not at all.

    An existing model folder is replaced, and an empty folder is filled; anything else is refused, so that no file of
    the user is lost. `config` must hold "encoder", the name by which the model is looked up when it is loaded.
    """
    target = Path(folder).resolve()
    contents = model_files(config, arrays, vocabulary)
    refuse_to_overwrite(target)
    with whole_folder(target) as new:
        for name, content in contents.items():
            (new / name).write_bytes(content)


def load_model(folder: str | Path) -> Model:
    """Reads a model folder after checking that every byte is the one that was saved."""
    place = Path(folder)
    if not place.is_dir():
        raise MissingFileError(f"no model folder at {place}; give the folder that `save` wrote")
    return read_model({name: (place / name).read_bytes() for name in FILES if (place / name).is_file()}, place)


def read_model(files: Mapping[str, bytes], place: Path) -> Model:
    """The model whose files these are, checked as `load_model` does; `place` is named in errors."""
    header = _read_header(place, files)
    expected = _checked_files(place, header)
    words = _words(place, _checked_bytes(place, WORDS_FILE, files, expected[WORDS_FILE]))
    arrays = _arrays(place, _checked_bytes(place, ARRAYS_FILE, files, expected[ARRAYS_FILE]))
    config = {key: value for key, value in header.items() if key not in RESERVED}
    return Model(config, arrays, words, cast(int, header["version"]))


def model_files(config: Mapping[str, Json], arrays: Arrays, vocabulary: Iterable[str]) -> dict[str, bytes]:
    """The files of a model folder by name, for callers that store them elsewhere."""
    import numpy as np
    from safetensors.numpy import save

    if not isinstance(config.get("encoder"), str):
        raise InputError("a model's config must hold the name of its encoder under the key 'encoder'")
    if taken := [key for key in RESERVED if key in config]:
        raise InputError(f"a model's config may not hold the key {taken[0]!r}: the model folder writes it itself")
    contents = {
        WORDS_FILE: _words_as_bytes(vocabulary),
        ARRAYS_FILE: bytes(save({name: np.asarray(array, order="C") for name, array in arrays.items()})),
    }
    header = {"format": FORMAT, "version": VERSION, **config}
    try:
        fingerprints = {CONFIG_FILE: _fingerprint(_canonical(header))}
    except (TypeError, ValueError) as error:
        raise InputError(f"a model's config must be plain JSON values: {error}") from error
    fingerprints |= {name: _fingerprint(content) for name, content in contents.items()}
    text = json.dumps(header | {"files": fingerprints}, indent=2, ensure_ascii=False)
    return contents | {CONFIG_FILE: (text + "\n").encode()}


def _words_as_bytes(vocabulary: Iterable[str]) -> bytes:
    words = list(vocabulary)
    for position, word in enumerate(words):
        if "\n" in word:
            raise InputError(f"word {position} of the vocabulary, {word!r}, holds a line break and cannot be saved")
    try:
        return "".join(f"{word}\n" for word in words).encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(f"the vocabulary holds a character that is not Unicode text: {error}") from error


def _canonical(header: Mapping[str, Json]) -> bytes:
    return json.dumps(header, sort_keys=True, allow_nan=False, separators=(",", ":")).encode()


def _fingerprint(content: bytes) -> dict[str, Json]:
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _is_model_folder(folder: Path) -> bool:
    if any(entry.name not in FILES for entry in folder.iterdir()):
        return False
    try:
        return _parse_header(folder, {CONFIG_FILE: (folder / CONFIG_FILE).read_bytes()})["format"] == FORMAT
    except (OSError, ValueError):
        return False


def refuse_to_overwrite(target: Path) -> None:
    """Raises InputError if a model cannot be saved there, so that callers can check before a long training."""
    if not target.exists():
        return
    if not target.is_dir():
        raise InputError(f"cannot save a model to {target}: a file of that name is there; give the name of a folder")
    if any(target.iterdir()) and not _is_model_folder(target):
        raise InputError(f"cannot save a model to {target}: that folder holds other files; give a new or empty folder")


def _parse_header(folder: Path, files: Mapping[str, bytes]) -> dict[str, Json]:
    if CONFIG_FILE not in files:
        raise MissingFileError(f"{CONFIG_FILE} is missing in {folder}: this is not a whole model folder; save it again")
    try:
        header = json.loads(files[CONFIG_FILE])
    except (ValueError, RecursionError) as error:
        raise _damaged(folder, CONFIG_FILE, "it is truncated or not JSON") from error
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise _damaged(folder, CONFIG_FILE, f"it does not describe a model (no format {FORMAT!r})")
    return header


def _read_header(folder: Path, files: Mapping[str, bytes]) -> dict[str, Json]:
    header = _parse_header(folder, files)
    version = header.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise _damaged(folder, CONFIG_FILE, f"its version is {version!r} where a number of at least 1 was expected")
    if version > VERSION:
        raise DamagedFileError(
            f"{folder} was saved in format version {version}, newer than version {VERSION} that this Satchel reads; "
            "install a newer Satchel"
        )
    return header


def _checked_files(folder: Path, header: Mapping[str, Json]) -> dict[str, dict[str, Json]]:
    """The fingerprints of all three files, after the config's own has been compared."""
    files = header.get("files")
    found: dict[str, dict[str, Json]] = {}
    for name in FILES:
        entry = files.get(name) if isinstance(files, dict) else None
        if not isinstance(entry, dict) or set(entry) != {"bytes", "sha256"}:
            raise _damaged(folder, CONFIG_FILE, f"it lacks the size and SHA-256 of {name}")
        found[name] = entry
    own = {key: value for key, value in header.items() if key != "files"}
    try:
        unchanged = _fingerprint(_canonical(own)) == found[CONFIG_FILE]
    except ValueError:
        unchanged = False
    if not unchanged or not isinstance(header.get("encoder"), str):
        raise _damaged(folder, CONFIG_FILE, "its values are not those that were saved")
    return found


def _checked_bytes(folder: Path, name: str, files: Mapping[str, bytes], expected: Mapping[str, Json]) -> bytes:
    if name not in files:
        raise MissingFileError(f"{name} is missing in {folder}: this is not a whole model folder; save it again")
    content = files[name]
    if len(content) != expected["bytes"]:
        raise _damaged(folder, name, f"it has {len(content)} bytes where {expected['bytes']} were saved")
    if _fingerprint(content) != expected:
        raise _damaged(folder, name, "its bytes are not those that were saved (SHA-256 differs)")
    return content


def _arrays(folder: Path, content: bytes) -> dict[str, NDArray[Any]]:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        return dict(load(content))
    except (SafetensorError, ValueError, KeyError) as error:
        raise _damaged(folder, ARRAYS_FILE, "it is not a safetensors file") from error


def _words(folder: Path, content: bytes) -> tuple[str, ...]:
    try:
        return tuple(content.decode("utf-8").split("\n")[:-1])  # every word ends in "\n"; other line breaks are text
    except UnicodeDecodeError as error:
        raise _damaged(folder, WORDS_FILE, "it is not UTF-8 text") from error


def _damaged(folder: Path, name: str, what: str) -> DamagedFileError:
    return DamagedFileError(f"{name} in {folder} is damaged: {what}; save the model again or take another copy")
