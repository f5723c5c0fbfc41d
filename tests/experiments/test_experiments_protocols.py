"""The protocols on tiny data that say what each of them showed to the encoder."""

import gzip

import numpy as np
import pytest

from satchel.datasets import LabelledSet, LabelledTexts
from satchel.encoders import Encoder
from satchel.errors import InputError, MissingExtraError
from satchel.experiments import ResultRow, read_experiment, run_experiment, run_experiments, write_results
from satchel.experiments.protocols.retrieval import choose
from satchel.experiments.report import across_lines
from satchel.parts import PARTS
from satchel.progress import StoppedError

HEAD = """
title = "A tiny table"
source = "Nowhere Table 1"
dataset = "tiny"
protocol = "{protocol}"
judged_by = "{judged_by}"
{options}
[[methods]]
method = "spy"
encoder = "Spy"
distances = ["cosine"]
"""
CLASSES = ("cat", "dog", "owl")


def _texts(split: str, n: int) -> LabelledTexts:
    labels = [CLASSES[i % 3] for i in range(n)]
    texts = [f"{split} {label} number{i} {'x ' * (i % 5)}" for i, label in enumerate(labels)]
    return LabelledTexts([f"{split}{i}" for i in range(n)], texts, labels)


class Spy(Encoder):
    """Encodes by the label's word and the length, and remembers what it was shown."""

    def __init__(self, missing: bool = False) -> None:
        self.missing = missing

    def fit(self, texts, labels=None):
        if self.missing:
            raise MissingExtraError("spying needs an extra")
        SHOWN["fit"], SHOWN["labels"] = list(texts), labels
        return self

    def transform(self, texts):
        SHOWN.setdefault("transform", []).append(list(texts))
        return np.array([[label in text for label in CLASSES] + [len(text)] for text in texts], np.float32)


SHOWN: dict = {}
DATA = LabelledSet("tiny", _texts("train", 30), _texts("test", 12))


@pytest.fixture
def spied(tmp_path, monkeypatch):
    """Writes and reads an experiment whose only encoder is the spy."""
    SHOWN.clear()
    monkeypatch.setattr("satchel.experiments.protocols.retrieval.load", lambda name: DATA)
    monkeypatch.setitem(PARTS["encoder"], "Spy", f"{__name__}:Spy")

    def experiment(protocol="label-retrieval", more="", options="", judged_by="mAP (11-point)"):
        path = tmp_path / "tiny.toml"
        head = HEAD.format(protocol=protocol, options=options, judged_by=judged_by)
        path.write_text(head + more, encoding="utf-8")
        return read_experiment(str(path))

    return experiment


def test_labels_are_told_only_to_methods_that_ask_for_them(spied):
    run_experiment(spied())
    assert SHOWN["labels"] is None
    run_experiment(spied(more="labels = true"))
    assert SHOWN["labels"] == DATA.train.labels


def test_without_published_values_there_is_no_verdict(spied):
    (row,) = run_experiment(spied())
    assert (row.published, row.verdict) == ({}, None)


def test_out_of_domain_never_shows_the_held_out_classes_to_fit(spied):
    run_experiment(spied("out-of-domain", "labels = true", "options = { held_out = ['owl'] }"))
    assert set(SHOWN["labels"]) == {"cat", "dog"}
    assert not any("owl" in text for text in SHOWN["fit"])
    database, queries = SHOWN["transform"]
    assert database == DATA.train.texts
    assert queries == [text for text in DATA.test.texts if "owl" in text]


@pytest.mark.parametrize("held_out", ["[]", "['bat']", "'owl'"])
def test_held_out_classes_must_be_labels_of_the_set(spied, held_out):
    with pytest.raises(InputError, match="held_out must"):
        run_experiment(spied("out-of-domain", "", f"options = {{ held_out = {held_out} }}"))


def test_a_train_sample_has_train_documents_only_and_no_query_in_its_database(spied):
    run_experiment(spied("train-sample", "labels = true", "options = { n_documents = 12 }"))
    database, queries = SHOWN["transform"]
    assert SHOWN["fit"] == database
    assert (len(set(database)), len(set(queries))) == (12, 12)
    assert set(database) | set(queries) <= set(DATA.train.texts)
    assert not set(database) & set(queries)


def test_a_train_sample_depends_on_its_seed(spied):
    run_experiment(spied("train-sample", "seeds = [0, 1]", "options = { n_documents = 12 }"))
    first, _, second, _ = SHOWN["transform"]
    assert set(first) != set(second)


def test_a_train_sample_larger_than_the_set_is_refused(spied):
    with pytest.raises(InputError, match="n_documents is 16; expected a whole number from 1 to 15"):
        run_experiment(spied("train-sample", "", "options = { n_documents = 16 }"))


def test_a_document_space_has_a_point_and_a_class_for_each_sampled_document(spied):
    options = "options = { n_documents = 8, classes = ['owl', 'cat'] }"
    (row,) = run_experiment(spied("document-space", "", options, "silhouette"))
    assert {len(row.series[name]) for name in ("x", "y", "class")} == {8}
    assert all(("owl", "cat")[number] in text for number, text in zip(row.series["class"], SHOWN["fit"], strict=True))
    assert set(SHOWN["fit"]) <= {text for text in DATA.train.texts if "dog" not in text}


def test_curves_bring_their_points(spied):
    (row,) = run_experiment(spied("curves"))
    assert row.series["recall"] == [10.0 * i for i in range(11)]
    assert np.mean(row.series["precision at recall"]) == pytest.approx(row.measures["mAP (11-point)"], abs=0.01)


def test_vary_gives_a_row_for_each_value_with_its_setting(spied):
    rows = run_experiment(spied(more="vary = { missing = [false] }\nsetting = { size = 3 }"))
    assert [row.setting for row in rows] == [{"size": 3, "missing": False}]


def test_a_method_whose_extra_is_missing_stops_or_is_left_out_and_said_so(spied):
    experiment = spied(more="parameters = { missing = true }")
    with pytest.raises(MissingExtraError, match="needs an extra"):
        run_experiment(experiment)
    (done,) = run_experiments([experiment], skip_missing=True)
    assert done.rows == []
    assert done.left_out == ["tiny: spy, seed 0 is left out: spying needs an extra"]


def test_the_middle_of_the_plateau_is_chosen():
    assert choose({0.1: 10, 0.2: 49.5, 0.3: 49.2, 0.5: 50, 0.7: 48}) == 0.3
    assert choose({0.1: 49.9, 0.2: 10, 0.3: 50}) == 0.3
    assert choose({0.1: 50, 0.2: 49.5}) == 0.1


def test_selected_parameters_come_from_the_saved_sweeps(spied, tmp_path):
    def row(method, parameter, value, score):
        setting = {"data set": "tiny", parameter: value}
        return ResultRow(method, "cosine", 4, {"mAP (11-point)": score}, {}, None, 1.0, 0, "", setting=setting)

    names = ("sigma", "m", "batch_size", "n_codewords")
    rows = [row("RO-BoEW", name, value, score) for name in names for value, score in ((1, 10.0), (2, 20.0))]
    write_results(tmp_path / "sweep.json", [*rows, row("BoEW", "sigma", 3, 5.0)])
    (found,) = run_experiment(spied("selection", "", "options = { sweeps = ['sweep'] }\nunit = ''", "m"))
    assert found.measures == {"sigma (BoEW)": 3, "sigma (RO-BoEW)": 2, "m": 2, "N_B": 2, "N_K": 2}


def test_two_processes_give_the_rows_of_one_in_the_same_order(tmp_path, monkeypatch):
    folder = tmp_path / "webkb"
    folder.mkdir()
    for split in ("train", "test"):
        texts = _texts(split, 18)
        with gzip.open(folder / f"{split}.tsv.gz", "wt", encoding="utf-8") as file:
            file.writelines(f"{label}\t{text}\n" for label, text in zip(texts.labels, texts.texts, strict=True))
    monkeypatch.setenv("SATCHEL_DATA", str(tmp_path))
    text = HEAD.format(protocol="label-retrieval", options="", judged_by="mAP (11-point)").replace('"tiny"', '"webkb"')
    text = text.replace('"Spy"', '"Lsi"\nparameters = { n_components = 2 }\nseeds = [0, 1]')
    second = 'method = "BoEW"\nencoder = "BagOfEmbeddedWords"\nparameters = { n_codewords = 2 }\ndistances = ["cosine"]'
    (tmp_path / "tiny.toml").write_text(f"{text}[[methods]]\n{second}\n", encoding="utf-8")
    experiment, told = read_experiment(str(tmp_path / "tiny.toml")), []
    alone, together = (
        run_experiment(experiment, jobs=jobs, on_progress=lambda *now: told.append(now)) for jobs in (1, 2)
    )
    assert [(row.condition, row.seed, row.measures) for row in alone] == [
        (row.condition, row.seed, row.measures) for row in together
    ]
    assert len(alone) == 3
    steps = [f"tiny: {name}" for name in ("spy, seed 0", "spy, seed 1", "BoEW, seed 0")]
    before_and_after = [(step, n + later, 3) for n, step in enumerate(steps) for later in (0, 1)]
    assert told[:6] == before_and_after
    assert sorted(step for step, _, _ in told[6:]) == sorted(steps)
    assert [(done, total) for _, done, total in told[6:]] == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_experiments_that_are_stopped_give_no_rows_and_forget_what_they_shared(tmp_path, monkeypatch, jobs):
    told, forgotten = [], []

    def stop(step, done, total):
        told.append((step, done, total))
        if done == 1:
            raise StoppedError("enough")

    monkeypatch.setattr("satchel.experiments.runner.run_step", str)
    monkeypatch.setattr("satchel.experiments.runner.forget_words", lambda: forgotten.append("words"))
    text = HEAD.format(protocol="label-retrieval", options="", judged_by="mAP (11-point)")
    text = text.replace('"Spy"', '"Lsi"\nseeds = [0, 1, 2, 3]')
    (tmp_path / "tiny.toml").write_text(text, encoding="utf-8")
    with pytest.raises(StoppedError, match="enough"):
        run_experiment(read_experiment(str(tmp_path / "tiny.toml")), jobs=jobs, on_progress=stop)
    assert told[-1][1:] == (1, 4)
    assert forgotten == ["words"]
    assert [path.name for path in tmp_path.iterdir()] == ["tiny.toml"]


def test_few_labels_are_told_for_so_many_texts_of_each_class_and_no_others(spied):
    experiment = spied("some-labels", more='labels = true\nsetting = { "per class" = 2 }')
    run_experiment(experiment)
    assert SHOWN["fit"] == DATA.train.texts
    told = [(label, true) for label, true in zip(SHOWN["labels"], DATA.train.labels, strict=True) if label is not None]
    assert sorted(label for label, _ in told) == sorted(CLASSES * 2)
    assert all(label == true for label, true in told)


def test_the_train_tail_shows_no_test_text_and_asks_with_the_last_of_each_class(spied):
    run_experiment(spied("train-tail"))
    database, queries = SHOWN["transform"][0], SHOWN["transform"][1]
    assert SHOWN["fit"] == database
    assert not set(database + queries) & set(DATA.test.texts)
    assert set(queries) == set(DATA.train.texts[24:])  # two of the ten texts of each of three classes
    assert not set(queries) & set(database)


def test_seen_texts_of_held_out_classes_are_learned_from_without_their_labels(spied):
    more = "labels = true\nsetting = { seen = true }"
    run_experiment(spied("out-of-domain", options='[options]\nheld_out = ["owl"]', more=more))
    assert SHOWN["fit"] == DATA.train.texts
    assert SHOWN["labels"] == [None if label == "owl" else label for label in DATA.train.labels]


def test_int8_compresses_the_database_and_gives_nearly_the_same(spied):
    (whole,) = run_experiment(spied("label-retrieval"))
    (small,) = run_experiment(spied("label-retrieval", more="setting = { int8 = true }"))
    assert small.measures["mAP (11-point)"] == pytest.approx(whole.measures["mAP (11-point)"], abs=5)


def test_a_table_may_run_across_the_values_of_a_setting():
    rows = [
        ResultRow("A", "cosine", 3, {"P": score, "R": 5.0}, {}, None, 1.0, seed, "here", setting={"set": name, "k": 2})
        for name, seed, score in (("x", 0, 10.0), ("x", 1, 20.0), ("y", 0, 7.0))
    ]
    head, _, line, _, said = across_lines(rows, "set", ["P", "R"], "percent")
    assert head == "| method | k | x | y |"
    assert line == "| A | 2 | 15.00 ±5.00 / 5.00 | 7.00 / 5.00 |"
    assert "mean over 1 to 2 seeds" in said


def test_a_table_that_runs_across_shows_what_was_published_beside_ours():
    row = ResultRow("A", "score", 3, {"P": 10.0}, {"P": 12.5}, None, 1.0, 0, "here", setting={"set": "x"})
    _, _, line, _, said = across_lines([row], "set", ["P", "R"], "percent")
    assert line == "| A | 10.00 (12.50) / – |"
    assert said.endswith("in parentheses: published.")
