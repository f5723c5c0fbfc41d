"""Library, command line and HTTP take the same request and give the same answer."""

import json
from dataclasses import fields

import pytest
from test_cli import run

from made_collections import SPACE, make_collection
from satchel import Collection
from satchel.cli.arguments import with_request
from satchel.collection import Document, Request
from satchel.collection.forms import as_json
from serving import BASE, serving

AREA = [0.0, 0.0, 0.6, 1.0]
ASKED = {
    "query": ({"query": "moon bread"}, ["moon bread"]),
    "k": ({"query": "moon", "k": 3}, ["moon", "-k", 3]),
    "offset": ({"query": "moon", "offset": 4}, ["moon", "--offset", 4]),
    "mode": ({"query": "moon", "mode": "lexical"}, ["moon", "--mode", "lexical"]),
    "like": ({"like": ["d001", "d003"]}, ["--like", "d001", "--like", "d003"]),
    "filters": (
        {"query": "moon", "filters": {"topic": ["space"], "year": {"from": 2002}}},
        ["moon", "--where", "topic=space", "--where", "year>=2002"],
    ),
    "relevant": ({"query": "people think", "relevant": ["d001"]}, ["people think", "--relevant", "d001"]),
    "irrelevant": ({"query": "people think", "irrelevant": ["d001"]}, ["people think", "--irrelevant", "d001"]),
    "maybe": ({"query": "people think", "maybe": ["d003"]}, ["people think", "--maybe", "d003"]),
    "project": ({"project": "orbits"}, ["--project", "orbits"]),
    "only_new": ({"project": "orbits", "only_new": True}, ["--project", "orbits", "--new"]),
    "kept_marks": ({"query": "quiet days", "kept_marks": False}, ["quiet days", "--unmarked"]),
    "explained": ({"query": "moon", "explained": False}, ["moon", "--no-explained"]),
    "weights": (
        {"query": "people moon", "weights": {"0": 0.0, "3": 2.0}},
        ["people moon", "--weight", "0=0", "--weight", "3=2"],
    ),
    "area": ({"query": "people", "area": AREA}, ["people", "--area", ",".join(map(str, AREA))]),
    "facets": ({"query": "moon", "facets": ["topic", "year"]}, ["moon", "--facets", "topic,year"]),
    "sort": ({"query": "moon", "sort": "-year"}, ["moon", "--sort=-year"]),
    "compare_with": (
        {"query": "moon", "compare_with": {"marks": {"d001": "relevant"}, "weights": {"0": 0.0}}},
        ["moon", "--compare-with", '{"marks": {"d001": "relevant"}, "weights": {"0": 0}}'],
    ),
}
"""Field of a request -> the same question over HTTP and on the command line, in which the field changes the answer."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A collection with a map, kept marks, a project, and two documents that came after it."""
    folder = tmp_path_factory.mktemp("edges")
    with make_collection(folder, 60) as collection:
        collection.mark("d001", "relevant", query="quiet days")
        collection.projects.save("orbits", "moon", filters={"topic": "space"})
        collection.mark("d002", "relevant", project="orbits")
        collection.add(
            [
                Document(f"new{n}", f"A {word} and the moon.", fields={"topic": "space", "year": 2024 + n})
                for n, word in enumerate(("comet", "bread"))
            ]
        )
        collection.map.places()
    return folder


@pytest.fixture(scope="module")
def client(folder):
    with serving(folder) as client:
        yield client


@pytest.fixture
def library(folder):
    with Collection.open(folder / "own.satchel", read_only=True) as collection:
        yield collection


@pytest.fixture
def satchel(capsys, monkeypatch, folder):
    monkeypatch.chdir(folder)

    def answered(*arguments):
        code, out, err = run(capsys, monkeypatch, *arguments, "--json")
        assert code == 0, err
        return json.loads(out)

    return answered


def over_http(client, body, path="/search"):
    answer = client.post(f"{BASE}{path}", json=body)
    assert answer.status_code == 200, answer.text
    return {name: value for name, value in answer.json().items() if name != "seconds"}


@pytest.mark.parametrize("field", [field.name for field in fields(Request)])
def test_every_field_of_a_request_is_asked_in_three_ways_with_one_answer(client, library, satchel, field):
    body, arguments = ASKED[field]
    told = over_http(client, body)
    assert told == satchel("search", "own.satchel", *arguments) == as_json(library.search(**body))
    assert told["hits"]
    without = {name: value for name, value in body.items() if name != field}
    assert over_http(client, without) != told


def test_an_option_is_added_in_the_request_alone(client):
    described = client.get("/api/openapi.json").json()["components"]["schemas"]["Search"]["properties"]
    assert list(described) == [field.name for field in fields(Request)]
    assert all(one["description"] for one in described.values())
    options = with_request()(lambda request: None).__signature__.parameters
    assert list(options) == list(described)


def without_places(told):
    return {name: value for name, value in told.items() if name not in ("name", "path", "read_only", "has_map")}


def test_what_a_collection_holds_is_told_alike(client, satchel):
    told = client.get(BASE).json()
    assert without_places(told) == without_places(satchel("info", "own.satchel"))
    assert (told["n_documents"], told["projects"]) == (62, ["orbits"])
    assert told["last_added"].endswith("+00:00")


def test_projects_and_marks_are_told_alike(client, satchel):
    one = client.get(f"{BASE}/projects/one", params={"name": "orbits"}).json()
    assert one == satchel("project", "show", "own.satchel", "orbits")
    assert client.get(f"{BASE}/projects").json() == [one] == satchel("project", "list", "own.satchel")
    kept = client.get(f"{BASE}/marks").json()
    assert kept == satchel("mark", "own.satchel", "--list")
    assert [(mark["id"], mark["project"]) for mark in kept] == [("d001", None), ("d002", "orbits")]


@pytest.mark.parametrize(
    ("body", "arguments"),
    [
        ({"relevant": ["gone"]}, ["--relevant", "gone"]),
        ({"like": ["gone"]}, ["--like", "gone"]),
        ({"project": "gone"}, ["--project", "gone"]),
        ({"weights": {"9999": 1.0}}, ["--weight", "9999=1"]),
        ({"compare_with": {"weights": {"9999": 1}}}, ["--compare-with", '{"weights": {"9999": 1}}']),
    ],
)
def test_what_is_not_here_is_404_and_exit_code_2(client, capsys, monkeypatch, folder, body, arguments):
    monkeypatch.chdir(folder)
    for path in ("/search", "/map/scores"):
        answer = client.post(f"{BASE}{path}", json={"query": "moon"} | body)
        assert (answer.status_code, list(answer.json())) == (404, ["error"])
        assert str(folder) not in answer.text
    code, out, err = run(capsys, monkeypatch, "search", "own.satchel", "moon", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    ("more", "arguments", "found"),
    [
        ({}, [], {"new0", "new1"}),
        ({"filters": {"year": 2025}}, ["--where", "year=2025"], {"new1"}),
        ({"filters": {"topic": "kitchen"}}, ["--where", "topic=kitchen"], set()),
        ({"query": "comet", "mode": "lexical"}, ["comet", "--mode", "lexical"], {"new0"}),
        ({"like": ["new0"]}, ["--like", "new0"], {"new1"}),
    ],
)
def test_what_is_new_obeys_all_that_limits_a_search(client, library, satchel, more, arguments, found):
    told = over_http(client, {"project": "orbits", "only_new": True} | more)
    assert {hit["id"] for hit in told["hits"]} == found
    assert told == satchel("project", "new", "own.satchel", "orbits", *arguments)
    assert told == as_json(library.search(project="orbits", only_new=True, **more))
    if not more:
        assert told == as_json(library.projects.new("orbits"))


def test_what_is_new_obeys_weights_and_the_area(client, library, satchel):
    plain = library.projects.new("orbits")
    theme = str(plain[0].reasons.themes[0].codeword)
    weighed = over_http(client, {"project": "orbits", "only_new": True, "weights": {theme: 0.0}})
    assert weighed == satchel("project", "new", "own.satchel", "orbits", "--weight", f"{theme}=0")
    assert [hit["score"] for hit in weighed["hits"]] != [hit.score for hit in plain]
    made = library.map.places()
    x, y = made.points[made.ids.index("new0")].tolist()
    area = [x - 1e-6, y - 1e-6, x + 1e-6, y + 1e-6]
    told = over_http(client, {"project": "orbits", "only_new": True, "area": area})
    assert [hit["id"] for hit in told["hits"]] == ["new0"]
    assert told == satchel("project", "new", "own.satchel", "orbits", "--area", ",".join(map(str, area)))


def test_the_filters_and_weights_of_an_project_hold_for_what_is_new(tmp_path):
    with make_collection(tmp_path, 40) as collection:
        theme = collection.search("moon")[0].reasons.themes[0].codeword
        collection.projects.save("plain", "moon", filters={"year": {"from": 2025}})
        collection.projects.save("weighed", "moon", weights={theme: 0.0})
        collection.add([Document(f"new{n}", f"The moon and {SPACE[n]}.", fields={"year": 2024 + n}) for n in range(3)])
        assert {hit.id for hit in collection.projects.new("plain")} == {"new1", "new2"}
        assert collection.projects.new("weighed").weights == {theme: 0.0}


@pytest.mark.parametrize(
    "body",
    [
        {"query": "x" * 10_001},
        {"like": ["d001"] * 101},
        {"relevant": [f"d{n}" for n in range(10_001)]},
        {"relevant": [""]},
        {"relevant": "d001"},
        {"filters": {f"f{n}": 1 for n in range(51)}},
        {"filters": {"f": None}},
        {"filters": {"f": {"from": 1, "until": 2}}},
        {"project": " "},
        {"project": "x" * 201},
        {"k": 0},
        {"k": 1_001},
        {"k": "5"},
        {"k": True},
        {"offset": -1},
        {"offset": 10**7},
        {"mode": "all"},
        {"only_new": 1, "project": "orbits"},
        {"only_new": True},
        {"explained": "no"},
        {"weights": {"-1": 1.0}},
        {"weights": {"0": -1.0}},
        {"weights": {"0": "1"}},
        {"weights": {"0": 101}},
        {"area": [0, 0, 1]},
        {"area": [0, 0, 1, 11]},
        {"area": "0,0,1,1"},
        {"compare_with": {"marks": {"d001": "good"}}},
        {"compare_with": '{"marks": {}}'},
        {"compare_with": {"more": {}}},
        {"relevant": ["d001"], "irrelevant": ["d001"]},
        {"earlier_marks": {}},
    ],
)
def test_what_is_out_of_bounds_or_of_another_kind_is_refused(client, body):
    for path, sent in (("/search", body), ("/map/scores", body), ("/export", {"what": "hits", "search": body})):
        answer = client.post(f"{BASE}{path}", json=sent)
        assert answer.status_code in (400, 422), (path, answer.text[:200])
        assert list(answer.json()) == ["error"]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_an_endless_number_is_refused(client, number):
    for part in (f'"area": [0, 0, 1, {number}]', f'"weights": {{"0": {number}}}', f'"filters": {{"year": {number}}}'):
        head = {"Content-Type": "application/json"}
        answer = client.post(f"{BASE}/search", content=f'{{"query": "moon", {part}}}', headers=head)
        assert 400 <= answer.status_code < 500, part
