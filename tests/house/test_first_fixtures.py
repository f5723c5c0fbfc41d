"""What the first version saved opens today and ranks alike: a collection, a model of each encoder, networks."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from made_collections import two_topics
from satchel import Collection, EncoderRetriever, FeedForwardRetriever, RecurrentRetriever
from satchel.encoders import load_encoder

FIRST = Path(__file__).parents[1] / "fixtures" / "first"
EXPECTED = json.loads((FIRST / "expected.json").read_text("utf-8"))
TEXTS = [f"{one.title}\n{one.text}" for one in two_topics(30)]
NETWORKS = {"FeedForwardRetriever": FeedForwardRetriever, "RecurrentRetriever": RecurrentRetriever}


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collection]:
    place = tmp_path_factory.mktemp("first") / "collection.satchel"
    shutil.copyfile(FIRST / "collection.satchel", place)
    with Collection.open(place) as opened:
        yield opened


def arguments(asked: dict[str, Any]) -> dict[str, Any]:
    """JSON has no whole numbers as keys; and what is a project now was called interest."""
    asked = {"project" if name == "interest" else name: value for name, value in asked.items()}
    weights = asked.get("weights")
    return asked | ({} if weights is None else {"weights": {int(theme): weight for theme, weight in weights.items()}})


@pytest.mark.parametrize("name", sorted(EXPECTED["encoders"]))
def test_a_saved_encoder_gives_the_same_vectors_and_ranking(name: str) -> None:
    if name == "ParagraphVector":
        pytest.importorskip("gensim")
    told, encoder = EXPECTED["encoders"][name], load_encoder(FIRST / "models" / name)
    if told["vectors"] is not None:
        vectors = encoder.transform(EXPECTED["queries"])
        dense = vectors if isinstance(vectors, np.ndarray) else vectors.toarray()
        np.testing.assert_allclose(dense, told["vectors"], rtol=1e-3, atol=1e-5)
    found = EncoderRetriever(encoder, prefit=True).fit(TEXTS).search(EXPECTED["queries"], 5)
    assert found.ids.tolist() == told["ids"]


@pytest.mark.parametrize("name", sorted(EXPECTED["networks"]))
def test_a_saved_network_gives_the_same_answers(name: str) -> None:
    told, network = EXPECTED["networks"][name], NETWORKS[name.partition("-")[0]].load(FIRST / "models" / name)
    found = network.search(EXPECTED["asked"], 5)
    assert found.ids.tolist() == told["ids"]
    np.testing.assert_allclose(found.scores, told["scores"], rtol=1e-3)


@pytest.mark.parametrize("told", EXPECTED["collection"], ids=lambda told: json.dumps(told["search"]))
def test_the_collection_finds_the_same_hits_for_the_same_reasons(collection: Collection, told: dict[str, Any]) -> None:
    hits = collection.search(**arguments(told["search"]))
    assert hits.total == told["total"]
    assert [hit.id for hit in hits] == [hit[0] for hit in told["hits"]]
    np.testing.assert_allclose([hit.score for hit in hits], [hit[1] for hit in told["hits"]], rtol=1e-4)
    assert [[hit.mark, str(hit.snippet), list(hit.reasons.matches)] for hit in hits] == [
        hit[2:] for hit in told["hits"]
    ]
    assert list(hits.learned) == told["learned"]


def test_marks_and_projects_are_there(collection: Collection) -> None:
    assert [[one.id, one.value, one.query, one.project] for one in collection.marks()] == EXPECTED["marks"]
    kept = [
        [one.name, one.query, one.filters, {str(k): v for k, v in one.weights.items()}, dict(one.marks), one.new]
        for one in collection.projects.values()
    ]
    assert kept == EXPECTED["interests"]


def test_what_is_new_stays_new(collection: Collection) -> None:
    assert [hit.id for hit in collection.projects.new("baking")] == [one[0] for one in EXPECTED["new_for_baking"]]


def test_reading_and_scores_are_the_same(collection: Collection) -> None:
    np.testing.assert_allclose(collection.map.scores("rocket moon"), EXPECTED["scores"], rtol=1e-3, atol=1e-5)
    reading = collection.read("d002", "rocket moon", project="travel")
    spans = [[one.start, one.stop, round(one.share, 5)] for one in reading.passages]
    assert [[list(match) for match in reading.matches], spans] == EXPECTED["read"]


def test_the_file_is_whole_and_can_be_changed(tmp_path: Path) -> None:
    shutil.copyfile(FIRST / "collection.satchel", tmp_path / "own.satchel")
    with Collection.open(tmp_path / "own.satchel") as opened:
        assert opened.check() == []
        assert opened.remove(["d000"]) == 1
        assert opened.undo(project="baking") is not None
        assert opened.check() == []


def test_the_fixtures_are_small() -> None:
    assert sum(path.stat().st_size for path in FIRST.rglob("*") if path.is_file()) < 400_000
