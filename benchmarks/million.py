"""A million documents of 100 words, added and searched: `python -m benchmarks.million`; time, memory and size."""

import argparse
import resource
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from threadpoolctl import threadpool_limits

from benchmarks.__main__ import machine
from benchmarks.bench_server import seconds_to_re_rank, serving
from benchmarks.synthetic import documents, queries
from benchmarks.timing import seconds
from satchel import Collection
from satchel.collection import Mode

N_QUERIES = 50
TARGET = Path(__file__).parent / "million.md"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.million", description=__doc__)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, help="where the collection lies meanwhile")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder, threadpool_limits(1):
        rows = measure(Path(folder) / "large.satchel", given.documents)
    head = machine().partition(" Medians")[0]
    table = ["| what | value |", "| --- | ---: |", *(f"| {name} | {value} |" for name, value in rows)]
    text = "\n".join([head, "", *table, ""])
    print(text)
    if given.documents == 1_000_000:
        TARGET.write_text(text, encoding="utf-8")


def measure(path: Path, n_documents: int) -> list[tuple[str, str]]:
    adding = seconds(lambda: add(path, n_documents))
    most = gigabytes()
    collection = Collection.open(path, read_only=True)
    asked = queries(N_QUERIES)
    first = seconds(lambda: collection.search(asked[0]))
    times: dict[Mode, list[float]] = {"lexical": [], "semantic": [], "both": []}
    for query in asked:
        for mode, found in times.items():
            start = perf_counter()
            collection.search(query, mode=mode)
            found.append(perf_counter() - start)
    collection.close()
    with serving(path) as address:
        marked = seconds_to_re_rank(address, path.stem)
    return [
        ("documents of 100 words", f"{n_documents:,}"),
        ("adding: store, index, learn, encode", f"{adding:,.0f} s"),
        ("most memory while adding", f"{most:.1f} GB"),
        ("size of the file", f"{path.stat().st_size / 1e9:.2f} GB"),
        ("opening and a first query", f"{first:.2f} s"),
        *((f"a query, {mode}, median", f"{1000 * median(found):.0f} ms") for mode, found in times.items()),
        ("from a mark to the re-ranked list, over HTTP, median", f"{1000 * marked:.0f} ms"),
    ]


def add(path: Path, n_documents: int) -> None:
    with Collection.create(path) as collection:
        collection.add(documents(n_documents))


def gigabytes() -> float:
    """The most memory that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9


if __name__ == "__main__":
    main()
