"""Counts the way that a request goes through the code: `python -m benchmarks.walk`, with `--json` as one JSON object.

Each piece of work is done once to warm up and then once more, with other words, under `sys.setprofile` in all threads.

functions    distinct functions and methods of satchel that were entered; comprehensions belong to the function around
             them, and generated methods (of dataclasses and named tuples) are left out
calls        how often they were entered; a generator that goes on is not entered again
modules      distinct modules of satchel that these functions stand in
returns      calls from one module of satchel to another one that had been visited before
first_returns  the same in the list of functions by their first call: how often a reader turns back to an earlier module
statements   SQL statements that SQLite ran on any connection, BEGIN and COMMIT among them, each row of an
             `executemany` for itself; those that FTS5 runs within another one are left out
analyses     how often the text of the query, or more than one of its words in one string, is split into words or groups
             of letters: calls of a function in `walker.SPLITTERS` within which no other was called, and MATCH in SQL
word_analyses  the same for single words of the query: spelling, stems, tokens
resolutions  SQL statements that carry the id of a marked document
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

import satchel
from benchmarks.walker import Walked, Walker

SEARCH_PATH = "/api/collections/{name}/search"
N_DOCUMENTS, N_ADDED = 60, 10
TOPICS = {
    "space": "rocket orbit planet moon engine launch satellite astronaut telescope comet",
    "kitchen": "oven bread flour butter sugar recipe stove dough cake spoon",
}
COMMON = "people often think about many small things during long quiet days"
WARM, MARKED = "launch of a comet", ("d000", "d001")
QUERIES = {
    "search": "rocket engines in orbit",
    "search_with_marks": "a satellite near the moon",
    "http": "flour from the oven",
}
"""None asks for a word that an earlier one has looked up, or its marks: what is kept for a word is not read again."""


def documents(n: int, start: int = 0) -> list[dict[str, str]]:
    """Rows of documents d000, d001 …: about space and about the kitchen in turn."""
    random, made = Random(start), []
    for number in range(start, start + n):
        topic = list(TOPICS)[number % 2]
        text = " ".join([*random.choices(TOPICS[topic].split(), k=8), *random.choices(COMMON.split(), k=8)])
        made.append({"id": f"d{number:03}", "title": f"Note {number}", "text": text, "topic": topic})
    return made


def write_rows(path: Path, rows: Sequence[dict[str, str]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def walk_collection(walker: Walker, folder: Path) -> dict[str, Walked]:
    """A first add teaches the collection its model; what is counted is a second one, of ten documents."""
    first = write_rows(folder / "first.jsonl", documents(N_DOCUMENTS))
    second = write_rows(folder / "second.jsonl", documents(N_ADDED, N_DOCUMENTS))
    relevant, irrelevant = MARKED
    with satchel.Collection.create(folder / "toy.satchel") as collection:
        collection.add(first)
        found = {"add": walker.walk(lambda: collection.add(second))}
        collection.search(WARM)
        query, other = QUERIES["search"], QUERIES["search_with_marks"]
        found["search"] = walker.walk(lambda: collection.search(query), query)
        marks = {"relevant": [relevant], "irrelevant": [irrelevant]}
        collection.search(WARM, **marks)
        found["search_with_marks"] = walker.walk(lambda: collection.search(other, **marks), other, MARKED)
    return found


def walk_http(walker: Walker, folder: Path) -> Walked:
    """A search asked of the server in this process, counted in all its threads."""
    from starlette.testclient import TestClient

    from satchel.server import create_app

    path, asked = SEARCH_PATH.format(name="toy"), QUERIES["http"]

    def ask(query: str) -> None:
        answer = client.post(path, json={"query": query})
        if answer.status_code != 200 or not answer.json()["hits"]:
            raise RuntimeError(f"POST {path} was answered {answer.status_code}: {answer.text[:200]}")

    with TestClient(create_app([folder / "toy.satchel"]), base_url="http://localhost") as client:
        for query in (WARM, WARM.split()[-1]):
            ask(query)
        return walker.walk(lambda: ask(asked), asked)


def walk_fit(walker: Walker) -> Walked:
    """Texts with labels, without word vectors of others and without torch."""
    rows = documents(N_DOCUMENTS)
    texts, labels = [row["text"] for row in rows], [row["topic"] for row in rows]

    def fit() -> object:
        return satchel.BagOfEmbeddedWords(n_codewords=4, random_state=0).set_params(recipe__dim=4).fit(texts, labels)

    fit()
    return walker.walk(fit)


TABLE = """
title = "A toy table"
source = "Nowhere Table 1"
dataset = "r8"
protocol = "label-retrieval"
judged_by = "mAP (11-point)"
[[methods]]
method = "LSI"
encoder = "Lsi"
parameters = { n_components = 2 }
seeds = [0, 1]
distances = ["cosine"]
"""


def walk_reproduce(walker: Walker, folder: Path) -> Walked:
    """A table of one method with two seeds, on toy texts that lie where those of a known set would."""
    from satchel.experiments import read_experiment, run_experiment

    (folder / "r8").mkdir()
    for split, start in (("train", 0), ("test", N_DOCUMENTS)):
        lines = [f"{row['topic']}\t{row['text']}\n" for row in documents(N_DOCUMENTS // 2, start)]
        (folder / "r8" / f"{split}.tsv").write_text("".join(lines), encoding="utf-8")
    path = folder / "toy.toml"
    path.write_text(TABLE, encoding="utf-8")

    def reproduce() -> object:
        return run_experiment(read_experiment(str(path)))

    with in_environment("SATCHEL_DATA", str(folder)):
        reproduce()
        return walker.walk(reproduce)


@contextmanager
def in_environment(name: str, value: str) -> Iterator[None]:
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def walk_all() -> dict[str, Walked]:
    walker = Walker()
    with tempfile.TemporaryDirectory() as name, walker.installed():
        folder = Path(name)
        found = walk_collection(walker, folder)
        return found | {
            "http": walk_http(walker, folder),
            "fit": walk_fit(walker),
            "reproduce": walk_reproduce(walker, folder),
        }


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.walk", description="Count the way of a request.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given, found = parser.parse_args(arguments), walk_all()
    if given.json:
        print(json.dumps({name: walked._asdict() for name, walked in found.items()}, indent=2))
        return
    print(f"{'':18}" + "".join(f"{field:>15}" for field in Walked._fields))
    for name, walked in found.items():
        print(f"{name:18}" + "".join(f"{number:15,}" for number in walked))


if __name__ == "__main__":
    main(sys.argv[1:])
