"""The server as a process: its port, its address, several writers at once, and a stop that loses nothing."""

import json
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection

import pytest

from made_collections import make_collection
from satchel import Collection
from satchel.errors import InputError
from satchel.server.running import bound_socket
from serving import BASE, listening


def post(address, path, body):
    request = urllib.request.Request(
        f"{address}{BASE}{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def test_marks_of_many_clients_at_once_are_all_kept_and_none_twice(tmp_path):
    make_collection(tmp_path, 200).close()
    with listening([tmp_path / "own.satchel"]) as address, ThreadPoolExecutor(16) as clients:

        def mark(number):
            body = {"id": f"d{number:03}", "value": ("relevant", "irrelevant")[number % 2], "query": "moon"}
            return [post(address, "/marks", body) for _ in range(1 + number % 3)]  # some are sent again

        list(clients.map(mark, range(200)))
    with Collection.open(tmp_path / "own.satchel") as collection:
        kept = collection.marks(query="moon")
        assert {mark.id: mark.value for mark in kept} == {
            f"d{number:03}": ("relevant", "irrelevant")[number % 2] for number in range(200)
        }
        assert [collection.undo() is not None for _ in range(201)] == [True] * 200 + [False]


def test_an_answer_does_not_wait_for_the_last_one_to_be_acknowledged(tmp_path):
    make_collection(tmp_path).close()
    with listening([tmp_path / "own.satchel"]) as address:
        connection, taken = HTTPConnection(address.removeprefix("http://")), []
        for _ in range(20):
            started = time.perf_counter()
            connection.request("GET", "/api/collections")
            connection.getresponse().read()
            taken.append(time.perf_counter() - started)
        connection.close()
    assert min(taken[5:]) < 0.03  # on a kept connection, held back until acknowledged, each takes 0.04 s and more


def test_searches_go_on_while_files_are_added(tmp_path):
    import httpx2

    make_collection(tmp_path).close()
    with listening([tmp_path / "own.satchel"]) as address:
        sent = httpx2.post(f"{address}{BASE}/upload", files={"files": ("rows.jsonl", _rows(5_000))}, timeout=60)
        job, while_running = sent.json()["job"], 0
        while httpx2.get(f"{address}/api/jobs/{job}").json()["state"] == "running":
            assert post(address, "/search", {"query": "rocket"})["hits"]
            while_running += 1
        assert while_running > 0
        assert httpx2.get(f"{address}/api/jobs/{job}").json()["report"]["added"] == 5_000
        assert post(address, "/search", {"query": "rocket", "k": 1})["total"] > 1_000


def _rows(n_rows):
    return "\n".join(
        json.dumps({"id": str(row), "text": f"rocket {row} of many days"}) for row in range(n_rows)
    ).encode()


def test_a_stop_finishes_the_change_that_was_begun(tmp_path):
    make_collection(tmp_path).close()
    kept: list[str] = []
    with listening([tmp_path / "own.satchel"]) as address:

        def mark_on_and_on():
            for number in range(40):
                try:
                    body = {"id": f"d{number:03}", "value": "relevant", "query": "q"}
                    kept.append(post(address, "/marks", body)["marks"][0]["id"])
                except (urllib.error.URLError, ConnectionError):
                    return

        writer = threading.Thread(target=mark_on_and_on)
        writer.start()
        while len(kept) < 5:
            time.sleep(0.005)
    writer.join()
    with Collection.open(tmp_path / "own.satchel") as collection:
        assert {mark.id for mark in collection.marks(query="q")} >= set(kept)
        assert collection.check() == []


def test_a_port_that_is_taken_gives_way_to_the_next_and_port_0_to_any():
    with bound_socket("127.0.0.1", 0) as first:
        first.listen()
        port = first.getsockname()[1]
        with bound_socket("127.0.0.1", port) as second:
            assert port < second.getsockname()[1] <= port + 50
        with pytest.raises(InputError, match=f"cannot listen at 127.0.0.1, port {port}"):
            bound_socket("127.0.0.1", port, exactly=True)


def test_an_address_that_is_not_of_this_machine_is_refused_in_a_sentence():
    with pytest.raises(InputError, match=r"cannot listen at 192\.0\.2\.1"):
        bound_socket("192.0.2.1", 0)


def _served(*arguments):
    command = [sys.executable, "-m", "satchel", "serve", *map(str, arguments), "--no-open", "--port", "0"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_the_command_prints_its_address_and_ends_with_0_at_ctrl_c(tmp_path):
    make_collection(tmp_path).close()
    with _served(tmp_path / "own.satchel") as process:
        address = re.search(r"http://\S+/", process.stdout.readline())[0]
        with urllib.request.urlopen(f"{address}api/health") as answer:
            assert json.load(answer)["status"] == "ok"
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert process.stderr.read() == ""


def test_another_address_gets_a_token_that_opens_the_page(tmp_path):
    make_collection(tmp_path).close()
    with _served(tmp_path / "own.satchel", "--host", "0.0.0.0") as process:
        address, token = re.search(r"(http://\S+/)\?token=(\S+)", process.stdout.readline()).groups()
        with pytest.raises(urllib.error.HTTPError, match="401"):
            urllib.request.urlopen(f"{address}api/collections")
        request = urllib.request.Request(f"{address}api/collections", headers={"Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(request) as answer:
            assert json.load(answer)[0]["n_documents"] == 40
        process.terminate()


def test_a_file_that_is_no_collection_is_refused_in_a_sentence(tmp_path):
    with _served(tmp_path / "none.satchel") as process:
        assert process.wait(60) == 2
        assert process.stderr.read().startswith("satchel: no collection at")


def test_serving_loads_neither_torch_nor_matplotlib(tmp_path):
    make_collection(tmp_path).close()
    code = f"""
import sys
from satchel.server import create_app
from starlette.testclient import TestClient
with TestClient(create_app([{str(tmp_path / "own.satchel")!r}]), base_url="http://localhost") as client:
    body = {{"query": "moon", "weights": {{"3": 0}}}}
    assert client.post("/api/collections/own/search", json=body).json()["hits"]
print([name for name in ("torch", "matplotlib", "gensim") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


def test_many_clients_at_once_get_what_the_library_finds(tmp_path):
    queries = ["moon", "bread oven", "rocket people", "quiet days", "cake", "orbit"]
    with make_collection(tmp_path, 200) as collection:
        expected = {query: [hit.id for hit in collection.search(query, 20)] for query in queries}
    with listening([tmp_path / "own.satchel"]) as address, ThreadPoolExecutor(16) as clients:

        def ids(number):  # another offset is another question: nothing is answered from memory
            query, offset = queries[number % len(queries)], number // len(queries)
            hits = post(address, "/search", {"query": query, "k": 20 - offset, "offset": offset})["hits"]
            return [hit["id"] for hit in hits] == expected[query][offset:]

        assert all(clients.map(ids, range(90)))
