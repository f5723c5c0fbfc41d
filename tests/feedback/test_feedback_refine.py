"""Marks in, query and mask out: Rocchio by hand, and every odd case."""

import numpy as np
import pytest

from satchel import Feedback
from satchel.errors import InputError
from satchel.feedback import ROCCHIO_WEIGHTS, Refined
from satchel.ranking import ExactIndex

METHODS = ("auto", "rocchio", "mask", "mask+rocchio")
RNG = np.random.default_rng(0)
COLLECTION = RNG.standard_normal((300, 8)).astype(np.float32)
QUERY, RELEVANT, IRRELEVANT = COLLECTION[0], COLLECTION[1:4], COLLECTION[4:6]
NONE = np.empty((0, 8), np.float32)


def unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def refine(method: str, query=QUERY, relevant=RELEVANT, irrelevant=IRRELEVANT, **more) -> Refined:
    return Feedback(method).refine(query, relevant, irrelevant, COLLECTION, **more)


def same(one: Refined, other: Refined) -> bool:
    return one.query.tobytes() == other.query.tobytes() and one.mask.tobytes() == other.mask.tobytes()


@pytest.mark.parametrize("name", ROCCHIO_WEIGHTS)
def test_rocchio_is_the_weighted_sum_of_query_and_means(name):
    a, b, c = ROCCHIO_WEIGHTS[name]
    expected = a * unit(QUERY) + b * unit(RELEVANT).mean(axis=0) + c * unit(IRRELEVANT).mean(axis=0)
    refined = Feedback("rocchio", rocchio_weights=name).refine(QUERY, RELEVANT, IRRELEVANT)
    np.testing.assert_allclose(refined.query, unit(expected), atol=1e-6)
    assert refined.is_plain


def test_the_papers_weights_are_one_four_fifths_and_nothing():
    assert ROCCHIO_WEIGHTS["paper"] == (1.0, 0.8, 0.0)
    given = Feedback("rocchio", rocchio_weights=(1, 0.8, 0)).refine(QUERY, RELEVANT, IRRELEVANT)
    assert same(given, Feedback("rocchio", rocchio_weights="paper").refine(QUERY, RELEVANT, IRRELEVANT))


def test_mask_and_rocchio_together_are_the_parts_of_each():
    both, mask, moved = (refine(method) for method in ("mask+rocchio", "mask", "rocchio"))
    assert both.mask.tobytes() == mask.mask.tobytes()
    assert both.query.tobytes() == moved.query.tobytes()
    np.testing.assert_allclose(mask.query, unit(QUERY), atol=1e-7)
    assert not mask.is_plain


@pytest.mark.parametrize("method", METHODS)
def test_a_search_by_what_was_refined_is_the_masked_cosine(method):
    refined = refine(method)
    found = ExactIndex(COLLECTION).search(refined.query[None, :], 300, mask=refined.mask)
    scores = unit(COLLECTION * refined.mask) @ unit(refined.query * refined.mask)
    np.testing.assert_allclose(found.scores[0], scores[found.ids[0]], atol=1e-6)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("relevant", "irrelevant"), [(RELEVANT, NONE), (NONE, IRRELEVANT), (RELEVANT[:1], NONE)])
def test_one_kind_of_mark_is_enough(method, relevant, irrelevant):
    refined = refine(method, relevant=relevant, irrelevant=irrelevant)
    assert np.isfinite(refined.query).all()
    assert np.isfinite(refined.mask).all()
    before, after = unit(QUERY), unit(refined.query)
    for rows, sign in ((relevant, 1), (irrelevant, -1)):
        assert (sign * (unit(rows) @ (after - before)) >= -1e-6).all()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("empty", [NONE, []])
def test_no_mark_changes_nothing(method, empty):
    refined = refine(method, relevant=empty, irrelevant=empty)
    np.testing.assert_allclose(refined.query, unit(QUERY), atol=1e-7)
    assert refined.is_plain


@pytest.mark.parametrize("method", METHODS)
def test_a_document_given_twice_counts_once(method):
    twice = np.vstack([RELEVANT, 4 * RELEVANT[:1]])  # of another length: cosine does not see it
    assert same(refine(method), refine(method, relevant=twice))


@pytest.mark.parametrize("method", METHODS)
def test_a_document_marked_both_ways_cancels(method):
    both = np.vstack([IRRELEVANT, RELEVANT[1:2]])
    assert same(refine(method, irrelevant=both), refine(method, relevant=RELEVANT[[0, 2]]))


@pytest.mark.parametrize("method", METHODS)
def test_documents_without_direction_and_marks_without_grade_say_nothing(method):
    padded = np.vstack([RELEVANT, np.zeros((1, 8)), COLLECTION[9:10]])
    assert same(refine(method), refine(method, relevant=padded, relevant_grades=[1, 1, 1, 1, 0]))


def test_a_maybe_has_half_the_force_of_a_mark():
    maybe = refine("rocchio", relevant=RELEVANT[:1], irrelevant=NONE, relevant_grades=[0.5])
    np.testing.assert_allclose(maybe.query, unit(unit(QUERY) + 2 * 0.5 * unit(RELEVANT[0])), atol=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_a_zero_query_is_made_of_marks_alone(method):
    refined = refine(method, query=np.zeros(8))
    assert np.isfinite(refined.query).all()
    assert refined.query.any() == (method != "mask")


@pytest.mark.parametrize("method", METHODS)
def test_one_feature_is_enough(method):
    refined = Feedback(method).refine([2.0], [[1.0]], [[-1.0]], np.ones((5, 1), np.float32))
    assert refined.query.tolist() == [1.0]
    assert refined.mask.shape == (1,)


@pytest.mark.parametrize("method", METHODS)
def test_same_seed_same_bytes_and_inputs_unchanged(method):
    inputs = [part.copy() for part in (QUERY, RELEVANT, IRRELEVANT, COLLECTION)]
    assert same(refine(method), refine(method))
    for before, after in zip(inputs, (QUERY, RELEVANT, IRRELEVANT, COLLECTION), strict=True):
        assert before.tobytes() == after.tobytes()


@pytest.mark.parametrize("method", METHODS)
def test_query_and_mask_are_float32_and_the_query_has_length_one(method):
    refined = refine(method)
    assert refined.query.dtype == refined.mask.dtype == np.float32
    assert np.linalg.norm(refined.query) == pytest.approx(1, abs=1e-6)


def test_a_weight_by_hand_overrides_the_learned_one():
    learned = refine("mask")
    edited = learned.with_weights({2: 0, 5: 3.5})
    assert edited.mask[[2, 5]].tolist() == [0, 3.5]
    assert np.array_equal(np.delete(edited.mask, [2, 5]), np.delete(learned.mask, [2, 5]))
    assert learned.mask[2] != 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"query": [np.nan] * 8}, "the query holds a NaN or an infinite number"),
        ({"relevant": np.full((2, 8), np.inf)}, "relevant document 0 holds a NaN"),
        ({"irrelevant": np.ones((1, 7))}, "the irrelevant documents have 7 features, the query has 8"),
        ({"query": np.ones((2, 8))}, "the query must be one vector"),
        ({"query": []}, "the query must be one vector"),
        ({"relevant": ["a word"]}, "the relevant documents must be"),
        ({"relevant_grades": [1, 1]}, r"relevant_grades have shape \(2,\); there are 3"),
        ({"relevant_grades": [1, 1, 2]}, "relevant_grades must lie from 0 to 1"),
        ({"irrelevant_grades": ["sure", "maybe"]}, "irrelevant_grades must be numbers"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(arguments, sentence):
    with pytest.raises(InputError, match=sentence):
        refine("auto", **arguments)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"method": "magic"}, "unknown method 'magic'; choose from auto, mask, mask\\+rocchio, rocchio"),
        ({"rocchio_weights": "best"}, "unknown rocchio weights 'best'; choose from paper, strong"),
        ({"rocchio_weights": (1, 2)}, "three numbers"),
        ({"rocchio_weights": (1, 2, 1)}, "irrelevant 0 or less"),
        ({"method": "mask", "n_steps": -1}, "n_steps is -1"),
        ({"method": "mask", "m": 0}, "m is 0"),
        ({"method": "mask", "n_centres": 0}, "n_centres is 0"),
        ({"random_state": -1}, "random_state is -1"),
    ],
)
def test_a_parameter_that_cannot_be_is_refused_in_one_sentence(parameters, sentence):
    with pytest.raises(InputError, match=sentence):
        Feedback(**parameters).refine(QUERY, RELEVANT, IRRELEVANT)
