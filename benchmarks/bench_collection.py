"""A collection: adding 20,000 texts, opening many documents, and searching them by words and meaning at once.

The documents are real where they lie in the data folder (about 60,000), else 100,000 made-up ones; each row says so.
Peers: for adding, scikit-learn's tf-idf and truncated SVD, and an FTS5 table of the same texts; for search, the two
legs one after the other.
"""

import sqlite3
import sys
import tempfile
import tracemalloc
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.real_text import documents, kind, queries
from benchmarks.timing import Row, compare
from satchel import Collection
from satchel.importing import Document

N_ADDED, N_SEARCHED, N_FEATURES, K = 20_000, 100_000, 64, 10


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder, threadpool_limits(1):
        large = Path(folder) / "large.satchel"
        with Collection.create(large) as collection:
            collection.add(documents(N_SEARCHED))
        return [*row_of_adding(Path(folder)), row_of_opening(large), *rows_of_searching(large), row_of_memory(large)]


def searched() -> str:
    """How many documents are searched, and of what kind."""
    return f"{len(documents(N_SEARCHED)) // 1000}k {kind()}"


def texts_to_add() -> list[str]:
    """20,000 newsgroup and newswire texts, where they are to be had."""
    from satchel.datasets import load, place_of

    texts: list[str] = []
    for name in ("20ng", "r8"):
        if place_of(name) == "source":
            print(f"adding is left out because {name} is not here: satchel data get {name}", file=sys.stderr)
            return []
        texts += [*load(name).train.texts, *load(name).test.texts]
    return texts[:N_ADDED]


def row_of_adding(folder: Path) -> list[Row]:
    texts = texts_to_add()
    if not texts:
        return []
    names = (folder / f"{number}" for number in range(100))
    name = f"collection: add {N_ADDED:,} texts (learn, encode, index)"
    peer = f"TfidfVectorizer + TruncatedSVD({N_FEATURES}) + FTS5"
    return [
        compare(
            name, lambda: add(next(names), texts), peer, lambda: vectors_and_fts5(next(names), texts),
            repeat=3, note="target 3, one thread each",
        )
    ]  # fmt: skip


def add(path: Path, texts: list[str]) -> None:
    with Collection.create(path) as collection:
        collection.add(Document(f"{number:05}", text) for number, text in enumerate(texts))


def vectors_and_fts5(path: Path, texts: list[str]) -> object:
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    with sqlite3.connect(path) as connection:
        connection.execute(
            "CREATE VIRTUAL TABLE t USING fts5 (text, tokenize = 'porter unicode61 remove_diacritics 2')"
        )
        connection.executemany("INSERT INTO t VALUES (?)", ((text,) for text in texts))
    connection.close()
    return TruncatedSVD(N_FEATURES, random_state=0).fit_transform(TfidfVectorizer().fit_transform(texts))


def row_of_opening(path: Path) -> Row:
    with Collection.open(path) as collection:
        collection.export(path.with_suffix(".npy"), "vectors")
    return compare(
        f"collection: open {searched()} and answer a first query",
        lambda: open_and_ask(path),
        "np.load of the same vectors",
        lambda: np.load(path.with_suffix(".npy")).sum(),
        note="target 2 s",
    )


def open_and_ask(path: Path) -> None:
    with Collection.open(path, read_only=True) as collection:
        collection.search(queries(1)[0])


def rows_of_searching(path: Path) -> list[Row]:
    collection, asked = Collection.open(path, read_only=True), cycle(queries(50))

    def leg_after_leg() -> None:
        query = next(asked)
        collection.search(query, K, mode="lexical")
        collection.search(query, K, mode="semantic")

    def with_marks() -> None:
        query = next(asked)
        collection.search(query, K, relevant=["d0000001"], irrelevant=["d0000002"])

    name = f"collection: best {K} of {searched()}, both legs fused"
    both: Callable[[], object] = lambda: collection.search(next(asked), K)  # noqa: E731 - one of three alike
    return [
        compare(name, both, "one leg after the other", leg_after_leg, repeat=51, note="target 2, and 0.05 s"),
        compare(f"{name}, two marks", with_marks, "without marks", both, repeat=21),
    ]


def row_of_memory(path: Path) -> Row:
    """What an open collection holds after a first query, for each document."""
    tracemalloc.start()
    collection = Collection.open(path, read_only=True)
    collection.search(queries(1)[0])
    held = tracemalloc.get_traced_memory()[0] / len(documents(N_SEARCHED))
    tracemalloc.stop()
    collection.close()
    bare = 4.0 * N_FEATURES
    name, note = f"collection: memory for each of {searched()}", "the model's share is in it"
    return Row(name, held, "float32 vectors", bare, held / bare, note, "bytes")


if __name__ == "__main__":
    from benchmarks.__main__ import as_markdown

    print(as_markdown(run()))
