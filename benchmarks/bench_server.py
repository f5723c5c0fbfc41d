"""The server: from a mark to the re-ranked list of real texts, and many clients at once from another process.

Peers: for a mark, the bare masked product of all vectors in numpy, which nothing that ranks can be faster than; for
searches, the library in one thread; for marks, an INSERT and a COMMIT of the same durability in a bare SQLite file.
"""

import json
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.real_text import documents, kind, many_queries
from benchmarks.server_load import Ask, Load, asking
from benchmarks.timing import Row, seconds
from satchel import Collection

N_FEATURES, N_MARKS, LOAD_SECONDS, N_CLIENTS = 64, 10_000, 60, 32
N_SAME, N_DIFFERENT = 50, 25_000
MOST_SECONDS = 600
"""For the process of the clients, whatever they are given to do."""
SECONDS_TO_STOP = 30


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder, threadpool_limits(1):
        path = Path(folder) / "large.satchel"
        with Collection.create(path) as collection:
            collection.add(documents())
        return measured(path)


def measured(path: Path, load_seconds: float = LOAD_SECONDS) -> list[Row]:
    """All rows, for a collection of these documents that is there; it has marks afterwards."""
    asked = many_queries(N_DIFFERENT)
    with Collection.open(path, read_only=True) as collection:
        alone = median(seconds(lambda q=query: collection.search(q, 20)) for query in asked[:: len(asked) // 100])  # type: ignore[misc]
    with serving(path) as address:
        rows = [row_of_a_mark(address, path.stem)]
        rows += [row_of_searches(address, path.stem, alone, some, load_seconds) for some in (asked, asked[:N_SAME])]
        rows.append(row_of_marks(address, path, load_seconds))
    return rows


@contextmanager
def serving(path: Path) -> Iterator[str]:
    """`satchel serve` in a process of its own, on this machine alone; host and port."""
    command = [sys.executable, "-m", "satchel", "serve", str(path), "--no-open", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://([^/]+)/", process.stdout.readline())
        assert found is not None
        try:
            yield found[1]
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(SECONDS_TO_STOP)
            except subprocess.TimeoutExpired:
                process.kill()


def row_of_a_mark(address: str, name: str) -> Row:
    """Beside the product that no ranking under a mask can do without."""
    random = np.random.default_rng(0)
    vectors = random.normal(size=(len(documents()), N_FEATURES)).astype(np.float32)
    squares, mask, query = vectors**2, np.ones(N_FEATURES, np.float32), vectors[0]

    def bare() -> None:
        cosines = (vectors @ (mask * query)) / np.sqrt(squares @ mask)
        np.argpartition(-cosines, 20)[:20]

    theirs, ours = median(seconds(bare) for _ in range(21)), seconds_to_re_rank(address, name, many_queries(22))
    name = f"server: from a mark to the re-ranked list, {len(documents()):,} {kind()}"
    return Row(name, ours, "bare masked product in numpy", theirs, ours / theirs, "target 0.05 s; over HTTP")


def seconds_to_re_rank(address: str, name: str, asked: Sequence[str]) -> float:
    """The median over these queries, but the first: one mark each, with the search that compares the new ranks with the
    old ones: one request, as the page sends it."""
    ask, taken = asking(address, name), list[float]()
    for text in asked:
        best = ask("/search", {"query": text, "k": 20})["hits"][:5][-1]["id"]
        taken.append(seconds(lambda text=text, best=best: _after_a_mark(ask, text, best)))  # type: ignore[misc]
    return median(taken[1:])


def _after_a_mark(ask: Ask, query: str, id_: str) -> None:
    search = {"query": query, "k": 20, "compare_with": {}}
    assert ask("/marks", {"id": id_, "value": "relevant", "query": query, "search": search})["found"]["hits"]


def load(address: str, name: str, what: str, n_clients: int, *rest: float | Path) -> Load:
    """The same from a second process."""
    command = [sys.executable, "-m", "benchmarks.server_load", address, name, what, str(n_clients), *map(str, rest)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=MOST_SECONDS)
    return Load(*json.loads(done.stdout))


def row_of_searches(address: str, name: str, alone: float, asked: Sequence[str], load_seconds: float) -> Row:
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(asked, file)
        file.flush()
        found = load(address, name, "search", N_CLIENTS, Path(file.name), load_seconds)
    is_repeated = found.per_second * load_seconds > len(asked)
    which = f"{len(asked)} queries again and again" if is_repeated else "all different"
    target = "target 200 a second, p99 0.4 s" if len(asked) == N_DIFFERENT else ""
    told = f"{found.per_second:.0f} a second, p99 {found.p99:.2f} s, {found.errors} errors in {load_seconds:g} s"
    title, per_search = f"server: a search of {N_CLIENTS} clients at once, {which}", 1 / found.per_second
    note = "; ".join(filter(None, (told, target)))
    return Row(title, per_search, "the library, one thread", alone, per_search / alone, note)


def row_of_marks(address: str, path: Path, load_seconds: float) -> Row:
    found = load(address, path.stem, "mark", 16, N_MARKS, load_seconds)
    with Collection.open(path, read_only=True) as collection:
        kept = {mark.id: mark.value for mark in collection.marks(query="load")}
    lost = found.different - len(kept)
    with sqlite3.connect(path) as connection:
        doubled = connection.execute("SELECT count(*) FROM marks WHERE query = 'load'").fetchone()[0] - len(kept)
    connection.close()
    with tempfile.TemporaryDirectory() as folder:
        bare = _bare_commit(Path(folder) / "bare.db")
    ours = 1 / found.per_second
    note = f"{found.different:,} marks: {lost} lost, {doubled} doubled, {found.errors} errors; p99 {found.p99:.2f} s"
    return Row("server: a mark of 16 clients at once", ours, "INSERT and COMMIT", bare, ours / bare, note)


def _bare_commit(path: Path) -> float:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (a TEXT);")
    taken = median(seconds(lambda: connection.execute("INSERT INTO t VALUES ('d0000000')")) for _ in range(200))
    connection.close()
    return taken


if __name__ == "__main__":
    from benchmarks.__main__ import as_markdown

    print(as_markdown(measured(Path(sys.argv[1]), float(sys.argv[2])) if len(sys.argv) > 2 else run()))
