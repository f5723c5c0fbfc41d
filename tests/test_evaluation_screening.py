"""The simulated screening: hand-worked measures, and orders that only judgments can explain."""

import numpy as np
import pytest

from satchel.errors import InputError
from satchel.evaluation import screening_measures as measures
from satchel.evaluation import simulate_screening

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
