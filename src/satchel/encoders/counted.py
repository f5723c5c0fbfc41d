"""Encoders that see a text as the counts of its words."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from satchel.encoders.base import Encoder
from satchel.errors import InputError
from satchel.storage import Json
from satchel.text import Tokenizer, Vocabulary, learn_vocabulary
from satchel.types import SparseArray

EVERY_WORD = Tokenizer()
TWO_LETTERS = Tokenizer(min_length=2)
CONTENT_WORDS = Tokenizer(min_length=2, stop_words="sklearn")


class CountingEncoder(Encoder):
    """Base of encoders with a tokenizer and a vocabulary; the order of words does not matter to them."""

    tokenizer: Tokenizer
    vocabulary_: Vocabulary

    def _count(self, texts: list[str], **limits: int | None) -> tuple[Vocabulary, SparseArray]:
        """The vocabulary of the texts with their counts, or the reason why there is none."""
        vocabulary, counts = learn_vocabulary(texts, self.tokenizer, **limits)  # type: ignore[arg-type]
        if not len(vocabulary):
            asked = ", ".join(f"{name}={limit}" for name, limit in limits.items() if limit is not None)
            found = f"{type(self).__name__} found no word to learn in the {len(texts)} texts"
            raise InputError(f"{found} ({asked}, {self.tokenizer}); give texts with words or ask for less")
        return vocabulary, counts

    def _parameters(self) -> dict[str, Json]:
        return super()._parameters() | {"tokenizer": asdict(self.tokenizer)}

    @classmethod
    def _parameters_from(cls, parameters: dict[str, Any]) -> dict[str, Any]:
        return super()._parameters_from(parameters) | {"tokenizer": Tokenizer(**parameters["tokenizer"])}
