"""What a user might take instead of Satchel, each in a module of its own.

An engine has `search(query, k)`, which gives the ids of the best k documents; making it builds or opens its index.
"""

from collections.abc import Sequence
from typing import Protocol


class Engine(Protocol):
    def search(self, query: str, k: int) -> Sequence[str]:
        """The ids of the best k documents, best first."""
        ...
