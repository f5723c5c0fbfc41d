"""The words that a model knows, each with its id."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat

import numpy as np

from satchel.errors import InputError
from satchel.types import IntArray

UNKNOWN = "<unk>"


@dataclass(frozen=True)
class Vocabulary:
    """Words with ids 0, 1, …: most frequent first, equally frequent ones in alphabetical order.

    With `has_unknown`, id 0 is `<unk>`, which stands for every word that is not in the vocabulary ([MW] section 3.4);
    without, such words are left out.
    """

    words: tuple[str, ...]
    has_unknown: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.words, tuple):
            raise InputError(f"words of a vocabulary must be a tuple of strings, not {type(self.words).__name__}")
        if not all(issubclass(kind, str) for kind in set(map(type, self.words))):
            odd = next(word for word in self.words if not isinstance(word, str))
            raise InputError(f"the word {odd!r} of a vocabulary is of type {type(odd).__name__}; expected strings")
        if self.has_unknown and (not self.words or self.words[0] != UNKNOWN):
            raise InputError(f"a vocabulary with has_unknown must begin with {UNKNOWN!r}")
        if len(self._ids) != len(self.words):
            raise InputError(f"a vocabulary needs distinct words: {len(self.words)} given, {len(self._ids)} distinct")

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self._ids

    def ids(self, words: Iterable[str]) -> IntArray:
        """The id of each word; where there is none, 0 with `has_unknown`, else -1."""
        missing = 0 if self.has_unknown else -1
        return np.fromiter(map(self._ids.get, words, repeat(missing)), dtype=np.int64)

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {word: id_ for id_, word in enumerate(self.words)}
