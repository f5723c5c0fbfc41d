"""Texts in, rankings out."""

import numpy as np
import pytest
from sklearn.base import clone

from satchel.encoders import Lsi, MeanWords, TfIdf
from satchel.errors import InputError, NotFittedError
from satchel.ranking import EncoderRetriever, Retriever

TEXTS = ["cats and dogs", "stock markets fell", "", "dogs chase cats", "cats and dogs"]


@pytest.mark.parametrize("encoder", [TfIdf(), Lsi(2), MeanWords()])
def test_finds_the_text_itself_first_and_equal_texts_in_document_order(encoder) -> None:
    retriever: Retriever = EncoderRetriever(encoder)
    ids, scores = retriever.fit(TEXTS).search(["stock markets fell", "cats and dogs"], 3)
    assert ids[0, 0] == 1
    assert scores[0, 0] == pytest.approx(1)
    assert [i for i in ids[1] if i in (0, 4)] == [0, 4]
    np.testing.assert_allclose(scores[1, list(ids[1]).index(0)], scores[1, list(ids[1]).index(4)], rtol=0)


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_query_without_known_words_finds_nothing(metric) -> None:
    ids, scores = EncoderRetriever(TfIdf(), metric).fit(TEXTS).search(["", "zebra"], 7)
    assert (ids == -1).all()
    assert (scores == -np.inf).all()


def test_an_empty_document_ties_with_one_that_shares_no_word_and_stands_last_by_distance() -> None:
    ids, scores = EncoderRetriever(TfIdf()).fit(["", *TEXTS]).search(["cats"], 7)
    assert ids[0, 3:].tolist() == [0, 2, 3, -1]
    assert scores[0, 3:].tolist() == [0, 0, 0, -np.inf]
    ids, scores = EncoderRetriever(TfIdf(), "euclidean").fit(["", *TEXTS]).search(["cats"], 7)
    assert ids[0, 3:].tolist() == [2, 0, 3, -1]
    assert scores[0, 4:].tolist() == [-np.inf] * 3


def test_scores_by_euclidean_distance_are_minus_the_distance() -> None:
    vectors = TfIdf().fit(TEXTS).transform(TEXTS).toarray()
    ids, scores = EncoderRetriever(TfIdf(), "euclidean").fit(TEXTS).search(["dogs chase cats"], 4)
    np.testing.assert_allclose(scores[0], -np.linalg.norm(vectors[ids[0]] - vectors[3], axis=1), atol=1e-6)


def test_the_encoder_given_stays_unfitted_and_clone_copies_parameters() -> None:
    retriever = EncoderRetriever(TfIdf(sublinear=True), "euclidean").fit(TEXTS)
    assert not retriever.encoder.__sklearn_is_fitted__()
    assert clone(retriever).get_params()["encoder__sublinear"] is True


def test_prefit_uses_the_encoder_as_it_is() -> None:
    encoder = TfIdf().fit(["cats", "bonds"])
    retriever = EncoderRetriever(encoder, prefit=True).fit(TEXTS)
    assert retriever.encoder_ is encoder
    assert retriever.search(["markets", "cats"], 1).ids.tolist() == [[-1], [0]]


def test_prefit_with_an_unfitted_encoder_says_so() -> None:
    with pytest.raises(NotFittedError, match="TfIdf is not fitted: call fit first"):
        EncoderRetriever(TfIdf(), prefit=True).fit(TEXTS)


def test_mistakes_are_one_sentence() -> None:
    with pytest.raises(NotFittedError, match="EncoderRetriever is not fitted: call fit first"):
        EncoderRetriever(TfIdf()).search(["cats"], 1)
    with pytest.raises(InputError, match="unknown metric 'dot'"):
        EncoderRetriever(TfIdf(), "dot").fit(TEXTS)
    with pytest.raises(InputError, match="1 labels for 5 texts"):
        EncoderRetriever(TfIdf()).fit(TEXTS, ["one"])
    with pytest.raises(InputError, match="not one string"):
        EncoderRetriever(TfIdf()).fit(TEXTS).search("cats", 1)


@pytest.mark.parametrize("encoder", ["tf-idf", None, TfIdf])
def test_what_is_no_encoder_is_refused(encoder):
    with pytest.raises(InputError, match="expected an encoder such as"):
        EncoderRetriever(encoder).fit(["a cat", "a dog"])


@pytest.mark.parametrize("texts", [None, 5, "cat", [None]])
def test_what_is_no_list_of_texts_is_refused(texts):
    with pytest.raises(InputError, match="text"):
        EncoderRetriever(TfIdf()).fit(texts)
    with pytest.raises(InputError, match="text"):
        EncoderRetriever(TfIdf()).fit(["cat", "dog"]).search(texts, 1)
