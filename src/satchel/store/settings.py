"""The settings of a collection: synonyms, extra stop words and weights of fields. They are kept as one note."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, Protocol

from satchel.errors import InputError
from satchel.query import field_names
from satchel.store.indexed import FieldNumbers
from satchel.text import Analysed

NOTE = "search settings"
MOST_WEIGHT = 100.0
MOST_GROUPS, MOST_WORDS = 20_000, 20_000
"""The most groups of synonyms, and the most extra stop words."""
NO_WEIGHTS: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True)
class SearchSettings:
    """How a collection searches by words.

    synonyms: groups of words, or of several words each, that mean the same. stop_words: words of a query that are not
    searched for, besides the usual ones. field_weights: field -> how much a word in it counts; "text" has 1, "title" 2,
    every other field 0.5.
    """

    synonyms: tuple[tuple[str, ...], ...] = ()
    stop_words: tuple[str, ...] = ()
    field_weights: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def ignored(self) -> frozenset[str]:
        """The stop words as the words of a query are written."""
        return frozenset(word for one in self.stop_words for word in Analysed(one).words)

    @cached_property
    def by_first_stem(self) -> Mapping[str, list[tuple[tuple[str, ...], int]]]:
        """The first stem of each synonym -> all stems of the synonym, and the number of its group."""
        found: dict[str, list[tuple[tuple[str, ...], int]]] = {}
        for group, words in enumerate(self.synonyms):
            for one in words:
                stems = tuple(Analysed(one).stems)
                found.setdefault(stems[0], []).append((stems, group))
        return found

    def weights_by_number(self, numbers: FieldNumbers) -> dict[int, float]:
        """The weights by the numbers of fields in the index. A name also means the fields of that name in another
        spelling, such as author and authors."""
        spellings = field_names(numbers.names)
        found: dict[int, float] = {}
        for name, weight in self.field_weights.items():
            for own in (*spellings.get(name.casefold(), ()), name):
                found.update(dict.fromkeys(numbers.known(own), weight))
        return found


NO_SETTINGS = SearchSettings()


class HoldsNotes(Protocol):
    def note(self, name: str, default: Any) -> Any: ...


class ChangesNotes(HoldsNotes, Protocol):
    def write_note(self, name: str, value: object) -> None: ...
    def next_change(self) -> int: ...


def read_settings(store: HoldsNotes) -> SearchSettings:
    """The settings of a collection."""
    written = store.note(NOTE, "")
    return _parsed(written) if written else NO_SETTINGS


def write_settings(store: ChangesNotes, settings: SearchSettings) -> None:
    """Stores settings; other ones are a change of the collection, so that nothing that was found before is reused."""
    if settings != read_settings(store):
        store.write_note(NOTE, json.dumps(asdict(settings), ensure_ascii=False, sort_keys=True))
        store.next_change()


@lru_cache(maxsize=16)
def _parsed(written: str) -> SearchSettings:
    kept = json.loads(written)
    return SearchSettings(tuple(map(tuple, kept["synonyms"])), tuple(kept["stop_words"]), kept["field_weights"])


def checked_synonyms(groups: Iterable[Iterable[str]]) -> tuple[tuple[str, ...], ...]:
    """Groups of synonyms, each word once; raises InputError for a group of fewer than two."""
    given = list(groups)
    if len(given) > MOST_GROUPS:
        raise InputError(f"there are {len(given):,} groups of synonyms; at most {MOST_GROUPS:,} can be kept")
    return tuple(map(_group, given))


def _group(words: Iterable[str]) -> tuple[str, ...]:
    own = () if isinstance(words, str) else tuple(words)
    kept = {tuple(Analysed(one).stems): " ".join(one.split()) for one in reversed(own) if isinstance(one, str)}
    kept.pop((), None)
    if len(kept) < 2:
        raise InputError(f"the synonyms {words!r:.200} are not two different words; expected ['car', 'automobile']")
    return tuple(reversed(kept.values()))


def checked_stop_words(words: Iterable[str]) -> tuple[str, ...]:
    """Stop words in lower case, each once."""
    own = (words,) if isinstance(words, str) else tuple(words)
    if not all(isinstance(one, str) for one in own):
        raise InputError(f"stop words are {own!r:.200}; expected words, such as ['study', 'paper']")
    found = tuple(dict.fromkeys(word for one in own for word in Analysed(one).words))
    if len(found) > MOST_WORDS:
        raise InputError(f"there are {len(found):,} stop words; at most {MOST_WORDS:,} can be kept")
    return found


def checked_weights(weights: Mapping[str, float]) -> dict[str, float]:
    """Weights of fields as numbers; raises InputError unless each is from 0 to 100."""
    try:
        found = {str(name): float(weight) for name, weight in weights.items()}
    except (AttributeError, TypeError, ValueError) as error:
        raise InputError(f"weights of fields are {weights!r:.200}; expected field -> weight, as in title: 3") from error
    for name, weight in found.items():
        if not (math.isfinite(weight) and 0 <= weight <= MOST_WEIGHT):
            raise InputError(f"the weight of {name!r:.200} is {weight}; expected a number from 0 to {MOST_WEIGHT:.0f}")
    return found
