"""Exports over HTTP: everything, of one moment, sent while it is read, and nothing left open."""

import json
import re
import threading
import time
from urllib.parse import quote, unquote

import httpx2
import pytest
from starlette.testclient import TestClient

from made_collections import make_collection, two_topics
from satchel import Collection
from satchel.collection import Document
from satchel.server import create_app, shelf
from satchel.server.routes import export as routes_export
from serving import BASE, listening, serving

N_DOCUMENTS = 130


@pytest.fixture
def client(tmp_path):
    with serving(tmp_path, n_documents=N_DOCUMENTS) as client:
        yield client


@pytest.fixture
def opened(monkeypatch):
    """The connections that exports have asked for."""
    made, another = list[Collection](), Collection.another

    def noted(self):
        made.append(another(self))
        return made[-1]

    monkeypatch.setattr(Collection, "another", noted)
    return made


def are_closed(connections):
    return [connection._store.is_open for connection in connections] == [False] * len(connections) != []


def ids_of(answer):
    assert answer.status_code == 200, answer.text
    return [json.loads(line)["id"] for line in answer.text.splitlines()]


def export(client, **body):
    return client.post(f"{BASE}/export", json={"form": "jsonl"} | body)


def test_hits_without_a_search_are_all_documents(client):
    every = [document.id for document in two_topics(N_DOCUMENTS)]
    assert ids_of(export(client, what="hits")) == every
    assert ids_of(export(client, what="documents")) == every


def test_hits_of_an_project_are_all_that_it_finds(client, tmp_path):
    with Collection.open(tmp_path / "own.satchel") as library:
        library.projects.save("orbits", "moon", filters={"topic": "space"})
        wanted = [hit.id for hit in library.search(k=N_DOCUMENTS, project="orbits")]
        three = [hit.id for hit in library.search("rocket", 3, project="orbits")]
    assert ids_of(export(client, what="hits", project="orbits")) == wanted
    assert len(wanted) > 20  # more than a page
    assert ids_of(export(client, what="hits", project="orbits", search={"query": "rocket", "k": 3})) == three


def test_hits_of_a_search_are_its_page(client, tmp_path):
    with Collection.open(tmp_path / "own.satchel") as library:
        wanted = [hit.id for hit in library.search("moon", 7, offset=2)]
    assert ids_of(export(client, what="hits", search={"query": "moon", "k": 7, "offset": 2})) == wanted


@pytest.mark.parametrize("what", ["documents", "hits"])
def test_what_is_added_while_an_export_is_read_does_not_appear(client, tmp_path, monkeypatch, opened, what):
    before = export(client, what=what).text
    opened.clear()
    monkeypatch.setattr(routes_export, "_LINES_AT_ONCE", 10)
    monkeypatch.setattr("satchel.collection.export._AT_ONCE", 10)
    some, added = routes_export._Lines.some, []

    async def add_after_the_first(self):
        lines = await some(self)
        if not added:
            with Collection.open(tmp_path / "own.satchel") as library:
                library.add([Document("zzz", "The moon came late.")])
                library.remove(["d120"])
                added.append(len(library))
        return lines

    monkeypatch.setattr(routes_export._Lines, "some", add_after_the_first)
    assert export(client, what=what).text == before
    assert len(before.splitlines()) == N_DOCUMENTS
    assert added == [N_DOCUMENTS]
    assert are_closed(opened)
    after = ids_of(export(client, what=what))
    assert ("zzz" in after, "d120" in after) == (True, False)


def test_an_export_leaves_no_thread_and_no_connection(client, opened):
    before = threading.active_count()
    for what in ("documents", "hits", "marks"):
        assert export(client, what=what).status_code == 200
    assert len(opened) == 3
    assert are_closed(opened)
    assert threading.active_count() <= before + 1


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"what": "marks", "project": "gone"}, 404),
        ({"what": "hits", "project": "gone"}, 404),
        ({"what": "hits", "search": {"like": ["gone"]}}, 404),
        ({"what": "hits", "search": {"query": "moon", "area": [0, 0, 1, 1]}}, 400),
        ({"what": "documents", "form": "trec"}, 422),
        ({"what": "documents", "search": {"query": "moon"}}, 422),
    ],
)
def test_what_goes_wrong_before_the_first_line_is_an_error(client, opened, body, status):
    answer = export(client, **body)
    assert (answer.status_code, list(answer.json())) == (status, ["error"])
    assert "content-disposition" not in answer.headers
    assert status == 422 or are_closed(opened)


def test_a_client_that_goes_away_leaves_no_connection(tmp_path, monkeypatch, opened):
    monkeypatch.setattr(routes_export, "_LINES_AT_ONCE", 1)
    with make_collection(tmp_path, 10) as collection:
        collection.add(Document(f"long{n:03}", "moon " * 40_000) for n in range(100))
    with listening([tmp_path / "own.satchel"]) as address:
        opened.clear()  # those that the server keeps
        body = {"what": "documents", "form": "jsonl"}
        with httpx2.stream("POST", f"{address}{BASE}/export", json=body) as answer:
            next(answer.iter_bytes())
            assert [connection._store.is_open for connection in opened] == [True]
        deadline = time.monotonic() + 10
        while not are_closed(opened) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert are_closed(opened)


def test_so_many_exports_at_once_and_no_more(client, monkeypatch):
    served = client.app.state.shelf["own"]
    taken = [served.for_export() for _ in range(shelf.MOST_EXPORTS)]
    for one in taken:
        one.__enter__()
    answer = export(client, what="documents")
    assert (answer.status_code, "being exported" in answer.json()["error"]) == (429, True)
    for one in taken:
        one.__exit__(None, None, None)
    assert export(client, what="documents").status_code == 200


@pytest.mark.parametrize("name", ['a "b"', "ab\r\nSet-Cookie: x=1", "naïve 🎒", "a;b\\c", "50% off", "'"])
def test_names_of_collections_are_safe_in_headers(tmp_path, name):
    make_collection(tmp_path, 10, f"{name}.satchel").close()
    with TestClient(create_app([tmp_path / f"{name}.satchel"]), base_url="http://localhost") as client:
        (one,) = client.get("/api/collections").json()
        assert one["name"] == name
        address = quote(name, safe="")
        for body in ({"what": "documents", "form": "csv"}, {"what": "vectors"}):
            answer = client.post(f"/api/collections/{address}/export", json=body)
            assert answer.status_code == 200
            assert "set-cookie" not in answer.headers
            header = answer.headers["content-disposition"]
            assert header.isascii()
            assert header.isprintable()
            plain, whole = re.fullmatch(
                r"attachment; filename=\"([^\"\\;%]*)\"; filename\*=UTF-8''([\w.~%-]+)", header
            ).groups()
            ending = f"-{body['what']}.{'csv' if body['what'] == 'documents' else 'zip'}"
            assert plain.endswith(ending)
            assert unquote(whole) == f"{name}{ending}"
