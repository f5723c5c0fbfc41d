"""Fusion by hand, and what reading again may and may not change."""

import numpy as np
import pytest

from satchel.ranking.fusion import (
    MARKED_WEIGHT,
    SEMANTIC_WEIGHT,
    Evidence,
    fuse,
    query_trust,
    read_again,
    reciprocal_ranks,
    share_of_best,
    weighted_sum,
)
from satchel.ranking.spelling import SimilarWords

NOT = -np.inf


def test_words_count_by_their_share_of_the_best_and_meaning_by_its_cosine():
    fused = fuse(np.array([8.0, 2.0, NOT]), np.array([0.5, NOT, 0.25]))
    assert fused == pytest.approx([1 + SEMANTIC_WEIGHT * 0.5, 0.25, SEMANTIC_WEIGHT * 0.25])


def test_a_search_that_finds_nothing_leaves_the_other_as_it_is():
    nothing, cosines = np.full(3, NOT), np.array([0.1, 0.9, NOT])
    assert np.argsort(-fuse(nothing, cosines)).tolist() == [1, 0, 2]
    assert fuse(np.array([1.0, 4.0, NOT]), nothing) == pytest.approx([0.25, 1, 0])


def test_a_weighted_sum_leaves_out_what_was_not_found():
    assert weighted_sum([np.array([1.0, NOT]), np.array([NOT, 2.0])], [3, 5]) == pytest.approx([3, 10])


def test_shares_of_the_best_keep_what_was_not_found():
    assert share_of_best(np.array([4.0, 1.0, NOT])).tolist() == [1, 0.25, NOT]
    assert share_of_best(np.full(2, NOT)).tolist() == [NOT, NOT]


def test_what_is_known_is_no_measure_unless_nothing_else_is_found():
    scores, marked = np.array([8.0, 2.0, 1.0]), np.array([True, False, False])
    assert share_of_best(scores, marked).tolist() == [4, 1, 0.5]
    assert share_of_best(np.array([8.0, NOT, NOT]), marked).tolist() == [1, NOT, NOT]
    cosines = np.array([0.5, NOT, 0.25])
    assert fuse(scores, cosines, marked) == pytest.approx([4 + SEMANTIC_WEIGHT / 2, 1, 0.5 + SEMANTIC_WEIGHT / 4])


def test_reciprocal_ranks_are_those_of_the_formula():
    assert reciprocal_ranks(np.array([0.1, 0.9, NOT])) == pytest.approx([1 / 62, 1 / 61, 0])


def test_what_is_like_a_wanted_text_rises_and_what_is_like_an_unwanted_one_sinks():
    texts = ["rockets fly to the moon", "bread bakes in the oven", "rockets and the moon landing"]
    level = np.zeros(3)
    wanted = read_again(level, "x", texts, [Evidence("the moon landing of rockets", 1.0)])
    assert wanted[2] > wanted[1]
    both = read_again(level, "x", texts, [Evidence("bread in the oven", 1.0), Evidence("the moon landing", -1.0)])
    assert both[1] > max(both[0], both[2])
    assert np.abs(both).max() <= MARKED_WEIGHT


def test_where_something_is_marked_relevant_alone_the_query_is_not_read_for_again():
    texts, marks = ["rockets fly to the moon", "bread bakes in the oven"], [Evidence("the moon landing", 1.0)]
    scores = np.array([0.5, 0.25])
    marked = read_again(scores, "bread", texts, marks)
    assert marked.tolist() == read_again(scores, "rockets", texts, marks).tolist()
    assert marked[0] > marked[1]
    alone = [read_again(scores, query, texts, [Evidence("x", -1.0)]) for query in ("bread", "rockets")]
    assert alone[0][1] > alone[1][1]


def test_a_query_is_trusted_by_the_share_of_marks_that_it_puts_in_the_right_order():
    moon, moons, bread = Evidence("the moon", 1.0), Evidence("the moon", -1.0), Evidence("the bread", -1.0)
    oven = Evidence("the oven", 0.5)
    assert query_trust("moon", [moon, bread]) == 1
    assert query_trust("bread", [moon, bread]) == 0
    assert query_trust("moon", [moon, oven, bread, moons]) == pytest.approx(2 * (1 + 0.5 + 0.5 + 0) / 4 - 1)
    assert query_trust("moon", [moon, oven, bread]) == pytest.approx(2 * (1 + 0.5) / 2 - 1)
    assert query_trust("moon", [moon]) == query_trust("moon", [bread]) == query_trust("moon", []) == 0


def test_reading_nothing_again_changes_nothing():
    assert read_again(np.empty(0), "query", []).size == 0


def test_a_misspelled_word_finds_the_one_that_was_meant():
    words = SimilarWords(["archive", "compress", "folder", "banana"])
    assert words.like("archve", 1) == ["archive"]
    assert words.like("compres", 1) == ["compress"]
