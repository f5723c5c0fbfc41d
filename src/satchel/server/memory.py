"""Answers that were given before, kept for as long as nothing in the collection has changed."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable

MOST_BYTES = 64_000_000


class Memory:
    """The last answers, by what was asked and by the version of the file that they were read from."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._n_bytes = 0
        self._turn = threading.Lock()
        self._answers: OrderedDict[Hashable, tuple[int, bytes, int]] = OrderedDict()

    def recall(self, asked: Hashable, version: int) -> bytes | None:
        """The answer to the same question at the same version."""
        with self._turn:
            found = self._answers.get(asked)
            if found is None or found[0] != version:
                return None
            self._answers.move_to_end(asked)
            return found[1]

    def keep(self, asked: Hashable, version: int, answer: bytes) -> None:
        """version: that before the answer was looked for, so that a change meanwhile makes it old."""
        n_bytes = len(answer) + len(repr(asked))  # a question may be longer than its answer
        if n_bytes > self._most_bytes // 2:
            return
        with self._turn:
            *_, before = self._answers.pop(asked, (0, b"", 0))
            self._answers[asked] = (version, answer, n_bytes)
            self._n_bytes += n_bytes - before
            while self._n_bytes > self._most_bytes:
                self._n_bytes -= self._answers.popitem(last=False)[1][2]
