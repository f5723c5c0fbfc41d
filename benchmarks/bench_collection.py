"""A collection of real texts beside what a user would put together: Tantivy with snippets, and a scan of the vectors.

All rows come from one run, one thread, engine after engine for each query. Milliseconds are CPU time, as other work on
the machine lengthens the clock; the clock is in the note. Other peers: bm25s, and SQLite's FTS5 for every tenth query.
"""

import tempfile
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.engines import Engine
from benchmarks.engines.bm25s import Bm25s
from benchmarks.engines.fts5 import Fts5
from benchmarks.engines.scan import Scan
from benchmarks.engines.tantivy import Tantivy
from benchmarks.importing import COLLECTION, TANTIVY, imported, write_lines
from benchmarks.opening import rows_of_opening
from benchmarks.real_text import documents, kind, queries
from benchmarks.timing import Row, Taken, in_turn, spread, together
from satchel import Collection
from satchel.search import Hits

N_QUERIES, N_WARM, K, SLOW_EVERY = 400, 5, 10, 10
N_MARKS = (2, 20)
"""Half of them relevant, half irrelevant."""
Search = Callable[[str], object]


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as name, threadpool_limits(1):
        folder = Path(name)
        rows = rows_of_importing(folder)
        rows += rows_of_opening(folder / COLLECTION, folder / TANTIVY, queries(1)[0], searched())
        return [*rows, *rows_of_searching(folder), row_of_memory(folder / COLLECTION)]


def searched() -> str:
    """How many documents are searched, and of what kind."""
    return f"{len(documents()):,} {kind()}"


def rows_of_importing(folder: Path) -> list[Row]:
    """CPU time on one core, the clock on two, and the file."""
    source, two = write_lines(documents(), folder / "source.jsonl"), folder / "two"
    two.mkdir()
    peers, ours = (imported(which, 1, source, folder) for which in ("peers", "ours"))
    on_two = imported("ours", 2, source, two)
    name, peer = f"import {searched()}", "Tantivy + TfidfVectorizer + TruncatedSVD(64)"
    return [
        Row(f"{name}, one core, CPU time", ours.cpu, peer, peers.cpu, ours.cpu / peers.cpu, f"target 2.5. {ours}"),
        Row(f"{name}, one core, on the clock", ours.wall, peer, peers.wall, ours.wall / peers.wall, f"peers: {peers}"),
        Row(f"{name}, two cores, on the clock", on_two.wall, "one core", ours.wall, on_two.wall / ours.wall,
            f"target 0.65. {on_two}"),
        row_of_size(folder),
    ]  # fmt: skip


def row_of_size(folder: Path) -> Row:
    with Collection.open(folder / COLLECTION, read_only=True) as collection:
        vectors = collection.vectors()[1].nbytes
    ours = ((folder / COLLECTION).stat().st_size - vectors) / len(documents())
    theirs = sum(file.stat().st_size for file in (folder / TANTIVY).iterdir()) / len(documents())
    size = sum(len(document.text.encode()) for document in documents()) / len(documents())
    note = f"the texts alone {size:,.0f} bytes a document"
    return Row("size of the file beside the vectors, a document", ours, "Tantivy", theirs, ours / theirs, note, "bytes")


class Compared(NamedTuple):
    """A row of searches: which of ours, beside which peers together; targets of the median and of the percentile."""

    ours: str
    peers: tuple[str, ...]
    target: str = ""
    target_p95: str = ""


SNIPPETS, PLAIN, SCAN = "Tantivy with snippets", "Tantivy", "exact scan in numpy"
BOTH, SLOW = "both, snippets and reasons", "by words, bare, every tenth query"
COMPARED = (
    Compared(BOTH, (SNIPPETS, SCAN), "target 2", "target 3"),
    Compared("both, bare", (PLAIN, SCAN)),
    Compared("by words, snippets and reasons", (SNIPPETS,), "target 2"),
    Compared("by words, bare", (PLAIN,)),
    Compared("by words, bare", ("bm25s",)),
    Compared("by meaning, bare", (SCAN,)),
    Compared(f"{BOTH}, 2 marks", (BOTH,), "target 2"),
    Compared(f"{BOTH}, 20 marks", (BOTH,)),
    Compared(f"{BOTH}, second page", (BOTH,)),
)


def rows_of_searching(folder: Path) -> list[Row]:
    """Each of our searches has a collection of its own, as a collection remembers what it was asked."""
    some = queries(N_QUERIES + N_WARM)
    asked, warm = some[:-N_WARM], some[-N_WARM:]
    with ExitStack() as stack:

        def opened() -> Collection:
            return stack.enter_context(Collection.open(folder / COLLECTION, read_only=True))

        slow: dict[str, Search] = {SLOW: partial(opened().search, k=K, mode="lexical", explained=False), **fts5(folder)}
        slow_times = in_turn(slow, asked[::SLOW_EVERY], warm)
        times = in_turn({**ours_of(opened, some), **engines(opened(), folder, some)}, asked, warm)
    rows = [row for compared in COMPARED for row in rows_of(compared, times)]
    return rows + rows_of(Compared(SLOW, ("FTS5",)), slow_times)


def ours_of(opened: Callable[[], Collection], asked: Sequence[str]) -> dict[str, Search]:
    """Our searches by name; those with marks mark some of the first 20 hits of a query."""
    first = opened()
    found = {query: [hit.id for hit in first.search(query, 20, explained=False)] for query in asked}

    def with_marks(collection: Collection, n_marks: int, query: str) -> Hits:
        ids = found[query]
        relevant, rest = ids[: n_marks // 2], ids[n_marks // 2 :][::-1]
        return collection.search(query, K, relevant=relevant, irrelevant=rest[: n_marks // 2])

    return {
        BOTH: partial(opened().search, k=K),
        "both, bare": partial(opened().search, k=K, explained=False),
        "by words, snippets and reasons": partial(opened().search, k=K, mode="lexical"),
        "by words, bare": partial(opened().search, k=K, mode="lexical", explained=False),
        "by meaning, bare": partial(opened().search, k=K, mode="semantic", explained=False),
        f"{BOTH}, second page": partial(opened().search, k=K, offset=K),
        **{f"{BOTH}, {n_marks} marks": partial(with_marks, opened(), n_marks) for n_marks in N_MARKS},
    }


def engines(collection: Collection, folder: Path, asked: Sequence[str]) -> dict[str, Search]:
    """The peers by name; a new one is a line here and a module in `engines`."""
    ids, vectors = collection.vectors()
    assert collection.model is not None
    encoded = np.asarray(collection.model.transform(list(asked)), np.float32)
    of = dict(zip(asked, encoded, strict=True))
    made: dict[str, Engine] = {
        PLAIN: Tantivy(folder / TANTIVY),
        SNIPPETS: Tantivy(folder / TANTIVY, has_snippets=True),
        SCAN: Scan(ids, vectors, of.__getitem__),
        "bm25s": Bm25s(documents()),
    }
    return {name: partial(engine.search, k=K) for name, engine in made.items()}


def fts5(folder: Path) -> dict[str, Search]:
    return {"FTS5": partial(Fts5(folder / "fts5.db", documents()).search, k=K)}


def rows_of(compared: Compared, times: Mapping[str, Sequence[Taken]]) -> list[Row]:
    """The median and the 95th percentile, in milliseconds of CPU time."""
    ours, theirs = spread(times[compared.ours]), spread(together(*(times[name] for name in compared.peers)))
    name, peer = f"search {searched()}: {compared.ours}", " + ".join(compared.peers)
    return [
        _row(f"{name}, median of {len(times[compared.ours])}", ours.median, peer, theirs.median, compared.target),
        _row(f"{name}, 95th percentile", ours.p95, peer, theirs.p95, compared.target_p95),
    ]


def _row(name: str, ours: Taken, peer: str, theirs: Taken, target: str) -> Row:
    clock = f"on the clock {1000 * ours.wall:.2f} and {1000 * theirs.wall:.2f} ms"
    note = "; ".join(filter(None, (target, clock)))
    return Row(name, 1000 * ours.cpu, peer, 1000 * theirs.cpu, ours.cpu / theirs.cpu, note, "ms")


def row_of_memory(path: Path) -> Row:
    """What an open collection holds after a first query, for each document."""
    tracemalloc.start()
    with Collection.open(path, read_only=True) as collection:
        collection.search(queries(1)[0])
        held = tracemalloc.get_traced_memory()[0] / len(documents())
        tracemalloc.stop()
        bare = collection.vectors()[1].nbytes / len(documents())
    name, note = f"memory for each of {searched()}", "the model's share is in it"
    return Row(name, held, "float32 vectors", bare, held / bare, note, "bytes")


if __name__ == "__main__":
    from benchmarks.__main__ import as_markdown

    print(as_markdown(run()))
