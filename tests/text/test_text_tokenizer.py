from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer

from satchel.errors import InputError
from satchel.text import Tokenizer, stop_list, title_first

tokenizers = st.builds(
    Tokenizer,
    lowercase=st.booleans(),
    letters_only=st.booleans(),
    min_length=st.integers(1, 4),
    stop_words=st.sampled_from(["none", "sklearn", "smart"]),
    stem=st.booleans(),
)


def test_words_are_runs_of_letters_digits_and_underscores():
    assert Tokenizer().tokens("Grid-storage, v2: don't snake_case!") == [
        "grid",
        "storage",
        "v2",
        "don",
        "t",
        "snake_case",
    ]


def test_letters_only_lets_digits_and_underscores_separate():
    assert Tokenizer(letters_only=True).tokens("v2 snake_case x86asm") == ["v", "snake", "case", "x", "asm"]


def test_letters_only_lets_every_sign_for_a_number_separate():
    assert Tokenizer(letters_only=True).tokens("x² a½b cⅷd ①e ٣f") == ["x", "a", "b", "c", "d", "e", "f"]
    assert Tokenizer(letters_only=True).tokens("三国 ñandú") == ["三国", "ñandú"]
    assert Tokenizer().tokens("x² a½b") == ["x²", "a½b"]


def test_case_is_kept_when_asked():
    assert Tokenizer(lowercase=False).tokens("Big IDEA") == ["Big", "IDEA"]


def test_min_length_drops_short_words():
    assert Tokenizer(min_length=3).tokens("a an ant") == ["ant"]


def test_composed_and_decomposed_letters_give_the_same_word():
    assert Tokenizer().tokens("cafe\u0301 na\u00efve") == ["café", "naïve"]


def test_words_of_scripts_with_combining_marks_stay_whole():
    assert Tokenizer().tokens("हिन्दी भाषा") == ["हिन्दी", "भाषा"]
    assert Tokenizer(letters_only=True).tokens("हिन्दी2भाषा") == ["हिन्दी", "भाषा"]


def test_stop_words_go_before_stemming():
    assert Tokenizer(stop_words="smart", stem=True).tokens("The gardens being watered") == ["garden", "water"]


def test_stop_words_match_whatever_the_case():
    assert Tokenizer(lowercase=False, stop_words="sklearn").tokens("The Cat") == ["Cat"]


def test_porter_stems_as_published():
    assert Tokenizer(stem=True).tokens("caresses ponies relational hopping") == ["caress", "poni", "relat", "hop"]


def test_spellings_show_the_first_word_of_each_term():
    assert Tokenizer(stem=True).spellings("Gardens, gardening: a garden") == {"garden": "gardens", "a": "a"}


def test_mw_preset_follows_the_papers_steps():
    text = title_first("Running shoes", "The\tshoes\r\n are   RUNNING")
    assert Tokenizer.preset("mw").tokens(text) == ["run", "shoe", "shoe", "run"]


def test_title_is_not_repeated_when_the_text_begins_with_it():
    assert title_first("a wing .", "a wing . an experiment") == "a wing . an experiment"
    assert title_first("A title", "") == "A title"
    assert title_first("", "text") == "text"
    assert title_first(" A title ", "  A title, then more") == "  A title, then more"


@pytest.mark.parametrize("text", ["Cartoon heroes", "Car_2", "Car2", "car"])
def test_a_title_that_is_only_part_of_the_first_word_is_put_in_front(text):
    assert title_first("Car", text) == f"Car\n{text}"


def test_stop_lists_hold_what_they_claim():
    assert stop_list("none") == frozenset()
    assert stop_list("sklearn") == ENGLISH_STOP_WORDS
    assert len(stop_list("smart")) == 523


def test_unknown_names_list_the_names_there_are():
    with pytest.raises(InputError, match="none, sklearn, smart"):
        Tokenizer(stop_words="french")  # type: ignore[arg-type]
    for name in ("nltk", ["mw"]):
        with pytest.raises(InputError, match="mw, sklearn, words"):
            Tokenizer.preset(name)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_length": 0}, "min_length is 0; expected a whole number of at least 1"),
        ({"min_length": 1.5}, "min_length is 1.5"),
        ({"min_length": "2"}, "min_length is '2'"),
        ({"stem": "no"}, "stem is 'no'; expected True or False"),
        ({"stop_words": ["the"]}, "unknown stop list"),
    ],
)
def test_options_of_another_kind_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        Tokenizer(**options)


def test_what_is_no_text_is_refused():
    for use in (Tokenizer().tokens, Tokenizer().spellings):
        with pytest.raises(InputError, match="the text is of type NoneType; expected a string"):
            use(None)


@given(st.text(alphabet=st.characters(max_codepoint=0x7F), max_size=200))
def test_same_words_as_scikit_learn(text):
    assert Tokenizer(min_length=2).tokens(text) == CountVectorizer().build_analyzer()(text)


@given(tokenizers, st.text(max_size=200))
def test_tokens_of_joined_tokens_are_the_same_words(tokenizer, text):
    splits = tokenizer.splitter()
    words = splits(text)
    assert splits(" ".join(words)) == words


@given(tokenizers, st.text(max_size=200))
def test_every_word_obeys_the_options(tokenizer, text):
    for word in tokenizer.splitter()(text):
        assert len(word) >= tokenizer.min_length
        assert not tokenizer.letters_only or all(c.isalpha() or category(c) in ("Mn", "Mc") for c in word)
        assert not any(c.isspace() for c in word)
    assert not set(tokenizer.tokens(text)) & stop_list(tokenizer.stop_words) or tokenizer.stem
