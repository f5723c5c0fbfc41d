"""Many clients of a server at once, in a process of their own: `python -m benchmarks.server_load ADDRESS KIND …`."""

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from itertools import count
from typing import Any, NamedTuple

from benchmarks.synthetic import queries


class Load(NamedTuple):
    """What came of it: answers a second, errors, and seconds of the median and of the slowest hundredth."""

    per_second: float
    errors: int
    median: float
    p99: float


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
    turn, times, errors = threading.Lock(), list[float](), list[str]()

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
    return Load(rate, len(errors), ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)])


def searches(n_queries: int, seconds: float) -> Iterator[tuple[str, dict[str, Any]]]:
    """So many different queries in turn, for so long."""
    asked, end = queries(n_queries), time.monotonic() + seconds
    for number in count():
        if time.monotonic() > end:
            return
        yield "/search", {"query": asked[number % n_queries], "k": 20}


def marks(n_marks: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """A verdict on each of so many documents; every tenth is sent twice, as a client would that heard no answer."""
    for number in range(n_marks):
        body = {"id": f"d{number:07}", "value": ("relevant", "irrelevant")[number % 2], "query": "load"}
        yield from [("/marks", body)] * (2 if number % 10 == 0 else 1)


if __name__ == "__main__":
    address, collection, kind, clients, *numbers = sys.argv[1:]
    sent = searches(int(numbers[0]), float(numbers[1])) if kind == "search" else marks(int(numbers[0]))
    print(json.dumps(drive(address, collection, sent, int(clients))))
