"""The places of documents on the map, as a store keeps them: arrays beside the model, none where there is no map."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from satchel.errors import InputError
from satchel.query import Condition, Not, Since, Within
from satchel.types import FloatArray, IntArray

FOLDER = "map"


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


class KeepsPlaces(Protocol):
    """What is needed of a store."""

    @property
    def path(self) -> Path: ...
    def files(self, folder: str, name: str | None = None) -> dict[str, bytes]: ...
    def write_files(self, folder: str, files: Mapping[str, bytes]) -> None: ...
    def listed(self, condition: Condition | None = None) -> IntArray: ...


def read_places(store: KeepsPlaces) -> Places | None:
    """What is kept of documents that are as they were, and of a model that may be gone; None without a map.

    A number of a document that was removed may since be that of another one, as a text may have changed.
    """
    kept = store.files(FOLDER)
    if "about.json" not in kept:
        return None
    told = json.loads(kept["about.json"])
    numbers, points, landmarks = (
        np.frombuffer(kept.get(name, b""), kind)
        for name, kind in (("numbers", "<i8"), ("points", "<f4"), ("landmarks", "<i8"))
    )
    regions = tuple(Region(x, y, tuple(words)) for x, y, words in told["regions"])
    change = int(told.get("change", -1))
    same = store.listed(Not(Since(change)))
    stay = np.isin(numbers, same)
    own = landmarks[np.isin(landmarks, same)]
    return Places(numbers[stay], points.reshape(-1, 2)[stay], own, regions, told["model"], change)


def write_places(store: KeepsPlaces, places: Places) -> None:
    """In place of those that are there."""
    about = json.dumps({"model": places.model, "change": places.change, "regions": places.regions}, ensure_ascii=False)
    files = {
        "about.json": about.encode(),
        "numbers": places.numbers.astype("<i8").tobytes(),
        "points": places.points.astype("<f4").tobytes(),
        "landmarks": places.landmarks.astype("<i8").tobytes(),
    }
    store.write_files(FOLDER, files)


def numbers_within(store: KeepsPlaces, area: Within) -> IntArray:
    """The documents that lie within an area, by number, rising; those that came, or changed, since are on no map."""
    places = read_places(store)
    if places is None:
        raise InputError(f"{store.path} has no map yet; make it before you search in an area of it")
    x, y = places.points.T
    within: IntArray = places.numbers[(area.left <= x) & (x <= area.right) & (area.top <= y) & (y <= area.bottom)]
    return within
