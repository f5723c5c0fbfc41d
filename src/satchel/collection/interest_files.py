"""Interests as JSON files, to be taken to another collection."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from satchel.collection.file import CollectionFile
from satchel.collection.interests import Interest, read_interest, read_interests, save_interest
from satchel.collection.marks import VALUES, Mark, keep_texts, marked_texts, marks_in_force, write_marks
from satchel.collection.model_files import MODEL
from satchel.datasets.lines import write_lines
from satchel.errors import DamagedFileError, InputError, MissingFileError

FORMAT, VERSION = "satchel-interests", 1
LATEST = 253_402_300_799.0
"""The end of the year 9999 in seconds since 1970: calendars go no further."""


def export_interests(file: CollectionFile, path: Path, names: Iterable[str] | None, texts: bool) -> None:
    """Writes interests as JSON, whole or not at all; a file that is there is replaced."""
    content = json.dumps(interests_as_json(file, names, texts), ensure_ascii=False, indent=1)
    write_lines(path, [content])


def interests_as_json(file: CollectionFile, names: Iterable[str] | None, texts: bool) -> dict[str, Any]:
    """Interests with their marks. texts: with those of the marked documents, so that elsewhere they teach the same."""
    chosen = read_interests(file) if names is None else [read_interest(file, name) for name in names]
    written = [_as_json(file, one, texts) for one in chosen]
    return {"format": FORMAT, "version": VERSION, "model": model_fingerprint(file), "interests": written}


def import_interests(file: CollectionFile, path: Path) -> list[str]:
    """Takes in the interests of a file; -> their names. One whose name is taken gets the marks of both.

    Where both have a verdict on a document, the later one counts.
    Weights of themes are kept only where this collection has the very model that they speak of.
    """
    content = _read(path)
    same_model = content.get("model") == model_fingerprint(file)
    names = []
    for entry in content["interests"]:
        weights = {int(codeword): value for codeword, value in entry["weights"].items()} if same_model else {}
        save_interest(file, entry["name"], entry["query"], entry["filters"], weights)
        known = {mark.id: mark for mark in marks_in_force(file, interest=entry["name"])}
        marks = [
            Mark(one["id"], one["value"], entry["query"], entry["name"], float(one["time"])) for one in entry["marks"]
        ]
        write_marks(file, [mark for mark in marks if mark.id not in known or _is_later(mark, known[mark.id])])
        keep_texts(file, {one["id"]: one["text"] for one in entry["marks"] if "text" in one})
        names.append(entry["name"])
    return names


def _is_later(mark: Mark, known: Mark) -> bool:
    return mark.value != known.value and mark.time > known.time


def model_fingerprint(file: CollectionFile) -> str:
    """The same for the same model, wherever it is; empty where there is none."""
    question = "SELECT content FROM stored_files WHERE folder = ? AND name = 'config.json'"
    config = file.value(question, MODEL)  # which holds the checksums of the other files
    return "" if config is None else hashlib.sha256(config).hexdigest()


def _as_json(file: CollectionFile, interest: Interest, texts: bool) -> dict[str, Any]:
    marks = marks_in_force(file, interest=interest.name)
    found = marked_texts(file, [mark.id for mark in marks]) if texts else {}
    return {
        "name": interest.name,
        "query": interest.query,
        "filters": dict(interest.filters),
        "weights": {str(codeword): weight for codeword, weight in interest.weights.items()},
        "created": interest.created,
        "marks": [
            {"id": mark.id, "value": mark.value, "time": mark.time}
            | ({"text": found[mark.id]} if mark.id in found else {})
            for mark in marks
        ],
    }


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise MissingFileError(f"no file of interests at {path}")
    try:
        content = json.loads(path.read_text("utf-8"))
        if content["format"] != FORMAT:
            raise InputError(f"{path} holds no interests; give a file that `satchel interest export` wrote")
        if content["version"] > VERSION:
            raise InputError(
                f"{path} has format version {content['version']}, newer than {VERSION}; install a newer Satchel"
            )
        for entry in content["interests"]:
            _check(entry)
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise DamagedFileError(f"{path} is damaged or holds no interests ({error}); export them again") from error
    return dict(content)


def _check(entry: dict[str, Any]) -> None:
    """ValueError, KeyError or TypeError where an interest lacks a part or has one of another kind."""
    if not isinstance(entry["name"] + entry["query"], str) or not isinstance(entry["filters"], dict):
        raise TypeError("a name, a query or filters are missing")
    _ = {int(codeword): float(weight) for codeword, weight in entry["weights"].items()}
    for mark in entry["marks"]:
        if mark["value"] not in VALUES or not isinstance(mark["id"] + mark.get("text", ""), str):
            raise ValueError(f"the mark {mark['value']!r} is none of {', '.join(VALUES)}")
        if not 0 <= float(mark["time"]) <= LATEST:
            raise ValueError(f"the time {mark['time']!r} of a mark is none")
