"""Many clients of a server at once, in a process of their own.

`python -m benchmarks.server_load ADDRESS COLLECTION search CLIENTS FILE SECONDS`, with queries in a JSON file, or
`… mark CLIENTS NUMBER SECONDS`.
"""

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from http.client import HTTPConnection
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple


class Load(NamedTuple):
    """What came of it: answers a second, errors, and seconds of the median and of the slowest hundredth.

    different: requests that were answered, each counted once however often it was sent.
    """

    per_second: float
    errors: int
    median: float
    p99: float
    different: int


Ask = Callable[[str, dict[str, Any]], dict[str, Any]]


def asking(address: str, collection: str) -> Ask:
    """A connection that is kept; an answer other than 200 is an error."""
    connection = HTTPConnection(address, timeout=60)

    def ask(path: str, body: dict[str, Any]) -> dict[str, Any]:
        head = {"Content-Type": "application/json"}
        connection.request("POST", f"/api/collections/{collection}{path}", json.dumps(body), head)
        answer = connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{answer.status}: {content[:200]!r}")
        told: dict[str, Any] = json.loads(content)
        return told

    return ask


def drive(address: str, collection: str, bodies: Iterator[tuple[str, dict[str, Any]]], n_clients: int) -> Load:
    """Sends all requests from so many clients, each waiting for its answer."""
    turn, times, errors, answered = threading.Lock(), list[float](), list[str](), set[str]()

    def work() -> None:
        ask = asking(address, collection)
        while True:
            with turn:
                item = next(bodies, None)
            if item is None:
                return
            started = time.perf_counter()
            try:
                ask(*item)
                times.append(time.perf_counter() - started)
                answered.add(json.dumps(item))
            except Exception as error:
                errors.append(repr(error))
                ask = asking(address, collection)

    started = time.perf_counter()
    clients = [threading.Thread(target=work) for _ in range(n_clients)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    ordered = sorted(times) or [float("nan")]
    rate = len(times) / (time.perf_counter() - started)
    return Load(rate, len(errors), ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)], len(answered))


def searches(asked: Sequence[str], seconds: float) -> Iterator[tuple[str, dict[str, Any]]]:
    """These queries in turn, for so long; from the first one again when all have been asked."""
    end = time.monotonic() + seconds
    for query in cycle(asked):
        if time.monotonic() > end:
            return
        yield "/search", {"query": query, "k": 20}


def marks(n_marks: int, seconds: float) -> Iterator[tuple[str, dict[str, Any]]]:
    """A verdict on each of so many documents while there is time; every tenth is sent twice, as a client would that
    heard no answer."""
    end = time.monotonic() + seconds
    for number in range(n_marks):
        if time.monotonic() > end:
            return
        body = {"id": f"d{number:07}", "value": ("relevant", "irrelevant")[number % 2], "query": "load"}
        yield from [("/marks", body)] * (2 if number % 10 == 0 else 1)


if __name__ == "__main__":
    address, collection, kind, clients, *rest = sys.argv[1:]
    if kind == "search":
        sent = searches(json.loads(Path(rest[0]).read_text(encoding="utf-8")), float(rest[1]))
    else:
        sent = marks(int(rest[0]), float(rest[1]))
    print(json.dumps(drive(address, collection, sent, int(clients))))
