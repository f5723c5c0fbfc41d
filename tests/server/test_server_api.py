"""The HTTP API gives what the library gives, in the same words."""

import csv
import io
import json
import zipfile
from datetime import datetime

import numpy as np
import pytest

from made_collections import make_collection, two_topics
from satchel import Collection
from satchel.collection.forms import as_json
from satchel.server import create_app
from satchel.server.shelf import names_of
from satchel.store.sqlite import open as opening
from serving import BASE, end_of, serving


@pytest.fixture
def client(tmp_path):
    with serving(tmp_path) as client:
        yield client


@pytest.fixture
def library(client, tmp_path):
    """The same file, asked without the server."""
    with Collection.open(tmp_path / "own.satchel") as collection:
        yield collection


def search(client, **body):
    answer = client.post(f"{BASE}/search", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_overview_tells_what_the_library_tells(client, library):
    (told,) = client.get("/api/collections").json()
    info = library.info()
    assert (told["name"], told["path"], told["n_documents"]) == ("own", "own.satchel", info.n_documents)
    assert (told["model"], told["fields"], told["n_marks"], told["projects"]) == (1, dict(info.fields), 0, [])
    assert told["trainings"][-1]["learned_from"] == "texts"
    assert (told["read_only"], told["has_map"]) == (False, False)
    assert client.get(BASE).json()["trainings"][0]["n_documents"] == 40


@pytest.mark.parametrize(
    "body",
    [
        {"query": "rocket moon"},
        {"query": "bread", "k": 3, "offset": 2, "mode": "lexical"},
        {"query": "", "like": ["d000"], "mode": "semantic"},
        {"query": "moon", "filters": {"year": {"from": 2003, "to": 2006}, "topic": ["space"]}},
        {"query": "moon", "weights": {"0": 0.0, "5": 2.0}},
        {"query": "oven", "compare_with": {"marks": {"d001": "relevant"}, "weights": {"0": 0.0}}},
        {"query": "moon", "relevant": ["d002"], "maybe": ["d004"], "irrelevant": ["d001"], "explained": False},
    ],
)
def test_a_search_finds_what_the_library_finds(client, library, body):
    arguments = body | {"weights": {int(theme): weight for theme, weight in body.get("weights", {}).items()}}
    hits = library.search(**arguments)
    told = search(client, **body)
    assert [hit["id"] for hit in told["hits"]] == [hit.id for hit in hits]
    assert [hit["score"] for hit in told["hits"]] == [hit.score for hit in hits]
    assert [hit["earlier_rank"] for hit in told["hits"]] == [hit.earlier_rank for hit in hits]
    assert [hit["mark"] for hit in told["hits"]] == [hit.mark for hit in hits]
    assert told["total"] == hits.total
    first, same = told["hits"][0], hits[0]
    assert first["snippet"] == {"text": same.snippet.text, "matches": [list(span) for span in same.snippet.matches]}
    assert first["fields"] == dict(same.fields)
    assert first["reasons"]["matches"] == list(same.reasons.matches)


def test_a_mark_is_kept_and_re_ranks_as_in_the_library(client, library):
    before = [hit["id"] for hit in search(client, query="people think", k=20)["hits"]]
    answer = client.post(f"{BASE}/marks", json={"id": "d001", "value": "relevant", "query": "people think"})
    (told,) = answer.json()["marks"]
    assert told == as_json(library.marks(query="people think")[0])
    assert (told["id"], told["value"], told["query"], told["project"]) == ("d001", "relevant", "people think", None)
    assert datetime.fromisoformat(told["time"]).tzinfo is not None
    told = search(client, query="people think", k=20, compare_with={})
    after = [hit["id"] for hit in told["hits"]]
    assert after == [hit.id for hit in library.search("people think", 20)]
    assert after != before
    assert [hit["earlier_rank"] for hit in told["hits"] if hit["id"] in before] == [
        before.index(id_) + 1 for id_ in after if id_ in before
    ]
    assert told["marks"] == {"d001": "relevant"}


def undone(client, **body):
    return [mark["id"] for mark in client.post(f"{BASE}/undo", json=body).json()["marks"]]


def test_undo_takes_back_what_was_marked_together_and_says_when_none_is_left(client):
    client.post(f"{BASE}/marks", json={"id": "d001", "value": "relevant", "query": "bread"})
    client.post(f"{BASE}/marks", json={"ids": ["d003", "d005"], "value": "irrelevant", "query": "bread"})
    assert undone(client) == ["d003", "d005"]
    assert undone(client) == ["d001"]
    assert client.post(f"{BASE}/undo").json() == {"marks": []}


def test_undo_of_a_query_or_an_project_leaves_the_marks_of_others(client):
    client.post(f"{BASE}/projects", json={"name": "baking", "query": "oven"})
    client.post(f"{BASE}/marks", json={"id": "d001", "value": "relevant", "query": "bread"})
    client.post(f"{BASE}/marks", json={"id": "d003", "value": "relevant", "project": "baking"})
    client.post(f"{BASE}/marks", json={"id": "d005", "value": "relevant", "query": "cake"})
    assert undone(client, query="bread") == ["d001"]
    assert undone(client, project="baking") == ["d003"]
    assert undone(client, query="bread") == []
    for asked in ("/undo", "/marks"):
        body = {"project": "gone"} | ({"id": "d001", "value": "maybe"} if asked == "/marks" else {})
        assert client.post(f"{BASE}{asked}", json=body).status_code == 404
    assert client.get(f"{BASE}/marks", params={"project": "gone"}).status_code == 404
    assert [mark["id"] for mark in client.get(f"{BASE}/marks").json()] == ["d005"]


def test_a_mark_and_its_undo_answer_with_what_is_found_after_them(client):
    asked = {"query": "people think", "compare_with": {}}
    before = search(client, **asked)
    body = {"id": "d001", "value": "relevant", "query": "people think", "search": asked}
    found = client.post(f"{BASE}/marks", json=body).json()["found"]
    after = search(client, **asked)
    assert found["marks"] == {"d001": "relevant"}
    assert found | {"seconds": 0} == after | {"seconds": 0} != before | {"seconds": 0}
    taken = client.post(f"{BASE}/undo", json={"query": "people think", "search": asked}).json()
    assert taken["found"] | {"seconds": 0} == before | {"seconds": 0}


def test_a_mark_whose_search_names_what_is_not_there_is_not_kept(client):
    body = {"id": "d001", "value": "relevant", "query": "bread", "search": {"like": ["gone"]}}
    assert client.post(f"{BASE}/marks", json=body).status_code == 404
    assert client.get(f"{BASE}/marks").json() == []


def test_a_field_tells_what_the_library_tells_of_its_values(client, library):
    told, field = client.get(f"{BASE}/fields", params={"name": "year"}).json(), library.field_values("year")
    assert [(one["value"], one["n_documents"]) for one in told["values"]] == list(field.values) != []
    assert (told["name"], told["n_distinct"], told["numeric"]) == ("year", 10, True)
    assert (told["least"], told["most"]) == (2000, 2009)
    assert client.get(f"{BASE}/fields", params={"name": "colour"}).status_code == 404


def test_a_mark_sent_twice_is_one_mark_and_one_undo(client):
    for _ in range(2):
        client.post(f"{BASE}/marks", json={"id": "d001", "value": "relevant", "query": "bread"})
    assert undone(client) == ["d001"]
    assert client.get(f"{BASE}/marks").json() == []


def test_several_marks_are_kept_all_or_none(client):
    answer = client.post(f"{BASE}/marks", json={"ids": ["d001", "gone"], "value": "relevant", "query": "bread"})
    assert answer.status_code == 404
    assert client.get(f"{BASE}/marks").json() == []


def test_a_document_comes_with_its_text_its_matches_and_its_mark(client, library):
    client.post(f"{BASE}/marks", json={"id": "d000", "value": "maybe", "query": "rocket"})
    told = client.get(f"{BASE}/documents", params={"id": "d000", "query": "rocket"}).json()
    reading = library.read("d000", "rocket")
    assert told["text"] == library["d000"].text
    assert [told["text"][start:stop] for start, stop in told["matches"]] == ["rocket"] * len(reading.matches)
    assert told["passages"] == [passage._asdict() for passage in reading.passages]
    assert told["mark"] == "maybe"


def test_a_removed_document_is_gone_at_once(client):
    assert client.delete(f"{BASE}/documents", params={"id": "d000"}).json() == {"removed": 1}
    assert client.get(f"{BASE}/documents", params={"id": "d000"}).status_code == 404
    assert client.delete(f"{BASE}/documents", params={"id": "d000"}).status_code == 404
    assert "d000" not in {hit["id"] for hit in search(client, query="rocket", k=40)["hits"]}


def test_projects_are_saved_reopened_and_removed(client, library):
    body = {"name": "orbits", "query": "moon", "weights": {"3": 0.5}, "filters": {"topic": "space"}}
    client.post(f"{BASE}/projects", json=body)
    client.post(f"{BASE}/marks", json={"id": "d002", "value": "relevant", "project": "orbits"})
    one = client.get(f"{BASE}/projects/one", params={"name": "orbits"}).json()
    assert (one["weights"], one["marks"]) == ({"3": 0.5}, {"d002": "relevant"})
    hits = search(client, project="orbits")["hits"]
    assert [hit["id"] for hit in hits] == [hit.id for hit in library.search(project="orbits")]
    assert {hit["fields"]["topic"] for hit in hits} == {"space"}
    client.delete(f"{BASE}/projects/one", params={"name": "orbits"})
    assert client.get(f"{BASE}/projects").json() == []
    assert client.get(f"{BASE}/projects/one", params={"name": "orbits"}).status_code == 404


def test_what_is_new_for_an_project_is_new_until_it_was_seen(client):
    client.post(f"{BASE}/projects", json={"name": "orbits", "query": "moon"})
    job = client.post(f"{BASE}/upload", files={"files": ("new.txt", b"A moon and a comet in orbit.")}).json()["job"]
    assert end_of(client, job)["state"] == "done"
    new = client.get(f"{BASE}/projects/new", params={"name": "orbits"}).json()
    assert [hit["id"] for hit in new["hits"]] == ["new.txt"]
    client.post(f"{BASE}/projects/seen", json={"name": "orbits"})
    assert client.get(f"{BASE}/projects/new", params={"name": "orbits"}).json()["hits"] == []


def test_exported_projects_come_in_again(client):
    client.post(f"{BASE}/projects", json={"name": "orbits", "query": "moon"})
    exported = client.get(f"{BASE}/projects/export")
    client.delete(f"{BASE}/projects/one", params={"name": "orbits"})
    answer = client.post(f"{BASE}/projects/import", json=exported.json())
    assert answer.json() == {"names": ["orbits"]}
    assert [one["name"] for one in client.get(f"{BASE}/projects").json()] == ["orbits"]


def test_a_screening_counts_finds_after_each_mark(client):
    for id_, value in [("d000", "relevant"), ("d001", "irrelevant"), ("d002", "relevant")]:
        client.post(f"{BASE}/marks", json={"id": id_, "value": value, "query": "moon"})
    told = client.get(f"{BASE}/screening", params={"query": "moon"}).json()
    assert (told["n_documents"], told["n_marked"], told["n_relevant"], told["finds"]) == (40, 3, 2, [1, 1, 2])
    assert told["remaining"]["low"] <= told["remaining"]["expected"] <= told["remaining"]["high"]


def test_the_map_is_made_once_and_then_given_with_values_to_colour_by(client, library):
    started = client.get(f"{BASE}/map")
    assert started.status_code == 202
    assert end_of(client, started.json()["job"])["report"] == {"documents": 40}
    told = client.get(f"{BASE}/map", params={"field": "topic"}).json()
    made = library.map.places()
    assert told["ids"] == made.ids
    np.testing.assert_allclose(np.column_stack([told["x"], told["y"]]), made.points, atol=1e-4)
    assert told["values"] == [document.fields["topic"] for document in two_topics()]
    scores = client.post(f"{BASE}/map/scores", json={"query": "rocket"}).json()["scores"]
    np.testing.assert_allclose(scores, library.map.scores("rocket"), atol=1e-4)


def export(client, **body):
    answer = client.post(f"{BASE}/export", json=body)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"].startswith("attachment")
    return answer.content


def test_exports_hold_what_the_library_holds(client, library, tmp_path):
    client.post(f"{BASE}/marks", json={"id": "d001", "value": "relevant", "query": "bread"})
    rows = list(
        csv.DictReader(io.StringIO(export(client, what="hits", form="csv", search={"query": "bread"}).decode()))
    )
    assert [row["id"] for row in rows] == [hit.id for hit in library.search("bread")]
    assert b"d001 2" in export(client, what="marks", form="qrels")
    lines = export(client, what="documents", form="jsonl").decode().splitlines()
    assert [json.loads(line)["id"] for line in lines] == list(library)
    packed = zipfile.ZipFile(io.BytesIO(export(client, what="vectors")))
    library.export(tmp_path / "same.npy", "vectors")
    np.testing.assert_array_equal(np.load(packed.open("vectors.npy")), np.load(tmp_path / "same.npy"))
    assert "model/config.json" in zipfile.ZipFile(io.BytesIO(export(client, what="model"))).namelist()


def test_several_collections_are_served_and_equal_stems_get_names_of_their_own(tmp_path):
    from starlette.testclient import TestClient

    for name, size in (("one", 20), ("two", 30)):
        (tmp_path / name).mkdir()
        make_collection(tmp_path / name, size).close()
    paths = [tmp_path / name / "own.satchel" for name in ("one", "two")]
    assert list(names_of([*paths, paths[0]])) == ["own", "own-2"]
    with TestClient(create_app(paths), base_url="http://localhost") as client:
        assert {one["name"]: one["n_documents"] for one in client.get("/api/collections").json()} == {
            "own": 20,
            "own-2": 30,
        }


def test_what_is_not_there_is_told_in_a_sentence_without_paths(client, tmp_path):
    for method, path, body in [
        ("GET", "/api/collections/other", None),
        ("GET", f"{BASE}/documents?id=gone", None),
        ("POST", f"{BASE}/search", {"project": "gone"}),
        ("POST", f"{BASE}/search", {"like": ["gone"]}),
        ("POST", f"{BASE}/marks", {"id": "gone", "value": "relevant"}),
        ("GET", "/api/jobs/gone", None),
        ("GET", "/nowhere", None),
    ]:
        answer = client.request(method, path, json=body)
        assert answer.status_code == 404, path
        assert list(answer.json()) == ["error"]
        assert str(tmp_path) not in answer.text


def test_a_collection_that_can_only_be_read_refuses_changes_with_403(tmp_path, monkeypatch):
    make_collection(tmp_path).close()
    monkeypatch.setattr("os.access", lambda *_: False)
    with serving(tmp_path) as client:
        assert client.get(BASE).json()["read_only"] is True
        answer = client.post(f"{BASE}/marks", json={"id": "d000", "value": "relevant"})
        assert answer.status_code == 403
        assert "reading only" in answer.json()["error"]
        assert client.post(f"{BASE}/train", json={}).status_code == 403


def test_metrics_count_requests_by_route_and_status(client):
    for _ in range(3):
        search(client, query="moon")
    client.get(f"{BASE}/documents?id=gone")
    text = client.get("/metrics").text
    route = "/api/collections/{collection}"
    assert f'satchel_requests_total{{method="POST",route="{route}/search",status="200"}} 3' in text
    assert f'satchel_requests_total{{method="GET",route="{route}/documents",status="404"}} 1' in text
    assert f'satchel_request_seconds_count{{route="{route}/search"}} 3' in text


@pytest.fixture
def impatient(monkeypatch):
    """A writer waits no five seconds for another one; asked for before the fixtures that open files."""
    monkeypatch.setattr(opening, "WAIT_SECONDS", 0.05)


def test_another_writer_gets_423_in_a_sentence(impatient, client, library):
    with library._store.writing():
        answer = client.post(f"{BASE}/marks", json={"id": "d000", "value": "relevant"})
    assert answer.status_code == 423
    assert "changed by another program" in answer.json()["error"]


def test_an_answer_given_before_is_given_again_until_anybody_changes_the_file(client, library, monkeypatch):
    def ids():
        return [hit["id"] for hit in search(client, query="people think", k=40)["hits"]]

    first, asked = ids(), []
    original = Collection.find
    monkeypatch.setattr(Collection, "find", lambda self, *a, **k: asked.append(1) or original(self, *a, **k))
    assert ids() == first
    assert asked == []
    library.mark("d001", "relevant", query="people think")  # another connection, as another program would
    assert ids() == [hit.id for hit in library.search("people think", 40)] != first
    client.delete(f"{BASE}/documents", params={"id": "d001"})
    assert "d001" not in ids()


def test_a_large_map_is_sent_packed_to_whoever_takes_it(client, library, monkeypatch):
    library.map.places()
    monkeypatch.setattr("satchel.server.answers.PACKED_FROM", 100)
    plain = client.get(f"{BASE}/map", headers={"Accept-Encoding": "identity"})
    small = client.get(f"{BASE}/map", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert small.headers["content-encoding"] == "gzip"
    assert small.json() == plain.json()


@pytest.mark.parametrize("year", ["1e308", "9" * 300, "inf", "nan", 2**53])
def test_a_filter_on_a_number_beyond_all_finds_nothing_and_does_no_harm(client, year):
    assert search(client, query="moon", filters={"year": year})["hits"] == []
    assert search(client, query="moon", filters={"year": {"from": year}})["hits"] == []


def test_the_screening_of_an_project_counts_its_own_marks(client):
    client.post(f"{BASE}/projects", json={"name": "orbits", "query": "moon"})
    client.post(f"{BASE}/marks", json={"id": "d000", "value": "relevant", "project": "orbits"})
    assert client.get(f"{BASE}/screening", params={"project": "orbits"}).json()["finds"] == [1]


def test_a_corpus_among_uploaded_files_does_not_hide_the_others(client):
    row = json.dumps({"_id": "one", "title": "", "text": "A comet."}).encode()
    sent = [("files", ("corpus.jsonl", row)), ("files", ("a.txt", b"A moon."))]
    report = end_of(client, client.post(f"{BASE}/upload", files=sent).json()["job"])["report"]
    assert (report["added"], report["skipped"]) == (2, [])


def test_uploaded_files_are_told_by_the_names_they_were_sent_under(client, library):
    sent = [("files", ("rows.csv", b"id,text\n1,A comet.\n")), ("files", ("sky.png", b"\x89PNG"))]
    report = end_of(client, client.post(f"{BASE}/upload", files=sent).json()["job"])["report"]
    assert [one["source"] for one in report["skipped"]] == ["sky.png"]
    assert library["rows.csv#1"].source == "rows.csv, line 2"


def test_training_from_labels_is_a_job_whose_model_serves_afterwards(client, library):
    before = client.get(BASE).json()["model"]
    end = end_of(client, client.post(f"{BASE}/train", json={"labels": "topic"}).json()["job"])
    assert (end["state"], end["report"]["learned_from"], end["report"]["n_told"]) == ("done", "labels", 40)
    assert client.get(BASE).json()["model"] == before + 1
    assert [hit["id"] for hit in search(client, query="moon")["hits"]] == [hit.id for hit in library.search("moon")]
    failed = end_of(client, client.post(f"{BASE}/train", json={"labels": "no such field"}).json()["job"])
    assert failed["state"] == "failed"
    assert "no document has a field" in failed["error"]


def test_what_is_not_understood_of_a_query_is_noted(client, library):
    query = '"moon" colour:red'
    answer = search(client, query=query)
    assert answer["query"] == query
    assert answer["notes"] == list(library.search(query).notes)
    assert answer["notes"][0].startswith("column 8: there is no field 'colour'")
    assert search(client, query='"moon"')["notes"] == []
