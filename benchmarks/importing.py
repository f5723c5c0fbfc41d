"""Imports a file of JSON lines in a process of its own: `python -m benchmarks.importing ours|peers CORES FILE FOLDER`.

Prints CPU seconds of the process and its children, seconds on the clock, both for each part, and the most memory.
"""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from threadpoolctl import threadpool_limits

from benchmarks.engines.tantivy import Tantivy
from satchel import Collection
from satchel.importing import Document

N_FEATURES = 64
COLLECTION, TANTIVY = "ours.satchel", "tantivy"
MOST_SECONDS = 3_600


class Part(NamedTuple):
    name: str
    cpu: float
    wall: float


class Imported(NamedTuple):
    """Seconds in all and by part; gigabytes: the most memory of the process and of its largest child."""

    cpu: float
    wall: float
    gigabytes: float
    parts: list[Part]

    def __str__(self) -> str:
        told = ", ".join(f"{part.name} {part.cpu:.1f}" for part in self.parts)
        return f"CPU seconds: {told}; on the clock {self.wall:.0f} s; {self.gigabytes:.1f} GB"


def imported(which: str, n_cores: int, source: Path, folder: Path) -> Imported:
    """Runs this module; one thread for each product of matrices."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "benchmarks.importing", which, str(n_cores), str(source), str(folder)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment, timeout=MOST_SECONDS)
    cpu, wall, gigabytes, parts = json.loads(done.stdout)
    return Imported(cpu, wall, gigabytes, [Part(*part) for part in parts])


class Parts:
    """A clock for work in parts; also the `Progress` of a collection, whose stages are the parts."""

    def __init__(self, first: str) -> None:
        self._name, self._start = first, _now()
        self._taken: dict[str, tuple[float, float]] = {}

    def __call__(self, stage: str, _done: int = 0, _total: int = 0) -> None:
        if stage == self._name:
            return
        cpu, wall = _now()
        before = self._taken.get(self._name, (0.0, 0.0))
        self._taken[self._name] = before[0] + cpu - self._start[0], before[1] + wall - self._start[1]
        self._name, self._start = stage, (cpu, wall)

    def all(self) -> list[Part]:
        self("")
        return [Part(name, cpu, wall) for name, (cpu, wall) in self._taken.items()]


def _now() -> tuple[float, float]:
    """CPU seconds of this process and of its children that have ended, and the clock."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system, perf_counter()


def ours(source: Path, folder: Path, parts: Parts) -> None:
    with Collection.create(folder / COLLECTION) as collection:
        collection.add(source, on_progress=parts)


def peers(source: Path, folder: Path, parts: Parts) -> None:
    """What a user would put together: words into Tantivy, and vectors from scikit-learn."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    documents = list(read(source))
    parts("Tantivy")
    Tantivy.build(folder / TANTIVY, documents)
    parts("TfidfVectorizer")
    counts = TfidfVectorizer().fit_transform(f"{document.title}\n{document.text}" for document in documents)
    parts(f"TruncatedSVD({N_FEATURES})")
    TruncatedSVD(N_FEATURES, random_state=0).fit_transform(counts)


def write_lines(documents: Iterable[Document], target: Path) -> Path:
    with target.open("w", encoding="utf-8") as lines:
        for one in documents:
            row = {"id": one.id, "title": one.title, "text": one.text, **one.fields}
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")
    return target


def read(source: Path) -> Iterator[Document]:
    with source.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield Document(row["id"], row["text"], row["title"])


def main(which: str, n_cores: str, source: str, folder: str) -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: int(n_cores)])
    parts, work = Parts("reading"), {"ours": ours, "peers": peers}[which]
    cpu, wall = _now()
    with threadpool_limits(1):
        work(Path(source), Path(folder), parts)
    own, (cpu_end, wall_end) = parts.all(), _now()
    kilobytes = sum(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(json.dumps(Imported(cpu_end - cpu, wall_end - wall, kilobytes * 1024 / 1e9, own)))


if __name__ == "__main__":
    main(*sys.argv[1:])
