"""The protocol of first words on a tiny set: what asks, what is learned, what is measured of it, and what is drawn."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from satchel.cli.app import main
from satchel.datasets import LabelledSet, LabelledTexts
from satchel.errors import InputError
from satchel.experiments import as_markdown, draw_figures, read_experiment, run_experiment, write_results
from satchel.experiments.protocols.judging import in_domain
from satchel.experiments.protocols.topics import (
    CURVES,
    N_WORDS,
    TOPIC_MEASURES,
    first_words,
    judge_topics,
    perplexities,
)
from satchel.ranking import Bm25
from satchel.text import Tokenizer

HEAD = """
title = "A tiny table"
source = "Nowhere Table 3"
protocol = "{protocol}"
judged_by = "{judged_by}"
{more}
"""
METHODS = """
[[methods]]
method = "BM25"
retriever = "Bm25"
parameters = { tokenizer = { stop_words = "smart", stem = true } }
dataset = "tiny"
[[methods]]
method = "bag"
encoder = "BagOfEmbeddedWords"
parameters = { n_codewords = 4, min_count = 1 }
labels = true
dataset = "tiny"
distances = ["cosine"]
"""
RNG = np.random.default_rng(1)


def some_texts(split, n):
    labels = [f"topic{min(i % 5, 2)}" for i in range(n)]  # three documents in five are of topic2
    words = [[f"{label}w{RNG.integers(6)}" if RNG.uniform() < 0.4 else "storm" for _ in range(22)] for label in labels]
    return LabelledTexts([f"{split}{i}" for i in range(n)], ["the " + " ".join(text) for text in words], labels)


DATA = LabelledSet("tiny", some_texts("train", 60), some_texts("test", 20))


@pytest.fixture
def experiment(tmp_path, monkeypatch):
    monkeypatch.setattr("satchel.experiments.protocols.retrieval.load", lambda name: DATA)

    def made(methods=METHODS, name="tiny", protocol="topic-queries", judged_by="MAP (top 20), 5 words", more=""):
        path = tmp_path / f"{name}.toml"
        head = HEAD.format(protocol=protocol, judged_by=judged_by, more=more)
        path.write_text(head + methods, encoding="utf-8")
        return read_experiment(str(path))

    return made


def test_a_query_is_the_first_words_that_are_no_stop_words_as_they_stand():
    text = "The runners\tof Saarland\n\nwere running 12 miles"
    assert first_words(text, 3) == "runners saarland running"
    assert first_words(text, 99) == "runners saarland running 12 miles"
    assert Tokenizer.preset("mw").tokens(first_words(text, 3)) == Tokenizer.preset("mw").tokens(text)[:3]


def test_rows_hold_the_measures_of_every_length_worked_out_query_by_query(experiment):
    bm25, bag = run_experiment(experiment())
    assert set(bm25.measures) == set(bag.measures) == set(TOPIC_MEASURES)
    retriever = Bm25(tokenizer=Tokenizer.preset("mw")).fit(DATA.train.texts)
    for n in N_WORDS:
        asked = zip(DATA.test.texts, DATA.test.labels, strict=True)
        expected = [slow_average_precision(retriever, *query, n) for query in asked]
        assert bm25.measures[f"MAP (top 20), {n} words"] == pytest.approx(100 * np.mean(expected), abs=1e-3)
        firsts = [DATA.train.labels[retriever.search([first_words(t, n)], 1).ids[0, 0]] for t in DATA.test.texts]
        right = np.mean([one == other for one, other in zip(firsts, DATA.test.labels, strict=True)])
        assert bm25.measures[f"topic of the first document, right, {n} words"] == pytest.approx(100 * right, abs=1e-3)
    assert bag.measures["MAP (top 20), 20 words"] > bm25.measures["MAP (top 20), 5 words"] > 0


def slow_average_precision(retriever, text, label, n_words):
    found, total = 0, 0.0
    for rank, document in enumerate(retriever.search([first_words(text, n_words)], 20).ids[0], start=1):
        if document >= 0 and DATA.train.labels[document] == label:
            found += 1
            total += found / rank
    return total / min(20, DATA.train.labels.count(label))


def test_blocks_of_queries_change_nothing(monkeypatch):
    task, retriever = in_domain(DATA), Bm25().fit(DATA.train.texts)
    whole = judge_topics(retriever, task, 5)
    monkeypatch.setattr("satchel.experiments.protocols.topics._QUERIES_AT_ONCE", 7)
    for one, other in zip(whole, judge_topics(retriever, task, 5), strict=True):
        assert one.measures == pytest.approx(other.measures, nan_ok=True)


def test_series_hold_the_curves_and_each_topic_the_largest_first(experiment):
    row, _ = run_experiment(experiment())
    assert row.series["words"] == [5, 10, 15, 20]
    for name in CURVES:
        assert row.series[name] == [row.measures[f"{name}, {n} words"] for n in N_WORDS]
    assert row.series["documents of topics"] == [36, 12, 12]
    sizes = [DATA.test.labels.count(f"topic{number}") for number in (2, 0, 1)]
    mean = np.average(row.series["MAP (top 20) of topics, 5 words"], weights=sizes)
    assert mean == pytest.approx(row.measures["MAP (top 20), 5 words"], abs=0.01)


def test_topics_are_kept_of_the_first_seed_alone_and_curves_of_all(experiment):
    bm25 = METHODS[: METHODS.index("[[methods]]", 5)]
    first, second = run_experiment(experiment(bm25 + "seeds = [3, 1]\n"))
    assert (first.seed, second.seed) == (3, 1)
    assert second.series == {name: points for name, points in first.series.items() if "of topics" not in name}
    assert len(first.series) == len(second.series) + 1 + 2 * len(N_WORDS)


def test_for_choosing_no_test_text_asks(experiment, monkeypatch):
    monkeypatch.setattr(
        "satchel.experiments.protocols.retrieval.load", lambda name: LabelledSet("tiny", DATA.train, None)
    )
    row, _ = run_experiment(experiment(more='[options]\nqueries = "train"'))
    assert sum(row.series["documents of topics"]) == 45
    with pytest.raises(InputError, match="unknown split of queries 'dev'; choose from test, train"):
        run_experiment(experiment(more='[options]\nqueries = "dev"'))


def test_figures_take_their_rows_from_another_experiment(experiment, tmp_path):
    pytest.importorskip("matplotlib")
    table = experiment()
    pictures = "".join(f'[figures.{kind}]\nkind = "{kind}"\ntitle = "T"\n' for kind in ("query-lengths", "topics"))
    figures = experiment(METHODS, "figures", "topic-curves", more=f'{pictures}\n[options]\nrows_of = "tiny"')
    with pytest.raises(FileNotFoundError, match="--save"):
        run_experiment(figures)
    rows = run_experiment(table)
    write_results(tmp_path / "tiny.json", rows)
    taken = run_experiment(figures)
    assert [row.series for row in taken] == [row.series for row in rows]
    assert all(path.stat().st_size > 5000 for path in draw_figures(figures, taken, tmp_path))


def test_queries_that_find_nothing_have_no_mean_rank(experiment, monkeypatch, tmp_path):
    pytest.importorskip("matplotlib")
    strange = LabelledTexts(["q"], ["unheard unseen " * 12], ["topic0"])
    monkeypatch.setattr(
        "satchel.experiments.protocols.retrieval.load", lambda name: LabelledSet("tiny", DATA.train, strange)
    )
    tiny = experiment(
        METHODS.split('[[methods]]\nmethod = "bag"')[0], more='[figures.q]\nkind = "query-lengths"\ntitle = "T"'
    )
    (row,) = run_experiment(tiny)
    assert row.measures["success rate, 5 words"] == row.measures["MAP (top 20), 20 words"] == 0
    assert not [name for name in (*row.measures, *row.series) if "mean rank" in name]
    assert draw_figures(tiny, [row], tmp_path)


def test_perplexities_of_a_network_become_series_and_are_drawn(experiment, tmp_path):
    pytest.importorskip("matplotlib")
    epochs = [SimpleNamespace(train_perplexity=20 / n, validation_perplexity=25 / n) for n in (1, 2)]
    assert perplexities(SimpleNamespace(history_=epochs)) == {
        "train perplexity": [20, 10],
        "validation perplexity": [25, 12.5],
    }
    none_set_aside = [SimpleNamespace(train_perplexity=20 / n, validation_perplexity=None) for n in (1, 2)]
    without = perplexities(SimpleNamespace(history_=none_set_aside))
    assert without == {"train perplexity": [20, 10]}
    tiny = experiment(more='[figures.p]\nkind = "perplexities"\ntitle = "T"')
    rows = [replace(row, series=without) for row in run_experiment(tiny)]
    (path,) = draw_figures(tiny, rows, tmp_path)
    assert path.stat().st_size > 5000


NETWORK = """
[[methods]]
method = "FFNN"
retriever = "FeedForwardRetriever"
parameters = {{ {parameters} }}
labels = true
dataset = "tiny"
"""


def test_a_network_is_asked_as_the_others_are(experiment):
    pytest.importorskip("torch")
    layers = "ngram = 3, projection = 8, hidden = 16, max_epochs = 4, validation_share = 0.2, min_count = 1"
    (row,) = run_experiment(experiment(NETWORK.format(parameters=layers)))
    assert set(row.measures) <= set(TOPIC_MEASURES)
    assert len(row.series["train perplexity"]) == len(row.series["validation perplexity"]) == 4
    assert row.distance == "score"


def test_the_command_runs_one_network_of_a_table_alone(experiment, tmp_path, monkeypatch):
    pytest.importorskip("torch")
    layers = 'ngram = 1, projection = 8, hidden = 16, max_epochs = 2, min_count = 1, device = "auto"'
    experiment(METHODS + NETWORK.format(parameters=layers), "table")
    written = tmp_path / "rows.json"
    command = ["satchel", "reproduce", str(tmp_path / "table.toml"), "--only", "FFNN", "--to", str(written)]
    monkeypatch.setattr("sys.argv", command)
    with pytest.raises(SystemExit) as stop:
        main()
    assert not stop.value.code
    (row,) = json.loads(written.read_text())
    assert row["method"] == "FFNN"
    assert len(row["series"]["train perplexity"]) == 2
    assert 0 < row["measures"]["MAP (top 20), 5 words"] <= 100


def test_a_network_that_is_not_trained_tells_what_it_would_learn_from_and_its_layers(experiment):
    pytest.importorskip("torch")
    method = NETWORK.format(parameters='recipe = "paper", max_epochs = 0, min_count = 1, hidden = 16')
    (row,) = run_experiment(experiment(method, "statistics", "topic-statistics", "topics"))
    assert (row.measures["training documents"], row.measures["validation documents"]) == (49, 11)  # 7+2+2 set aside
    (row,) = run_experiment(experiment(method, "layers", "network-layers", "hidden"))
    assert row.measures == {"projection": 200, "hidden": 16}
    with pytest.raises(InputError, match="Bm25 has no layer called projection; name a network"):
        run_experiment(experiment(METHODS, "layers", "network-layers", "hidden"))


def test_sizes_of_topics_are_counted_and_drawn(experiment, tmp_path):
    pytest.importorskip("matplotlib")
    methods = METHODS.split("[[methods]]")[1].replace("BM25", "tiny")
    more = 'unit = ""\n[figures.sizes]\nkind = "topic-sizes"\ntitle = "T"'
    statistics = experiment("[[methods]]" + methods, "sizes", "topic-statistics", "topics", more)
    (row,) = run_experiment(statistics)
    words = {word for text in DATA.train.texts for word in Tokenizer.preset("mw").tokens(text)}
    assert row.measures == {
        "training documents": 60,
        "validation documents": 0,
        "test documents": 20,
        "topics": 3,
        "vocabulary": len(words),
        "evenness": pytest.approx(0.8650, abs=1e-4),
        "skewness": pytest.approx(0.707, abs=1e-3),
    }
    (path,) = draw_figures(statistics, [row], tmp_path)
    assert path.stat().st_size > 5000
    assert "| tiny | tiny | score |" in as_markdown(statistics, [row])
