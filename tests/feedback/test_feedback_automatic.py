"""The default of Feedback: how far it goes, by hand and against a slow twin; and what it must never do."""

import time

import numpy as np
import pytest
from scipy.sparse import csr_array

from satchel import Feedback
from satchel.errors import InputError
from satchel.feedback.marks import MOST_ROWS, read_background
from satchel.ranking import ExactIndex, compress

RNG = np.random.default_rng(3)
CENTRES = RNG.standard_normal((4, 16))
TOPICS = np.repeat(np.arange(4), 100)
COLLECTION = (CENTRES[TOPICS] + 2.5 * RNG.standard_normal((400, 16))).astype(np.float32)
QUERY = COLLECTION[0]
NONE = np.empty((0, 16), np.float32)


def unit(rows):
    rows = np.asarray(rows, np.float64)
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def best_first(query=QUERY):
    return np.argsort(-(unit(COLLECTION) @ unit(query)), kind="stable")


def marked(n_relevant: int, n_irrelevant: int):
    order = best_first()[1:60]
    relevant, irrelevant = order[TOPICS[order] == 0][:n_relevant], order[TOPICS[order] != 0][:n_irrelevant]
    return COLLECTION[relevant], COLLECTION[irrelevant]


def slow_twin(query, relevant, irrelevant):
    """The formula as the page of feedback writes it, document by document."""
    q, background = unit(query), [unit(row) for row in COLLECTION]
    plus, minus = [unit(row) for row in relevant], [unit(row) for row in irrelevant]
    mean, mean_plus, mean_minus = (sum(rows) / len(rows) for rows in (background, plus, minus))
    rocchio = q + 2 * mean_plus - len(minus) / (len(minus) + 1) * mean_minus
    s = len(plus) / (len(plus) + 0.5) * len(minus) / (len(minus) + 1)
    centre = (q + sum(plus)) / (1 + len(plus))
    others = [row for row in background if all(row @ one < 1 - 1e-6 for one in minus)]
    others.sort(key=lambda row: -(row @ (centre - s * mean_minus)))
    near = sum(others[: 2 * len(plus)]) / (2 * len(plus))
    direction = 0.75 * centre + 0.25 * near - s * mean_minus - (1 - s) * mean
    a = min(0.5, len(minus) / (len(plus) + len(minus)))
    return unit((1 - a) * unit(rocchio) + a * unit(direction))


@pytest.mark.parametrize(("n_relevant", "n_irrelevant"), [(5, 5), (5, 1), (1, 4), (2, 2)])
def test_the_moved_query_is_that_of_the_slow_twin(n_relevant, n_irrelevant):
    relevant, irrelevant = marked(n_relevant, n_irrelevant)
    refined = Feedback().refine(QUERY, relevant, irrelevant, COLLECTION)
    np.testing.assert_allclose(refined.query, slow_twin(QUERY, relevant, irrelevant), atol=1e-5)
    assert refined.is_plain


def test_marks_that_the_ranking_had_right_change_nothing():
    refined = Feedback().refine(QUERY, COLLECTION[best_first()[:4]], NONE, COLLECTION)
    np.testing.assert_allclose(refined.query, unit(QUERY), atol=1e-7)


def test_a_relevant_document_that_stood_behind_others_moves_the_query_towards_it():
    behind = COLLECTION[best_first()[[9]]]
    refined = Feedback().refine(QUERY, behind, NONE, COLLECTION)
    np.testing.assert_allclose(refined.query, unit(unit(QUERY) + 2 * unit(behind[0])), atol=1e-6)


def test_without_a_collection_agreement_is_unknown_and_the_query_moves():
    first = COLLECTION[best_first()[:2]]
    refined = Feedback().refine(QUERY, first, NONE)
    np.testing.assert_allclose(refined.query, unit(unit(QUERY) + 2 * unit(first).mean(axis=0)), atol=1e-6)


def test_irrelevant_marks_alone_move_a_little_and_away_from_the_collections_mean():
    irrelevant = marked(0, 3)[1]
    refined = Feedback().refine(QUERY, NONE, irrelevant, COLLECTION)
    step = unit(irrelevant).mean(axis=0) - unit(COLLECTION).mean(axis=0)
    np.testing.assert_allclose(refined.query, unit(unit(QUERY) - 0.2 * step), atol=1e-6)


def test_one_irrelevant_mark_weighs_less_than_several_that_are_the_same():
    relevant, irrelevant = marked(5, 4)
    towards = [
        unit(irrelevant.mean(axis=0)) @ Feedback().refine(QUERY, relevant, irrelevant[:n], COLLECTION).query
        for n in (1, 2, 4)
    ]
    assert towards[0] > towards[1] > towards[2]


def test_a_maybe_moves_half_as_much_as_a_sure_mark_alone():
    behind = COLLECTION[best_first()[[9]]]
    sure, maybe = (Feedback().refine(QUERY, behind, NONE, COLLECTION, relevant_grades=[g]).query for g in (1, 0.5))
    np.testing.assert_allclose(maybe, unit(unit(QUERY) + unit(behind[0])), atol=1e-6)
    assert unit(behind[0]) @ maybe < unit(behind[0]) @ sure


def test_relevant_marks_answer_a_query_without_known_words():
    relevant, irrelevant = marked(3, 2)
    nothing = np.zeros(16, np.float32)
    for wrong in (NONE, irrelevant):
        refined = Feedback().refine(nothing, relevant, wrong, COLLECTION)
        found = ExactIndex(COLLECTION).search(refined.query[None, :], 20).ids[0]
        assert (TOPICS[found] == 0).mean() > 0.6


def test_marks_find_more_of_the_topic_among_documents_that_were_not_marked():
    relevant, irrelevant = marked(5, 5)
    after = Feedback().refine(QUERY, relevant, irrelevant, COLLECTION).query
    seen = {row.tobytes() for row in np.vstack([relevant, irrelevant])}
    counts = []
    for query in (QUERY, after):
        left = [row for row in best_first(query) if COLLECTION[row].tobytes() not in seen]
        counts.append((TOPICS[left[:50]] == 0).sum())
    assert counts[1] > counts[0] + 3


def test_a_sparse_collection_teaches_the_same_as_a_dense_one():
    relevant, irrelevant = marked(4, 3)
    dense = Feedback().refine(QUERY, relevant, irrelevant, COLLECTION).query
    sparse = Feedback().refine(
        csr_array(QUERY[None, :]), csr_array(relevant), csr_array(irrelevant), csr_array(COLLECTION)
    )
    np.testing.assert_allclose(sparse.query, dense, atol=1e-5)


def test_a_compressed_collection_teaches_nearly_the_same():
    relevant, irrelevant = marked(4, 3)
    whole, compact = (
        Feedback().refine(QUERY, relevant, irrelevant, c).query for c in (COLLECTION, compress(COLLECTION))
    )
    assert whole @ compact > 0.999


def test_empty_documents_in_the_collection_are_no_ones_neighbours():
    relevant, irrelevant = marked(4, 3)
    with_empty = np.vstack([COLLECTION, np.zeros((3, 16), np.float32)])
    refined = Feedback().refine(QUERY, relevant, irrelevant, with_empty)
    assert np.isfinite(refined.query).all()


def test_a_large_collection_is_looked_at_evenly():
    many = np.tile(COLLECTION, (3 * MOST_ROWS // 400 + 1, 1))
    background = read_background(many, 16)
    assert background is not None
    assert background.step == 4
    np.testing.assert_allclose(background.units, unit(many[::4]), atol=1e-6)


def test_learning_from_twenty_marks_takes_milliseconds_however_large_the_collection():
    relevant, irrelevant = marked(10, 10)
    many = np.tile(COLLECTION, (500, 1))
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        Feedback().refine(QUERY, relevant, irrelevant, many)
        seconds.append(time.perf_counter() - start)
    assert min(seconds) < 0.1  # 3 ms alone; a busy machine is no reason to fail


@pytest.mark.parametrize(
    ("background", "sentence"),
    [
        (np.ones((3, 5), np.float32), "the background has 5 features, the query has 16"),
        (np.full((3, 16), np.nan, np.float32), "background document 0 holds a NaN"),
    ],
)
def test_a_collection_that_cannot_be_is_refused_in_one_sentence(background, sentence):
    with pytest.raises(InputError, match=sentence):
        Feedback().refine(QUERY, *marked(2, 2), background)


@pytest.mark.parametrize("background", [None, NONE])
def test_no_collection_and_an_empty_one_are_the_same(background):
    refined = Feedback().refine(QUERY, *marked(2, 2), background)
    assert refined.query.tobytes() == Feedback().refine(QUERY, *marked(2, 2)).query.tobytes()
