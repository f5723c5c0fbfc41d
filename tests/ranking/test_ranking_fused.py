"""Fusion of retrievers: by hand, by a double loop, and weights that are learned where there is something to learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from satchel import BagOfEmbeddedWords, Bm25, EncoderRetriever, FisherVectors, FusedRetriever, LanguageModel, Lsi, TfIdf
from satchel.errors import InputError, NotFittedError
from satchel.ranking.fusion import SCALES, filled, min_max, standard_scores
from satchel.text import Tokenizer
from satchel.types import Ranking

NOT = -np.inf
PLAIN = Tokenizer()
TEXTS = ["cats and dogs", "stock markets fell", "", "dogs chase cats", "cats and dogs", "markets for dogs"]
words = st.sampled_from(["a", "b", "c", "d", "e"])
some_texts = st.lists(st.lists(words, max_size=8).map(" ".join), min_size=1, max_size=7)
some_queries = st.lists(st.lists(words | st.just("zebra"), max_size=4).map(" ".join), max_size=3)


class Fixed:
    """A retriever that always answers the same: position -> score."""

    def __init__(self, scores):
        self.scores = scores

    def fit(self, texts, labels=None):
        return self

    def search(self, queries, k):
        order = sorted(self.scores, key=lambda place: (-self.scores[place], place))[:k]
        empty = k - len(order)
        ids, scores = [*order, *[-1] * empty], [*(self.scores[place] for place in order), *[NOT] * empty]
        return Ranking(np.array([ids] * len(queries), np.int64), np.array([scores] * len(queries), np.float32))


def fused(*retrievers, n=6, **parameters):
    return FusedRetriever([Fixed(one) for one in retrievers], **parameters).fit(["x"] * n)


def test_reciprocal_ranks_are_added_as_by_hand():
    ids, scores = fused({3: 9.0, 1: 5.0}, {1: 0.2, 5: 0.1}, method="reciprocal-rank").search(["q"], 4)
    assert ids.tolist() == [[1, 3, 5, -1]]  # 1/62 + 1/61, 1/61, 1/62
    np.testing.assert_allclose(scores[0], [1 / 62 + 1 / 61, 1 / 61, 1 / 62, NOT], rtol=1e-6)


def test_reciprocal_ranks_have_weights_and_a_constant():
    ids, scores = fused({0: 2.0}, {4: 1.0}, method="reciprocal-rank", weights=[1, 3], rank_constant=0).search(["q"], 2)
    assert ids.tolist() == [[4, 0]]
    assert scores[0].tolist() == [3, 1]


@pytest.mark.parametrize(
    ("scale", "expected"),
    [
        ("best", {0: 1 + 2 * 0.25, 1: 0.5, 2: 2.0}),
        ("min-max", {0: 1.0, 1: 0.0, 2: 2.0}),
        ("z-score", {0: 1 - 2, 1: -1 - 2, 2: -1 + 2}),
        ("none", {0: 4 + 2 * 1, 1: 2.0, 2: 8.0}),
    ],
)
def test_weighted_scores_on_each_scale_are_as_by_hand(scale, expected):
    ids, scores = fused({0: 4.0, 1: 2.0}, {2: 4.0, 0: 1.0}, weights=[1, 2], scale=scale).search(["q"], 3)
    assert dict(zip(ids[0].tolist(), scores[0].tolist(), strict=True)) == pytest.approx(expected)


@pytest.mark.parametrize("scale", sorted(SCALES))
@given(texts=some_texts, queries=some_queries)
def test_weighted_scores_are_those_of_a_double_loop(scale, texts, queries):
    retrievers = [Bm25(tokenizer=PLAIN), LanguageModel(mu=3, tokenizer=PLAIN)]
    ranking = FusedRetriever(retrievers, weights=[1, 0.5], scale=scale).fit(texts).search(queries, len(texts))
    for row, query in enumerate(queries):
        totals: dict[int, float] = {}
        answers = [one.fit(texts).search([query], len(texts)) for one in retrievers]
        for document in range(len(texts)):
            parts = [slow_value(answer, document, scale) for answer in answers]
            if any(document in answer.ids[0] for answer in answers):
                totals[document] = parts[0] + 0.5 * parts[1]
        found = [place for place in ranking.ids[row].tolist() if place >= 0]
        assert sorted(found) == sorted(totals)
        np.testing.assert_allclose(ranking.scores[row, : len(found)], [totals[d] for d in found], atol=1e-5)


def slow_value(answer, document, scale):
    """What one ranking says of a document, from the words of the documentation."""
    scores = {d: float(s) for d, s in zip(answer.ids[0].tolist(), answer.scores[0], strict=True) if d >= 0}
    if not scores:
        return 0.0
    low, high = min(scores.values()), max(scores.values())
    mean = sum(scores.values()) / len(scores)
    spread = (sum((s - mean) ** 2 for s in scores.values()) / len(scores)) ** 0.5
    brought = {
        "best": lambda s: s / high if high > 0 else s,
        "min-max": lambda s: (s - low) / (high - low) if high > low else 1.0,
        "z-score": lambda s: (s - mean) / spread if high > low else 0.0,
        "none": lambda s: s,
    }[scale]
    return brought(scores[document]) if document in scores else min(0.0, brought(low))


@given(texts=some_texts, queries=some_queries, method=st.sampled_from(["weighted-scores", "reciprocal-rank"]))
def test_one_retriever_alone_answers_as_it_does_without_fusion(texts, queries, method):
    own = Bm25(tokenizer=PLAIN).fit(texts).search(queries, 4)
    for retrievers, weights in ([[Bm25(tokenizer=PLAIN)], [1]], [[Bm25(tokenizer=PLAIN), Fixed({0: 1.0})], [2, 0]]):
        alone = FusedRetriever(retrievers, method, weights).fit(texts).search(queries, 4)
        assert alone.ids.tobytes() + alone.scores.tobytes() == own.ids.tobytes() + own.scores.tobytes()


def test_ties_stand_in_document_order_and_a_document_of_one_leg_is_found():
    ids, _ = fused({5: 1.0, 2: 1.0}, {0: 3.0}, {}).search(["q", "r"], 5)
    assert ids.tolist() == [[0, 2, 5, -1, -1]] * 2


def test_depth_leaves_out_what_stands_further_down():
    deep, shallow = ({0: 3.0, 1: 2.0, 2: 1.0}, {2: 5.0, 3: 4.0}), {"depth": 1}
    assert fused(*deep).search(["q"], 4).ids.tolist() == [[2, 0, 3, 1]]
    assert fused(*deep, **shallow).search(["q"], 4).ids.tolist() == [[0, 2, -1, -1]]


def test_many_queries_are_answered_in_blocks_as_they_are_at_once(monkeypatch):
    retriever = FusedRetriever([Bm25(), EncoderRetriever(Lsi(2))]).fit(TEXTS)
    queries = ["dogs", "markets", "zebra", "cats chase"]
    at_once = retriever.search(queries, 3)
    monkeypatch.setattr("satchel.ranking.retrievers.SCORE_BYTES", 1)
    assert retriever.search(queries, 3).scores.tobytes() == at_once.scores.tobytes()


@pytest.mark.parametrize("encoder", [Lsi(2), BagOfEmbeddedWords(n_codewords=2), FisherVectors(n_components=1, dim=2)])
def test_words_and_any_vector_are_fused_and_labels_reach_them(encoder):
    texts = [text for text in TEXTS if text] * 3
    retriever = FusedRetriever([Bm25(), EncoderRetriever(encoder)], weights=[1, 0.3]).fit(texts, ["a", "b"] * 7 + ["a"])
    assert retriever.search(["stock markets fell"], 1).ids.tolist() == [[1]]
    assert not hasattr(retriever.retrievers[0], "postings_")


def test_a_fitted_encoder_and_fitted_retrievers_are_used_as_they_are():
    encoder, words = TfIdf().fit(["cats", "bonds"]), Bm25().fit(TEXTS)
    retriever = FusedRetriever([Bm25(), EncoderRetriever(encoder, prefit=True)]).fit(TEXTS)
    assert retriever.retrievers_[1].encoder_ is encoder
    assert FusedRetriever([words], prefit=True).fit(TEXTS).retrievers_[0] is words
    assert clone(retriever).get_params()["retrievers"][1].encoder is encoder


def test_scales_leave_nothing_undefined_where_scores_are_equal_or_missing():
    for scale in (min_max, standard_scores):
        assert scale(np.full(2, NOT)).tolist() == [NOT, NOT]
        assert np.isfinite(scale(np.array([2.0, 2.0, NOT]))[:2]).all()
    assert filled(np.array([-3.0, 1.0, NOT])).tolist() == [-3, 1, -3]
    assert filled(np.full(2, NOT)).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"method": "vote"}, "unknown method 'vote'"),
        ({"scale": "log"}, "unknown scale 'log'"),
        ({"weights": [1]}, "expected 2 numbers"),
        ({"weights": [1, -1]}, "a weight is -1"),
        ({"weights": [1, "a"]}, "a weight is 'a'"),
        ({"weights": [0, 0]}, "all weights are 0"),
        ({"weights": 3}, "weights is 3"),
        ({"depth": 0}, "depth is 0"),
        ({"rank_constant": -1}, "rank_constant is -1"),
        ({"retrievers": []}, "expected a list"),
        ({"retrievers": [Bm25]}, "is not a retriever"),
    ],
)
def test_mistakes_are_one_sentence(parameters, message):
    with pytest.raises(InputError, match=message):
        FusedRetriever(**{"retrievers": [Bm25(), Bm25()]} | parameters).fit(TEXTS)


@pytest.mark.parametrize("n_retrievers", [1, 2])
def test_a_fitted_retriever_of_other_texts_is_refused(n_retrievers):
    other = Bm25().fit(["cats"] * 9 + ["dogs"])
    retriever = FusedRetriever([other] * n_retrievers, prefit=True).fit(["cats", "dogs"])
    with pytest.raises(InputError, match="finds document 9, but `fit` was given 2 texts"):
        retriever.search(["dogs"], 1)


def test_a_retriever_that_is_not_fitted_says_so():
    with pytest.raises(NotFittedError, match="call fit first"):
        FusedRetriever([Bm25(), Bm25()]).search(["q"], 1)
