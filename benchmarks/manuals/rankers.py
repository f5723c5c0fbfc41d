"""What the manuals are asked of: bm25s on whole texts and on windows, and a new collection."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.manuals.build import Text
from satchel import Collection
from satchel.collection import Mode
from satchel.importing import Document

WINDOW, STEP = 200, 100


Ranked = Callable[[str], list[str]]
"""The ids of the manuals for a query, best first."""


class WholeTexts:
    """bm25s as its manual shows it, one entry a part: the best part of a manual speaks for it."""

    def __init__(self, texts: Sequence[Text]) -> None:
        self._bm25s, self._stemmer = import_module("bm25s"), import_module("Stemmer").Stemmer("english")
        parts = [(text.id, part) for text in texts for part in self.parts(text)]
        self._ids = [text.id for text in texts]
        self._starts = [[id_ for id_, _ in parts].index(id_) for id_ in self._ids]
        self._index = self._bm25s.BM25()
        self._index.index(self._words([part for _, part in parts]), show_progress=False)

    def parts(self, text: Text) -> Iterator[str]:
        yield f"{text.title}\n{text.text}"

    def ranked(self, query: str) -> list[str]:
        words = self._bm25s.tokenize(
            [query], return_ids=False, stopwords="en", stemmer=self._stemmer, show_progress=False
        )
        best = np.maximum.reduceat(self._index.get_scores(words[0]), self._starts)  # (n_texts,)
        return [self._ids[place] for place in np.argsort(-best, kind="stable") if best[place] > 0]

    def _words(self, texts: list[str]) -> Any:
        return self._bm25s.tokenize(texts, stopwords="en", stemmer=self._stemmer, show_progress=False)


class Windows(WholeTexts):
    """The same on windows of 200 words, each 100 words after the one before; the title belongs to the first."""

    def parts(self, text: Text) -> Iterator[str]:
        words = f"{text.title}\n{text.text}".split()
        for start in range(0, max(1, len(words) - STEP), STEP):
            yield " ".join(words[start : start + WINDOW])


def satchel(mode: Mode) -> Callable[[Sequence[Text]], Ranked]:
    """A new collection with nothing set, asked in this mode."""

    def made_of(texts: Sequence[Text]) -> Ranked:
        collection, n_texts = filled(tuple(texts)), len(texts)
        return lambda query: [hit.id for hit in collection.search(query, n_texts, mode=mode, explained=False)]

    return made_of


@lru_cache(maxsize=1)
def filled(texts: tuple[Text, ...]) -> Collection:
    """One collection answers in all modes."""
    collection = Collection.create(":memory:")
    collection.add(Document(text.id, text.text, text.title) for text in texts)
    return collection


SYSTEMS: dict[str, Callable[[Sequence[Text]], Ranked]] = {
    "bm25s on whole manuals": lambda texts: WholeTexts(texts).ranked,
    f"bm25s on windows of {WINDOW} words": lambda texts: Windows(texts).ranked,
    "Satchel, both": satchel("both"),
    "Satchel, by words": satchel("lexical"),
}
