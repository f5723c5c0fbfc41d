import json

import numpy as np
import pytest

from command_line import run
from satchel.datasets import AdHocSet, Documents, LabelledSet, LabelledTexts, Queries, Review
from satchel.experiments.kept import KEPT
from satchel.experiments.protocols.screening import SCREENING_MEASURES
from satchel.parts import PARTS

WORDS = {"cat": ["purr", "meow", "paw", "claw"], "dog": ["bark", "bone", "paw", "leash"]}


def _texts(n, state):
    rng = np.random.default_rng(state)
    labels = [("cat", "dog")[i % 2] for i in range(n)]
    return LabelledTexts([f"d{i}" for i in range(n)], [" ".join(rng.choice(WORDS[word], 3)) for word in labels], labels)


LABELLED = LabelledSet("tiny", _texts(40, 0), _texts(8, 1))
JUDGED = AdHocSet(
    "judged",
    Documents(LABELLED.train.ids, LABELLED.train.texts, [""] * 40),
    Queries(["q0", "q1"], ["purr meow", "bark bone"]),
    {"test": {"q0": {f"d{i}": 1 for i in range(0, 40, 2)}, "q1": {f"d{i}": 2 for i in range(1, 40, 2)}}},
)
REVIEW = Review("reviews/tiny", LABELLED.train.texts, np.array([label == "cat" for label in LABELLED.train.labels]))


@pytest.fixture
def simulate(capsys, monkeypatch):
    """Exit code, standard output and standard error of `satchel simulate`, on tiny data."""
    known = {"tiny": LABELLED, "judged": JUDGED, "reviews/tiny": REVIEW, "unsplit": LABELLED.train}
    monkeypatch.setattr("satchel.experiments.protocols.retrieval.load", lambda name: known[name])
    monkeypatch.setattr("satchel.datasets.load", lambda name: known[name])

    yield lambda *arguments: run(capsys, monkeypatch, "simulate", *arguments)
    KEPT.forget()


LSI = ("--encoder", "Lsi", "--set", "n_components=3")


def test_methods_are_compared_on_the_residual_collection_which_is_named(simulate):
    code, out, _ = simulate("tiny", *LSI, "--method", "rocchio", "--method", "none", "--rounds", 2, "--relevant", 2)
    assert code == 0
    assert "residual collection: marked documents are taken out" in out
    lines = [line.split() for line in out.splitlines() if line.startswith(("rocchio", "none"))]
    assert len(lines) == 2 * 2 * 4
    assert {(line[-3], line[-2], line[-1]) for line in lines if line[0] == "none"} == {("0.00", "0.00", "1.0000")}


def test_json_holds_every_round_in_both_ways_of_measuring(simulate):
    code, out, _ = simulate("tiny", *LSI, "--method", "rocchio", "--rounds", 2, "--relevant", 2, "--json")
    found = json.loads(out)
    assert code == 0
    assert [row["round"] for row in found["rows"]] == [1, 2]
    for row in found["rows"]:
        assert set(row["residual"]) == set(row["frozen"]) == {"mAP (11-point)", "P@10", "P@20", "nDCG@10"}
        assert set(row["residual"]["P@10"]) == {"none", "feedback", "better", "worse", "p"}
    assert (found["n_relevant"], found["encoder"]) == (2, "Lsi")
    assert found["rows"][1]["relevant marks"] <= 4


def test_the_same_seed_gives_the_same_numbers(simulate):
    arguments = ("tiny", *LSI, "--choice", "random", "--mistakes", "0.3", "--relevant", 2, "--json", "--seed")
    rows = [json.loads(simulate(*arguments, seed)[1])["rows"] for seed in (1, 1, 2)]
    assert rows[0] == rows[1] != rows[2]


def test_a_set_with_judgments_is_asked_by_all_its_queries(simulate):
    _, out, _ = simulate("judged", *LSI, "--method", "rocchio", "--tune", "rocchio_weights=paper", "--json")
    assert json.loads(out)["rows"][0]["queries"] == 2


def test_the_curves_are_drawn(simulate, tmp_path):
    pytest.importorskip("matplotlib")
    assert simulate("tiny", *LSI, "--relevant", 1, "--rounds", 2, "--draw", tmp_path / "new" / "a.png")[0] == 0
    assert simulate("reviews/tiny", "--draw", tmp_path / "b.svg")[0] == 0
    assert (tmp_path / "new" / "a.png").stat().st_size > 5000
    assert "relevant records found" in (tmp_path / "b.svg").read_text("utf-8")


def test_a_review_is_screened_from_one_relevant_and_one_irrelevant_record(simulate):
    code, out, _ = simulate("reviews/tiny", "--json", "--seed", 3)
    found = json.loads(out)
    assert code == 0
    assert [bool(REVIEW.included[place]) for place in found["start"]] == [True, False]
    assert sorted(found["order"] + found["start"]) == list(range(40))
    assert set(found["measures"]) == set(SCREENING_MEASURES)
    assert "WSS@95" in simulate("reviews/tiny")[1]


def test_the_models_of_screening_are_named(simulate):
    models = PARTS["screening model"]
    orders = {model: json.loads(simulate("reviews/tiny", "--json", "--screening-model", model)[1]) for model in models}
    assert all(found["model"] == model for model, found in orders.items())
    assert "choose from both, lexical, vectors" in simulate("reviews/tiny", "--screening-model", "magic")[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tiny", "--method", "magic"), "unknown method 'magic'; choose from auto, mask, mask+rocchio, none, rocchio"),
        (("tiny", "--tune", "speed=3"), "unknown parameter of Feedback 'speed'; choose from"),
        (("tiny", *LSI, "--choice", "last"), "unknown choice 'last'; choose from first, random"),
        (("tiny", "--encoder", "Nope"), "unknown encoder 'Nope'; choose from"),
        (("tiny", "--draw", "x.txt"), "--draw is x.txt; pictures are drawn to .png, .svg, .pdf"),
        (("tiny", "--mistakes", "2"), "--mistakes"),
        (("unsplit", *LSI), "needs a data set with labels and a test split, or with judgments, not 'unsplit'"),
        (("reviews/tiny", *LSI), "a review is screened by --screening-model"),
    ],
)
def test_a_mistake_is_one_sentence(simulate, arguments, message):
    code, _, err = simulate(*arguments)
    assert code == 2
    assert message in err
    assert len(err.splitlines()) == 1
