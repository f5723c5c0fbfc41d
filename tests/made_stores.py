"""Stores for tests: filled, changed and searched without a collection around them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeAlias

import numpy as np

from satchel.importing.types import Fields
from satchel.store import MemoryStore, Prepared, Scored, SqliteStore, Store
from satchel.store.rows import checksum_of
from satchel.types import FloatArray

MakeStore: TypeAlias = Callable[[], Store]
N_FEATURES = 3


def sqlite_store(path: Path) -> SqliteStore:
    """An empty store in a new file, open."""
    SqliteStore.create(path, lambda _: None)
    return SqliteStore.open(path)


def makers(folder: Path) -> dict[str, MakeStore]:
    """By name, what makes another empty store of each kind."""

    def in_file() -> Store:
        return sqlite_store(folder / f"store{len(list(folder.glob('store*.satchel')))}.satchel")

    return {"sqlite": in_file, "memory": MemoryStore}


def prepared(
    id_: str, text: str = "", title: str = "", fields: Fields | None = None, source: str = "", number: int = 0
) -> Prepared:
    written = json.dumps(fields or {}, ensure_ascii=False)
    return Prepared(number, id_, title, text, written, source, checksum_of(id_, title, text, written))


def vector_of(text: str) -> FloatArray:
    """A direction of its own for each text, (N_FEATURES,): the same every time."""
    drawn = np.random.default_rng(sum(text.encode()) + len(text)).normal(size=N_FEATURES)
    return drawn.astype(np.float32)


def put(store: Store, *documents: Prepared) -> None:
    """One transaction: new documents are added, those whose ids are there are replaced, all with vectors."""
    with store.writing():
        known = store.known(one.id for one in documents)
        change = store.next_change()
        store.put([one._replace(number=known[one.id].number if one.id in known else 0) for one in documents], change)
        store.write_note("model", 1)
        now = store.known(one.id for one in documents)
        numbers = [now[one.id].number for one in documents]
        store.write_vectors(numbers, np.array([vector_of(one.text) for one in documents]).reshape(-1, N_FEATURES))
        texts = {number: one.text for number, one in zip(numbers, documents, strict=True)}
        cuts = {number: rows[:, 2:].tolist() for number, rows in store.windows(numbers).items()}
        store.write_passage_vectors(
            {number: np.array([vector_of(texts[number][a:b]) for a, b in own]) for number, own in cuts.items()}
        )


def remove(store: Store, *ids: str) -> int:
    with store.writing():
        store.next_change()
        return store.remove(ids)


def ids_of(store: Store, numbers: Iterable[int]) -> list[str]:
    return [one.id for one in store.documents([int(number) for number in numbers], 0)]


def by_id(store: Store, found: Scored) -> dict[str, float]:
    """The documents that were found: id -> score."""
    return dict(zip(ids_of(store, found.numbers), found.scores.tolist(), strict=True))
