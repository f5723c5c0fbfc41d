"""bm25s as its manual shows it: its English stop words and Snowball's English stems; the index in memory."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from satchel.importing import Document


class Bm25s:
    def __init__(self, documents: Sequence[Document]) -> None:
        self._package: Any = import_module("bm25s")
        self._stemmer = import_module("Stemmer").Stemmer("english")
        self._ids = [document.id for document in documents]
        texts = [f"{document.title}\n{document.text}" for document in documents]
        self._index = self._package.BM25()
        self._index.index(self._words(texts), show_progress=False)

    def search(self, query: str, k: int) -> list[str]:
        found = self._index.retrieve(self._words([query]), k=k, show_progress=False, n_threads=0)
        return [self._ids[place] for place in found.documents[0]]

    def _words(self, texts: list[str]) -> Any:
        return self._package.tokenize(texts, stopwords="en", stemmer=self._stemmer, show_progress=False)
