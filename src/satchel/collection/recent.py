"""What was made lately, so that it need not be made again at once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Recent(Generic[Made]):
    """The last few things by their keys. Threads may share it; two that ask at once may both make what is missing."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._turn = threading.Lock()
        self._kept: OrderedDict[Hashable, Made] = OrderedDict()

    def of(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What is kept under the key; else it is made, and kept in place of what was longest not asked for."""
        with self._turn:
            found = self._kept.pop(key, None)
        made = make() if found is None else found
        with self._turn:
            self._kept[key] = made
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return made
