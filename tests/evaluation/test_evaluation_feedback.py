"""The simulated user against a slow one that is written out, and its rankings against hand-worked ones."""

from typing import NamedTuple

import numpy as np
import pytest
from scipy.sparse import csr_array

from satchel import EncoderRetriever, Lsi
from satchel.errors import InputError
from satchel.evaluation import NoFeedback, evaluate_retrieval, simulate_feedback
from satchel.types import Ranking

RNG = np.random.default_rng(3)
DATABASE = RNG.standard_normal((80, 6)).astype(np.float32)
LABELS = [f"class {i % 4}" for i in range(80)]
QUERIES = RNG.standard_normal((12, 6)).astype(np.float32)
QUERY_LABELS = [f"class {i % 4}" for i in range(12)]
MAP = "mAP (11-point)"


class Moved(NamedTuple):
    query: np.ndarray
    mask: np.ndarray


class MeanOfRelevant:
    """A stand-in for feedback: the query moves to the relevant documents, and the mask to what they have."""

    def __init__(self, masked=False):
        self.masked = masked
        self.seen = []

    def refine(self, query, relevant, irrelevant, background=None):
        self.seen.append((len(relevant), len(irrelevant), background))
        query = query + 3 * (relevant.mean(axis=0) if len(relevant) else 0)
        mask = np.linspace(1, 2, len(query)) if self.masked else np.ones(len(query))
        return Moved(query.astype(np.float32), mask.astype(np.float32))


def slow_ranking(query, mask):
    scores = [mask * z @ (mask * query) / np.linalg.norm(mask * z) for z in DATABASE.astype(np.float64)]
    return sorted(range(80), key=lambda i: (-scores[i], i))


def slow_measures(order, label, k=10):
    """AP (11-point) and P@k of one ranking of those documents that are in it, as the equations read."""
    hits = np.cumsum([LABELS[i] == label for i in order])
    precision = hits / np.arange(1, len(hits) + 1)
    points = [max(p for p, h in zip(precision, hits, strict=True) if 10 * h >= j * hits[-1]) for j in range(11)]
    return np.mean(points), hits[k - 1] / k


def slow_simulation(query, label, feedback, rounds):
    """The marks and the ranking after each round, document by document."""
    marks, order = {}, slow_ranking(query, np.ones(6))
    for _ in range(rounds):
        shown = [i for i in order if i not in marks][:20]
        relevant = [i for i in shown if LABELS[i] == label][:3]
        irrelevant = [i for i in shown if LABELS[i] != label][:2]
        marks |= {i: i in relevant for i in shown if i in relevant or i in irrelevant}
        asked = (DATABASE[[i for i in marks if marks[i] == side]] for side in (True, False))
        order = slow_ranking(*feedback.refine(query, *asked))
        yield list(marks), order


@pytest.mark.parametrize("masked", [False, True])
def test_it_equals_the_slow_user_on_the_residual_collection_and_with_frozen_marks(masked):
    feedback = MeanOfRelevant(masked)
    settings = {"n_shown": 20, "n_relevant": 3, "n_irrelevant": 2, "rounds": 3}
    result = simulate_feedback(DATABASE, LABELS, QUERIES, QUERY_LABELS, feedback=feedback, **settings)
    for query, label in enumerate(QUERY_LABELS):
        first = slow_ranking(QUERIES[query], np.ones(6))
        for one, (marked, order) in zip(
            result.rounds, slow_simulation(QUERIES[query], label, feedback, 3), strict=True
        ):
            for ranked, residual, frozen in (
                (order, one.residual.feedback, one.frozen.feedback),
                (first, one.residual.none, one.frozen.none),
            ):
                left = [i for i in ranked if i not in marked]
                for judged, slow in ((residual, left), (frozen, marked + left)):
                    values = [judged.per_query[name][query] for name in (MAP, "P@10")]
                    assert values == pytest.approx(slow_measures(slow, label))


def test_before_any_mark_the_values_are_those_of_the_retrieval_protocol():
    result = simulate_feedback(DATABASE, LABELS, QUERIES, QUERY_LABELS, feedback=MeanOfRelevant())
    plain = evaluate_retrieval(DATABASE, LABELS, QUERIES, QUERY_LABELS)
    for name, values in plain.per_query.items():
        np.testing.assert_allclose(result.start.per_query[name], values)
    np.testing.assert_allclose(result.start.precision_recall, plain.precision_recall)
    np.testing.assert_allclose(result.start.precision_scope.interpolated, plain.precision_scope.interpolated)


def test_sparse_vectors_give_the_same_values_as_dense_ones():
    from satchel import Feedback

    given = (DATABASE, LABELS, QUERIES, QUERY_LABELS)
    dense = simulate_feedback(*given, feedback=Feedback("rocchio"))
    given = (csr_array(DATABASE), LABELS, csr_array(QUERIES), QUERY_LABELS)
    sparse = simulate_feedback(*given, feedback=Feedback("rocchio"))
    np.testing.assert_array_equal(dense.last.residual.gain(), sparse.last.residual.gain())


def test_without_feedback_nothing_changes_and_no_query_is_worse():
    result = simulate_feedback(DATABASE, LABELS, QUERIES, QUERY_LABELS, feedback=NoFeedback(), rounds=2)
    for one in result.rounds:
        for effect in (one.residual, one.frozen):
            assert not effect.gain().any()
            assert effect.worse() == 0  # ties are not worse
            assert effect.comparison().p_randomisation == 1


def test_what_is_worse_is_counted_query_by_query():
    class Backwards(NoFeedback):
        def refine(self, query, relevant, irrelevant, background=None):
            return Moved(-query, np.ones(len(query), np.float32))

    effect = simulate_feedback(DATABASE, LABELS, QUERIES, QUERY_LABELS, feedback=Backwards()).last.residual
    gain = effect.feedback.per_query["P@10"] - effect.none.per_query["P@10"]
    assert 0 < effect.worse("P@10") == np.mean([value < 0 for value in gain])
    assert effect.worse("P@10", by=0.1) == np.mean([value < -0.1 for value in gain]) < effect.worse("P@10")
    comparison = effect.comparison("P@10")
    assert comparison.losses == round(12 * effect.worse("P@10"))


def test_a_curve_holds_the_start_and_every_round():
    result = simulate_feedback(DATABASE, LABELS, QUERIES, QUERY_LABELS, feedback=MeanOfRelevant(), rounds=2)
    after, without = result.curve("P@10")
    assert after[0] == without[0] == result.start.measures["P@10"]
    assert after[2] == result.last.residual.feedback.measures["P@10"]
    assert without[1] == result.rounds[0].residual.none.measures["P@10"]
    assert result.curve("P@10", frozen=True)[0][1] == result.rounds[0].frozen.feedback.measures["P@10"]


def test_the_collection_is_given_as_background_and_marks_stay_within_their_limits():
    feedback = MeanOfRelevant()
    result = simulate_feedback(
        DATABASE, LABELS, QUERIES, QUERY_LABELS, feedback=feedback, n_relevant=2, n_irrelevant=0, rounds=2
    )
    assert all(relevant <= 4 and irrelevant == 0 for relevant, irrelevant, _ in feedback.seen)
    np.testing.assert_array_equal(feedback.seen[0][2], DATABASE)
    assert result.last.n_relevant.max() == 4
    assert not result.last.n_irrelevant.any()


def test_the_residual_collection_is_named_where_it_is_printed():
    printed = str(simulate_feedback(DATABASE, LABELS, QUERIES, QUERY_LABELS, feedback=MeanOfRelevant()))
    assert "residual collection: marked documents are taken out" in printed
    assert "round 1: " in printed
    assert "12 queries" in printed


def test_a_zero_query_finds_nothing_and_is_not_marked():
    queries = np.vstack([QUERIES[:1], np.zeros((1, 6))])
    result = simulate_feedback(DATABASE, LABELS, queries, QUERY_LABELS[:2], feedback=MeanOfRelevant())
    effect = result.last.residual
    assert [values[1] for values in effect.feedback.per_query.values()] == [0] * len(effect.feedback.per_query)
    assert result.last.n_relevant[1] == result.last.n_irrelevant[1] == 0


def test_queries_without_a_relevant_document_are_left_out_and_counted():
    labels = ["class 0", "unheard of", "class 1"]
    result = simulate_feedback(DATABASE, LABELS, QUERIES[:3], labels, feedback=MeanOfRelevant())
    assert result.evaluated.tolist() == result.last.residual.none.evaluated.tolist() == [0, 2]
    assert result.n_excluded == 1


def test_a_query_whose_relevant_documents_are_all_marked_leaves_the_residual_collection_only():
    labels = ["rare", *LABELS[1:]]
    queries = np.vstack([DATABASE[:1], QUERIES[:1]])
    one = simulate_feedback(DATABASE, labels, queries, ["rare", "class 1"], feedback=MeanOfRelevant()).last
    assert one.residual.feedback.evaluated.tolist() == [1]
    assert one.residual.feedback.n_excluded == 1
    assert one.frozen.feedback.evaluated.tolist() == [0, 1]
    assert one.frozen.feedback.per_query[MAP][0] == 1


def test_when_every_relevant_document_is_marked_it_says_so():
    with pytest.raises(InputError, match="after the first round every relevant document is marked"):
        simulate_feedback(DATABASE, ["rare", *LABELS[1:]], DATABASE[:1], ["rare"], feedback=MeanOfRelevant())


def test_rounds_end_when_every_relevant_document_is_marked():
    labels = ["pair", "pair", *LABELS[2:]]
    one_a_round = simulate_feedback(
        DATABASE, labels, DATABASE[:1], ["pair"], feedback=MeanOfRelevant(), n_shown=len(labels), n_relevant=1, rounds=4
    )
    assert [one.n_relevant.tolist() for one in one_a_round.rounds] == [[1]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_shown": 0}, "n_shown is 0"),
        ({"n_relevant": -1}, "n_relevant is -1"),
        ({"rounds": 0}, "rounds is 0"),
        ({"mistakes": 1.5}, "mistakes is 1.5"),
        ({"choice": "best"}, "unknown choice 'best'; choose from first, random"),
        ({"random_state": -1}, "random_state is -1"),
        ({"encoder": Lsi(2)}, "must be texts if an encoder"),
    ],
)
def test_settings_that_make_no_sense_are_refused(change, message):
    with pytest.raises(InputError, match=message):
        simulate_feedback(DATABASE, LABELS, QUERIES, QUERY_LABELS, feedback=MeanOfRelevant(), **change)


def test_labels_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match="80 vectors but 79 labels"):
        simulate_feedback(DATABASE, LABELS[1:], QUERIES, QUERY_LABELS)
    with pytest.raises(InputError, match="no query has a relevant document"):
        simulate_feedback(DATABASE, LABELS, QUERIES, ["x"] * 12)


TEXTS = [f"{animal} {verb} {i}" for i, animal in enumerate(["cat", "dog"] * 20) for verb in ["runs"]]
TOPICS = ["cat", "dog"] * 20


def test_an_encoder_gives_what_its_vectors_give():
    encoder = Lsi(4).fit(TEXTS)
    vectors = simulate_feedback(
        encoder.transform(TEXTS), TOPICS, encoder.transform(["cat runs"]), ["cat"], feedback=MeanOfRelevant()
    )
    texts = simulate_feedback(TEXTS, TOPICS, ["cat runs"], ["cat"], encoder=Lsi(4), feedback=MeanOfRelevant())
    retriever = EncoderRetriever(Lsi(4))
    found = simulate_feedback(TEXTS, TOPICS, ["cat runs"], ["cat"], retriever=retriever, feedback=MeanOfRelevant())
    assert vectors.last.residual.feedback.measures == texts.last.residual.feedback.measures
    assert vectors.last.residual.feedback.measures == found.last.residual.feedback.measures


class ByNumber:
    """A retriever that shows documents in the order of their numbers; marks, if it takes them, turn it round."""

    def fit(self, texts, labels=None):
        self.n = len(texts)
        return self

    def search(self, queries, k):
        return Ranking(np.arange(self.n)[None, :k], -np.arange(self.n, dtype=np.float32)[None, :k])


class TakesMarks(ByNumber):
    def search(self, queries, k, relevant=(), irrelevant=()):
        self.marked = list(relevant), list(irrelevant)
        ids = np.arange(self.n)[::-1] if len(relevant) else np.arange(self.n)
        return Ranking(ids[None, :k], -np.arange(self.n, dtype=np.float32)[None, :k])


def test_a_retriever_that_takes_marks_is_given_the_numbers_of_the_marked_documents():
    retriever = TakesMarks()
    topics = ["cat"] * 10 + ["dog"] * 30
    one = simulate_feedback(TEXTS, topics, ["dog"], ["dog"], retriever=retriever, n_relevant=3, n_irrelevant=2).last
    assert retriever.marked == ([10, 11, 12], [0, 1])
    assert one.residual.feedback.measures["P@10"] == 1
    assert one.residual.none.measures["P@10"] == 0.2  # 8 cats are left before the dogs


def test_a_retriever_that_takes_no_marks_needs_an_encoder_to_learn_on():
    with pytest.raises(InputError, match="ByNumber cannot learn from marks"):
        simulate_feedback(TEXTS, TOPICS, ["cat"], ["cat"], retriever=ByNumber())
    result = simulate_feedback(
        TEXTS, TOPICS, ["cat"], ["cat"], retriever=ByNumber(), encoder=Lsi(2), feedback=MeanOfRelevant()
    )
    assert result.start.measures["P@10"] == 0.5
    assert result.last.residual.feedback.measures["P@10"] == 1


def test_marks_are_learned_by_cosine_alone():
    with pytest.raises(InputError, match="metric is 'euclidean'; marks are learned with the cosine only"):
        simulate_feedback(TEXTS, TOPICS, ["cat"], ["cat"], retriever=EncoderRetriever(Lsi(2), "euclidean"))


def test_every_query_is_told_when_it_is_done():
    done = []
    watched = {"feedback": MeanOfRelevant(), "on_progress": lambda *told: done.append(told)}
    simulate_feedback(DATABASE, LABELS, QUERIES, QUERY_LABELS, **watched)
    assert done == [("simulating queries", n, 12) for n in range(1, 13)]
