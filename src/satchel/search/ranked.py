"""A ranking: what a search found, with all that its reasons are told from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from satchel.feedback import Lessons, Refined
from satchel.ranking.probes import DoubleArray
from satchel.search.result import NO_LESSONS
from satchel.types import IntArray


@dataclass(frozen=True)
class Ranked:
    """All that was ranked: numbers of documents, best first, with the scores of both legs (-inf: not found).

    stems: those that were asked for, each with the word to show for it. added: words that marks added, best first.
    refined: the direction that was asked for; None where meaning was not.
    """

    numbers: IntArray
    scores: DoubleArray
    lexical: DoubleArray
    semantic: DoubleArray
    stems: Mapping[str, str] = field(default_factory=dict)
    added: tuple[str, ...] = ()
    refined: Refined | None = None
    lessons: Lessons = NO_LESSONS

    def ordered(self, scores: DoubleArray, places: IntArray) -> Ranked:
        """By these scores, best first; ties by place."""
        order = np.lexsort((places, -scores))
        return Ranked(self.numbers[order], scores[order], self.lexical[order], self.semantic[order])
