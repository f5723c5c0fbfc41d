"""The protocols of a fresh collection on documents few enough to see through."""

import sys

import numpy as np
import pytest

from satchel.datasets import AdHocSet, Documents, Queries
from satchel.errors import InputError, MissingExtraError
from satchel.experiments import read_experiment, run_experiment
from satchel.experiments.kept import KEPT
from satchel.experiments.protocols.collection import (
    MARK_MEASURES,
    SEARCH_MEASURES,
    Bm25sPeer,
    documents_of,
    fresh_collection,
)

RNG = np.random.default_rng(0)
TOPICS = {"cat": ["purr", "meow", "whisker", "claw"], "ship": ["sail", "mast", "anchor", "keel"]}
TITLES = [f"The {('cat', 'ship')[place % 2]}" for place in range(40)]
TEXTS = [f"{title}\n{' '.join(RNG.choice(TOPICS[title[4:]], 3))} number{place}" for place, title in enumerate(TITLES)]
IDS = [f"d{place:02}" for place in range(40)]
GRADES = {f"q-{topic}": {IDS[place]: 1 for place in range(40) if TITLES[place][4:] == topic} for topic in TOPICS}
SET = AdHocSet(
    "tiny",
    Documents(IDS, TEXTS, TITLES),
    Queries(["q-cat", "q-ship"], ["purr whisker", "anchor keel"]),
    {"test": GRADES},
)
EXPERIMENT = """
title = "A tiny collection"
source = "Nowhere"
dataset = "tiny"
protocol = "{protocol}"
judged_by = "nDCG@10"
[options]
{options}
[[methods]]
method = "{method}"
encoder = "BagOfEmbeddedWords"
distances = ["cosine"]
"""
LEARNERS = """
reference = "words"
[options.learners]
"own" = "collection"
"none" = "none"
"words" = [1, 2, 1]
"""


@pytest.fixture
def measured(tmp_path, monkeypatch):
    monkeypatch.setattr("satchel.experiments.protocols.retrieval.load", lambda name: SET)

    def run(protocol, method, options=""):
        path = tmp_path / "tiny.toml"
        path.write_text(EXPERIMENT.format(protocol=protocol, method=method, options=options), "utf-8")
        (row,) = run_experiment(read_experiment(str(path)))
        return row.measures

    yield run
    KEPT.forget()


def test_a_title_that_begins_the_text_is_kept_apart_from_it():
    first = next(documents_of(SET))
    assert (first.id, first.title) == ("d00", "The cat")
    assert f"{first.title}\n{first.text}" == TEXTS[0]


def test_a_collection_is_made_once_for_each_seed_until_another_set_comes(measured):
    first, second = fresh_collection("tiny", 0), fresh_collection("tiny", 1)
    assert fresh_collection("tiny", 0) is first is not second
    assert fresh_collection("another", 0) is not first
    assert not first.collection.path.exists()
    assert not second.collection.path.exists()


@pytest.mark.parametrize(("method", "mode"), [("both", "both"), ("by words", "lexical"), ("by meaning", "semantic")])
def test_recall_is_what_a_count_of_the_hits_gives(measured, method, mode):
    measures = measured("collection-search", method)
    assert set(measures) <= set(SEARCH_MEASURES)
    assert measures["queries"] == 2
    found = []
    for id_, text in zip(SET.queries.ids, SET.queries.texts, strict=True):
        hits = fresh_collection("tiny", 0).collection.search(text, 1000, mode=mode)
        found.append(sum(hit.id in GRADES[id_] for hit in hits) / 20)
    assert measures["R@100"] == pytest.approx(100 * sum(found) / 2, abs=1e-3)


def test_the_gain_over_bm25s_is_the_difference_of_two_rows(measured):
    pytest.importorskip("bm25s")
    peer, own = (measured("collection-search", method) for method in ("bm25s", "Bm25"))
    assert "nDCG@10, p" not in peer
    assert own["AP, over bm25s"] == pytest.approx(own["AP"] - peer["AP"], abs=2e-3)
    assert 0 < own["AP, p"] <= 1


def test_without_bm25s_its_row_is_one_sentence_and_the_others_have_no_p(measured, monkeypatch):
    monkeypatch.setitem(sys.modules, "bm25s", None)
    with pytest.raises(MissingExtraError, match="pip install bm25s"):
        measured("collection-search", "bm25s")
    assert "AP, p" not in measured("collection-search", "Bm25")


def test_bm25s_finds_only_what_shares_a_word():
    pytest.importorskip("bm25s")
    ids, scores = Bm25sPeer().fit(["cats purr", "ships sail", "the cat"]).search(["cat", "zebra"], 3)
    assert {*ids[0, :2].tolist()} == {0, 2}
    assert ids[0, 2] == -1
    assert (ids[1] == -1).all()
    assert np.isneginf(scores[1]).all()


def test_marks_are_measured_on_the_documents_that_are_left(measured):
    """Five relevant hits of the first 30 are marked, and five others: the first ranking goes on without them."""
    measures = measured("collection-marks", "none", LEARNERS)
    assert set(measures) <= set(MARK_MEASURES)
    assert measures["P@10"] == measures["P@10, none"]
    precisions = []
    for id_, text in zip(SET.queries.ids, SET.queries.texts, strict=True):
        hits = [hit.id for hit in fresh_collection("tiny", 0).collection.search(text, 1000)]
        relevant = [hit for hit in hits[:30] if hit in GRADES[id_]][:5]
        irrelevant = [hit for hit in hits[:30] if hit not in GRADES[id_]][:5]
        left = [hit for hit in hits if hit not in {*relevant, *irrelevant}]
        precisions.append(sum(hit in GRADES[id_] for hit in left[:10]) / 10)
    assert measures["P@10"] == pytest.approx(100 * sum(precisions) / 2, abs=1e-3)


def test_the_collection_and_rocchio_learn_from_the_same_marks(measured):
    own, words = (measured("collection-marks", method, LEARNERS) for method in ("own", "words"))
    assert own["nDCG@10, none"] == words["nDCG@10, none"]
    assert words["nDCG@10, over reference"] == 0
    assert own["nDCG@10, over reference"] == pytest.approx(own["nDCG@10"] - words["nDCG@10"], abs=2e-3)
    assert own["nDCG@10"] >= own["nDCG@10, none"]


def test_what_is_no_system_or_learner_is_refused(measured):
    with pytest.raises(InputError, match="system"):
        measured("collection-search", "by luck")
    with pytest.raises(InputError, match="learner"):
        measured("collection-marks", "luck", LEARNERS)
    with pytest.raises(InputError, match="three weights"):
        measured("collection-marks", "odd", '[options.learners]\n"odd" = [1, 2]')
