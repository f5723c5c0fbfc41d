"""Boolean expressions against Python's own, phrases, and the sentences for what cannot be read."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel import Bm25, LanguageModel, Pl2
from satchel.errors import InputError
from satchel.ranking import BooleanRetriever
from satchel.text import Tokenizer

TEXTS = ["cats and dogs", "stock markets fell", "", "dogs chase cats", "the king of Spain", "dogs, cats: markets"]
RETRIEVER = BooleanRetriever(Bm25()).fit(TEXTS)
LETTERS = ["", *[" ".join(letters) for letters in ("x", "y", "z", "xy", "yz", "zx", "xyz", "xxy")]]
BY_LETTER = BooleanRetriever(Pl2(tokenizer=Tokenizer())).fit(LETTERS)


def found(expression: str) -> set[int]:
    return set(RETRIEVER.search([expression], len(TEXTS)).ids[0].tolist()) - {-1}


def _combined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pairs = st.tuples(inner, st.sampled_from(["AND", "OR"]), inner).map(" ".join)
    return pairs | inner.map("NOT {}".format) | inner.map("({})".format)


@given(st.recursive(st.sampled_from("xyz"), _combined, max_leaves=12))
def test_expressions_find_what_python_says(expression):
    python = re.sub("[xyz]", lambda letter: f"('{letter[0]}' in text)", expression.lower())
    expected = {i for i, text in enumerate(LETTERS) if eval(python, {"text": text})}
    assert set(BY_LETTER.search([expression], len(LETTERS)).ids[0].tolist()) - {-1} == expected


@pytest.mark.parametrize(
    ("expression", "documents"),
    [
        ("cat dog", {0, 3, 5}),  # side by side: AND
        ("CATS AND dogs", {0, 3, 5}),  # analysed as texts are
        ("dog market OR fell", {1, 5}),  # AND binds closer than OR
        ("NOT cat OR dog", {0, 1, 2, 3, 4, 5}),
        ("NOT (cat OR dog)", {1, 2, 4}),
        ("cat NOT market", {0, 3}),
        ("cat (market OR chase)", {3, 5}),
        ("zebra", set()),
        ("cat OR zebra", {0, 3, 5}),
        ("NOT zebra", {0, 1, 2, 3, 4, 5}),
        ("", set()),
        ("the", set()),  # a stop word says nothing
        ("NOT the", set()),
        ("the AND fell", {1}),
        ("cat and dog", {0, 3, 5}),  # small letters: a word, here a stop word
        ("dogs-cats", {5}),  # two words in one: a phrase
    ],
)
def test_what_expressions_find(expression, documents):
    assert found(expression) == documents


@pytest.mark.parametrize(
    ("phrase", "documents"),
    [
        ('"cats dogs"', {0}),
        ('"dogs cats"', {5}),
        ('"chased cat"', {3}),
        ('"king of Spain"', {4}),
        ('"king Spain"', {4}),  # stop words are not looked at, in the text or in the phrase
        ('"fell dogs"', set()),  # the end of one text and the beginning of the next but one
        ('"dogs zebra"', set()),
        ('"dogs"', {0, 3, 5}),
        ('""', set()),
        ('NOT "dogs cats" AND dogs', {0, 3}),
    ],
)
def test_phrases_stand_in_this_order_without_a_word_between(phrase, documents):
    assert found(phrase) == documents


def test_the_ranker_orders_what_is_found_by_the_words_that_are_wanted():
    ids, scores = RETRIEVER.search(["cat OR market NOT fell"], 3)
    plain = Bm25().fit(TEXTS).search(["cat market"], 4)
    kept = plain.ids[0] != 1  # stock markets fell
    assert ids[0].tolist() == plain.ids[0][kept].tolist()
    assert scores[0].tolist() == plain.scores[0][kept].tolist()


@pytest.mark.parametrize("ranker", [Bm25(), LanguageModel(mu=1)])
def test_documents_without_a_wanted_word_come_last(ranker):
    ids, scores = BooleanRetriever(ranker).fit(TEXTS).search(["cat OR NOT stock"], 6)
    assert ids[0].tolist()[3:] == [2, 4, -1]
    assert scores[0, 2] >= scores[0, 3] == scores[0, 4] <= 0


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("cat AND", "AND at place 5 has nothing after it"),
        ("OR cat", "OR at place 1 has nothing before it"),
        ("cat AND OR dog", "OR at place 9 has nothing before it"),
        ("cat NOT", "NOT at place 5 has nothing after it"),
        ("(cat OR) dog", "OR at place 6 has nothing after it"),
        ("(NOT)", "NOT at place 2 has nothing after it"),
        ("cat ()", "there is nothing between ( and )"),
        ("(cat (dog)", "the ( at place 1 is never closed"),
        ("cat) dog", "the ) at place 4 closes nothing"),
        (")", "the ) at place 1 closes nothing"),
        ('cat "dog', "the quote at place 5 is never closed"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_sentence(expression, sentence):
    with pytest.raises(InputError, match=re.escape(f"cannot read the expression {expression!r}: {sentence}")):
        RETRIEVER.search([expression], 1)


def test_no_nesting_is_too_deep():
    assert found("(" * 5000 + "NOT " * 5000 + "fell" + ")" * 5000) == {1}


def test_what_is_no_lexical_ranker_is_refused():
    for ranker in ("bm25", Bm25, None):
        with pytest.raises(InputError, match="expected a lexical ranker such as Bm25"):
            BooleanRetriever(ranker).fit(TEXTS)
