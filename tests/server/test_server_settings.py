"""Settings, suggestions, facets and sorting over HTTP are those of the library."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from satchel import Collection
from satchel.collection import as_json
from serving import BASE, serving


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Any]:
    with serving(tmp_path) as client:
        yield client


def test_settings_are_read_and_changed(client: Any, tmp_path: Path) -> None:
    assert client.get(f"{BASE}/settings").json() == {"synonyms": [], "stop_words": [], "field_weights": {}}
    body = {"synonyms": [["moon", "satellite"]], "field_weights": {"title": 3, "topic": None}}
    told = client.post(f"{BASE}/settings", json=body).json()
    assert told == {"synonyms": [["moon", "satellite"]], "stop_words": [], "field_weights": {"title": 3.0}}
    with Collection.open(tmp_path / "own.satchel") as library:
        assert as_json(library.settings.read()) == told
    assert client.post(f"{BASE}/settings", json={"field_weights": {"title": -1}}).status_code == 422
    assert client.post(f"{BASE}/settings", json={"synonyms": [["a b", "A, b"]]}).status_code == 400


def test_a_change_of_settings_reaches_the_next_search(client: Any) -> None:
    body = {"query": "moonlight", "mode": "lexical"}
    assert client.post(f"{BASE}/search", json=body).json()["total"] == 0
    client.post(f"{BASE}/settings", json={"synonyms": [["moonlight", "moon"]]})
    assert client.post(f"{BASE}/search", json=body).json()["total"] > 0


def test_suggestions_are_those_of_the_library(client: Any, tmp_path: Path) -> None:
    told = client.get(f"{BASE}/suggestions", params={"text": "roc", "k": 5}).json()
    with Collection.open(tmp_path / "own.satchel") as library:
        assert told == {"texts": library.suggestions.of("roc", 5)}
    assert told["texts"][0] == "rocket"


def test_facets_and_sorting_are_those_of_the_library(client: Any, tmp_path: Path) -> None:
    body = {"query": "moon", "facets": ["year", "tags"], "sort": "-year", "k": 20}
    told = client.post(f"{BASE}/search", json=body).json()
    with Collection.open(tmp_path / "own.satchel") as library:
        assert {**as_json(library.search(**body)), "seconds": told["seconds"]} == told
    years = [hit["fields"]["year"] for hit in told["hits"]]
    assert years == sorted(years, reverse=True)
    assert client.post(f"{BASE}/search", json={"query": "moon", "sort": "nothing"}).status_code == 400
    assert client.post(f"{BASE}/search", json={"facets": ["x"] * 21}).status_code == 422
