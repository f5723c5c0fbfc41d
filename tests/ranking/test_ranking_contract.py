"""The contract of every retriever: one file, run over all of them."""

import numpy as np
import pytest
from sklearn.base import clone

from satchel import Bm25, EncoderRetriever, FusedRetriever, LanguageModel, Lsi, Pl2, TfIdf
from satchel.errors import InputError, NotFittedError
from satchel.experiments.pivot import PivotedRetriever
from satchel.ranking import Retriever, Rm3, Rocchio

TEXTS = ["cats and dogs", "stock markets fell", "", "dogs chase cats", "cats and dogs", "Ünïcode wörds: 数据 и слова"]
CASES: dict[str, Retriever] = {
    "tf-idf": EncoderRetriever(TfIdf()),
    "LSI": EncoderRetriever(Lsi(2)),
    "LSI, pivoted": PivotedRetriever(Lsi(3), length_slope=0.9),
    "BM25": Bm25(),
    "PL2": Pl2(),
    "Dirichlet": LanguageModel(),
    "Jelinek-Mercer": LanguageModel("jelinek-mercer"),
    "BM25 + RM3": Bm25(expansion=Rm3()),
    "language model + Rocchio": LanguageModel(expansion=Rocchio()),
    "fused scores": FusedRetriever([Bm25(), EncoderRetriever(Lsi(2))]),
    "fused words": FusedRetriever([Bm25(), LanguageModel()]),
}
LEXICAL = sorted(CASES.keys() - {"tf-idf", "LSI", "LSI, pivoted", "fused scores"})


@pytest.fixture(params=sorted(CASES))
def retriever(request: pytest.FixtureRequest) -> Retriever:
    return clone(CASES[request.param])


@pytest.fixture(params=LEXICAL)
def lexical(request: pytest.FixtureRequest) -> Retriever:
    return clone(CASES[request.param])


def test_a_ranking_has_positions_and_scores_best_first(retriever: Retriever) -> None:
    ids, scores = retriever.fit(TEXTS).search(["dogs", "markets"], 3)
    assert ids.shape == scores.shape == (2, 3)
    assert (ids.dtype, scores.dtype) == (np.int64, np.float32)
    assert ids[1, 0] == 1
    assert (np.diff(scores[0][ids[0] >= 0]) <= 0).all()


def test_equal_texts_tie_in_document_order(retriever: Retriever) -> None:
    ids, scores = retriever.fit(TEXTS).search(["dogs cats"], 6)
    found = ids[0].tolist()
    assert found.index(0) < found.index(4)
    assert scores[0, found.index(0)] == scores[0, found.index(4)]


@pytest.mark.parametrize("query", ["", "   ", "zebra", "the of", "..."])
def test_a_query_without_a_known_word_finds_nothing(retriever: Retriever, query: str) -> None:
    ids, scores = retriever.fit([text for text in TEXTS if " and " not in text]).search([query], 3)
    assert (ids == -1).all()
    assert (scores == -np.inf).all()


def test_unknown_words_are_left_out(lexical: Retriever) -> None:
    lexical.fit(TEXTS)
    known, unknown = lexical.search(["dogs chase"], 6), lexical.search(["zebra dogs quagga chase"], 6)
    assert known.ids.tobytes() + known.scores.tobytes() == unknown.ids.tobytes() + unknown.scores.tobytes()


def test_places_beyond_what_there_is_are_empty(retriever: Retriever) -> None:
    ids, scores = retriever.fit(TEXTS).search(["dogs"], 50)
    assert ids.shape == (1, 50)
    assert (ids[0, len(TEXTS) :] == -1).all()
    assert (scores[ids < 0] == -np.inf).all()


def test_only_documents_that_share_a_word_are_found(lexical: Retriever) -> None:
    assert sorted(lexical.fit(TEXTS).search(["dogs"], 6).ids[0].tolist()) == [-1, -1, -1, 0, 3, 4]


def test_no_queries_are_no_rankings(retriever: Retriever) -> None:
    ids, scores = retriever.fit(TEXTS).search([], 3)
    assert ids.shape == scores.shape == (0, 3)


def test_a_query_alone_is_answered_as_in_a_batch_and_the_same_again(retriever: Retriever) -> None:
    queries = ["cats", "", "dogs chase stock", "markets"]
    batch = retriever.fit(TEXTS).search(queries, 4)
    again = clone(retriever).fit(TEXTS)
    rows = [again.search([query], 4) for query in queries]
    assert np.concatenate([row.ids for row in rows]).tobytes() == batch.ids.tobytes()
    assert np.concatenate([row.scores for row in rows]).tobytes() == batch.scores.tobytes()


@pytest.mark.parametrize("texts", [["dog"], ["dog dog dog"], ["dog"] * 5, ["dog", ""]])
def test_one_document_and_one_word_are_enough(lexical: Retriever, texts: list[str]) -> None:
    ids, scores = lexical.fit(texts).search(["dog dog", "cat"], 5)
    found = [i for i, text in enumerate(texts) if text]
    assert ids.tolist() == [found + [-1] * (5 - len(found)), [-1] * 5]
    assert np.isfinite(scores[0, : len(found)]).all()


def test_texts_without_a_word_are_never_found(lexical: Retriever) -> None:
    assert (lexical.fit(["", "...", "the"]).search(["dog", ""], 2).ids == -1).all()


def test_inputs_stay_as_they_are(retriever: Retriever) -> None:
    texts, queries = list(TEXTS), ["dogs"]
    retriever.fit(texts, [1] * len(texts)).search(queries, 2)
    assert (texts, queries) == (TEXTS, ["dogs"])


def test_mistakes_are_one_sentence(retriever: Retriever) -> None:
    name = type(retriever).__name__
    with pytest.raises(NotFittedError, match=f"{name} is not fitted: call fit first"):
        retriever.search(["cats"], 1)
    with pytest.raises(InputError, match="cannot learn from 0 texts"):
        retriever.fit([])
    with pytest.raises(InputError, match="1 labels for 6 texts"):
        retriever.fit(TEXTS, ["one"])
    fitted = retriever.fit(TEXTS)
    for k in (0, -1, 1.5, True, None):
        with pytest.raises(InputError, match="k is"):
            fitted.search(["cats"], k)
    with pytest.raises(InputError, match="do not fit in memory"):
        fitted.search(["cats"], 2**60)


@pytest.mark.parametrize("texts", [None, 5, "cat", [None], [b"cat"]])
def test_what_is_no_list_of_texts_is_refused(retriever: Retriever, texts: object) -> None:
    with pytest.raises(InputError, match="text"):
        retriever.fit(texts)
    with pytest.raises(InputError, match="text"):
        retriever.fit(TEXTS).search(texts, 1)
