"""A cache that keeps the items used last."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Lru(Generic[Made]):
    """The last few items by key. Threads may share it; two threads at once may both make the same missing item."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._turn = threading.Lock()
        self._kept: OrderedDict[Hashable, Made] = OrderedDict()

    def recall(self, key: Hashable) -> Made | None:
        """The item with this key; None if it is not in the cache."""
        with self._turn:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def keep(self, key: Hashable, made: Made) -> None:
        """Stores an item; a full cache drops the item that was used longest ago."""
        with self._turn:
            self._kept[key] = made
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def of(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """The item with this key; makes and stores it if it is missing."""
        found = self.recall(key)
        made = make() if found is None else found
        if found is None:
            self.keep(key, made)
        return made
