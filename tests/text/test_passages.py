"""The passages of a text: they cover all words, overlap, stay within bounds, and keep to chapters."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.text.passages import LONGEST_WHOLE, PASSAGE, SHORTEST, STEP, windows

breaks = st.lists(st.integers(0, 5_000), max_size=30).map(lambda places: sorted(set(places)))


@pytest.mark.parametrize("n_words", [0, 1, LONGEST_WHOLE])
def test_a_short_text_is_one_passage(n_words: int) -> None:
    assert windows(n_words) == windows(n_words, [n_words // 2]) == [(0, n_words)]


def test_a_text_of_one_word_more_has_two_passages() -> None:
    assert windows(LONGEST_WHOLE + 1) == [(0, 200), (150, 301)]


@given(st.integers(LONGEST_WHOLE + 1, 10_000))
def test_passages_of_a_long_text_overlap_and_cover_all_words(n_words: int) -> None:
    found = windows(n_words)
    assert (found[0].start, found[-1].stop) == (0, n_words)
    assert all(later.start - earlier.start == STEP for earlier, later in pairwise(found))
    assert all(earlier.stop - later.start == PASSAGE - STEP for earlier, later in pairwise(found))
    assert all(PASSAGE - STEP < one.stop - one.start <= PASSAGE for one in found)


@given(st.integers(0, 5_000), breaks)
def test_whatever_the_chapters_all_words_are_covered_in_order(n_words: int, places: list[int]) -> None:
    found = windows(n_words, places)
    assert {word for start, stop in found for word in range(start, stop)} == set(range(n_words))
    assert all(earlier.start < later.start and earlier.stop < later.stop for earlier, later in pairwise(found))
    assert all(one.stop - one.start <= LONGEST_WHOLE for one in found)


@given(st.integers(LONGEST_WHOLE + 1, 5_000), st.integers(0, 5_000))
def test_no_passage_crosses_a_chapter_unless_a_part_is_very_short(n_words: int, place: int) -> None:
    crosses = any(start < place < stop for start, stop in windows(n_words, [place]))
    assert crosses == (0 < place < SHORTEST or n_words - SHORTEST < place < n_words)


def test_short_chapters_are_read_together() -> None:
    assert windows(400, [30, 59, 90, 130, 395]) == [(0, 90), (90, 290), (240, 400)]
    assert windows(400, [200]) == [(0, 200), (200, 400)]
