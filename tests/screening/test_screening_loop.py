"""The loop of a screening, driven record by record as a person's queue drives it."""

import numpy as np
import pytest

from satchel.errors import InputError
from satchel.evaluation import simulate_screening
from satchel.parts import build
from satchel.screening import ScreeningLoop, estimate_remaining

TEXTS = [f"a ship {i} sails" for i in range(6)] + [f"the cat {i} purrs" for i in range(4)]
IS_CAT = np.array(["cat" in text for text in TEXTS])


class InOrder:
    """Scores the first records best, and remembers what it learned from."""

    def __init__(self):
        self.learned = []

    def read(self, texts):
        self.texts = texts

    def scores(self, shown, relevant):
        self.learned.append((shown.tolist(), relevant.tolist()))
        return -np.arange(len(self.texts), dtype=np.float64)


def test_the_next_record_stays_until_it_is_judged():
    loop = ScreeningLoop(TEXTS, InOrder(), query="cats")
    assert loop.next_record() == loop.next_record() == 0
    loop.judge(0, False)
    assert loop.next_record() == 1


def test_stand_ins_of_a_query_give_way_to_records_of_their_kind():
    model = InOrder()
    loop = ScreeningLoop(TEXTS, model, query="cats")
    loop.order()
    loop.judge(0, False)
    loop.order()
    loop.judge(7, True)
    loop.order()
    assert model.texts[-2:] == ["cats", ""]
    assert model.learned == [([10, 11], [True, False]), ([10, 0], [True, False]), ([0, 7], [False, True])]


def test_the_model_learns_again_only_after_a_batch():
    model = InOrder()
    loop = ScreeningLoop(TEXTS, model, query="cats", batch_size=4)
    for _ in range(4):
        loop.judge(loop.next_record(), False)
    assert len(model.learned) == 1
    loop.next_record()
    assert len(model.learned) == 2


def test_a_record_judged_out_of_turn_is_not_shown_again():
    loop = ScreeningLoop(TEXTS, InOrder(), query="cats", batch_size=4)
    assert loop.next_record() == 0
    loop.judge(1, True)
    loop.judge(0, False)
    assert loop.next_record() == 2
    assert loop.order().tolist() == list(range(2, 10))


def test_all_judged_is_the_end():
    loop = ScreeningLoop(TEXTS, InOrder(), query="cats")
    for record, relevant in enumerate(IS_CAT):
        loop.judge(record, relevant)
    assert loop.next_record() is None
    assert loop.order().tolist() == []


def test_a_loop_shows_what_a_simulation_shows():
    loop = ScreeningLoop(TEXTS, build("screening model", {"name": "lexical"}, 0))
    loop.judge(6, True)
    loop.judge(0, False)
    shown = []
    while (record := loop.next_record()) is not None:
        shown.append(record)
        loop.judge(record, IS_CAT[record])
    assert shown == simulate_screening(TEXTS, IS_CAT, (6, 0), model="lexical").order.tolist()


def test_a_second_judgment_replaces_the_first_and_what_remains_is_estimated_from_all():
    loop = ScreeningLoop(TEXTS, InOrder())
    loop.judge(3, False)
    loop.judge(4, False)
    loop.judge(3, True)
    assert loop.judgments == {3: True, 4: False}
    assert loop.remaining() == estimate_remaining([True, False], 10)


def test_a_screening_that_knows_one_kind_alone_says_what_it_needs():
    loop = ScreeningLoop(TEXTS, InOrder())
    loop.judge(3, True)
    with pytest.raises(InputError, match="starts from a query, or from one relevant and one irrelevant record"):
        loop.next_record()
    with pytest.raises(InputError, match="record is 10; expected a whole number from 0 to 9"):
        loop.judge(10, True)
