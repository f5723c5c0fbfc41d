"""The clustering protocol on a tiny set: what is learned from, what is grouped, and whose labels judge."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from satchel.datasets import LabelledSet, LabelledTexts
from satchel.errors import InputError
from satchel.evaluation import evaluate_clustering
from satchel.experiments import read_experiment, run_experiment
from satchel.parts import build

HEAD = """
title = "A tiny table"
source = "Nowhere Table 2"
dataset = "tiny"
protocol = "clustering"
judged_by = "ARI"
[options]
n_runs = 3
{options}
[[methods]]
method = "LSI"
encoder = "Lsi"
parameters = {{ n_components = 3 }}
distances = ["cosine"]
"""
RNG = np.random.default_rng(1)


def some_texts(split: str, n: int) -> LabelledTexts:
    labels = [f"class{i % 3}" for i in range(n)]
    words = [
        [f"{label}word{RNG.integers(4)}" if RNG.uniform() < 0.7 else "common" for _ in range(5)] for label in labels
    ]
    return LabelledTexts([f"{split}{i}" for i in range(n)], [" ".join(text) for text in words], labels)


DATA = LabelledSet("tiny", some_texts("train", 30), some_texts("test", 12))


@pytest.fixture
def experiment(tmp_path, monkeypatch):
    monkeypatch.setattr("satchel.experiments.protocols.retrieval.load", lambda name: DATA)

    def made(options=""):
        path = tmp_path / "tiny.toml"
        path.write_text(HEAD.format(options=options), encoding="utf-8")
        return read_experiment(str(path))

    return made


def test_all_texts_are_grouped_and_the_test_texts_judged_once_more_among_them(experiment):
    (row,) = run_experiment(experiment())
    texts, labels = DATA.train.texts + DATA.test.texts, DATA.train.labels + DATA.test.labels
    vectors = build("encoder", {"name": "Lsi", "n_components": 3}).fit(texts).transform(texts)
    result = evaluate_clustering(vectors, labels, n_runs=3)
    of_test = [adjusted_rand_score(labels[30:], found[30:]) for found in result.clusters]
    assert row.measures["ARI"] == pytest.approx(100 * result.measures["ARI"], abs=1e-3)
    assert row.measures["ARI, test texts"] == pytest.approx(100 * np.mean(of_test), abs=1e-3)
    assert row.measures.keys() == {"ARI", "NMI", "ARI, test texts", "NMI, test texts"}


def test_for_choosing_no_test_text_is_read(experiment):
    (row,) = run_experiment(experiment('texts = "train"'))
    vectors = build("encoder", {"name": "Lsi", "n_components": 3}).fit(DATA.train.texts).transform(DATA.train.texts)
    expected = evaluate_clustering(vectors, DATA.train.labels, n_runs=3)
    assert row.measures == pytest.approx({name: 100 * v for name, v in expected.measures.items()}, abs=1e-3)


def test_other_texts_are_refused(experiment):
    with pytest.raises(InputError, match="texts is 'some'; expected 'all' or 'train'"):
        run_experiment(experiment('texts = "some"'))
