"""Queries that grow: RM3 and Rocchio against slow forms, with marks and without."""

import math
from collections import Counter

import numpy as np
import pytest

from satchel import Bm25, LanguageModel, Pl2
from satchel.errors import InputError
from satchel.evaluation import simulate_feedback
from satchel.ranking import LexicalRetriever, Rm3, Rocchio
from satchel.text import Tokenizer

PLAIN = Tokenizer()
TEXTS = ["cat cat purr", "cat dog", "stock fell", "purr purr fur", "dog stock", "fur coat stock coat", ""]
PLAIN_BM25 = Bm25(tokenizer=PLAIN).fit(TEXTS)


def expected_scores(ranker: LexicalRetriever, query: dict[str, float]) -> dict[int, float]:
    """Σ weight of a word · the ranker's score for that word alone; so scores of new words need no new formula."""
    scores: Counter[int] = Counter()
    for word, weight in query.items():
        ids, values = ranker.search([word], len(TEXTS))
        for document, value in zip(ids[0].tolist(), values[0].tolist(), strict=True):
            if document >= 0:
                scores[document] += weight * value
    return scores


def assert_scores(ranking, expected: dict[int, float]) -> None:
    found = ranking.ids[0][ranking.ids[0] >= 0].tolist()
    assert sorted(found) == sorted(expected)
    np.testing.assert_allclose(ranking.scores[0][: len(found)], [expected[i] for i in found], atol=1e-6)


def test_rm3_with_marks_is_the_hand_worked_mixture():
    """Documents 0 and 3: p(purr) = (1/3 + 2/3) / 2, p(cat) = (2/3) / 2, p(fur) = (1/3) / 2; two words are kept."""
    ranker = Bm25(tokenizer=PLAIN, expansion=Rm3(n_words=2, query_share=0.4)).fit(TEXTS)
    purr, cat = 0.6 * (1 / 2) / (1 / 2 + 1 / 3), 0.4 + 0.6 * (1 / 3) / (1 / 2 + 1 / 3)  # 0.36, 0.64
    ranking = ranker.search(["cat"], 7, relevant=[3, 0])
    assert_scores(ranking, expected_scores(PLAIN_BM25, {"purr": purr, "cat": cat}))


@pytest.mark.parametrize("ranker", [Bm25(), Pl2(), LanguageModel("jelinek-mercer")])
def test_rm3_without_marks_takes_the_best_documents_by_their_scores(ranker):
    plain = ranker.set_params(tokenizer=PLAIN, expansion=None).fit(TEXTS)
    ids, scores = (values[0] for values in plain.search(["cat cat fell"], 2))
    likely = np.exp(scores) if isinstance(ranker, LanguageModel) else scores
    model: Counter[str] = Counter()
    for document, share in zip(ids.tolist(), (likely / likely.sum()).tolist(), strict=True):
        words = TEXTS[document].split()
        model.update({word: share * words.count(word) / len(words) for word in set(words)})
    query = {word: 0.5 * weight for word, weight in model.items()}
    query["cat"], query["fell"] = query.get("cat", 0) + 0.5 * 2 / 3, query.get("fell", 0) + 0.5 / 3
    expected = expected_scores(plain, query)
    assert_scores(ranker.set_params(expansion=Rm3(2, 20)).fit(TEXTS).search(["cat cat fell"], 7), expected)


def test_rocchio_moves_towards_relevant_and_away_from_irrelevant_documents():
    """Query cat: 1·cat + 2·(2 cat + purr)/√5 - 1·(cat + dog)/√2; dog falls below 0 and is left out."""
    ranker = Bm25(tokenizer=PLAIN, expansion=Rocchio()).fit(TEXTS)
    query = {"cat": 1 + 4 / math.sqrt(5) - 1 / math.sqrt(2), "purr": 2 / math.sqrt(5)}
    assert_scores(ranker.search(["cat"], 7, relevant=[0], irrelevant=[1]), expected_scores(PLAIN_BM25, query))


def test_rocchio_keeps_the_querys_words_and_so_many_new_ones():
    ranker = Bm25(tokenizer=PLAIN, expansion=Rocchio(n_words=1, weights=(1.0, 1.0, 0.0))).fit(TEXTS)
    length = math.sqrt(6)  # of fur + 2 coat + stock
    query = {"dog": 1 / math.sqrt(2), "fur": 1 / math.sqrt(2) + 1 / length, "coat": 2 / length}
    assert_scores(ranker.search(["dog fur"], 7, relevant=[5]), expected_scores(PLAIN_BM25, query))


def test_marks_are_learned_by_rocchio_where_no_expansion_is_set():
    asked = {"relevant": [3], "irrelevant": np.array([2])}
    plain, set_ = PLAIN_BM25, Bm25(tokenizer=PLAIN, expansion=Rocchio()).fit(TEXTS)
    assert plain.search(["cat"], 7, **asked).scores.tobytes() == set_.search(["cat"], 7, **asked).scores.tobytes()
    assert 3 in plain.search(["cat"], 7, **asked).ids
    assert 3 not in plain.search(["cat"], 7).ids


def test_irrelevant_documents_are_not_taken_for_relevant_ones():
    ranker = Bm25(tokenizer=PLAIN, expansion=Rm3(1, 20)).fit(TEXTS)
    first = ranker.search(["cat"], 1).ids[0, 0]
    assert first == 0
    assert "purr" in TEXTS[0]
    assert 3 in ranker.search(["cat"], 7).ids  # found by purr
    others = ranker.search(["cat"], 7, irrelevant=[0]).ids  # the next best, cat dog, stands in
    assert 3 not in others
    assert 4 in others  # found by dog


def test_without_pseudo_documents_only_marks_expand():
    ranker = Bm25(tokenizer=PLAIN, expansion=Rm3(n_documents=0)).fit(TEXTS)
    assert ranker.search(["cat"], 7).ids.tolist() == PLAIN_BM25.search(["cat"], 7).ids.tolist()
    assert 3 in ranker.search(["cat"], 7, relevant=[0]).ids


def test_a_document_marked_both_ways_says_nothing():
    both = PLAIN_BM25.search(["cat"], 7, relevant=[3, 0], irrelevant=[3])
    assert both.scores.tobytes() == PLAIN_BM25.search(["cat"], 7, relevant=[0]).scores.tobytes()


def test_marks_find_documents_for_a_query_without_a_known_word():
    assert PLAIN_BM25.search(["zebra"], 2, relevant=[3]).ids.tolist() == [[3, 0]]


def test_empty_documents_teach_nothing():
    for expansion in (Rm3(), Rocchio()):
        ranker = Bm25(tokenizer=PLAIN, expansion=expansion).fit(TEXTS)
        assert sorted(ranker.search(["cat"], 2, relevant=[6]).ids[0].tolist()) == [0, 1]


@pytest.mark.parametrize(
    ("marks", "sentence"),
    [
        ([7], "relevant names document 7; there are 7, from 0 on"),
        ([-1], "relevant names document -1"),
        ([0.5], "relevant must be a list of positions of documents"),
        (["0"], "relevant must be a list of positions"),
        ([True], "relevant must be a list of positions"),
        ([[0]], "relevant must be a list of positions"),
        ([[0], [1, 2]], "relevant must be a list of positions"),
        (None, "relevant must be a list of positions"),
        (0, "relevant must be a list of positions"),
    ],
)
def test_marks_that_are_no_documents_are_refused(marks, sentence):
    with pytest.raises(InputError, match=sentence):
        PLAIN_BM25.search(["cat"], 1, relevant=marks)


@pytest.mark.parametrize(
    ("expansion", "sentence"),
    [
        (Rm3(n_words=0), "n_words is 0"),
        (Rm3(n_documents=-1), "n_documents is -1"),
        (Rm3(query_share=1.1), "query_share is 1.1; expected a number from 0 to 1"),
        (Rocchio(weights=(1, 2)), "expected three numbers"),
        (Rocchio(weights=(1, -2, 0)), "the weight b is -2; expected a number of at least 0"),
        ("rm3", "the expansion is 'rm3'; expected Rm3"),
    ],
)
def test_expansions_that_make_no_sense_are_refused(expansion, sentence):
    with pytest.raises(InputError, match=sentence):
        Bm25(expansion=expansion).fit(TEXTS)


def test_a_simulated_user_can_mark_what_a_lexical_ranker_finds():
    texts = [f"{animal} w{i}" for animal in ("cat purr", "dog bark") for i in range(6)] + ["purr alone", "bark alone"]
    labels = ["cats"] * 6 + ["dogs"] * 6 + ["cats", "dogs"]
    result = simulate_feedback(texts, labels, ["cat"], ["cats"], retriever=Bm25(), n_relevant=2, n_irrelevant=0)
    effect = result.rounds[0].residual
    assert effect.feedback.measures["mAP (11-point)"] == pytest.approx(1)  # purr leads to the last one
    assert effect.none.measures["mAP (11-point)"] < 1
