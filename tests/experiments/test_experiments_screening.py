"""The protocol of screening on a review small enough to see through."""

import numpy as np
import pytest

from satchel.datasets import Review
from satchel.errors import InputError
from satchel.evaluation import simulate_screening
from satchel.experiments import draw_figures, read_experiment, run_experiment
from satchel.experiments.protocols.screening import SCREENING_MEASURES, curve_points, first_records

TEXTS = [f"the {'cat purrs' if place % 5 == 0 else 'ship sails'} number {place}" for place in range(60)]
REVIEW = Review("reviews/tiny", TEXTS, np.arange(60) % 5 == 0)
EXPERIMENT = """
title = "A tiny review"
source = "Nowhere"
protocol = "screening"
judged_by = "WSS@95"
[figures.curves]
kind = "recall-curves"
title = "curves"
[[methods]]
method = "tiny"
encoder = "BagOfEmbeddedWords"
dataset = "reviews/tiny"
setting = {{ model = "{model}" }}
distances = ["cosine"]
seeds = [0, 1]
"""


@pytest.fixture
def experiment(tmp_path, monkeypatch):
    monkeypatch.setattr("satchel.experiments.protocols.retrieval.load", lambda name: REVIEW)

    def read(model):
        path = tmp_path / "tiny.toml"
        path.write_text(EXPERIMENT.format(model=model), "utf-8")
        return read_experiment(str(path))

    return read


def test_rows_are_the_measures_of_the_simulation_of_each_seed(experiment):
    rows = run_experiment(experiment("lexical"))
    assert [row.seed for row in rows] == [0, 1]
    for row in rows:
        start = first_records(REVIEW.included, row.seed)
        result = simulate_screening(TEXTS, REVIEW.included, start, model="lexical", random_state=row.seed)
        assert set(row.measures) == set(SCREENING_MEASURES)
        assert row.measures["WSS@95"] == pytest.approx(100 * result.wss_at_95, abs=1e-3)
        assert list(row.series["recall"]) == curve_points(result)


def test_the_curve_goes_from_nothing_to_everything(experiment):
    (first, *_) = run_experiment(experiment("both"))
    assert first.series["recall"][0] == 0
    assert first.series["recall"][-1] == 100
    assert first.measures["records at the stop"] <= 100


def test_recall_curves_are_drawn(experiment, tmp_path):
    pytest.importorskip("matplotlib")
    tiny = experiment("lexical")
    (path,) = draw_figures(tiny, run_experiment(tiny), tmp_path)
    assert path.stat().st_size > 5000


def test_the_seed_draws_one_relevant_and_one_irrelevant_record():
    starts = {first_records(REVIEW.included, seed) for seed in range(20)}
    assert len(starts) > 10
    assert all(REVIEW.included[yes] and not REVIEW.included[no] for yes, no in starts)


def test_an_unknown_model_is_refused_by_name(experiment):
    with pytest.raises(InputError, match="unknown screening model 'magic'; choose from both, lexical, vectors"):
        run_experiment(experiment("magic"))
