"""The simulated screening: hand-worked measures, and orders that only judgments can explain."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from satchel.errors import InputError
from satchel.evaluation import screening as measures
from satchel.evaluation import simulate_screening
from satchel.parts import PARTS, build
from satchel.screening.model import balanced_weights, weighted_ridge

CATS = [f"the cat number {i} purrs and sleeps" for i in range(12)]
SHIPS = [f"a ship called {i} sails over the sea" for i in range(48)]
TEXTS = [*SHIPS[:20], *CATS, *SHIPS[20:]]
IS_CAT = np.array(["cat" in text for text in TEXTS])

FOUND = np.array([True, False, True, False, False, False, False, False, True, False])


def test_the_recall_curve_rises_with_each_find():
    assert measures.recall_curve(FOUND).tolist() == pytest.approx([n / 3 for n in (1, 1, 2, 2, 2, 2, 2, 2, 3, 3)])


def test_work_saved_counts_what_is_left_when_the_recall_is_reached():
    assert measures.work_saved(FOUND, 0.95) == pytest.approx(0.95 - 9 / 10)  # all three are needed
    assert measures.work_saved(FOUND, 0.6) == pytest.approx(0.6 - 3 / 10)  # two are enough


def test_95_percent_of_20_relevant_records_are_19():
    found = np.array([True] * 19 + [False] * 80 + [True])
    assert measures.records_for_recall(found, 0.95) == 19


def test_recall_after_a_share_looks_at_whole_records():
    assert measures.recall_after(FOUND, 0.1) == pytest.approx(1 / 3)
    assert measures.recall_after(FOUND, 0.39) == pytest.approx(2 / 3)
    assert measures.recall_after(FOUND, 0.05) == 0


def test_the_average_time_to_discovery_is_the_mean_share_shown_before():
    assert measures.average_time_to_discovery(FOUND) == pytest.approx((0 + 0.2 + 0.8) / 3)


def test_every_record_but_the_two_of_the_start_is_shown_once():
    result = simulate_screening(TEXTS, IS_CAT, start=(20, 0))
    assert sorted([20, 0, *result.order.tolist()]) == list(range(len(TEXTS)))


def test_like_records_come_first():
    result = simulate_screening(TEXTS, IS_CAT, start=(25, 40))
    assert result.found[:11].all()
    assert result.wss_at_95 == pytest.approx(0.95 - 11 / 58)
    assert result.recall_after_10_percent == pytest.approx(5 / 11)


def test_the_same_seed_shows_the_same_order():
    orders = [simulate_screening(TEXTS, IS_CAT, start=(20, 0), random_state=3).order.tolist() for _ in range(2)]
    assert orders[0] == orders[1]


def test_texts_without_words_are_shown_too():
    texts, included = ["", "a cat", "", "the sea", "cats"], [1, 1, 0, 0, 0]
    assert sorted(simulate_screening(texts, included, start=(1, 3)).order) == [0, 2, 4]


@pytest.mark.parametrize(
    ("included", "start", "message"),
    [
        (IS_CAT[:-1], (20, 0), "60 texts but included has the shape"),
        (np.full(60, 2), (20, 0), "True or False"),
        (["yes"] * 60, (20, 0), "True or False"),
        (IS_CAT, (60, 0), "start is 60; expected a whole number from 0 to 59"),
        (IS_CAT, (0, 20), "the first must be a relevant text"),
        (IS_CAT, (20,), "positions of one relevant and one irrelevant"),
        (np.arange(60) == 20, (20, 0), "nothing to find"),
    ],
)
def test_what_cannot_be_screened_is_refused_in_one_sentence(included, start, message):
    with pytest.raises(InputError, match=message):
        simulate_screening(TEXTS, included, start)


@pytest.mark.parametrize("model", PARTS["screening model"])
def test_each_model_brings_like_records_first(model):
    found = simulate_screening(TEXTS, IS_CAT, start=(25, 40), model=model).found
    assert found[:11].all()


def test_both_is_the_sum_of_standardised_words_and_vectors():
    shown, relevant = np.array([25, 40, 3]), np.array([True, False, False])
    models = {name: build("screening model", {"name": name}, 1) for name in PARTS["screening model"]}
    for model in models.values():
        model.read(TEXTS)
    scores = {name: model.scores(shown, relevant) for name, model in models.items()}
    parts = [(scores[name] - scores[name].mean()) / scores[name].std() for name in ("lexical", "vectors")]
    assert scores["both"] == pytest.approx(parts[0] + parts[1])


def test_the_weighted_ridge_solves_what_scikit_learn_solves():
    rng = np.random.default_rng(0)
    x, y, weights = rng.normal(size=(20, 4)), rng.choice([-1.0, 1.0], 20), rng.uniform(0.1, 3, 20)
    expected = Ridge(alpha=0.7, fit_intercept=False).fit(x, y, sample_weight=weights).coef_
    assert weighted_ridge(x, y, weights, 0.7) == pytest.approx(expected)


def test_balanced_weights_have_mean_1_and_the_given_ratio():
    relevant = np.array([True, False, False, False, True])
    weights = balanced_weights(relevant, 3.0)
    assert weights.mean() == pytest.approx(1)
    assert weights[relevant].sum() == pytest.approx(3 * weights[~relevant].sum())


def test_a_query_starts_with_nothing_known_and_shows_every_record():
    result = simulate_screening(TEXTS, IS_CAT, start="purrs cat")
    assert sorted(result.order.tolist()) == list(range(len(TEXTS)))
    assert result.found[:12].all()


def test_a_query_gives_way_to_the_first_record_that_is_found():
    asked = []

    class Asked:
        def read(self, texts):
            self.texts = texts

        def scores(self, shown, relevant):
            asked.append([self.texts[place] for place in shown])
            return -np.arange(len(self.texts), dtype=float)

    simulate_screening(["sea", "cat", "ship", "cats"], [0, 1, 0, 1], start="purr", model=Asked())
    assert asked == [["purr", ""], ["purr", "sea"], ["sea", "cat"], ["sea", "cat", "ship"]]


def test_the_last_relevant_record_may_be_the_only_one_left():
    included = np.zeros(60, bool)
    included[[20, 31]] = True
    result = simulate_screening(TEXTS, included, start=(20, 0))
    assert result.found.sum() == 1
    assert result.order[result.found].tolist() == [31]


@pytest.mark.parametrize("model", PARTS["screening model"])
def test_equal_texts_are_shown_in_their_order(model):
    result = simulate_screening(["the same words"] * 8, np.arange(8) < 3, start=(0, 7), model=model)
    assert result.order.tolist() == [1, 2, 3, 4, 5, 6]


def test_a_copy_of_the_relevant_record_is_shown_at_once():
    texts = [*TEXTS, TEXTS[25]]
    assert simulate_screening(texts, np.append(IS_CAT, True), start=(25, 0)).order[0] == 60


def test_a_model_of_ones_own_is_asked():
    class Backwards:
        def read(self, texts):
            self.n_records = len(texts)

        def scores(self, shown, relevant):
            return np.arange(self.n_records, dtype=float)

    order = simulate_screening(TEXTS, IS_CAT, start=(20, 0), model=Backwards(), batch_size=7).order
    assert order.tolist() == [i for i in range(59, -1, -1) if i not in (20, 0)]


@pytest.mark.parametrize(
    ("start", "model", "message"),
    [("  ", "both", "a query without words"), ((20, 0), "best", "unknown screening model 'best'; choose from both")],
)
def test_queries_and_models_that_are_none_are_refused(start, model, message):
    with pytest.raises(InputError, match=message):
        simulate_screening(TEXTS, IS_CAT, start, model=model)
