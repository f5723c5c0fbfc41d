"""A text that knows its words: the same ones as the tokenizer gives, where they stand, and their stems."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from satchel.text import Analysed, Tokenizer, analysed, analysis, stem, stems_of
from satchel.text import folded as folded_words
from satchel.text.analysis import without_accents

ODD = ["ß", "İ", "ı", "ﬁ", "Σ", "ς", "\u0301", "\u0338", "_", "²", "हि", "न्दी", "가", "\u1100", "\u1161", "K", "'", "á"]
texts = st.text(max_size=60) | st.lists(st.sampled_from([*ODD, "a", "B", " ", "9", "=", "."]), max_size=20).map("".join)
tokenizers = st.builds(
    Tokenizer,
    lowercase=st.booleans(),
    letters_only=st.booleans(),
    min_length=st.integers(1, 4),
    stop_words=st.sampled_from(["none", "sklearn", "smart"]),
    stem=st.booleans(),
)


def folded(word: str) -> str:
    """In lower case and composed; which sigma stands at the end depends on what follows the word."""
    return unicodedata.normalize("NFC", word.lower()).replace("ς", "σ")


@settings(max_examples=500)
@given(texts)
@example("Big ΑΣ'Β")
@example("ΑΣ.Β ΑΣ")
@example("İstanbul and İ")
@example("cafe\u0301 na\u00efve")
@example("a=\u0338b")
def test_words_stand_where_their_spans_say(text: str) -> None:
    read = Analysed(text)
    assert [folded(text[start:stop]) for start, stop in read.spans] == [folded(word) for word in read.words]
    ends = [0, *(end for span in read.spans for end in span)]
    assert ends == sorted(ends)
    assert all(start < stop for start, stop in read.spans)


@settings(max_examples=500)
@given(texts)
@example("Big ΑΣ'Β")
@example("a_b _c_ _")
def test_the_tokenizer_gives_the_same_of_a_text_that_knows_its_words(text: str) -> None:
    assert Tokenizer().tokens(Analysed(text)) == Tokenizer().tokens(text)
    assert Tokenizer().spellings(Analysed(text)) == Tokenizer().spellings(text)


@settings(max_examples=300)
@given(tokenizers, texts)
def test_so_does_every_tokenizer(tokenizer: Tokenizer, text: str) -> None:
    assert tokenizer.splitter()(Analysed(text)) == tokenizer.splitter()(text)
    assert tokenizer.tokens(Analysed(text)) == tokenizer.tokens(text)


def test_every_sign_of_unicode_is_read_alike() -> None:
    split, signs = Tokenizer().splitter(), [chr(code) for code in range(sys.maxunicode + 1) if chr(code) != "_"]
    for start in range(0, len(signs), 4096):
        text = " ".join(f"a{sign}b é{sign} {sign}B" for sign in signs[start : start + 4096])
        read = Analysed(text)
        assert read.words == split(text)
        assert len(read.words) == len(read.spans)


def test_signs_and_underscores_separate_words() -> None:
    read = Analysed("Grid_storage, v2: don't — 3.5%")
    assert read.words == ["grid", "storage", "v2", "don", "t", "3", "5"]
    assert [read[start:stop] for start, stop in read.spans] == ["Grid", "storage", "v2", "don", "t", "3", "5"]


def test_words_of_other_scripts_stay_whole() -> None:
    read = Analysed("हिन्दी भाषा, ΕΛΛΗΝΙΚΆ и Ёлка 三国")
    assert read.words == ["हिन्दी", "भाषा", "ελληνικά", "и", "ёлка", "三国"]
    assert read.stems == ["हिन्दी", "भाषा", "ελληνικα", "и", "елка", "三国"]


@pytest.mark.parametrize("text", ["", " ", "—…!", "_", "\u0301"])
def test_a_text_without_words_has_none(text: str) -> None:
    read = Analysed(text)
    assert read.words == read.spans == read.stems == []


def test_words_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read = Analysed("Rockets flew, rockets landed")
    before = read.words, read.spans, read.stems
    monkeypatch.setattr(analysis, "_ASCII_WORD", None)
    assert (read.words, read.spans, read.stems) == before
    assert Tokenizer().tokens(read) == before[0]
    assert read.words is before[0]
    assert analysed(read) is read


def test_it_is_a_text_like_any_other() -> None:
    read = analysed("Moon rock")
    assert (read, hash(read), len(read), read[:4]) == ("Moon rock", hash("Moon rock"), 9, "Moon")
    assert type(read[:4]) is str


# stems


@settings(max_examples=300)
@given(texts)
def test_there_is_a_stem_for_each_word_and_it_is_its_own(text: str) -> None:
    read = Analysed(text)
    assert read.stems == [stem(word) for word in read.words] == stems_of(read.words)
    assert all(read.stems)


def test_stems_are_porters_as_his_own_program_has_them() -> None:
    words = "caresses ponies relational hopping biology biological visibly visible able abbly"
    wanted = "caress poni relat hop biolog biolog visibl visibl abl abbl"
    assert Analysed(words).stems == wanted.split()


def test_short_words_are_their_own_stems() -> None:
    assert stems_of(["as", "is", "us", "a", "s", "é"]) == ["as", "is", "us", "a", "s", "e"]
    assert stems_of([]) == []


def test_accents_are_left_out_but_not_marks_that_make_a_letter() -> None:
    assert stems_of(["café", "cafés", "naïve", "ångström"]) == ["cafe", "cafe", "naiv", "angstrom"]
    assert without_accents("हिन्दी") == "हिन्दी"
    assert without_accents("øl") == "øl"


def test_folded_words_have_no_accents_and_keep_their_endings() -> None:
    assert folded_words("Heat-Pumps, Éte\u0301s & Straße") == ("heat", "pumps", "etes", "straße")
    assert folded_words("…") == ()


@given(st.text(alphabet="ab_ \u00e9\u0301-.5\n", max_size=30))
def test_places_of_some_words_are_those_of_all(text: str) -> None:
    read = Analysed(text)
    chosen = list(range(0, len(read.words), 2))
    assert read.places(chosen).tolist() == [list(read.spans[word]) for word in chosen]
    ascii_only = Analysed(text.encode("ascii", "replace").decode())
    assert ascii_only.places(range(len(ascii_only.words))).tolist() == [list(span) for span in ascii_only.spans]
