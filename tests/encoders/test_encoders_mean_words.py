"""MeanWords against a loop over words."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

from satchel.encoders import MeanWords, load_encoder
from satchel.errors import InputError
from satchel.words import LsiWords, WordVectors

TEXTS = ["the cat the dog", "cat unknown words", "nothing here", "dog"]
WORDS = WordVectors(
    ("the", "cat", "dog", "bird"), np.array([[1, 0, 0], [0, 2, 0], [0, 0, 4], [3, 3, 3]], dtype=np.float32)
)


def mean_by_loop(text: str, idf: dict[str, float]) -> np.ndarray:
    known = [word for word in text.split() if word in WORDS]
    total = sum((idf[word] * WORDS[word] for word in known), np.zeros(3))
    return total / sum(idf[word] for word in known) if known else total


def test_plain_mean_equals_the_loop() -> None:
    expected = [mean_by_loop(text, dict.fromkeys(WORDS, 1.0)) for text in TEXTS]
    np.testing.assert_allclose(MeanWords(WORDS).fit(TEXTS).transform(TEXTS), expected, rtol=1e-6)


def test_idf_weighted_mean_equals_the_loop_and_unseen_words_have_document_frequency_zero() -> None:
    idf = {word: 1 + np.log(5 / (1 + df)) for word, df in {"the": 1, "cat": 2, "dog": 2, "bird": 0}.items()}
    queries = [*TEXTS, "the bird and the cat"]
    found = MeanWords(WORDS, weighting="idf").fit(TEXTS).transform(queries)
    np.testing.assert_allclose(found, [mean_by_loop(text, idf) for text in queries], rtol=1e-6)


def test_words_that_the_fitted_texts_lack_still_count() -> None:
    np.testing.assert_array_equal(MeanWords(WORDS).fit(TEXTS).transform(["bird"]), [[3, 3, 3]])


def test_words_parameter_survives_clone_uncopied() -> None:
    assert clone(MeanWords(WORDS)).words is WORDS


@pytest.mark.parametrize("weighting", ["plain", "idf"])
def test_words_parameter_survives_saving(tmp_path: Path, weighting: str) -> None:
    MeanWords(WORDS, weighting=weighting).fit(TEXTS).save(tmp_path / "model")
    loaded = load_encoder(tmp_path / "model")
    assert loaded.words == WORDS
    assert loaded.weighting == weighting
    np.testing.assert_array_equal(loaded.transform(["cat dog"]), [[0, 1, 2]])


def test_without_words_lsi_words_are_learned_from_the_texts(tmp_path: Path) -> None:
    encoder = MeanWords(dim=3, random_state=4).fit(TEXTS)
    assert encoder.words_ == LsiWords(3, min_count=1, random_state=4).learn(TEXTS)
    assert encoder.words is None
    encoder.save(tmp_path / "model")
    assert load_encoder(tmp_path / "model").words is None


def test_learned_words_have_as_many_numbers_as_the_texts_can_give() -> None:
    assert MeanWords(dim=100).fit(TEXTS).transform(TEXTS).shape == (4, 4)


def test_word_vectors_that_know_no_word_of_the_texts_are_refused() -> None:
    with pytest.raises(InputError, match="none of the 4 word vectors is of a word in the 1 texts"):
        MeanWords(WORDS).fit(["entirely different"])


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"weighting": "bm25"}, "unknown weighting 'bm25'; choose from idf, plain"),
        ({"words": "glove"}, "words must be WordVectors, a learner .* or None, not str"),
        ({"dim": 0}, "dim is 0; expected a whole number of at least 1"),
    ],
)
def test_wrong_parameters_are_refused_at_fit(parameters: dict, words: str) -> None:
    with pytest.raises(InputError, match=words):
        MeanWords(**parameters).fit(TEXTS)
