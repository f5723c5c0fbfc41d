"""The files inside a store: the model, word vectors that wait for documents, and the places on the map."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from satchel.encoders import Encoder, encoder_in
from satchel.errors import InputError
from satchel.query import Condition, Not, Since, Within
from satchel.store.protocol import NEARNESS, Store
from satchel.types import FloatArray, IntArray
from satchel.words import WordVectors

MODEL, WORDS, MAP = "model", "words", "map"
"""The folders of these files in a store."""


def save_encoder(store: Store, encoder: Encoder) -> int:
    """Stores a fitted encoder in place of the present one; -> the number of the new model."""
    store.write_files(MODEL, encoder.files())
    number = store.state().model + 1
    store.write_note("model", number)
    return number


def load_model(store: Store) -> Encoder | None:
    """The encoder, or None if no documents have been added yet."""
    files = store.files(MODEL)
    if not files:
        return None
    encoder = encoder_in(files, store.path)
    encoder.nearness = float(store.note(NEARNESS, "") or 0.0)  # it belongs to the model, wherever that goes
    return encoder


def model_fingerprint(store: Store) -> str:
    """A checksum of the model, the same in every store; empty if there is no model."""
    config = store.files(MODEL, "config.json").get("config.json")  # it holds the checksums of the other files
    return "" if config is None else hashlib.sha256(config).hexdigest()


def save_words(store: Store, words: WordVectors) -> None:
    """Keeps word vectors until the first documents are added."""
    store.write_files(WORDS, words.files())


def load_words(store: Store) -> WordVectors | None:
    files = store.files(WORDS)
    return WordVectors.from_files(files) if files else None


def forget_words(store: Store) -> None:
    store.write_files(WORDS, {})


class Region(NamedTuple):
    """A part of the map where similar documents lie, and the words that name it."""

    x: float
    y: float
    words: tuple[str, ...]


class Places(NamedTuple):
    """numbers (n,): of the documents, ascending; points (n, 2): from 0 to 1. landmarks: the numbers of the documents by
    which the others were placed. model: the model of the vectors. change: the collection's last change at that time."""

    numbers: IntArray
    points: FloatArray
    landmarks: IntArray
    regions: tuple[Region, ...]
    model: int
    change: int


class KeepsPlaces(Protocol):
    """The methods of a store that this module needs."""

    @property
    def path(self) -> Path: ...
    def files(self, folder: str, name: str | None = None) -> dict[str, bytes]: ...
    def write_files(self, folder: str, files: Mapping[str, bytes]) -> None: ...
    def listed(self, condition: Condition | None = None) -> IntArray: ...


def read_places(store: KeepsPlaces) -> Places | None:
    """The places as they were saved; None without a map. They may be of an older model.

    Compare them with the store: a number may belong to another document now, and a text may have changed.
    """
    kept = store.files(MAP)
    if "about.json" not in kept:
        return None
    about = json.loads(kept["about.json"])
    numbers, points, landmarks = (
        np.frombuffer(kept.get(name, b""), kind)
        for name, kind in (("numbers", "<i8"), ("points", "<f4"), ("landmarks", "<i8"))
    )
    regions = tuple(Region(x, y, tuple(words)) for x, y, words in about["regions"])
    change = int(about.get("change", -1))
    same = store.listed(Not(Since(change)))
    stay = np.isin(numbers, same)
    own = landmarks[np.isin(landmarks, same)]
    return Places(numbers[stay], points.reshape(-1, 2)[stay], own, regions, about["model"], change)


def write_places(store: KeepsPlaces, places: Places) -> None:
    """Replaces what is stored there."""
    about = json.dumps({"model": places.model, "change": places.change, "regions": places.regions}, ensure_ascii=False)
    files = {
        "about.json": about.encode(),
        "numbers": places.numbers.astype("<i8").tobytes(),
        "points": places.points.astype("<f4").tobytes(),
        "landmarks": places.landmarks.astype("<i8").tobytes(),
    }
    store.write_files(MAP, files)


def numbers_within(store: KeepsPlaces, area: Within) -> IntArray:
    """The numbers of the documents in an area, ascending; documents added or changed since are not on the map."""
    places = read_places(store)
    if places is None:
        raise InputError(f"{store.path} has no map yet; make it before you search in an area of it")
    x, y = places.points.T
    within: IntArray = places.numbers[(area.left <= x) & (x <= area.right) & (area.top <= y) & (y <= area.bottom)]
    return within
