"""Figures and the page are made from saved rows; nothing is run."""

import sys
from pathlib import Path

import pytest

from satchel.cli.app import main
from satchel.experiments import (
    ResultRow,
    draw_figures,
    find_experiments,
    merged,
    read_experiment,
    read_results,
    results_page,
    write_results,
)

TOP = Path(__file__).parents[2]
RECALLS = [10.0 * i for i in range(11)]
CURVES = {
    "recall": RECALLS,
    "precision at recall": [100 - r for r in RECALLS],
    "scope": [1, 10],
    "raw precision at scope": [90.0, 80.0],
    "interpolated precision at scope": [95.0, 85.0],
}
SPACE = {"x": [0.1, 0.2, 0.3], "y": [0.0, 0.1, 0.2], "class": [0, 1, 1], "entropy": [0.9, 0.5]}
PNG = b"\x89PNG"


def _row(name="A", setting=None, series=None, seed=0, score=50.0):
    measures = {"mAP (11-point)": score, "silhouette": 0.5}
    return ResultRow(
        name, "cosine", 2, measures, {}, None, 1.0, seed, "here", setting=setting or {}, series=series or {}
    )


def _experiment(tmp_path, kind, protocol, judged_by, more="", options=""):
    path = tmp_path / "mine.toml"
    path.write_text(
        f'title = "Mine"\nsource = "Nowhere Figure 1"\nprotocol = "{protocol}"\njudged_by = "{judged_by}"\n'
        f'dataset = "r8"\n{options}\n[figures.mine]\nkind = "{kind}"\ntitle = "Mine"\n'
        f'[[methods]]\nmethod = "A"\nencoder = "Lsi"\ndistances = ["cosine"]\n{more}',
        encoding="utf-8",
    )
    return read_experiment(str(path))


@pytest.mark.parametrize(
    ("kind", "protocol", "rows"),
    [
        ("precision-recall", "curves", [_row(setting={"data set": "r8"}, series=CURVES, seed=s) for s in (0, 1)]),
        ("precision-scope", "curves", [_row(n, {"data set": "r8"}, CURVES) for n in "AB"]),
        ("sweep", "train-sample", [_row(setting={"data set": "r8", "sigma": s}, score=s) for s in (0.1, 1, 2)]),
        ("spaces", "document-space", [_row(setting={"n_epochs": n}, series=SPACE) for n in range(5)]),
        ("learning-curves", "document-space", [_row(series=SPACE), _row("B", series=SPACE | {"entropy": []})]),
    ],
)
def test_every_kind_of_figure_is_drawn_from_saved_rows(tmp_path, kind, protocol, rows):
    judged_by = "silhouette" if protocol == "document-space" else "mAP (11-point)"
    experiment = _experiment(tmp_path, kind, protocol, judged_by, options='options = { classes = ["u", "v"] }')
    write_results(tmp_path / "mine.json", rows)
    (path,) = draw_figures(experiment, read_results(tmp_path / "mine.json"), tmp_path / "figures")
    assert path.read_bytes()[:4] == PNG


def test_draw_writes_table_and_figure_beside_ones_own_file_and_runs_nothing(tmp_path, monkeypatch):
    _experiment(tmp_path, "sweep", "train-sample", "mAP (11-point)", "vary = { n_components = [1, 2] }")
    rows = [_row(setting={"data set": "r8", "n_components": n}) for n in (1, 2)]
    write_results(tmp_path / "mine.json", rows)
    monkeypatch.setattr(sys, "argv", ["satchel", "reproduce", str(tmp_path / "mine.toml"), "--redraw"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert not stop.value.code
    assert (tmp_path / "mine.png").read_bytes()[:4] == PNG
    assert "| A | r8 | 1 | cosine | 2 | 50.00 | – | 1 | 1.0 |" in (tmp_path / "mine.md").read_text("utf-8")


def test_series_come_back_as_written_each_on_one_line(tmp_path):
    rows = [_row(series=SPACE | {"small": [1e-7, -2.5]})]
    write_results(tmp_path / "rows.json", rows)
    assert read_results(tmp_path / "rows.json") == rows
    assert '"x": [0.1, 0.2, 0.3]' in (tmp_path / "rows.json").read_text("utf-8")


def test_merging_keeps_saved_rows_that_belong_and_were_not_run_again(tmp_path):
    more = 'seeds = [0, 1]\n[[methods]]\nmethod = "B"\nencoder = "Lsi"\ndistances = ["cosine"]'
    experiment = _experiment(tmp_path, "sweep", "train-sample", "mAP (11-point)", more)
    saved = [_row("gone"), _row("B", score=1.0), _row("A", seed=1, score=2.0), _row("A", score=3.0)]
    rows = merged(experiment, [_row("A", score=9.0)], saved)
    assert [(row.method, row.seed, row.measures["mAP (11-point)"]) for row in rows] == [
        ("A", 0, 9.0),
        ("A", 1, 2.0),
        ("B", 0, 1.0),
    ]


def test_the_page_of_results_is_the_one_that_the_command_writes(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["satchel", "reproduce", "--results-page", str(tmp_path / "page.md")])
    with pytest.raises(SystemExit) as stop:
        main()
    assert not stop.value.code
    written = (tmp_path / "page.md").read_text("utf-8")
    assert written == results_page() == (TOP / "docs" / "laboratory" / "results.md").read_text("utf-8")


def test_the_page_shows_every_saved_experiment_and_no_other():
    page = results_page()
    for name, path in find_experiments().items():
        experiment = read_experiment(name)
        marks = [f"{key}.png" for key in experiment.figures] or [f'"experiments/{name}.md"']
        assert all((mark in page) == path.with_suffix(".json").is_file() for mark in marks), name


def test_files_of_results_and_figures_are_small():
    files = [*(TOP / "experiments").rglob("*.json"), *(TOP / "docs" / "laboratory" / "figures").rglob("*.png")]
    assert files
    assert max(path.stat().st_size for path in files) < 150_000
