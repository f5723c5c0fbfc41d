"""TfIdf against scikit-learn."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import TfidfVectorizer

from satchel.encoders import TfIdf
from satchel.errors import InputError
from satchel.text import Tokenizer

TEXTS = [
    "the quick brown fox jumps over the lazy dog",
    "The dog barks; the fox runs, and runs, and runs!",
    "I saw 3 dogs and 22 foxes in co-operation",
    "",
    "x y z quick quick",
]


@pytest.mark.parametrize("sublinear", [False, True])
@pytest.mark.parametrize("min_documents", [1, 2])
@pytest.mark.parametrize("stop_words", ["none", "sklearn"])
def test_vectors_are_those_of_scikit_learn(sublinear: bool, min_documents: int, stop_words: str) -> None:
    ours = TfIdf(Tokenizer(min_length=2, stop_words=stop_words), min_documents=min_documents, sublinear=sublinear)
    theirs = TfidfVectorizer(
        min_df=min_documents, sublinear_tf=sublinear, stop_words="english" if stop_words == "sklearn" else None
    ).fit(TEXTS)
    found = ours.fit(TEXTS).transform([*TEXTS, "a new fox and unseen words"]).toarray()
    expected = theirs.transform([*TEXTS, "a new fox and unseen words"]).toarray()
    assert sorted(ours.vocabulary_.words) == sorted(theirs.vocabulary_)
    order = [theirs.vocabulary_[word] for word in ours.get_feature_names_out()]
    np.testing.assert_allclose(found, expected[:, order], atol=1e-7)


def test_idf_by_hand() -> None:
    encoder = TfIdf().fit(["cat cat dog", "cat"])
    assert encoder.vocabulary_.words == ("cat", "dog")
    np.testing.assert_allclose(encoder.idf_, [1.0, 1 + np.log(3 / 2)])


def test_vectors_are_sparse_rows_of_length_one() -> None:
    vectors = TfIdf().fit(TEXTS).transform(TEXTS)
    assert isinstance(vectors, csr_array)
    np.testing.assert_allclose(np.sqrt((vectors.toarray() ** 2).sum(axis=1)), [1, 1, 1, 0, 1], atol=1e-6)


def test_rare_words_are_left_out_and_the_most_frequent_kept() -> None:
    assert TfIdf(min_count=3).fit(TEXTS).vocabulary_.words == ("the", "and", "quick", "runs")
    assert TfIdf(max_features=2).fit(TEXTS).vocabulary_.words == ("the", "and")


def test_limits_that_leave_no_word_are_named() -> None:
    with pytest.raises(InputError, match=r"no word to learn in the 5 texts \(min_count=1, min_documents=9"):
        TfIdf(min_documents=9).fit(TEXTS)


def test_tokenizer_of_another_type_is_refused() -> None:
    with pytest.raises(InputError, match="tokenizer must be a Tokenizer, not str"):
        TfIdf(tokenizer="words").fit(TEXTS)


def test_sublinear_is_true_or_false_and_nothing_that_reads_like_it() -> None:
    with pytest.raises(InputError, match="sublinear is 'false'; expected True or False"):
        TfIdf(sublinear="false").fit(TEXTS)  # type: ignore[arg-type]
    assert TfIdf(sublinear=np.bool_(True)).fit(TEXTS).transform(TEXTS).shape[0] == len(TEXTS)  # type: ignore[arg-type]
