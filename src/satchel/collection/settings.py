"""The settings of a collection, to read and to change: synonyms, extra stop words and weights of fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from satchel.errors import InputError, MissingFileError
from satchel.store import (
    SearchSettings,
    Store,
    checked_stop_words,
    checked_synonyms,
    checked_weights,
    read_settings,
    write_settings,
)


class SettingsOfCollection:
    """How searches by words work here: `collection.settings.read()`, `collection.settings.change(stop_words=…)`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def read(self) -> SearchSettings:
        """The present settings."""
        with self._store.reading():
            return read_settings(self._store)

    def change(
        self,
        *,
        synonyms: Iterable[Iterable[str]] | None = None,
        stop_words: Iterable[str] | None = None,
        field_weights: Mapping[str, float | None] | None = None,
    ) -> SearchSettings:
        """Replaces what is given, and keeps the rest; all of it or nothing. -> the settings after the change.

        synonyms: groups of words that mean the same; an empty list removes them, and so with stop_words. field_weights:
        only the fields named here are changed; None gives a field its usual weight again.
        """
        with self._store.writing():
            found = read_settings(self._store)
            if synonyms is not None:
                found = replace(found, synonyms=checked_synonyms(synonyms))
            if stop_words is not None:
                found = replace(found, stop_words=checked_stop_words(stop_words))
            if field_weights is not None:
                found = replace(found, field_weights=_changed(found.field_weights, field_weights))
            write_settings(self._store, found)
            return found


def _changed(weights: Mapping[str, float], given: Mapping[str, float | None]) -> dict[str, float]:
    if not isinstance(given, Mapping):
        raise InputError(f"weights of fields are {given!r:.200}; expected field -> weight, as in title: 3")
    new = checked_weights({name: weight for name, weight in given.items() if weight is not None})
    return {name: weight for name, weight in weights.items() if name not in given} | new


def read_synonyms(path: Path) -> list[list[str]]:
    """Groups of synonyms from a text file: one group a line, with commas between; # begins a comment line."""
    groups = [[word.strip() for word in line.split(",")] for line in _lines(path)]
    for words in groups:
        if len([word for word in words if word]) < 2:
            raise InputError(f"{path}: {', '.join(words)!r:.200} is one word; write a group as car, automobile")
    return groups


def read_stop_words(path: Path) -> list[str]:
    """Words from a text file, separated by commas, spaces or line ends."""
    return [word for line in _lines(path) for word in line.replace(",", " ").split()]


def _lines(path: Path) -> list[str]:
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except FileNotFoundError as error:
        raise MissingFileError(f"there is no file {path}") from error
    except (UnicodeDecodeError, OSError) as error:
        raise InputError(f"{path} cannot be read as text in UTF-8") from error
    return [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
