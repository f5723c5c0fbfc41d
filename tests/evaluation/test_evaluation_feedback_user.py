"""Which documents a simulated user marks, and what judgments say of a ranking."""

import numpy as np
import pytest

from satchel.errors import InputError
from satchel.evaluation import NoFeedback, evaluate_run, simulate_feedback
from satchel.evaluation.feedback_result import frozen_order, judge_order, ndcg, residual_grades, residual_order
from satchel.evaluation.feedback_user import SimulatedUser, grades_by_judgments, grades_by_label

RANKED = np.array([7, 3, 9, 1, 0, 5, 2, 8, 4, 6])
GRADES = np.array([1, 0, 0, 1, 0, 1, 0, 1, 0, 1])  # relevant: 0, 3, 5, 7, 9


def rng():
    return np.random.default_rng(0)


def test_the_first_relevant_and_irrelevant_documents_are_marked_in_the_order_shown():
    marks = SimulatedUser(n_shown=7, n_relevant=2, n_irrelevant=1).marks(RANKED, GRADES, rng())
    assert marks.documents.tolist() == [7, 3, 1]
    assert marks.relevant.tolist() == [True, True, False]


def test_only_what_is_shown_can_be_marked():
    marks = SimulatedUser(n_shown=4, n_relevant=9, n_irrelevant=9).marks(RANKED, GRADES, rng())
    assert marks.documents.tolist() == [7, 3, 9, 1]


def test_a_user_who_is_always_wrong_takes_relevant_for_irrelevant():
    marks = SimulatedUser(n_shown=7, n_relevant=1, n_irrelevant=2, mistakes=1).marks(RANKED, GRADES, rng())
    assert marks.documents.tolist() == [7, 3, 1]
    assert marks.relevant.tolist() == [False, False, True]


def test_mistakes_come_at_their_rate():
    ranked, grades = np.arange(20_000), np.arange(20_000) % 2
    user = SimulatedUser(n_shown=20_000, n_relevant=20_000, n_irrelevant=20_000, mistakes=0.1)
    marks = user.marks(ranked, grades, rng())
    assert np.mean(marks.relevant != (grades > 0)) == pytest.approx(0.1, abs=0.01)  # 5 standard deviations


def test_random_marks_are_spread_over_what_is_shown():
    user = SimulatedUser(n_shown=10, n_relevant=2, n_irrelevant=2, choice="random")
    generator = rng()
    marked = [user.marks(RANKED, GRADES, generator) for _ in range(200)]
    assert {len(marks.documents) for marks in marked} == {4}
    assert all((GRADES[marks.documents] > 0).tolist() == marks.relevant.tolist() for marks in marked)
    counts = np.bincount(np.concatenate([marks.documents for marks in marked]))
    assert counts.min() > 50  # 80 each, on average


def test_the_same_seed_gives_the_same_marks_and_every_method_the_same_first_round():
    generator = np.random.default_rng(1)
    database, queries = generator.standard_normal((50, 4)), generator.standard_normal((6, 4))
    labels = [i % 2 for i in range(50)]

    class Remembers(NoFeedback):
        def __init__(self):
            self.seen = []

        def refine(self, query, relevant, irrelevant, background=None):
            self.seen.append((relevant.tolist(), irrelevant.tolist()))
            return super().refine(query, relevant, irrelevant)

    runs = []
    for rounds, state in ((1, 7), (2, 7), (1, 8)):
        feedback = Remembers()
        simulate_feedback(
            database, labels, queries, [0] * 6, feedback=feedback, choice="random", rounds=rounds, random_state=state
        )
        runs.append(feedback.seen)
    assert runs[0] == runs[1][::2]
    assert runs[0] != runs[2]


def test_marked_documents_leave_the_ranking_and_the_relevant_ones():
    marked = np.array([3, 1])
    assert residual_order(RANKED, marked).tolist() == [7, 9, 0, 5, 2, 8, 4, 6]
    assert np.flatnonzero(residual_grades(GRADES, marked)).tolist() == [0, 5, 7, 9]
    assert GRADES[3] == 1


def test_frozen_documents_stand_first_as_they_were_marked():
    assert frozen_order(RANKED, np.array([3, 1])).tolist() == [3, 1, 7, 9, 0, 5, 2, 8, 4, 6]


def test_a_hand_worked_ranking():
    """Relevant at 1 and 4 of four documents, a third one never found: precision 1, 1/2, 0."""
    values = judge_order(np.array([0, 1, 2, 3]), np.array([1, 0, 0, 1, 1]), (2, 10))
    assert values["P@2"].tolist() == [0.5]
    assert values["P@10"].tolist() == [0.2]
    assert values["R@2"][0] == pytest.approx(1 / 3)
    assert values["mAP (11-point)"][0] == pytest.approx((4 * 1 + 3 * 0.5 + 4 * 0) / 11)  # recall 0.3 needs the first


def test_ndcg_is_that_of_ir_measures():
    generator = rng()
    for _ in range(5):
        grades, order = generator.integers(0, 4, 30), generator.permutation(30)
        run = {"q": {str(d): 100.0 - place for place, d in enumerate(order)}}
        judgments = {"q": {str(d): int(grade) for d, grade in enumerate(grades)}}
        expected = evaluate_run(run, judgments, ["nDCG@10"]).measures["nDCG@10"]
        assert ndcg(grades[order], grades, 10) == pytest.approx(expected)


def test_grades_by_label_and_by_judgments():
    assert grades_by_label(["a", "b", "a"], ["a", "c"])(0).tolist() == [1, 0, 1]
    assert grades_by_label(["a", "b", "a"], ["a", "c"])(1).tolist() == [0, 0, 0]
    judgments = {"q": {"x": 2, "y": -1, "gone": 1}}
    graded = grades_by_judgments(judgments, ["y", "x", "z"], ["q", "unjudged"])
    assert graded(0).tolist() == [0, 2, 0]
    assert graded(1).tolist() == [0, 0, 0]


def test_ids_that_stand_twice_are_refused():
    with pytest.raises(InputError, match="3 documents have only 2 ids"):
        grades_by_judgments({}, ["x", "y", "x"], ["q"])


def test_judgments_decide_what_is_relevant_and_how_much():
    database = np.array([[3, 1], [2, 1], [1, 1], [1, 2], [1, 3]], np.float32)
    judgments = {"q": {"b": 1, "d": 2, "e": 1}}
    result = simulate_feedback(
        database, list("abcde"), np.array([[1, 0]]), ["q"], judgments=judgments, feedback=NoFeedback(), n_shown=2
    )
    assert (result.last.n_relevant.tolist(), result.last.n_irrelevant.tolist()) == ([1], [1])  # b and a are marked
    left = {"q": {"c": 3.0, "d": 2.0, "e": 1.0}}
    expected = evaluate_run(left, {"q": {"c": 0, "d": 2, "e": 1}}, ["nDCG@10"]).measures["nDCG@10"]
    assert result.last.residual.none.measures["nDCG@10"] == pytest.approx(expected)
