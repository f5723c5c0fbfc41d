from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from satchel.errors import InputError
from satchel.text import Tokenizer, Vocabulary, count_words, learn_vocabulary, word_sequences

TEXTS = ["the cat sat on the mat", "the dog sat", "", "a cat, a dog; a bird"]
collections = st.lists(st.text(alphabet="ab cd\n.é", max_size=30), max_size=8)


def test_vocabulary_is_ordered_by_frequency_then_alphabet():
    vocabulary, _ = learn_vocabulary(TEXTS, Tokenizer())
    assert vocabulary.words[:6] == ("a", "the", "cat", "dog", "sat", "bird")


def test_counts_are_those_of_a_double_loop():
    vocabulary, counts = learn_vocabulary(TEXTS, Tokenizer())
    for row, text in zip(counts.toarray(), TEXTS, strict=True):
        assert dict(zip(vocabulary.words, row, strict=True)) == {
            w: Counter(Tokenizer().tokens(text))[w] for w in vocabulary.words
        }


def test_min_count_counts_occurrences_and_min_documents_counts_texts():
    assert "a" in learn_vocabulary(TEXTS, Tokenizer(), min_count=3)[0]
    assert "a" not in learn_vocabulary(TEXTS, Tokenizer(), min_documents=2)[0]


def test_max_size_keeps_the_most_frequent_words_and_adds_unknown():
    vocabulary, _ = learn_vocabulary(TEXTS, Tokenizer(), max_size=2, has_unknown=True)
    assert vocabulary.words == ("<unk>", "a", "the")


def test_unknown_collects_the_words_left_out_but_not_stop_words():
    tokenizer = Tokenizer(stop_words="sklearn")
    vocabulary, counts = learn_vocabulary(["the cat the bird", "cat"], tokenizer, min_count=2, has_unknown=True)
    assert vocabulary.words == ("<unk>", "cat")
    assert counts.toarray().tolist() == [[1, 1], [0, 1]]


def test_stems_are_counted_together():
    vocabulary, counts = learn_vocabulary(["gardens garden gardening"], Tokenizer(stem=True))
    assert vocabulary.words == ("garden",)
    assert counts.toarray().tolist() == [[3]]


def test_sequences_keep_the_order_and_leave_out_unseen_words():
    vocabulary = Vocabulary(("cat", "dog"))
    ids, starts = word_sequences(["dog bird cat", "bird", "cat"], Tokenizer(), vocabulary)
    assert ids.tolist() == [1, 0, 0]
    assert starts.tolist() == [0, 2, 2, 3]


def test_sequences_name_unseen_words_unknown():
    vocabulary = Vocabulary(("<unk>", "cat"), has_unknown=True)
    assert word_sequences(["bird cat"], Tokenizer(), vocabulary).ids.tolist() == [0, 1]


def test_counting_stops_after_so_many_words_of_each_text():
    vocabulary = Vocabulary(("cat", "dog"))
    counts = count_words(["cat bird cat dog dog", "dog"], Tokenizer(), vocabulary, max_length=3)
    assert counts.toarray().tolist() == [[2, 1], [0, 1]]


def test_packing_in_blocks_changes_nothing(monkeypatch):
    whole = word_sequences(TEXTS, Tokenizer(), learn_vocabulary(TEXTS, Tokenizer())[0])
    monkeypatch.setattr("satchel.text.counts._FLUSH", 2)
    blocks = word_sequences(TEXTS, Tokenizer(), learn_vocabulary(TEXTS, Tokenizer())[0])
    assert np.array_equal(whole.ids, blocks.ids)
    assert np.array_equal(whole.starts, blocks.starts)


def test_no_texts_give_no_rows():
    vocabulary, counts = learn_vocabulary([], Tokenizer())
    assert len(vocabulary) == 0
    assert counts.shape == (0, 0)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ("one text", "not one string"),
        (["a", None], "text 1 is of type NoneType"),
        ([b"a"], "bytes"),
        (None, "must be a list of strings, not NoneType"),
        (5, "must be a list of strings, not int"),
    ],
)
def test_texts_that_are_not_strings_are_named(texts, message):
    with pytest.raises(InputError, match=message):
        learn_vocabulary(texts, Tokenizer())


@pytest.mark.parametrize(
    ("limit", "given"),
    [("min_count", "2"), ("min_count", 0), ("min_documents", "x"), ("max_size", 2.5), ("max_size", -5)],
)
def test_a_limit_that_is_no_whole_number_is_named(limit, given):
    with pytest.raises(InputError, match=f"{limit} is {given!r}; expected a whole number of at least 1"):
        learn_vocabulary(TEXTS, Tokenizer(), **{limit: given})


def test_what_is_no_tokenizer_is_named():
    with pytest.raises(InputError, match="tokenizer must be a Tokenizer, not str"):
        learn_vocabulary(TEXTS, "mw")


def test_what_is_no_vocabulary_is_refused():
    with pytest.raises(InputError, match="vocabulary must be a Vocabulary, not list"):
        count_words(TEXTS, Tokenizer(), ["cat"])
    for words, message in [
        (None, "not NoneType"),
        ("abc", "not str"),
        ((1,), "the word 1 of a vocabulary is of type int"),
    ]:
        with pytest.raises(InputError, match=message):
            Vocabulary(words)


def test_vocabulary_refuses_repeated_words_and_a_missing_unknown():
    with pytest.raises(InputError, match="2 given, 1 distinct"):
        Vocabulary(("a", "a"))
    with pytest.raises(InputError, match="<unk>"):
        Vocabulary(("a",), has_unknown=True)


@given(collections, st.booleans())
def test_counting_known_words_equals_learning_them(texts, has_unknown):
    vocabulary, counts = learn_vocabulary(texts, Tokenizer(), min_count=2, has_unknown=has_unknown)
    again = count_words(texts, Tokenizer(), vocabulary)
    assert np.array_equal(counts.toarray(), again.toarray())
    assert again.has_canonical_format
    assert counts.has_canonical_format


def test_same_counts_as_scikit_learn_on_real_texts(data_folder):
    import gzip

    with gzip.open(data_folder / "r8" / "test.tsv.gz", "rt", encoding="utf-8", newline="\n") as lines:
        texts = [line.split("\t", 1)[1] for line in lines]
    vocabulary, counts = learn_vocabulary(texts, Tokenizer(min_length=2), min_documents=5)
    theirs = CountVectorizer(vocabulary=list(vocabulary.words)).fit_transform(texts)
    assert len(vocabulary) == len(CountVectorizer(min_df=5).fit(texts).vocabulary_)
    assert (counts != theirs).nnz == 0
