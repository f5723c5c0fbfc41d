"""The text of a query with what the settings of the collection say of its words: stop words and synonyms."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple, Self

from satchel.store import NO_SETTINGS, SearchSettings
from satchel.text import Analysed, stop_list

SYNONYM_WEIGHT = 0.6
"""The weight of a synonym; the word that was typed has 1."""
MOST_SYNONYMS = 64
"""The most stems that synonyms add to a query."""


class Synonym(NamedTuple):
    """A stem that was not typed. word: to show for it; typed: the stems it stands for; share: of their weight."""

    word: str
    typed: tuple[str, ...]
    share: float


def content_of(text: str) -> dict[str, str]:
    """The distinct words of a synonym with their stems, without stop words unless it has only stop words."""
    read, stops = Analysed(text), stop_list("sklearn")
    words = dict(zip(read.words, read.stems, strict=True))
    return {word: stem for word, stem in words.items() if word not in stops} or words


class AskedText(Analysed):
    """A query; settings: of the collection that is asked."""

    settings: SearchSettings

    def __new__(cls, text: str = "", settings: SearchSettings = NO_SETTINGS) -> Self:
        made = super().__new__(cls, text)
        made.settings = settings
        return made

    @cached_property
    def synonyms(self) -> dict[str, Synonym]:
        """Stem -> the synonym that brings it, each once; those of the first words of the query come first."""
        if not self.settings.synonyms:
            return {}
        typed, found = set(self.stems), dict[str, Synonym]()
        for place, first in enumerate(self.stems):
            for stems, group in self.settings.by_first_stem.get(first, ()):
                if tuple(self.stems[place : place + len(stems)]) == stems:
                    for one in self.settings.synonyms[group]:
                        words = content_of(one)
                        for word, stem in words.items():
                            if stem not in typed and len(found) < MOST_SYNONYMS:
                                found.setdefault(stem, Synonym(word, stems, SYNONYM_WEIGHT / len(words)))
        return found

    @cached_property
    def said(self) -> str:
        """The text without the extra stop words; the text itself if it has none, or nothing else."""
        ignored = self.settings.ignored
        spans = [span for span, word in zip(self.spans, self.words, strict=True) if word in ignored] if ignored else []
        if not spans or len(spans) == len(self.words):
            return self
        parts, end = list[str](), 0
        for start, stop in spans:
            parts.append(self[end:start])
            end = stop
        return "".join([*parts, self[end:]])


def ignored_words(query: Analysed) -> frozenset[str]:
    """The extra stop words for a query."""
    return query.settings.ignored if isinstance(query, AskedText) else frozenset()


def synonyms_of(query: Analysed) -> dict[str, Synonym]:
    """The synonyms for the words of a query, by stem."""
    return query.synonyms if isinstance(query, AskedText) else {}


def with_synonyms(weights: Mapping[str, float], query: Analysed) -> Mapping[str, float]:
    """The stems to look up with their weights, and the synonyms of those that have one."""
    found = dict(weights)
    for stem, (_, typed, share) in synonyms_of(query).items():
        own = max(weights.get(one, 0.0) for one in typed)
        if own > 0:
            found[stem] = max(found.get(stem, 0.0), share * own)
    return found


def said_in(query: Analysed) -> str:
    """What is searched for by meaning: the query without the extra stop words."""
    return query.said if isinstance(query, AskedText) else query
