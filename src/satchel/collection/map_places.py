"""The places of documents on the map, as the file keeps them: arrays beside the model, none where there is no map."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from satchel.collection.file import CollectionFile
from satchel.collection.model_files import PART_BYTES
from satchel.errors import InputError
from satchel.types import FloatArray, IntArray

FOLDER = "map"
Area: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom, each from 0 to 1."""


class Region(NamedTuple):
    """A part of the map where documents of one kind lie, and the words that name it."""

    x: float
    y: float
    words: tuple[str, ...]


class Places(NamedTuple):
    """numbers (n,): of the documents, rising; points (n, 2): from 0 to 1. landmarks: the numbers of those that the
    others were placed by. model: the one whose vectors they are. change: the last of the collection that they knew."""

    numbers: IntArray
    points: FloatArray
    landmarks: IntArray
    regions: tuple[Region, ...]
    model: int
    change: int


def read_places(file: CollectionFile) -> Places | None:
    """What the file keeps of documents that are as they were, and of a model that may be gone; None without a map.

    A number of a document that was removed may since be that of another one, as a text may have changed.
    """
    about = _read(file, "about.json")
    if about is None:
        return None
    told = json.loads(about)
    numbers, points, landmarks = (
        np.frombuffer(_read(file, name) or b"", kind)
        for name, kind in (("numbers", "<i8"), ("points", "<f4"), ("landmarks", "<i8"))
    )
    regions = tuple(Region(x, y, tuple(words)) for x, y, words in told["regions"])
    change = int(told.get("change", -1))
    same = np.array(file.rows("SELECT number FROM documents WHERE change <= ?", change), np.int64).reshape(-1)
    stay = np.isin(numbers, same)
    own = landmarks[np.isin(landmarks, same)]
    return Places(numbers[stay], points.reshape(-1, 2)[stay], own, regions, told["model"], change)


def write_places(file: CollectionFile, places: Places) -> None:
    """In place of those that are there."""
    about = json.dumps({"model": places.model, "change": places.change, "regions": places.regions}, ensure_ascii=False)
    contents = {
        "about.json": about.encode(),
        "numbers": places.numbers.astype("<i8").tobytes(),
        "points": places.points.astype("<f4").tobytes(),
        "landmarks": places.landmarks.astype("<i8").tobytes(),
    }
    file.run("DELETE FROM stored_files WHERE folder = ?", FOLDER)
    for name, content in contents.items():
        for part, start in enumerate(range(0, max(1, len(content)), PART_BYTES)):
            values = (FOLDER, name, part, content[start : start + PART_BYTES])
            file.run("INSERT INTO stored_files VALUES (?, ?, ?, ?)", *values)


def check_area(area: Sequence[float]) -> Area:
    """The area, or the error for what is none."""
    try:
        left, top, right, bottom = (float(end) for end in area)
    except (TypeError, ValueError) as error:
        raise InputError(f"area is {area!r}; expected left, top, right and bottom, each from 0 to 1") from error
    if not (left <= right and top <= bottom):
        raise InputError(f"area is {area!r}; left must not be above right, nor top above bottom")
    return left, top, right, bottom


def numbers_within(file: CollectionFile, area: Area) -> IntArray:
    """The documents that lie within an area, by number, rising; those that came, or changed, since are on no map."""
    places = read_places(file)
    if places is None:
        raise InputError(f"{file.path} has no map yet; make it before you search in an area of it")
    left, top, right, bottom = area
    x, y = places.points.T
    within: IntArray = places.numbers[(left <= x) & (x <= right) & (top <= y) & (y <= bottom)]
    return within


def _read(file: CollectionFile, name: str) -> bytes | None:
    question = "SELECT content FROM stored_files WHERE folder = ? AND name = ? ORDER BY part"
    parts = file.rows(question, FOLDER, name)
    return b"".join(part for (part,) in parts) if parts else None
