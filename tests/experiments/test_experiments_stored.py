"""The protocol of marks that were kept, on data small enough to see through."""

import numpy as np
import pytest

from satchel import BagOfEmbeddedWords
from satchel.datasets import LabelledSet, LabelledTexts
from satchel.errors import InputError
from satchel.evaluation import evaluate_retrieval
from satchel.evaluation.feedback_user import SimulatedUser
from satchel.experiments import read_experiment, run_experiment
from satchel.experiments.kept import KEPT
from satchel.experiments.protocols.feedback import simulated_projects
from satchel.feedback import train_on_marks

MAP = "mAP (11-point)"
EXPERIMENT = """
title = "A tiny table"
source = "Nowhere"
dataset = "{dataset}"
protocol = "stored-marks"
judged_by = "mAP (11-point)"
[options]
n_shown = 10
{options}
[options.kept]
"none" = "nothing"
"names" = "class"
"numbers" = "number"
"queries" = "no name"
"odd" = "all"
[[methods]]
method = "{method}"
encoder = "{encoder}"
distances = ["cosine"]
setting = {{ "kept queries" = {n_queries} }}
"""


def _texts(n, state):
    rng = np.random.default_rng(state)
    labels = [("cat", "dog", "emu")[i % 3] for i in range(n)]
    words = [f"{label}{i}" for label in ("cat", "dog", "emu") for i in range(8)] + ["the", "of", "and"]
    texts = [" ".join(rng.choice(words, 6)) + f" {label}{rng.integers(8)}" for label in labels]
    return LabelledTexts([f"d{i}" for i in range(n)], texts, labels)


DATA = LabelledSet("tiny", _texts(90, 0), _texts(12, 1))
USER = SimulatedUser(n_shown=10)


@pytest.fixture
def row(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "satchel.experiments.protocols.retrieval.load", lambda name: {"tiny": DATA, "flat": DATA.train}[name]
    )

    def run(method, n_queries=10, options="", encoder="BagOfEmbeddedWords", dataset="tiny"):
        path = tmp_path / "tiny.toml"
        names = {"method": method, "n_queries": n_queries, "options": options, "encoder": encoder, "dataset": dataset}
        text = EXPERIMENT.format(**names)
        path.write_text(text, encoding="utf-8")
        return run_experiment(read_experiment(str(path)))[0]

    yield run
    KEPT.forget()


def vectors_of(texts):
    return BagOfEmbeddedWords().fit(texts.texts).transform(texts.texts)


def test_a_query_finds_others_than_itself_and_marks_by_label():
    vectors, labels = vectors_of(DATA.train), np.array(DATA.train.labels)
    projects = simulated_projects(vectors, DATA.train.labels, "class", 20, USER, seed=3)
    asking = np.random.default_rng(3).permutation(90)[:20]
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    for row, project in zip(asking, projects, strict=True):
        best = [found for found in np.argsort(-(units @ units[row]), kind="stable") if found != row][:10]
        assert project.name == labels[row]
        assert set(project.relevant) == set([found for found in best if labels[found] == labels[row]][:5])
        assert set(project.irrelevant) == set([found for found in best if labels[found] != labels[row]][:5])


def test_the_same_marks_are_kept_under_each_naming():
    vectors = vectors_of(DATA.train)
    kept = [simulated_projects(vectors, DATA.train.labels, way, 5, USER, 0) for way in ("class", "number", "no name")]
    assert [project[1:] for project in kept[0]] == [project[1:] for project in kept[1]]
    assert [project[1:] for project in kept[0]] == [project[1:] for project in kept[2]]
    assert [project.name for project in kept[1]] == [0, 1, 2, 3, 4]
    assert {project.name for project in kept[2]} == {None}


@pytest.mark.parametrize(("method", "naming"), [("names", "class"), ("numbers", "number"), ("queries", "no name")])
def test_a_row_is_what_the_trained_vectors_find(row, method, naming):
    projects = simulated_projects(vectors_of(DATA.train), DATA.train.labels, naming, 10, USER, 0)
    trained = train_on_marks(BagOfEmbeddedWords(), DATA.train.texts, projects)
    found, asking = (trained.encoder.transform(texts.texts) for texts in (DATA.train, DATA.test))
    result = evaluate_retrieval(found, DATA.train.labels, asking, DATA.test.labels)
    measures = row(method).measures
    assert measures[MAP] == round(100 * result.measures[MAP], 3)
    assert measures["marks"] == sum(len(project.relevant + project.irrelevant) for project in projects)
    assert (measures["strength"], measures["step"]) == (trained.encoder.strength_, trained.step)


def test_no_marks_are_the_vectors_of_the_texts_alone(row):
    train, test = vectors_of(DATA.train), BagOfEmbeddedWords().fit(DATA.train.texts).transform(DATA.test.texts)
    result = evaluate_retrieval(train, DATA.train.labels, test, DATA.test.labels)
    measures = row("none").measures
    assert (measures[MAP], measures["marks"]) == (round(100 * result.measures[MAP], 3), 0)


def test_on_train_documents_alone_the_last_quarter_of_each_class_asks(row):
    assert row("none", options='queries = "train"').measures[MAP] != row("none").measures[MAP]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"method": "chance"}, "unknown way to keep marks 'chance'"),
        ({"method": "odd"}, "unknown naming 'all'; choose from class, no name, nothing, number"),
        ({"method": "names", "n_queries": -1}, "kept queries is -1"),
        ({"method": "names", "encoder": "Lsi"}, "marks train a BagOfEmbeddedWords, not Lsi"),
        ({"method": "names", "dataset": "flat"}, "with labels and a test split, not on 'flat'"),
        ({"method": "names", "options": 'queries = "all"'}, "unknown split of queries 'all'"),
    ],
)
def test_what_cannot_be_run_is_refused(row, change, message):
    with pytest.raises(InputError, match=message):
        row(**change)
