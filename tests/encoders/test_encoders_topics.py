"""Topic models against scikit-learn's own inference, a plain EM, and texts made of two topics."""

import numpy as np
import pytest
from sklearn.decomposition import NMF, LatentDirichletAllocation

from satchel import Lda, Plsa
from satchel.errors import InputError
from satchel.text import Tokenizer, learn_vocabulary

RNG = np.random.default_rng(2)
PETS, MONEY = [f"pet{i}" for i in range(15)], [f"coin{i}" for i in range(15)]
SHARES = RNG.uniform(size=60)
TEXTS = [" ".join(RNG.choice(PETS if RNG.uniform() < share else MONEY) for _ in range(60)) for share in SHARES]
PLAIN = {"tokenizer": Tokenizer(), "random_state": 0}


def counts_of(texts: list[str]) -> np.ndarray:
    return learn_vocabulary(texts, Tokenizer())[1].astype(np.float64)


@pytest.mark.parametrize("model", [Plsa, Lda])
def test_the_shares_by_which_texts_were_made_are_found(model):
    vectors = model(2, n_iterations=200, **PLAIN).fit(TEXTS).transform(TEXTS)
    assert vectors.sum(axis=1) == pytest.approx(np.ones(60), abs=1e-5)
    assert abs(np.corrcoef(vectors[:, 0], SHARES)[0, 1]) > 0.95


@pytest.mark.parametrize("model", [Plsa, Lda])
def test_a_topic_is_described_by_its_words(model):
    encoder = model(2, **PLAIN).fit(TEXTS)
    described = [{word.rstrip("0123456789") for word in encoder.describe(topic, 8)} for topic in range(2)]
    assert sorted(map(sorted, described)) == [["coin"], ["pet"]]


def test_plsa_learns_the_topics_of_the_factorisation_and_folds_in_to_its_documents():
    encoder = Plsa(3, n_iterations=500, **PLAIN).fit(TEXTS)
    theirs = NMF(3, beta_loss="kullback-leibler", solver="mu", max_iter=500, random_state=0)
    documents = theirs.fit_transform(counts_of(TEXTS)) * theirs.components_.sum(axis=1)
    np.testing.assert_allclose(
        encoder.topics_, theirs.components_ / theirs.components_.sum(axis=1, keepdims=True), atol=1e-6
    )
    np.testing.assert_allclose(encoder.transform(TEXTS), documents / documents.sum(axis=1, keepdims=True), atol=0.04)


def test_plsa_folds_in_by_the_em_that_lists_every_occurrence():
    encoder = Plsa(3, **PLAIN).fit(TEXTS)
    ids = encoder.vocabulary_.ids(TEXTS[0].split())
    shares = np.full(3, 1 / 3)
    for _ in range(500):
        owners = shares[:, None] * encoder.topics_[:, ids]  # P(topic | occurrence), up to the sum
        shares = (owners / owners.sum(axis=0)).mean(axis=1)
    np.testing.assert_allclose(encoder.transform(TEXTS[:1])[0], shares, atol=0.01)


def test_lda_infers_what_scikit_learn_infers():
    encoder = Lda(3, n_iterations=15, **PLAIN).fit(TEXTS)
    theirs = LatentDirichletAllocation(3, max_iter=15, random_state=0).fit(counts_of(TEXTS))
    np.testing.assert_allclose(encoder.transform(TEXTS), theirs.transform(counts_of(TEXTS)), atol=0.01)


def test_lda_with_other_priors_infers_what_scikit_learn_infers():
    encoder = Lda(3, n_iterations=15, document_prior=1, word_prior=0.3, **PLAIN).fit(TEXTS)
    theirs = LatentDirichletAllocation(3, doc_topic_prior=1, topic_word_prior=0.3, max_iter=15, random_state=0)
    expected = theirs.fit(counts_of(TEXTS)).transform(counts_of(TEXTS))
    np.testing.assert_allclose(encoder.transform(TEXTS), expected, atol=0.01)
    assert np.abs(Lda(3, n_iterations=15, **PLAIN).fit(TEXTS).transform(TEXTS) - expected).max() > 0.02


@pytest.mark.parametrize("prior", [0, -1, 1.5, float("nan"), "auto"])
def test_a_prior_that_makes_no_sense_is_refused(prior):
    with pytest.raises(InputError, match=r"document_prior is .*; expected a number above 0 and below 1"):
        Lda(3, document_prior=prior).fit(TEXTS)


@pytest.mark.parametrize("model", [Plsa, Lda])
@pytest.mark.parametrize("texts", [["word"], ["one text alone"], ["a b", "", "..."]])
def test_more_topics_than_texts_and_words_give_finite_shares(model, texts):
    vectors = model(7, **PLAIN).fit(texts).transform([*texts, "other"])
    assert np.isfinite(vectors).all()
    assert vectors[0].sum() == pytest.approx(1, abs=1e-5)
    assert not vectors[-1].any()
