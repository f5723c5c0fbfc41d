"""A million documents of 100 words, added and searched: `python -m benchmarks.million`; time, memory and size."""

import argparse
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks.__main__ import machine
from benchmarks.bench_server import seconds_to_re_rank, serving
from benchmarks.importing import COLLECTION, imported, write_lines
from benchmarks.synthetic import documents, queries
from benchmarks.timing import in_turn, seconds, spread
from satchel import Collection
from satchel.collection import Mode

N_QUERIES, N_WARM = 50, 3
MODES: tuple[Mode, ...] = ("lexical", "semantic", "both")
TARGET = Path(__file__).parent / "million.md"
Told = tuple[str, str, str]
"""What was measured, its value, and the target."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.million", description=__doc__)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, help="where the collection lies meanwhile")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder, threadpool_limits(1):
        rows = measure(Path(folder), given.documents)
    head = machine().partition(" Medians")[0]
    table = ["| what | value | target |", "| --- | ---: | ---: |", *(f"| {' | '.join(row)} |" for row in rows)]
    text = "\n".join([head, "", *table, ""])
    print(text)
    if given.documents == 1_000_000:
        TARGET.write_text(text, encoding="utf-8")


def measure(folder: Path, n_documents: int) -> list[Told]:
    source = write_lines(documents(n_documents), folder / "source.jsonl")
    adding = imported("ours", 2, source, folder)
    path, first_query = folder / COLLECTION, queries(1)[0]
    first = seconds(lambda: open_and_ask(path, first_query))
    collections = {mode: Collection.open(path, read_only=True) for mode in MODES}
    vectors = collections["both"].vectors()[1].nbytes
    works: dict[str, Callable[[str], object]] = {
        mode: partial(collection.search, mode=mode) for mode, collection in collections.items()
    }
    some = queries(N_QUERIES + N_WARM)
    times = in_turn(works, some[:-N_WARM], some[-N_WARM:])
    for collection in collections.values():
        collection.close()
    with serving(path) as address:
        marked = seconds_to_re_rank(address, path.stem, queries(22))
    searches = [(mode, spread(times[mode]).median) for mode in MODES]
    beside = (path.stat().st_size - vectors) / n_documents
    return [
        ("documents of 100 words", f"{n_documents:,}", ""),
        ("adding on two cores, on the clock", f"{adding.wall:,.0f} s", "100 s"),
        ("adding, CPU time of all processes", f"{adding.cpu:,.0f} s", ""),
        *((f"adding: {part.name}, CPU time", f"{part.cpu:,.0f} s", "") for part in adding.parts),
        ("most memory while adding, beside the vectors", f"{adding.gigabytes - vectors / 1e9:.1f} GB", "1 GB"),
        ("the vectors", f"{vectors / 1e9:.2f} GB", ""),
        ("the file beside the vectors, a document", f"{beside / 1e3:.2f} KB", "1.3 KB"),
        ("opening and a first query", f"{first:.2f} s", ""),
        *((f"a query, {mode}, median CPU time", f"{1000 * one.cpu:.0f} ms", "20 ms") for mode, one in searches),
        ("from a mark to the re-ranked list, over HTTP, median", f"{1000 * marked:.0f} ms", "50 ms"),
    ]


def open_and_ask(path: Path, query: str) -> None:
    with Collection.open(path, read_only=True) as collection:
        collection.search(query)


if __name__ == "__main__":
    main()
