"""Weights by hand: what a theme counts in a search, in place of what was learned."""

import numpy as np
import pytest

from satchel import Feedback
from satchel.errors import InputError
from satchel.feedback import Refined
from satchel.ranking import ExactIndex

RNG = np.random.default_rng(0)
COLLECTION = RNG.standard_normal((200, 5)).astype(np.float32)
LEARNED = Feedback("mask+rocchio", n_steps=5).refine(COLLECTION[0], COLLECTION[1:4], COLLECTION[4:7])


def ranked(refined: Refined, documents=COLLECTION) -> list[int]:
    return ExactIndex(documents).search(refined.query[None], 200, mask=refined.mask).ids[0].tolist()


def test_a_search_with_weights_by_hand_is_that_of_numbers_multiplied_by_them():
    edited = LEARNED.with_weights({0: 2, 3: 0.5})
    weights = np.array([2, LEARNED.mask[1], LEARNED.mask[2], 0.5, LEARNED.mask[4]])
    query, documents = LEARNED.query * weights, COLLECTION * weights
    scores = documents @ query / np.linalg.norm(documents, axis=1) / np.linalg.norm(query)
    assert ranked(edited) == np.argsort(-scores, kind="stable").tolist()
    assert ranked(edited) != ranked(LEARNED)


def test_a_theme_of_weight_0_is_not_looked_at():
    edited, others = LEARNED.with_weights({2: 0}), COLLECTION.copy()
    others[:, 2] = RNG.standard_normal(200)
    assert ranked(edited) == ranked(edited, others)
    assert ranked(LEARNED) != ranked(LEARNED, others)


def test_weights_of_1_for_all_themes_are_no_mask():
    edited = LEARNED.with_weights(dict.fromkeys(range(5), 1))
    assert edited.is_plain
    assert ranked(edited) == ExactIndex(COLLECTION).search(LEARNED.query[None], 200).ids[0].tolist()


def test_weights_given_twice_or_one_after_the_other_are_those_given_at_once():
    at_once = LEARNED.with_weights({1: 2, 4: 0})
    assert LEARNED.with_weights({1: 2}).with_weights({4: 0}).mask.tolist() == at_once.mask.tolist()
    assert at_once.with_weights({1: 2, 4: 0}).mask.tolist() == at_once.mask.tolist()


def test_the_learned_result_stays_so_that_weights_can_be_taken_back():
    before = LEARNED.mask.tobytes()
    edited = LEARNED.with_weights({1: 2})
    assert edited.mask.dtype == np.float32
    assert LEARNED.mask.tobytes() == before == LEARNED.with_weights({}).mask.tobytes()
    assert edited.with_weights({1: float(LEARNED.mask[1])}).mask.tobytes() == before


def test_numbers_of_numpy_are_numbers():
    edited = LEARNED.with_weights({np.int64(1): np.float32(2), np.int32(2): np.float64(0)})
    assert edited.mask[[1, 2]].tolist() == [2, 0]


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        ({5: 1.0}, "codeword is 5; expected a whole number from 0 to 4"),
        ({-1: 1.0}, "codeword is -1"),
        ({"hockey": 1.0}, "codeword is 'hockey'"),
        ({1: -0.5}, "the weight of codeword 1 is -0.5; expected a number above 0"),
        ({1: np.nan}, "the weight of codeword 1 is nan"),
        ({1: np.inf}, "the weight of codeword 1 is inf"),
        ({1: 1e39}, "the weight of codeword 1 is 1e[+]39"),
        ({1: "2"}, "the weight of codeword 1 is '2'"),
        ({1: None}, "the weight of codeword 1 is None"),
    ],
)
def test_what_is_no_weight_of_a_theme_is_refused(weights, sentence):
    with pytest.raises(InputError, match=sentence):
        LEARNED.with_weights(weights)
