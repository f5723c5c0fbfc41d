"""Collections with next to nothing in them: every encoder of documents and every ranker copes or says why not."""

from collections.abc import Callable

import numpy as np
import pytest

from satchel import Bm25, EncoderRetriever, FisherVectors, FusedRetriever, LanguageModel, Lda, Lsi, Pl2, Plsa
from satchel.encoders import Encoder
from satchel.encoders.mixture import Mixture, assignments, fit_mixture, maximised
from satchel.errors import InputError
from satchel.ranking import Retriever, Rm3, Rocchio

pytestmark = pytest.mark.filterwarnings("error")

ALL_GRADIENTS = "weights+means+variances"
ENCODERS: dict[str, Callable[[], Encoder]] = {
    "Fisher vectors": FisherVectors,
    "more components than words": lambda: FisherVectors(n_components=50),
    "all gradients, square roots": lambda: FisherVectors(n_components=8, gradients=ALL_GRADIENTS, power=0.5),
    "words of any length": lambda: FisherVectors(scaling="singular", weighting="tf", n_components=3),
    "PLSA": Plsa,
    "LDA": Lda,
    "LSI": lambda: Lsi(1),
}
RETRIEVERS: dict[str, Callable[[], Retriever]] = {
    "BM25": Bm25,
    "PL2": Pl2,
    "Dirichlet": LanguageModel,
    "Jelinek-Mercer": lambda: LanguageModel("jelinek-mercer"),
    "BM25 + RM3": lambda: Bm25(expansion=Rm3()),
    "PL2 + Rocchio": lambda: Pl2(expansion=Rocchio()),
    "language model + RM3": lambda: LanguageModel(expansion=Rm3()),
    "BM25 and LSI": lambda: FusedRetriever([Bm25(), EncoderRetriever(Lsi(1))]),
}
COLLECTIONS = {
    "one document": ["zebra grass river"],
    "one word": ["zebra"],
    "one word in many documents": ["zebra"] * 4,
    "one word, more or less often": ["zebra", "zebra zebra", ""],
    "the same document again and again": ["zebra grass river"] * 4,
    "two words": ["zebra", "grass", "zebra grass"],
    "empty documents among others": ["", "zebra grass", "", "lion zebra"],
}
WORDLESS = {"no document": [], "an empty document": [""], "stop words alone": ["the of", "and"]}


@pytest.fixture(params=ENCODERS)
def encoder(request: pytest.FixtureRequest) -> Encoder:
    return ENCODERS[request.param]()


@pytest.fixture(params=RETRIEVERS)
def retriever(request: pytest.FixtureRequest) -> Retriever:
    return RETRIEVERS[request.param]()


@pytest.mark.parametrize("texts", COLLECTIONS.values(), ids=COLLECTIONS)
def test_vectors_are_finite_and_zero_without_a_known_word(encoder, texts):
    vectors = encoder.fit(texts).transform([*texts, "quagga", "", "zebra quagga"])
    assert np.isfinite(vectors).all()
    assert not vectors[-3:-1].any()
    assert (vectors[-1] == encoder.transform(["zebra"])[0]).all()
    for row, text in zip(vectors, texts, strict=False):
        assert text or not row.any()


@pytest.mark.parametrize("texts", WORDLESS.values(), ids=WORDLESS)
def test_an_encoder_says_that_there_is_no_word_to_learn(encoder, texts):
    wanted = r"cannot learn from 0 texts|found no word to learn"
    with pytest.raises(InputError, match=wanted):
        encoder.fit(texts)


@pytest.mark.parametrize("texts", COLLECTIONS.values(), ids=COLLECTIONS)
def test_a_word_finds_the_documents_that_hold_it_and_an_unknown_one_nothing(retriever, texts):
    ids, scores = retriever.fit(texts).search(["zebra", "quagga", ""], len(texts))
    holding = {place for place, text in enumerate(texts) if "zebra" in text}
    assert holding <= set(ids[0].tolist())
    assert (ids[1:] == -1).all()
    assert np.isfinite(scores[ids >= 0]).all()
    assert (scores[ids < 0] == -np.inf).all()


@pytest.mark.parametrize("marks", [([0], []), ([], [0]), ([0], [0])])
@pytest.mark.parametrize("expansion", [Rm3(), Rocchio()])
def test_marks_in_a_collection_of_one_word_leave_no_nan(expansion, marks):
    for query in ("zebra", "quagga", ""):
        ids, scores = Bm25(expansion=expansion).fit(["zebra", "zebra zebra"]).search([query], 2, *marks)
        assert not np.isnan(scores).any()
        assert (ids[0] >= 0).tolist() == np.isfinite(scores[0]).tolist()


def test_rankers_find_nothing_in_documents_without_words(retriever):
    if isinstance(retriever, FusedRetriever):
        with pytest.raises(InputError, match="found no word to learn"):
            retriever.fit(["", "the"])
        return
    assert (retriever.fit(["", "the"]).search(["zebra", ""], 2).ids == -1).all()
    with pytest.raises(InputError, match="cannot learn from 0 texts"):
        retriever.fit([])


def test_more_topics_than_words_and_documents_are_shares_all_the_same():
    for model in (Plsa(30), Lda(30)):
        vectors = model.fit(["zebra grass", "grass"]).transform(["zebra", "grass", "quagga"])
        assert vectors.sum(axis=1) == pytest.approx([1, 1, 0], abs=1e-5)


def test_more_dimensions_than_the_texts_allow_are_refused_with_the_most_there_can_be():
    with pytest.raises(InputError, match=r"n_components is 5, but 2 texts with words and 3 distinct words allow .* 2"):
        Lsi(5).fit(["zebra grass", "river grass"])
    with pytest.raises(InputError, match="n_features is 9, but Fisher vectors of 2 numbers allow from 1 to 2"):
        FisherVectors(n_features=9).fit(["zebra grass", "river grass"])


def test_a_component_that_no_word_belongs_to_starts_again_and_the_mixture_stays_finite():
    x = np.concatenate([np.zeros((30, 2)), np.full((1, 2), 1e6)]) + np.random.default_rng(0).normal(size=(31, 2))
    occurrences = np.concatenate([np.full(30, 1e6), [1e-6]])  # the far word weighs next to nothing
    found = fit_mixture(x, occurrences, 4, 0)
    assert all(np.isfinite(part).all() for part in found)
    assert found.weights.sum() == pytest.approx(1)
    assert (found.variances > 0).all()
    assert assignments(x, found).sum(axis=1) == pytest.approx(np.ones(31))


def test_the_parts_of_a_dead_component_are_finite():
    gamma = np.array([[1.0, 0.0], [1.0, 0.0]])
    found = maximised(np.array([[0.0], [2.0]]), np.array([0.5, 0.5]), gamma)
    assert isinstance(found, Mixture)
    assert found.weights.tolist() == [1, 0]
    assert all(np.isfinite(part).all() for part in found)
