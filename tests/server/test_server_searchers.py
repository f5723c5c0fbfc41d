"""Searches in other processes: the same answers and errors, wherever they are found, and no process left behind."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from made_collections import make_collection
from satchel import Collection
from satchel.server.answers import RefusedError
from satchel.server.bodies import Search
from satchel.server.searchers import Searchers, searched

BODY = '{"query":"moon rocket","k":5,"filters":{"id":{"from":"d000","to":"d020"}},"mode":"both"}'


@pytest.fixture
def path(tmp_path):
    make_collection(tmp_path, 40).close()
    return tmp_path / "own.satchel"


def without_seconds(answer: bytes) -> dict:
    return {name: value for name, value in json.loads(answer).items() if name != "seconds"}


def run(asked: Coroutine) -> list:
    """In a thread of its own: the browser of other tests has a loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, asked).result()


async def ready(searchers: Searchers, path: Path) -> None:
    """Two searches at once start the processes; then they are waited for."""
    await asyncio.gather(*(searchers.search(path, BODY, _slowly) for _ in range(2)))
    while not searchers.are_ready:
        await asyncio.sleep(0.02)


async def _slowly() -> bytes:
    await asyncio.sleep(0.05)
    return b"here"


def in_processes(path: Path, bodies: list[str], n_processes: int = 1) -> tuple[list, Searchers]:
    """What several searches at once give, once the processes are ready."""
    searchers = Searchers(n_processes)

    async def ask() -> list:
        await ready(searchers, path)
        asked = (searchers.search(path, body, _slowly) for body in bodies)
        return await asyncio.gather(*asked, return_exceptions=True)

    try:
        return run(ask()), searchers
    finally:
        searchers.close()


def test_of_searches_that_come_at_once_some_are_answered_elsewhere_and_alike(path):
    found, _ = in_processes(path, [BODY] * 6)
    elsewhere = [answer for answer in found if answer != b"here"]
    assert 0 < len(elsewhere) < 6
    with Collection.open(path, read_only=True) as collection:
        expected = without_seconds(searched(collection, Search.model_validate_json(BODY)))
    assert [without_seconds(answer) for answer in elsewhere] == [expected] * len(elsewhere)
    assert 0 < len(expected["hits"]) <= 5


def test_an_error_comes_back_with_its_status_and_its_sentence(path):
    found, _ = in_processes(path, [BODY, '{"query":"moon","like":["nobody"]}', '{"project":"none"}'], 2)
    errors = [answer for answer in found if isinstance(answer, RefusedError)]
    assert [(error.status, str(error)) for error in errors] == [
        (404, f"`like`: there is no document 'nobody' in {path}; give the id of a hit"),
        (404, f"there is no project 'none' in {path}, which has no projects; save one first"),
    ]


def test_searches_that_come_one_by_one_start_no_process(path):
    searchers = Searchers(1)

    async def one_by_one() -> list[bytes]:
        return [await searchers.search(path, BODY, _slowly) for _ in range(3)]

    assert run(one_by_one()) == [b"here"] * 3
    assert searchers._pool is None


def test_when_a_process_dies_searches_go_on_here(path):
    searchers = Searchers(1)

    async def die_and_ask() -> list:
        await ready(searchers, path)
        for one in list(searchers._pool._processes.values()):
            one.kill()
        return await asyncio.gather(*(searchers.search(path, BODY, _slowly) for _ in range(6)))

    try:
        assert set(run(die_and_ask())) == {b"here"}
    finally:
        searchers.close()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads processes from /proc")
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_no_process_outlives_the_server(path, end):
    command = [sys.executable, "-m", "satchel", "serve", str(path), "--no-open", "--port", "0", "--processes", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        address = re.search(r"http://\S+/", server.stdout.readline())[0]
        helpers = _helpers_of(server.pid, address)
        server.send_signal(end)
    deadline = time.monotonic() + 20
    while any(_lives(helper) for helper in helpers):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _helpers_of(server: int, address: str) -> set[int]:
    """Asks for many things at once until the server has started processes; their numbers."""

    def ask(number: int) -> None:
        body = json.dumps({"query": f"moon {number}"}).encode()
        head = {"Content-Type": "application/json"}
        urllib.request.urlopen(
            urllib.request.Request(f"{address}api/collections/own/search", body, head), timeout=60
        ).read()

    deadline, numbers = time.monotonic() + 60, iter(range(1_000_000))
    with ThreadPoolExecutor(8) as clients:
        while not (children := _children(server)):
            assert time.monotonic() < deadline
            list(clients.map(ask, [next(numbers) for _ in range(16)]))
    return children


def _children(parent: int) -> set[int]:
    found = set()
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            number, _, rest = entry.read_text().partition(" (")
            if int(rest.rpartition(")")[2].split()[1]) == parent:
                found.add(int(number))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    return state != "Z"
