"""Groups of letters against plain loops: counting them, how a query fits, how like texts are, words spelled alike."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.ranking.letters import GROUP, LENGTH_SHARE, SATURATION, count_groups, likeness, query_fit
from satchel.ranking.spelling import LEAST_LIKENESS, SimilarWords

TEXTS = ["Statins lower cholesterol", "simvastatin and the liver", "bread, bread and butter", "", "a b", "über Öfen"]
WORDS = ["archive", "archives", "compress", "folder", "banana", "bandana", "café", "a", "moon"]


def groups_of(text: str) -> Counter[str]:
    """Every run of four letters of " word word … " that has a space at its ends alone."""
    spaced = f" {' '.join(text.lower().replace(',', ' ').split())} "
    runs = [spaced[place : place + GROUP] for place in range(len(spaced) - GROUP + 1)]
    return Counter(run for run in runs if " " not in run[1:-1])


def test_groups_are_counted_as_a_plain_loop_counts_them():
    counted = count_groups(TEXTS)
    for number, text in enumerate(TEXTS):
        expected = sorted(groups_of(text).values())
        assert sorted(counted.counts[counted.texts == number].tolist()) == expected, text


def test_the_fit_of_a_query_is_bm25_over_its_groups():
    counts, asked = [groups_of(text) for text in TEXTS], set(groups_of("statin bread"))
    lengths = [sum(one.values()) for one in counts]
    expected = []
    for own, length in zip(counts, lengths, strict=True):
        norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length / (sum(lengths) / len(lengths)))
        total = 0.0
        for group in asked & own.keys():
            df = sum(group in other for other in counts)
            total += (math.log((1 + len(TEXTS)) / (1 + df)) + 1) * own[group] * (SATURATION + 1) / (own[group] + norm)
        expected.append(total)
    assert query_fit("statin bread", count_groups(TEXTS)) == pytest.approx(expected)
    assert expected[1] > 0  # simvastatin


def test_likeness_is_the_cosine_with_the_wanted_texts():
    counts, wanted = [groups_of(text) for text in TEXTS], np.array([1.0, 0, -0.5, 0, 0, 0])
    names = sorted({group for own in counts for group in own})
    df = [sum(name in own for own in counts) for name in names]
    rows = np.array([[math.log1p(own[name]) * math.log(7 / (1 + n)) for name, n in zip(names, df, strict=True)]
                     for own in counts])  # fmt: skip
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    centre = wanted @ rows
    assert likeness(count_groups(TEXTS), wanted) == pytest.approx(rows @ centre / np.linalg.norm(centre))


@pytest.mark.parametrize("query", ["", "  ", "…", "zzzz"])
def test_a_query_without_a_known_group_fits_nothing(query: str):
    assert query_fit(query, count_groups(TEXTS)).tolist() == [0.0] * len(TEXTS)


def test_no_texts_at_all_have_no_groups():
    assert count_groups([]).n_texts == 0
    assert query_fit("bread", count_groups([])).size == 0


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("archve", "archive"), ("compresss", "compress"), ("bananna", "banana"), ("cafés", "café"), ("foldr", "folder")],
)
def test_a_typing_error_finds_the_word(typed: str, meant: str):
    assert meant in SimilarWords(WORDS).like(typed, 3)


def test_an_unknown_an_empty_and_the_same_word_find_nothing_else():
    words = SimilarWords(WORDS)
    assert words.like("xylophone", 5) == words.like("", 5) == words.like(" … ", 5) == []
    assert "moon" not in words.like("moon", 5)
    assert SimilarWords(()).like("moon", 5) == []


def test_words_that_tie_stand_in_the_order_given():
    twins = ["moonish", "moonish"]
    assert SimilarWords(["moonlit", *twins]).like("moonis", 3)[:2] == twins


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text("abcdé", min_size=1, max_size=9), unique=True, max_size=12), st.text("abcdé", max_size=9))
def test_what_is_alike_is_what_a_plain_cosine_says(words: list[str], asked: str):
    sets = [set(groups_of(word)) for word in words]
    weight = {group: math.log1p(len(words) / sum(group in own for own in sets)) for own in sets for group in own}
    own = set(groups_of(asked)) & weight.keys()

    def length(groups: set[str]) -> float:
        return math.sqrt(sum(weight[group] ** 2 for group in groups))

    cosines = {
        word: sum(weight[group] ** 2 for group in own & those) / ((length(own) * length(those)) or 1.0)
        for word, those in zip(words, sets, strict=True)
    }
    sure = {word for word, cosine in cosines.items() if cosine >= LEAST_LIKENESS + 1e-9 and word != asked}
    maybe = {word for word, cosine in cosines.items() if cosine >= LEAST_LIKENESS - 1e-9 and word != asked}
    assert sure <= set(SimilarWords(words).like(asked, 99)) <= maybe
