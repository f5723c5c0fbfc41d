"""SQLite's FTS5: Porter's stems, the words of the query joined by OR, bm25()."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from benchmarks.engines.words import words_of
from satchel.importing import Document


class Fts5:
    def __init__(self, path: Path, documents: Iterable[Document]) -> None:
        self._connection = sqlite3.connect(path)
        self._connection.execute("CREATE VIRTUAL TABLE t USING fts5 (id UNINDEXED, title, text, tokenize = 'porter')")
        rows = ((document.id, document.title, document.text) for document in documents)
        with self._connection:
            self._connection.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)

    def search(self, query: str, k: int) -> list[str]:
        asked = " OR ".join(f'"{word}"' for word in words_of(query))
        found = self._connection.execute("SELECT id FROM t WHERE t MATCH ? ORDER BY rank LIMIT ?", (asked, k))
        return [id_ for (id_,) in found]
