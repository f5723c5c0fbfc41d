"""Lexical rankers: every formula against a hand-worked example, a double loop and another library."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel import Bm25, EncoderRetriever, LanguageModel, Pl2, TfIdf
from satchel.datasets import load
from satchel.errors import InputError
from satchel.evaluation import evaluate_run, run_from_ranking
from satchel.ranking import SEARCH_WORDS, LexicalRetriever, postings
from satchel.ranking.formulas import poisson_information
from satchel.ranking.rankers import known_counts
from satchel.ranking.selection import best_found
from satchel.text import Tokenizer, Vocabulary, count_words, word_sequences
from satchel.types import Ranking

PLAIN = Tokenizer()
TWO = ["a a b", "b c c"]  # both of the mean length 3
RANKERS = {
    "bm25": Bm25(tokenizer=PLAIN),
    "bm25 without lengths": Bm25(k1=0.9, b=0, tokenizer=PLAIN),
    "bm25 of presence": Bm25(k1=0, b=1, tokenizer=PLAIN),
    "pl2": Pl2(tokenizer=PLAIN),
    "pl2, c=7": Pl2(c=7, tokenizer=PLAIN),
    "dirichlet": LanguageModel(tokenizer=PLAIN),
    "dirichlet, little": LanguageModel(mu=3, tokenizer=PLAIN),
    "jelinek-mercer": LanguageModel("jelinek-mercer", collection_share=0.3, tokenizer=PLAIN),
}
words = st.sampled_from(["a", "b", "c", "d", "e"])
some_texts = st.lists(st.lists(words, max_size=8).map(" ".join), min_size=1, max_size=7)
one_query = st.lists(words | st.just("zebra"), max_size=6).map(" ".join)


def slow_score(ranker: LexicalRetriever, texts: list[str], query: str, document: int) -> float:
    """The score of one document word by word, from the formulas as they are written."""
    documents = [text.split() for text in texts]
    everything = [word for words in documents for word in words]
    n, mean, d = len(documents), len(everything) / len(documents), documents[document]
    score = 0.0
    for word in query.split():
        tf, total = d.count(word), everything.count(word)
        df, p = sum(word in words for words in documents), total / max(1, len(everything))
        if isinstance(ranker, Bm25) and tf:
            length = 1 - ranker.b + ranker.b * len(d) / mean
            score += math.log(1 + (n - df + 0.5) / (df + 0.5)) * tf / (tf + ranker.k1 * length)
        elif isinstance(ranker, Pl2) and tf:
            tfn, rate = tf * math.log2(1 + ranker.c * mean / len(d)), total / n
            chance = rate**tfn * math.exp(-rate) / math.gamma(tfn + 1)
            score += -math.log2(chance) / (tfn + 1)
        elif isinstance(ranker, LanguageModel) and total:
            share = ranker.collection_share
            if ranker.smoothing == "dirichlet":
                score += math.log((tf + ranker.mu * p) / (len(d) + ranker.mu) / p)
            elif d:
                score += math.log(((1 - share) * tf / len(d) + share * p) / (share * p))
    return score


@pytest.mark.parametrize("name", RANKERS)
@given(texts=some_texts, query=one_query)
def test_scores_are_those_of_a_double_loop(name, texts, query):
    ids, scores = RANKERS[name].fit(texts).search([query], len(texts) + 1)
    sharing = [i for i, text in enumerate(texts) if set(text.split()) & set(query.split())]
    slow = {i: slow_score(RANKERS[name], texts, query, i) for i in sharing}
    found = ids[0][: len(sharing)].tolist()
    assert sorted(found) == sharing
    assert (ids[0][len(sharing) :] == -1).all()
    np.testing.assert_allclose(scores[0][: len(sharing)], [slow[i] for i in found], atol=2e-6)
    assert found == [i for _, i in sorted(zip(-scores[0], found, strict=False))]


@pytest.mark.parametrize(
    ("ranker", "a", "b"),
    [
        (
            Bm25(),
            math.log(2) * 2 / 3.5,
            math.log(1.2) / 2.5,
        ),  # 0.3961, 0.0729: idf ln(1 + 1.5 / 1.5), ln(1 + 0.5 / 2.5)
        (Pl2(), (1 / math.log(2) + 1) / 3, 1 / math.log(2) / 2),  # 0.8142, 0.7213: tfn = tf, one expected: log₂ e·tf!
        (LanguageModel(mu=3), math.log(1.5), 0.0),  # 0.4055, 0: p(a | d) = 3/6 against 1/3, p(b | d) = 2/6
        (LanguageModel("jelinek-mercer"), math.log(3), math.log(2)),  # 1.0986, 0.6931: 1/2 against 1/6, 1/3 against 1/6
    ],
)
def test_hand_worked_scores(ranker, a, b):
    ranker.set_params(tokenizer=PLAIN)
    ids, scores = ranker.fit(TWO).search(["a", "b", "a b", "a a"], 2)
    assert ids.tolist() == [[0, -1], [0, 1], [0, 1], [0, -1]]
    np.testing.assert_allclose(scores[0], [a, -np.inf], atol=1e-6)
    np.testing.assert_allclose(scores[1], [b, b], atol=1e-6)
    assert scores[2, 0] == pytest.approx(a + b, abs=1e-6)
    assert scores[3, 0] == pytest.approx(2 * a, abs=1e-6)  # a word that stands twice in the query counts twice


def test_poisson_information_is_stirlings_formula_where_that_is_good():
    tfn, rate = np.array([3.0, 8.5, 40.0]), np.array([0.01, 2.0, 7.0])
    stirling = tfn * np.log2(tfn / rate) + (rate + 1 / (12 * tfn) - tfn) / np.log(2) + 0.5 * np.log2(2 * np.pi * tfn)
    np.testing.assert_allclose(poisson_information(tfn, rate), stirling, rtol=1e-4)


def test_poisson_information_is_never_below_zero_nor_infinite_in_long_documents():
    tfn, rate = np.meshgrid([1e-12, 1e-3, 0.1, 1.0, 30.0], [1e-6, 0.1, 1.0, 50.0])
    information = poisson_information(tfn, rate)
    assert np.isfinite(information).all()
    assert (information >= 0).all()


@given(texts=some_texts, query=one_query.filter(lambda query: set(query) & set("abcde")))
def test_bm25_scores_are_those_of_bm25s(texts, query):
    bm25s = pytest.importorskip("bm25s")
    if not any(text.split() for text in texts):
        return
    peer = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
    peer.index([text.split() for text in texts], show_progress=False)
    known = [word for word in query.split() if word in peer.vocab_dict]
    expected = peer.get_scores(known) if known else np.zeros(len(texts))
    ids, scores = RANKERS["bm25"].fit(texts).search([query], len(texts))
    ours = np.zeros(len(texts))
    ours[ids[0][ids[0] >= 0]] = scores[0][ids[0] >= 0]
    np.testing.assert_allclose(ours, expected, atol=1e-6)


def _terms(ranker: Bm25, texts: list[str]) -> list[list[str]]:
    """The known terms of each text, in order."""
    ids, starts = word_sequences(texts, ranker.tokenizer, ranker.vocabulary_)
    terms = np.array(ranker.vocabulary_.words, dtype=object)[ids]
    return [part.tolist() for part in np.split(terms, starts[1:-1])]


@pytest.mark.parametrize("name", ["cranfield", "cacm", "npl", "scifact", "nfcorpus-partial"])
def test_bm25_ranks_real_collections_as_bm25s_does(name, data_folder):
    bm25s = pytest.importorskip("bm25s")
    pytest.importorskip("ir_measures")
    data = load(name)
    queries, texts = data.judged_queries(), data.documents.texts
    ours = Bm25().fit(texts)
    peer = bm25s.BM25(k1=ours.k1, b=ours.b, method="lucene")
    peer.index(_terms(ours, texts), show_progress=False)
    documents, scores = peer.retrieve(_terms(ours, queries.texts), k=10, show_progress=False)
    found = [
        evaluate_run(run_from_ranking(ranking, queries.ids, data.documents.ids), data.judgments, ["nDCG@10"])
        for ranking in (ours.search(queries.texts, 10), Ranking(documents.astype(np.int64), scores))
    ]
    assert found[0].measures["nDCG@10"] == pytest.approx(found[1].measures["nDCG@10"], abs=0.005)


def test_case_endings_and_common_words_make_no_difference():
    ids = (
        Bm25().fit(["Grid storages", "a stock of the market"]).search(["THE stored grids", "markets", "of the"], 2).ids
    )
    assert ids.tolist() == [[0, -1], [1, -1], [-1, -1]]


def test_tf_idf_cosine_is_a_lexical_ranker_with_the_same_analysis():
    retriever = EncoderRetriever(TfIdf(SEARCH_WORDS)).fit(["Grid storages", "a stock of the market"])
    assert retriever.search(["THE stored grids"], 1).ids.tolist() == [[0]]


def test_many_queries_are_answered_in_parts_as_one_by_one(monkeypatch):
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(list("abcdefgh"), 6)) for _ in range(60)]
    queries = ["", *texts[:20], "zebra"]
    ranker = LanguageModel(tokenizer=PLAIN).fit(texts)
    alone = [ranker.search([query], 7) for query in queries]
    monkeypatch.setattr(postings, "POSTINGS_AT_ONCE", 100)
    together = ranker.search(queries, 7)
    assert np.concatenate([one.ids for one in alone]).tobytes() == together.ids.tobytes()
    assert np.concatenate([one.scores for one in alone]).tobytes() == together.scores.tobytes()


@given(query=one_query)
def test_the_words_of_one_query_are_counted_as_those_of_many_are(query):
    vocabulary = Vocabulary(("c", "a", "d"))
    counted, many = known_counts(query, PLAIN, vocabulary), count_words([query], PLAIN, vocabulary)
    assert list(counted) == many.indices.tolist()
    assert list(counted.values()) == many.data.tolist()


@pytest.mark.parametrize("name", RANKERS)
@given(texts=some_texts, queries=st.lists(one_query, min_size=1, max_size=3))
def test_queries_one_by_one_are_answered_as_by_the_sparse_product_bit_for_bit(name, texts, queries):
    ranker = RANKERS[name].fit(texts)
    together = ranker.postings_.search(ranker.query_counts(queries), 4)
    few = ranker.search(queries, 4)
    assert few.ids.tobytes() + few.scores.tobytes() == together.ids.tobytes() + together.scores.tobytes()


@given(
    scores=st.lists(st.integers(0, 5), min_size=1, max_size=300).map(lambda values: np.array(values, np.float32)),
    k=st.integers(1, 40),
)
def test_the_best_found_are_those_of_a_full_sort(scores, k):
    documents = np.random.default_rng(0).permutation(len(scores))
    expected = sorted(zip((-scores).tolist(), documents.tolist(), strict=True))[:k]
    ids, values = best_found(documents, scores, k)
    assert list(zip((-values).tolist(), ids.tolist(), strict=True)) == expected


def test_equal_documents_tie_in_their_order_wherever_they_stand():
    texts = ["x y", "a b c d e", "x", "a b c d e", "a b c d e"]
    for ranker in RANKERS.values():
        ids, scores = ranker.fit(texts).search(["e a d b"], 3)
        assert ids.tolist() == [[1, 3, 4]]
        assert len(set(scores[0].tolist())) == 1


@pytest.mark.parametrize(
    ("ranker", "sentence"),
    [
        (Bm25(k1=-1), "k1 is -1; expected a number from 0 to 1000"),
        (Bm25(b=1.5), "b is 1.5; expected a number from 0 to 1"),
        (Bm25(b=float("nan")), "b is nan; expected"),
        (Bm25(k1="large"), "k1 is 'large'; expected"),
        (Pl2(c=0), "c is 0; expected a number above"),
        (LanguageModel(mu=0), "mu is 0; expected a number above"),
        (LanguageModel(collection_share=1), "collection_share is 1; expected a number above"),
        (LanguageModel(smoothing="laplace"), "unknown smoothing 'laplace'; choose from dirichlet, jelinek-mercer"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(ranker, sentence):
    with pytest.raises(InputError, match=sentence):
        ranker.fit(TWO)
