"""What was made lately, so that it need not be made again at once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Recent(Generic[Made]):
    """The last few things by their keys. Whoever shares it takes turns, as the threads of a collection do."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, Made] = OrderedDict()

    def of(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What is kept under the key; else it is made, and kept in place of what was longest not asked for."""
        found = self._kept.pop(key, None)
        self._kept[key] = made = make() if found is None else found
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return made
