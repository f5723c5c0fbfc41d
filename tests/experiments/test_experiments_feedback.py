"""The protocol of relevance feedback on data small enough to see through."""

import numpy as np
import pytest

from satchel import Lsi
from satchel.datasets import AdHocSet, Documents, LabelledSet, LabelledTexts, Queries
from satchel.errors import InputError
from satchel.evaluation import simulate_feedback
from satchel.experiments import as_markdown, draw_figures, read_experiment, run_experiment
from satchel.experiments.kept import KEPT
from satchel.experiments.protocols.feedback import FEEDBACK_MEASURES, feedback_task, measures_of
from satchel.feedback import Feedback

MAP = "mAP (11-point)"
WORDS = {"cat": ["purr", "meow", "paw", "claw"], "dog": ["bark", "bone", "paw", "leash"]}
EXPERIMENT = """
title = "A tiny table"
source = "Nowhere Table 5"
dataset = "{dataset}"
protocol = "feedback"
judged_by = "mAP (11-point)"
{more}
[options]
n_queries = 5
n_shown = 6
n_relevant = 2
n_irrelevant = 1
{options}
[options.feedback]
"none" = {{ method = "none" }}
"Rocchio" = {{ method = "rocchio" }}
[[methods]]
method = "{method}"
encoder = "Lsi"
parameters = {{ n_components = 3 }}
distances = ["{distance}"]
"""


def _texts(n, state):
    rng = np.random.default_rng(state)
    labels = [("cat", "dog")[i % 2] for i in range(n)]
    texts = [" ".join(rng.choice(WORDS[label], 3)) for label in labels]
    return LabelledTexts([f"d{i}" for i in range(n)], texts, labels)


LABELLED = LabelledSet("tiny", _texts(40, 0), _texts(8, 1))
JUDGED = AdHocSet(
    "judged",
    Documents(LABELLED.train.ids, LABELLED.train.texts, [""] * 40),
    Queries(["q0", "q1", "q2"], ["purr meow", "bark bone", "paw"]),
    {"test": {"q0": {f"d{i}": 1 for i in range(0, 40, 2)}, "q1": {f"d{i}": 2 for i in range(1, 40, 2)}}},
)


@pytest.fixture
def experiment(tmp_path, monkeypatch):
    known = {"tiny": LABELLED, "judged": JUDGED, "unsplit": LABELLED.train}
    monkeypatch.setattr("satchel.experiments.protocols.retrieval.load", lambda name: known[name])

    def read(more="", options="", method="Rocchio", dataset="tiny", distance="cosine"):
        path = tmp_path / "tiny.toml"
        text = EXPERIMENT.format(more=more, options=options, method=method, dataset=dataset, distance=distance)
        path.write_text(text, encoding="utf-8")
        return read_experiment(str(path))

    yield read
    KEPT.forget()


def test_a_row_holds_what_the_simulation_of_random_test_queries_gives(experiment):
    (row,) = run_experiment(experiment())
    encoder = Lsi(3).fit(LABELLED.train.texts)
    rows = np.random.default_rng(0).permutation(8)[:5]
    result = simulate_feedback(
        encoder.transform(LABELLED.train.texts),
        LABELLED.train.labels,
        encoder.transform([LABELLED.test.texts[i] for i in rows]),
        [LABELLED.test.labels[i] for i in rows],
        feedback=Feedback("rocchio"),
        n_shown=6,
        n_relevant=2,
        n_irrelevant=1,
    )
    assert row.measures == measures_of(result)
    assert row.measures["queries"] == 5
    assert row.measures[MAP] == round(100 * result.last.residual.feedback.measures[MAP], 3)
    assert row.measures[f"{MAP}, none"] == round(100 * result.last.residual.none.measures[MAP], 3)


def test_without_feedback_a_row_is_its_own_none(experiment):
    (row,) = run_experiment(experiment(method="none"))
    assert row.measures[MAP] == row.measures[f"{MAP}, none"]
    assert (row.measures[f"{MAP}, worse"], row.measures[f"{MAP}, p"]) == (0, 1)


def test_a_reference_is_compared_on_the_same_documents(experiment):
    (row,) = run_experiment(experiment(options='reference = "none"'))
    gain = row.measures[MAP] - row.measures[f"{MAP}, none"]
    assert row.measures[f"{MAP}, over reference"] == pytest.approx(gain, abs=0.002)
    assert row.measures[f"{MAP}, p over reference"] == row.measures[f"{MAP}, p"]
    assert set(FEEDBACK_MEASURES) == set(row.measures)


def test_after_several_rounds_there_is_no_reference_but_a_curve_of_rounds(experiment, tmp_path):
    figure = "[figures.rounds]\nkind = 'feedback-rounds'\ntitle = 'Rounds'\n"
    tiny = experiment(options=f"rounds = 2\nreference = 'none'\n{figure}")
    (row,) = rows = run_experiment(tiny)
    assert f"{MAP}, over reference" not in row.measures
    assert row.series["round"] == [0, 1, 2]
    assert row.series["with feedback"][2] == row.measures[MAP]
    assert row.series["without feedback"][2] == row.measures[f"{MAP}, none"]
    assert draw_figures(tiny, rows, tmp_path)[0].stat().st_size > 5000


def test_judgments_are_used_where_a_set_has_them(experiment):
    (row,) = run_experiment(experiment(dataset="judged"))
    assert row.measures["queries"] == 2
    task = feedback_task("judged", "Lsi", {"n_components": 3})
    assert task.query_names == ["q0", "q1"]
    assert task.judgments == JUDGED.judgments


def test_on_train_documents_alone_the_last_quarter_of_each_class_asks_the_rest(experiment):
    (row,) = run_experiment(experiment(options='queries = "train"'))
    task = feedback_task("tiny", "Lsi", {"n_components": 3}, queries="train", n_queries=99)
    assert row.measures["queries"] == 5
    assert (task.database.shape, task.queries.shape) == ((30, 3), (10, 3))
    assert sorted(task.query_names) == ["cat"] * 5 + ["dog"] * 5


def test_a_setting_of_the_user_becomes_a_column(experiment):
    tiny = experiment(more='columns = ["P@10", "P@10, worse"]')
    path = tiny.path
    path.write_text(path.read_text("utf-8") + "setting = { mistakes = 0.4 }\n", encoding="utf-8")
    tiny = read_experiment(str(path))
    rows = run_experiment(tiny)
    assert "| method | mistakes | distance | numbers | P@10 | P@10, worse | verdict |" in as_markdown(tiny, rows)
    assert rows[0].measures != run_experiment(experiment())[0].measures


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"method": "Chance"}, "unknown feedback 'Chance'; choose from Rocchio, none"),
        ({"dataset": "unsplit"}, "needs a data set with labels and a test split, or with judgments, not 'unsplit'"),
        ({"distance": "euclidean"}, "with the cosine only, not with 'euclidean'"),
        ({"options": 'queries = "all"'}, "unknown split of queries 'all'; choose from test, train"),
        ({"options": "rounds = 0"}, "rounds is 0"),
        ({"more": 'columns = ["mAP"]'}, "unknown measure of feedback 'mAP'"),
        ({"more": 'columns = "mAP"'}, "columns must be a list of measures"),
    ],
)
def test_what_cannot_be_run_is_refused(experiment, change, message):
    with pytest.raises(InputError, match=message):
        run_experiment(experiment(**change))
