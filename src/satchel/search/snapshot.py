"""Snapshots: the model, loaded once, and the last rankings, valid until the collection changes."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from functools import cached_property

from satchel.encoders import Encoder
from satchel.lru import Lru
from satchel.ranking import SimilarWords, variants_of
from satchel.search.lexicon import Lexicon
from satchel.search.result import Ranked
from satchel.store import State, Store, load_model

N_MISSPELT = 256
"""How many misspelt words are remembered with the words that they may mean."""
N_RANKINGS = 16
"""How many rankings are kept: the next page, or a comparison after a mark, needs the last ones again."""


@dataclass(frozen=True)
class ServedModel:
    """An encoder with what is computed from it once. number: of the model; 0 before one was learned.

    nearness: the least cosine at which a document counts as found by meaning alone.
    """

    number: int
    encoder: Encoder | None
    nearness: float = 0.0
    descriptions: dict[int, list[str]] = field(default_factory=dict)
    _spelled_like: Lru[list[str]] = field(default_factory=lambda: Lru(N_MISSPELT))

    @cached_property
    def lexicon(self) -> Lexicon:
        """What is known of words by their numbers in the store."""
        return Lexicon(self.encoder)

    @cached_property
    def similar_words(self) -> SimilarWords:
        """The words that the model knows, to look up by spelling; empty for a model without a vocabulary."""
        vocabulary = getattr(self.encoder, "vocabulary_", None)
        return SimilarWords(() if vocabulary is None else vocabulary.words)

    def spelled_like(self, word: str) -> list[str]:
        """The words that the model knows and that differ from this one by a typing error or two, nearest first."""
        vocabulary = getattr(self.encoder, "vocabulary_", None)
        if vocabulary is None:
            return []
        return self._spelled_like.of(word, lambda: variants_of(word, vocabulary, self.similar_words))

    @cached_property
    def n_themes(self) -> int:
        """The number of features of a document vector; a weight can be set for each."""
        return 0 if self.encoder is None else int(self.encoder.transform([""]).shape[1])

    def describe(self, codeword: int) -> list[str]:
        """The words that describe a codeword best; empty if the encoder has no codewords."""
        if codeword not in self.descriptions:
            tell = getattr(self.encoder, "describe", None)
            self.descriptions[codeword] = [] if tell is None else tell(codeword, 5)
        return self.descriptions[codeword]


@dataclass(frozen=True)
class Snapshot:
    """The model of one moment, and the rankings made with it."""

    state: State
    model: ServedModel
    rankings: Lru[Ranked] = field(default_factory=lambda: Lru(N_RANKINGS))


class Snapshots:
    """The present snapshot of a store, for all who search it; threads may share it."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._known: Snapshot | None = None

    def encoder(self, store: Store) -> Encoder | None:
        """The present encoder. Works during a change too; nothing of that change is cached."""
        known = self._known
        if known is not None and known.state[1:] == store.state()[1:]:
            return known.model.encoder
        return load_model(store)

    def of(self, store: Store) -> Snapshot:
        """The present snapshot of the store; the model is loaded again only if it changed."""
        state, known = store.state(), self._known
        if known is not None and known.state == state:
            return known
        with self._turn:
            known = self._known
            if known is not None and known.state == state:
                return known
            same = known is not None and known.state[1:] == state[1:]
            model = known.model if same and known is not None else _served(store, state)
            found = Snapshot(state, model)
            if known is None or known.state.change <= state.change:
                self._known = found
            return found


def _served(store: Store, state: State) -> ServedModel:
    encoder = load_model(store)
    return ServedModel(state.model, encoder, 0.0 if encoder is None else encoder.nearness)
