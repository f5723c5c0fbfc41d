"""Runs: files, rankings and measures through ir-measures, against values worked by hand."""

import builtins
import math

import numpy as np
import pytest

from satchel.errors import DamagedFileError, InputError, MissingExtraError, MissingFileError
from satchel.evaluation import evaluate_run, read_run, run_from_ranking, write_run
from satchel.types import Ranking

JUDGMENTS = {"q1": {"a": 3, "b": 0, "c": 1, "d": 2}, "q2": {"a": 1}}


def test_ndcg_and_ap_are_those_worked_by_hand():
    run = {"q1": {"b": 4.0, "a": 3.0, "x": 2.0, "c": 1.0}}
    result = evaluate_run(run, {"q1": JUDGMENTS["q1"]}, ["nDCG@10", "AP", "P@2", "R@4"])
    gained = 3 / math.log2(3) + 1 / math.log2(5)
    ideal = 3 / math.log2(2) + 2 / math.log2(3) + 1 / math.log2(4)
    assert result.measures["nDCG@10"] == pytest.approx(gained / ideal)
    assert result.measures["AP"] == pytest.approx((1 / 2 + 2 / 4) / 3)
    assert result.measures["P@2"] == pytest.approx(0.5)
    assert result.measures["R@4"] == pytest.approx(2 / 3)


def test_a_judged_query_that_the_run_lacks_counts_zero():
    result = evaluate_run({"q1": {"a": 1.0}, "q9": {"a": 1.0}}, JUDGMENTS, ["P@1"])
    assert result.query_ids == ("q1", "q2")
    assert result.per_query["P@1"].tolist() == [1.0, 0.0]
    assert result.measures["P@1"] == 0.5
    assert result.missing == ("q2",)
    assert "1 not answered (counted 0)" in str(result)


def test_an_empty_run_scores_zero():
    assert evaluate_run({}, JUDGMENTS).measures == {"nDCG@10": 0, "AP": 0, "P@10": 0, "R@100": 0}


@pytest.mark.parametrize("name", ["nDGC@10", "P@ten", "P@", ""])
def test_an_unknown_measure_is_named_with_those_there_are(name):
    with pytest.raises(InputError, match=r"unknown measure .*; write it as .* nDCG"):
        evaluate_run({"q1": {"a": 1.0}}, JUDGMENTS, [name])


def test_two_names_of_one_measure_have_the_same_value():
    names = ["AP", "MAP", "nDCG@10", "NDCG@10", "RR", "MRR"]
    values = evaluate_run({"q1": {"b": 2.0, "a": 1.0}}, JUDGMENTS, names).measures
    assert list(values) == names
    for first, second in zip(names[::2], names[1::2], strict=True):
        assert values[first] == values[second] > 0


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("P@0", "the cutoff of the measure 'P@0' is 0; expected a whole number of at least 1"),
        ("nDCG(cutoff=0)", "the cutoff of the measure"),
        ("nDCG@1.5", "is 1.5; expected a whole number"),
        ("P(rel=0)@5", "the rel of the measure"),
        ("P", "the measure 'P' cannot be used as it stands"),
        ("INST", "the measure 'INST' cannot be used as it stands"),
        ("P(foo=1)@5", "the measure .* cannot be used as it stands"),
        ("alpha_nDCG@5", "ir-measures cannot compute alpha_nDCG@5 here"),
        (None, "unknown measure None"),
    ],
)
def test_a_measure_that_cannot_be_computed_gets_one_clear_sentence(name, message):
    with pytest.raises(InputError, match=message):
        evaluate_run({"q1": {"a": 1.0}}, JUDGMENTS, [name])


def test_whatever_a_provider_raises_becomes_one_sentence(monkeypatch):
    def fail(*_):
        raise RuntimeError("perl is gone\nand more")

    monkeypatch.setattr("ir_measures.iter_calc", fail)
    with pytest.raises(InputError, match=r"cannot compute AP here \(perl is gone\)"):
        evaluate_run({"q1": {"a": 1.0}}, JUDGMENTS, ["AP"])


def test_numbers_of_numpy_and_whole_floats_are_taken():
    run = {"q1": {"b": np.float32(2), "a": np.float64(1)}}
    result = evaluate_run(run, {"q1": {"a": 1.0, "b": np.int64(0)}}, ["RR"])
    assert result.measures == {"RR": 0.5}


@pytest.mark.parametrize(
    ("run", "judgments", "message"),
    [
        ({"q": {"a": math.nan}}, {"q": {"a": 1}}, "score of document 'a' for query 'q' is nan"),
        ({"q": {"a": "high"}}, {"q": {"a": 1}}, "is 'high'; expected a finite number"),
        ({"q": {"a": 1.0}}, {"q": {"a": 1.5}}, "grade of document 'a' for query 'q' is 1.5"),
        ({"q": {"a": 1.0}}, {"q": {"a": None}}, "is None; expected a whole number"),
        ({"q": {7: 1.0}}, {"q": {"a": 1}}, "the id 7 is of type int"),
        ({7: {"a": 1.0}}, {7: {"a": 1}}, "the id 7 is of type int"),
        (None, {"q": {"a": 1}}, "the run must map query ids"),
        ({"q": ["a"]}, {"q": {"a": 1}}, "the run must map query ids"),
        ({"q": {"a": 1.0}}, {"q": ["a"]}, "the judgments must map query ids"),
    ],
)
def test_ids_grades_and_scores_of_the_wrong_kind_are_refused(run, judgments, message):
    with pytest.raises(InputError, match=message):
        evaluate_run(run, judgments, ["AP"])


@pytest.mark.parametrize(
    ("judgments", "measures", "message"),
    [
        ({}, ["AP"], "no judgments"),
        (JUDGMENTS, [], "name at least one"),
        (JUDGMENTS, "AP", "write \\['AP'\\]"),
        (JUDGMENTS, 5, "write \\[5\\]"),
    ],
)
def test_evaluating_nothing_is_refused(judgments, measures, message):
    with pytest.raises(InputError, match=message):
        evaluate_run({"q1": {"a": 1.0}}, judgments, measures)


def test_without_the_extra_the_error_holds_the_pip_line(monkeypatch):
    real = builtins.__import__

    def refuse(name, *rest, **more):
        if name == "ir_measures":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingExtraError, match=r"pip install 'satchel\[evaluation\]'"):
        evaluate_run({}, JUDGMENTS)


@pytest.mark.parametrize("name", ["run.txt", "run.txt.gz"])
def test_a_run_survives_its_file(tmp_path, name):
    run = {"q1": {"b": 2.5, "a": 1 / 3}, "q2": {"ü": -1e-9}}
    write_run(tmp_path / name, run)
    assert read_run(tmp_path / name) == run


def test_a_run_is_written_best_first_in_six_columns(tmp_path):
    write_run(tmp_path / "run", {"q1": {"a": 1.0, "b": 2.0}}, tag="mine")
    assert (tmp_path / "run").read_text() == "q1 Q0 b 1 2.0 mine\nq1 Q0 a 2 1.0 mine\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q1 Q0 a 1 0.5", "line 2: has 5 columns, expected 6"),
        ("q1 Q0 a 1 high tag", "line 2: the score is 'high', expected a finite number"),
        ("q1 Q0 a 1 nan tag", "line 2: the score is 'nan'"),
        ("q1 Q0 b 2 0.4 tag", "line 2: names document 'b' again for query 'q1'"),
    ],
)
def test_a_damaged_run_says_the_line(tmp_path, line, message):
    (tmp_path / "run").write_text(f"q1 Q0 b 1 0.9 tag\n{line}\n")
    with pytest.raises(DamagedFileError, match=message):
        read_run(tmp_path / "run")


def test_a_missing_run_is_said_to_be_missing(tmp_path):
    with pytest.raises(MissingFileError, match="nothing"):
        read_run(tmp_path / "nothing")


@pytest.mark.parametrize("run", [{"q 1": {"a": 1.0}}, {"q1": {"a b": 1.0}}, {"": {"a": 1.0}}])
def test_ids_with_white_space_are_refused(tmp_path, run):
    with pytest.raises(InputError, match="white space"):
        write_run(tmp_path / "run", run)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
@pytest.mark.parametrize("scores", [[0.5, 0.5, 0.5], [0.0, 0.0, 0.0], [1.0, -np.inf, -np.inf], [-np.inf] * 3])
def test_a_ranking_becomes_a_run_that_keeps_its_order_under_ties(order, scores):
    run = run_from_ranking(Ranking(np.array([order]), np.array([scores], np.float32)), ["q"], ["a", "b", "c"])
    assert [float(np.float32(score)) for score in run["q"].values()] == list(run["q"].values())
    for rank, place in enumerate(order, start=1):
        assert evaluate_run(run, {"q": {"abc"[place]: 1}}, ["RR"]).measures["RR"] == pytest.approx(1 / rank)


def test_scores_that_do_not_tie_stay_as_they_are_and_empty_places_go():
    ids, scores = np.array([[2, 1], [0, -1]]), np.array([[0.5, 0.25], [1.0, -np.inf]], np.float32)
    run = run_from_ranking(Ranking(ids, scores), ["q1", "q2"], ["a", "b", "c"])
    assert run == {"q1": {"c": 0.5, "b": 0.25}, "q2": {"a": 1.0}}


@pytest.mark.parametrize("run", [{1: {"a": 1.0}}, {"q": {"a": None}}, {"q": {"a": math.inf}}, ["q"]])
def test_a_run_of_the_wrong_kind_is_not_written(tmp_path, run):
    with pytest.raises(InputError, match=r"must be strings|finite number|must map"):
        write_run(tmp_path / "run", run)
    assert not (tmp_path / "run").exists()


def test_an_empty_document_in_a_ranking_gets_a_finite_score(tmp_path):
    run = run_from_ranking(Ranking(np.array([[0, 1, 2]]), np.array([[1, -np.inf, -np.inf]])), ["q"], ["a", "b", "c"])
    assert np.isfinite(list(run["q"].values())).all()
    write_run(tmp_path / "run", run)
    assert list(read_run(tmp_path / "run")["q"]) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("queries", "documents", "message"),
    [
        (["q"], ["a", "b"], "2 queries but 1 query ids"),
        (["q", "r"], ["a"], "names document 1 but only 1"),
        (["q", "q"], ["a", "b"], "'q' appears twice"),
    ],
)
def test_ids_that_do_not_fit_the_ranking_are_refused(queries, documents, message):
    ranking = Ranking(np.array([[0, 1], [1, 0]]), np.array([[2.0, 1.0], [2.0, 1.0]], np.float32))
    with pytest.raises(InputError, match=message):
        run_from_ranking(ranking, queries, documents)
