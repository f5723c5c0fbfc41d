"""Words that no document has: a sentence, and the word that was meant where many documents have it."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel import Collection
from satchel.importing import Document
from satchel.ranking import SimilarWords, letters_apart, variants_of


@pytest.fixture(scope="module")
def collection() -> Iterator[Collection]:
    with Collection.create(":memory:") as made:
        papers = [Document(f"d{n}", f"grid storage of energy in archive {n}", f"Paper {n}") for n in range(60)]
        made.add([*papers, Document("x", "a rocket to the moon", "Moon")])
        yield made


def test_a_misspelt_word_says_so_and_suggests_the_whole_query(collection: Collection) -> None:
    hits = collection.search("Storgae of energy")
    assert hits.notes == ('no document contains "storgae"; did you mean "storage"?',)
    assert hits.did_you_mean == "storage of energy"


def test_a_word_that_is_nowhere_and_like_nothing_finds_nothing(collection: Collection) -> None:
    hits = collection.search("qqqqq")
    assert (hits.total, list(hits), hits.did_you_mean) == (0, [], "")
    assert hits.notes == ('no document contains "qqqqq"',)


def test_a_rare_word_that_is_right_is_not_corrected(collection: Collection) -> None:
    hits = collection.search("rocket moon")
    assert (hits.notes, hits.did_you_mean) == ((), "")


def test_operators_stay_in_the_suggestion(collection: Collection) -> None:
    assert collection.search("archve -rocket").did_you_mean == "archive -rocket"


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [("archive", "archive", 0), ("archve", "archive", 1), ("storgae", "storage", 1), ("ab", "ba", 1), ("", "ab", 2)],
)
def test_letters_apart(one: str, other: str, apart: int) -> None:
    assert letters_apart(one, other, 3) == letters_apart(other, one, 3) == apart


@given(st.text("abc", max_size=6), st.integers(0, 5), st.sampled_from("abc"))
def test_one_change_is_at_most_one_apart(word: str, place: int, letter: str) -> None:
    assert letters_apart(word, word[:place] + letter + word[place:], 2) <= 1
    assert letters_apart(word, word[:place] + word[place + 1 :], 2) <= 1
    assert letters_apart(word, word[:place] + letter + word[place + 1 :], 2) <= 1 + (place > len(word))


def test_variants_differ_by_a_typing_error_or_two_nearest_first() -> None:
    words = ("space", "shuttle", "shut", "spaces", "simvastatin", "pace")
    similar = SimilarWords(words)
    assert variants_of("spaec", words, similar)[0] == "space"
    assert variants_of("shutle", words, similar)[0] == "shuttle"
    assert variants_of("statin", words, similar) == variants_of("qqqqqq", words, similar) == []
