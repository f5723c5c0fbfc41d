"""Whatever was acknowledged is there after a kill at any moment, and nothing is there by half."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from made_collections import make_collection
from satchel import Collection

N_KILLS = 20
KILLER = """
import json, os, signal, sys, time
sys.path.insert(0, sys.argv[2])
from made_collections import two_topics
from satchel import BagOfEmbeddedWords, Collection
from satchel.importing.types import Document

TEXTS = two_topics(100)

def change(collection, work, turn):
    if work == "add":
        collection.add(Document(f"{turn}-{n}", text.text, fields=text.fields) for n, text in enumerate(TEXTS))
        return f"added {turn}"
    if work == "mark":
        collection.mark("d001", ("relevant", "irrelevant")[turn % 2], query=f"q{turn}")
        return f"marked q{turn}"
    report = collection.train(encoder=BagOfEmbeddedWords(n_codewords=8 + turn % 3, random_state=turn))
    return f"trained {report.model}"

def write(path, work, first, stream):
    with Collection.open(path) as collection:
        for turn in range(first, first + 1000):
            stream.write(change(collection, work, turn) + "\\n")
            stream.flush()

for line in sys.stdin:
    work, first, n_changes, seconds = json.loads(line)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        write(sys.argv[1], work, first, os.fdopen(writing, "w"))
    os.close(writing)
    with os.fdopen(reading) as stream:
        said = [stream.readline() for _ in range(n_changes)]
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        said += [line for line in stream if line.endswith("\\n")]
    print(json.dumps([line.strip() for line in said]), flush=True)
"""


class Killer:
    """A process whose children change a collection and are killed: it has imported all they need."""

    def __init__(self, path: Path) -> None:
        arguments = [sys.executable, "-c", KILLER, str(path), str(Path(__file__).parents[1])]
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def killed_while(self, work: str, first: int, n_changes: int, seconds: float) -> list[str]:
        """What a writer acknowledged; it was killed so many seconds after so many changes."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([work, first, n_changes, seconds]) + "\n")
        self.process.stdin.flush()
        said: list[str] = json.loads(self.process.stdout.readline())
        return said


@pytest.mark.parametrize(("work", "longest"), [("add", 0.15), ("mark", 0.02), ("train", 0.3)])
def test_a_killed_writer_loses_nothing_that_it_acknowledged(tmp_path: Path, work: str, longest: float) -> None:
    make_collection(tmp_path, 60).close()
    path, moments = tmp_path / "own.satchel", random.Random(work)
    killer, acknowledged = Killer(path), set()
    for turn in range(N_KILLS):
        seconds = moments.uniform(0, longest)
        acknowledged |= set(killer.killed_while(work, 1000 * turn, moments.choice([0, 1, 2]), seconds))
        with Collection.open(path) as collection:
            assert collection.check() == []
            assert acknowledged <= changes_in(collection, work)
            assert collection.search("rocket").total > 0
    assert len(acknowledged) > N_KILLS / 2
    killer.process.communicate()


def changes_in(collection: Collection, work: str) -> set[str]:
    """All changes that are in the file; one that is there by half fails the test."""
    if work == "mark":
        return {f"marked {mark.query}" for mark in collection.marks()}
    if work == "train":
        return {f"trained {one.model}" for one in collection.info().trainings}
    sizes: dict[str, int] = {}
    for id_ in collection:
        if "-" in id_:
            sizes[id_.partition("-")[0]] = sizes.get(id_.partition("-")[0], 0) + 1
    assert set(sizes.values()) <= {100}
    return {f"added {turn}" for turn in sizes}


ANOTHER_PROGRAM = """
import sys
from satchel import Collection
with Collection.open(sys.argv[1]) as collection:
    collection.projects.save("theirs", "moon")
"""


def test_another_program_that_closes_the_file_leaves_its_journal_to_those_who_have_it_open(tmp_path: Path) -> None:
    make_collection(tmp_path).close()
    path = tmp_path / "own.satchel"
    with Collection.open(path) as first, Collection.open(path) as second:
        assert second.projects.values() == []
        subprocess.run([sys.executable, "-c", ANOTHER_PROGRAM, str(path)], check=True)
        first.mark("d001", "relevant", query="moon")
        with Collection.open(path) as third:
            assert [mark.id for mark in third.marks(query="moon")] == ["d001"]
        assert [mark.id for mark in second.marks(query="moon")] == ["d001"]
    with Collection.open(path) as again:
        assert [project.name for project in again.projects.values()] == ["theirs"]
        assert [mark.id for mark in again.marks(query="moon")] == ["d001"]
        assert again.check() == []
