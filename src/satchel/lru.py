"""A cache that keeps the items used last."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Lru(Generic[Made]):
    """The last few items by key. Threads may share it; two threads at once may both make the same missing item.

    most: the number of items that are kept; with `weigh`, the most that they may weigh together.
    """

    def __init__(self, most: int, weigh: Callable[[Made], int] | None = None) -> None:
        self._most = most
        self._weigh = weigh
        self._weight = 0
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
            before = self._kept.pop(key, None)
            self._kept[key] = made
            self._weight += self._weight_of(made) - (0 if before is None else self._weight_of(before))
            while self._weight > self._most and self._kept:
                self._weight -= self._weight_of(self._kept.popitem(last=False)[1])

    def _weight_of(self, made: Made) -> int:
        return 1 if self._weigh is None else self._weigh(made)

    def of(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """The item with this key; makes and stores it if it is missing."""
        found = self.recall(key)
        made = make() if found is None else found
        if found is None:
            self.keep(key, made)
        return made
