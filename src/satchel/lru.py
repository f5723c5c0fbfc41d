"""A cache that keeps what was asked for last."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Lru(Generic[Made]):
    """The last few things by their keys. Threads may share it; two that ask at once may both make what is missing."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._turn = threading.Lock()
        self._kept: OrderedDict[Hashable, Made] = OrderedDict()

    def recall(self, key: Hashable) -> Made | None:
        """What is kept under the key."""
        with self._turn:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def keep(self, key: Hashable, made: Made) -> None:
        """In place of what was longest not asked for, where there is too much."""
        with self._turn:
            self._kept[key] = made
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def of(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What is kept under the key; else it is made, and kept."""
        found = self.recall(key)
        made = make() if found is None else found
        if found is None:
            self.keep(key, made)
        return made
