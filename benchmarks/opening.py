"""The first answer of a new process: opening the file and searching once, by the library and from the shell."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median

from benchmarks.timing import Row, seconds

OURS = """
import sys
from satchel import Collection
with Collection.open(sys.argv[1], read_only=True) as collection:
    assert collection.search(sys.argv[2])
"""
TANTIVY = """
import sys, tantivy
index = tantivy.Index.open(sys.argv[1])
assert index.searcher().search(index.parse_query(sys.argv[2], ["title", "text"]), 10).hits
"""
REPEAT, MOST_SECONDS = 7, 120


def rows_of_opening(collection: Path, tantivy: Path, query: str, kind: str) -> list[Row]:
    """Medians on the clock, the three in turns, after one run of each to warm up."""
    works: dict[str, Callable[[], object]] = {
        "library": lambda: _run("-c", OURS, str(collection), query),
        "shell": lambda: _run("-m", "satchel", "search", str(collection), query),
        "peer": lambda: _run("-c", TANTIVY, str(tantivy), query),
    }
    for work in works.values():
        work()
    turns = [{name: seconds(work) for name, work in works.items()} for _ in range(REPEAT)]
    times = {name: [turn[name] for turn in turns] for name in works}
    library, shell, peer = (median(times[name]) for name in works)
    title, engine = f"a new process opens {kind} and answers", "Tantivy in a new process"
    note = "target {} s; on the clock, fastest {:.2f} s"
    return [
        Row(f"{title}, library", library, engine, peer, library / peer, note.format(0.35, min(times["library"]))),
        Row(f"{title}, satchel search", shell, engine, peer, shell / peer, note.format(0.5, min(times["shell"]))),
    ]


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, timeout=MOST_SECONDS)
