"""The comparison with peers, without any peer installed: fake encoders on a handful of texts."""

from dataclasses import replace

import numpy as np
import pytest
from benchmarks import peers
from benchmarks.peers import CANDIDATES, Candidate, Needs, main, measure, ordered, run
from benchmarks.peers_table import Row, as_markdown, read_rows, write_rows

from satchel.datasets import LabelledSet, LabelledTexts

LABELLED = peers.labelled
TINY = LabelledSet(
    "tiny",
    LabelledTexts(["a", "b", "c"], ["near one", "near two", "far three"], ["x", "y", "x"]),
    LabelledTexts(["q"], ["near query"], ["x"]),
)
ROW = Row("r8", "Lsi-64", 0, 2, 1, 64, False, 0.0, {"mAP (11-point)": 50.0, "P@20": 10.0}, 2, 100, 1, 200, "", "here")


class Angles:
    """Each document lies at an angle from the query: 0.1 for a, 0.2 for b, 0.3 for c."""

    n_fitted = 0

    def fit(self, texts):
        Angles.n_fitted += 1

    def transform(self, texts):
        angles = np.array([0.1, 0.2, 0.3])[: len(texts)] if len(texts) > 1 else np.zeros(1)
        return np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32)

    def share_cut(self, texts):
        return 1 / len(texts)


PEER = Candidate("angles", lambda seed: Angles(), seeds=(0,), is_peer=True)


@pytest.fixture(autouse=True)
def _tiny(monkeypatch):
    monkeypatch.setattr(peers, "labelled", lambda name: replace(TINY, name=name))
    monkeypatch.setattr(Angles, "n_fitted", 0)


def test_a_row_holds_what_a_ranking_worked_by_hand_gives():
    row = measure(PEER, TINY, seed=0)
    precisions = [1] * 6 + [2 / 3] * 5  # found at ranks 1 and 3: recall 0 to 0.5 at precision 1, the rest at 2/3
    assert row.measures["mAP (11-point)"] == pytest.approx(100 * np.mean(precisions), abs=1e-3)
    assert row.measures["P@20"] == 10.0  # two of twenty places
    assert (row.length, row.sparse, row.cut, row.n_documents, row.n_queries) == (2, False, 0.25, 3, 1)


def test_tfidf_is_its_own_measure_of_time():
    row = measure(peers.REFERENCE, TINY, seed=0)
    assert (row.fit_seconds, row.documents_per_second) == (row.tfidf_fit_seconds, row.tfidf_documents_per_second)
    assert row.sparse


def test_a_missing_peer_is_one_sentence_with_its_pip_line_and_the_rest_goes_on(tmp_path, capsys):
    absent = Candidate("absent", lambda seed: Angles(), needs=Needs(("no_such_module",), (), "pip install absent"))
    rows = run(["r8", "webkb"], [absent, PEER], tmp_path / "rows.json")
    assert [row.key for row in rows] == [("r8", "angles", 0), ("webkb", "angles", 0)]
    said = [line for line in capsys.readouterr().err.splitlines() if "absent" in line]
    assert said == ["absent is left out because its packages are not installed: pip install absent"]


def test_saved_rows_of_peers_are_used_again_unless_asked_for_anew(tmp_path):
    for again, n_fitted in ((False, 1), (False, 1), (True, 2)):
        run(["r8"], [PEER], tmp_path / "rows.json", again=again)
        assert Angles.n_fitted == n_fitted


def test_the_librarys_own_rows_are_always_measured_anew(tmp_path):
    write_rows(tmp_path / "rows.json", [replace(ROW, encoder="TfIdf")])
    (row,) = run(["r8"], [peers.REFERENCE], tmp_path / "rows.json")
    assert row.n_documents == 3
    assert read_rows(tmp_path / "rows.json") == [row]


def test_a_finished_row_is_kept_when_a_later_one_fails(tmp_path):
    def fail(seed):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(["r8"], [PEER, Candidate("late", fail, is_peer=True)], tmp_path / "rows.json")
    assert [row.encoder for row in read_rows(tmp_path / "rows.json")] == ["angles"]


def test_the_table_averages_seeds_and_shows_ratios_to_tfidf():
    other = replace(ROW, seed=1, measures={"mAP (11-point)": 60.0, "P@20": 30.0}, fit_seconds=4.0)
    assert "| Lsi-64 | 64 | 55.0 | 20.0 | 3.00 | 3 | 100 | 0.5 | – |" in as_markdown([ROW, other])


def test_rows_stand_by_data_set_then_as_listed_then_by_seed():
    keys = [("r8", "TfIdf", 0), ("r8", "MiniLM-L6", 0), ("20ng", "Lsi-64", 0), ("20ng", "Lsi-64", 1), ("mine", "A", 0)]
    rows = [replace(ROW, dataset=dataset, encoder=encoder, seed=seed) for dataset, encoder, seed in keys]
    assert [row.key for row in ordered(reversed(rows))] == keys


@pytest.mark.parametrize("candidate", [one for one in CANDIDATES if not one.is_peer], ids=lambda one: one.name)
def test_an_encoder_of_the_library_has_several_seeds_exactly_where_it_draws(candidate):
    parameters = candidate.build(7).get_params(deep=False)
    assert parameters.get("random_state", 7) == 7
    assert (len(candidate.seeds) > 1) == ("random_state" in parameters)


def test_an_unknown_encoder_is_refused_with_the_names_there_are(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--encoders", "Nonsense"])
    assert stop.value.code == 2
    assert "MiniLM-L6" in capsys.readouterr().err


def test_a_set_without_labels_is_refused_in_one_sentence(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(peers, "labelled", LABELLED)
    assert main(["--datasets", "sample", "--encoders", "TfIdf", "--results", str(tmp_path / "rows.json")]) == 2
    assert "'sample' has no labels or no test split" in capsys.readouterr().err


def test_the_saved_table_is_made_of_the_saved_rows():
    rows = read_rows(peers.RESULTS)
    assert rows == ordered(rows)
    assert peers.RESULTS.with_suffix(".md").read_text("utf-8") == as_markdown(rows)


def test_the_saved_rows_hold_every_seed_of_every_encoder_they_name():
    seeds = {candidate.name: set(candidate.seeds) for candidate in CANDIDATES}
    found: dict[tuple[str, str], set[int]] = {}
    for row in read_rows(peers.RESULTS):
        found.setdefault((row.dataset, row.encoder), set()).add(row.seed)
    assert {key: seeds[key[1]] for key in found} == found
