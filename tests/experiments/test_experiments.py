import json
import sys

import pytest

from satchel.cli.app import main
from satchel.errors import DamagedFileError, InputError
from satchel.experiments import (
    as_markdown,
    find_experiments,
    machine,
    read_experiment,
    read_results,
    run_experiment,
    verdict,
    write_results,
)
from satchel.experiments.protocols import PROTOCOLS
from satchel.experiments.results import worst_verdict
from satchel.experiments.runner import judged
from satchel.parts import build, parameters_from

TINY = """
title = "A tiny table"
source = "Nowhere Table 1"
dataset = "tiny"
protocol = "label-retrieval"
judged_by = "mAP (11-point)"
tolerance = 3.0
[[methods]]
method = "LSI"
encoder = "Lsi"
parameters = { n_components = 2, tokenizer = { min_length = 2 } }
seeds = [0, 1]
[methods.published.euclidean]
"mAP (11-point)" = 100.0
[methods.published.cosine]
"mAP (11-point)" = 107.0
"""


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """An experiment on a labelled set of six texts, which two topics make easy."""
    monkeypatch.setattr("satchel.experiments.protocols.retrieval.load", lambda name: _tiny_set(name))
    path = tmp_path / "tiny.toml"
    path.write_text(TINY, encoding="utf-8")
    return path


def _tiny_set(name):
    from satchel.datasets import LabelledSet, LabelledTexts

    train = LabelledTexts(
        ["1", "2", "3", "4"], ["cat purrs", "cat meows", "dog barks", "dog growls"], ["c", "c", "d", "d"]
    )
    return LabelledSet(name, train, LabelledTexts(["5", "6"], ["cat cat", "dog dog"], ["c", "d"]))


def test_every_experiment_in_the_folder_can_be_read():
    names = find_experiments()
    assert {"pt18/table1", "pt18/table3", "pt18/table4"} <= set(names)
    for name in names:
        experiment = read_experiment(name)
        assert experiment.name == name
        assert all(experiment.judged_by in published for m in experiment.methods for published in m.published.values())
        assert experiment.figures or experiment.note or experiment.shows


@pytest.mark.parametrize(
    ("measured", "expected"),
    [(53.0, "OK"), (47.0, "OK"), (53.1, "better"), (90.0, "better"), (46.9, "OKish"), (44.0, "OKish"), (43.9, "FAIL")],
)
def test_verdict_is_ok_within_the_tolerance_better_above_and_okish_down_to_twice_of_it(measured, expected):
    assert verdict(measured, 50.0, 3.0) == expected


def test_a_run_gives_a_row_per_method_distance_and_seed_in_the_papers_order(tiny):
    rows = run_experiment(read_experiment(str(tiny)))
    assert [(row.distance, row.seed) for row in rows] == [
        ("euclidean", 0),
        ("euclidean", 1),
        ("cosine", 0),
        ("cosine", 1),
    ]
    assert {row.measures["mAP (11-point)"] for row in rows} == {100.0}
    assert [row.verdict for row in rows] == ["OK", "OK", "FAIL", "FAIL"]  # 100 where 107 was "published"


def test_same_seed_same_measures(tiny):
    first, second = (run_experiment(read_experiment(str(tiny))) for _ in range(2))
    assert [row.measures for row in first] == [row.measures for row in second]


def test_results_come_back_as_written_and_print_as_a_table(tiny, tmp_path):
    experiment = read_experiment(str(tiny))
    rows = run_experiment(experiment)
    write_results(tmp_path / "rows.json", rows)
    assert read_results(tmp_path / "rows.json") == rows
    assert "| LSI | cosine | 2 | 100.00 ±0.00 (107.00) | FAIL | 2 |" in as_markdown(experiment, rows)
    assert worst_verdict(rows) == "FAIL"


def test_damaged_results_are_refused_by_name(tmp_path):
    (tmp_path / "rows.json").write_text("[{}]", encoding="utf-8")
    with pytest.raises(DamagedFileError, match=r"rows\.json"):
        read_results(tmp_path / "rows.json")


def test_the_machine_is_described_without_naming_it():
    import getpass
    import platform

    assert platform.node() not in machine() or not platform.node()
    assert getpass.getuser() not in machine()
    assert "numpy" in machine()


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("title = ", DamagedFileError, "not valid TOML"),
        ('title = "x"', InputError, "does not describe an experiment"),
        (TINY.replace("seeds = [0, 1]", "seeds = 3"), InputError, "seeds must be a list"),
        ("colour = 1\n" + TINY, InputError, "does not describe"),
        (TINY[: TINY.index("[[methods]]")], InputError, "it has no 'methods'"),
        ("methods = []\n" + TINY[: TINY.index("[[methods]]")], InputError, "expected at least one method"),
        ("methods = [3]\n" + TINY[: TINY.index("[[methods]]")], InputError, "must be a table, not 3"),
        (TINY + TINY[TINY.index("[[methods]]") :], InputError, "distinct names"),
        (TINY.replace("seeds = [0, 1]", "seeds = [0, -1]"), InputError, "at least 0"),
        (TINY.replace("seeds = [0, 1]", "seeds = [0, 0]"), InputError, "distinct seeds"),
        (TINY.replace("tolerance = 3.0", "tolerance = 'wide'"), InputError, "tolerance must be a number"),
        (
            TINY.replace("dataset = 'tiny'", "dataset = 3").replace('"tiny"', "3"),
            InputError,
            "dataset must be a string",
        ),
        (TINY.replace('judged_by = "mAP (11-point)"', 'judged_by = "mAP"'), InputError, "judged_by is 'mAP'"),
        (TINY.replace("seeds = [0, 1]", "labels = 'yes'"), InputError, "labels must be true or false"),
        (TINY.replace("seeds = [0, 1]", "vary = { n_components = 2 }"), InputError, "vary must be a table of lists"),
        (TINY.replace("seeds = [0, 1]", "distances = ['cosine']"), InputError, "is not among its distances"),
        (
            TINY.replace("[[methods]]", "[figures.a]\nkind = 'pie'\ntitle = 'x'\n[[methods]]"),
            InputError,
            "kind of figure",
        ),
        (TINY.replace("[[methods]]", "[figures]\na = 'pie'\n[[methods]]"), InputError, "does not describe"),
        (TINY.replace('"mAP (11-point)" = 107.0', '"P@20" = 50.0'), InputError, "but only P@20 was published"),
        (TINY + '"P@7" = 1.0', InputError, "unknown measure of label-retrieval 'P@7'; choose from"),
        (TINY[: TINY.index("[methods.published.e")] + "published.cosine = 3", InputError, "must be a table, not 3"),
        (TINY[: TINY.index("[methods.published.e")] + "published = {}", InputError, "one published distance"),
        (TINY.replace("= 107.0", "= true"), InputError, "must be a number of at least 0, not True"),
        (TINY.replace("min_length = 2", "foo = 1"), InputError, "a tokenizer cannot be built from {'foo': 1}"),
    ],
)
def test_a_file_that_is_no_experiment_is_refused(tmp_path, text, error, message):
    path = tmp_path / "broken.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(error, match=message):
        read_experiment(str(path))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"Lsi"', '"Lda9"', "unknown encoder 'Lda9'; choose from"),
        ("n_components = 2", "n_topics = 2", "n_topics"),
        ('"label-retrieval"', '"guessing"', "unknown protocol"),
        ("published.cosine", "published.manhattan", "unknown metric 'manhattan'"),
    ],
)
def test_names_that_do_not_exist_are_refused_with_those_that_do(tiny, old, new, message):
    tiny.write_text(TINY.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_experiment(str(tiny))


def test_every_protocol_gives_the_measures_that_it_says(tiny):
    assert set(PROTOCOLS["label-retrieval"].measured) <= set(run_experiment(read_experiment(str(tiny)))[0].measures)


def test_settings_are_read_as_values():
    assert parameters_from(["a=3", "b=true", "words=glove.6B.100d", "c='x'"]) == {
        "a": 3,
        "b": True,
        "words": "glove.6B.100d",
        "c": "x",
    }


def test_the_seed_reaches_encoders_that_draw():
    assert build("encoder", {"name": "Lsi"}, 7).random_state == 7
    assert "random_state" not in build("encoder", {"name": "TfIdf"}, 7).get_params()


def test_reproduce_writes_the_rows_and_fails_when_a_row_does(tiny, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["satchel", "reproduce", str(tiny), "--to", str(tmp_path / "out.json")])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 1
    rows = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert {"method", "measures", "published", "seconds", "seed"} <= set(rows[0])
    assert "A tiny table" in capsys.readouterr().out


def test_results_of_ones_own_file_are_saved_beside_it(tiny, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["satchel", "reproduce", str(tiny), "--save"])
    with pytest.raises(SystemExit):
        main()
    assert len(read_results(tiny.with_suffix(".json"))) == 4
    assert tiny.with_suffix(".md").read_text("utf-8").startswith("**Nowhere Table 1. A tiny table**")


def test_a_measure_published_for_one_distance_only_is_shown_so(tiny):
    tiny.write_text(TINY + '"P@20" = 30.0', encoding="utf-8")
    experiment = read_experiment(str(tiny))
    table = as_markdown(experiment, run_experiment(experiment))
    assert "(not published) | OK" in table
    assert "(30.00) | FAIL" in table


def test_the_list_of_experiments_can_be_json(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["satchel", "reproduce", "--list", "--json"])
    with pytest.raises(SystemExit):
        main()
    assert [row["experiment"] for row in json.loads(capsys.readouterr().out)] == list(find_experiments())


def test_reproduce_prints_the_rows_alone_as_json(tiny, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["satchel", "reproduce", str(tiny), "--json"])
    with pytest.raises(SystemExit):
        main()
    assert len(json.loads(capsys.readouterr().out)) == 4


@pytest.mark.parametrize("arguments", [("all", "nope"), ("pt18/table4", "nope")])
def test_an_unknown_experiment_is_named_before_any_other_runs(monkeypatch, capsys, arguments):
    monkeypatch.setattr(sys, "argv", ["satchel", "reproduce", *arguments])
    with pytest.raises(SystemExit):
        main()
    first = next(iter(find_experiments()))
    assert capsys.readouterr().err.startswith(f"satchel: unknown experiment 'nope'; choose from {first}")


def test_a_folder_is_refused_as_a_file_for_results(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(sys, "argv", ["satchel", "reproduce", "all", "--to", str(tmp_path)])
    with pytest.raises(SystemExit):
        main()
    assert "name a file in it" in capsys.readouterr().err


def _saved() -> list[str]:
    return [name for name, path in find_experiments().items() if path.with_suffix(".json").is_file()]


@pytest.mark.parametrize("name", _saved())
def test_committed_results_belong_to_the_experiment_and_to_its_table(name):
    experiment, path = read_experiment(name), find_experiments()[name]
    rows = read_results(path.with_suffix(".json"))
    assert path.with_suffix(".md").read_text("utf-8") == as_markdown(experiment, rows)
    methods = {condition: method for method in experiment.methods for condition in method.conditions}
    for row in rows:
        method = methods[row.condition]
        assert row.seed in method.seeds
        assert row.published == method.published.get(row.distance, {})
    assert judged(experiment, rows) == rows


@pytest.mark.parametrize("name", _saved())
def test_committed_results_have_every_row_in_the_files_order(name):
    experiment, rows = read_experiment(name), read_results(find_experiments()[name].with_suffix(".json"))
    expected = [(c, seed) for method in experiment.methods for c in method.conditions for seed in method.seeds]
    assert [(row.condition, row.seed) for row in rows] == expected


def test_a_published_row_is_reproduced_within_its_tolerance(data_folder):
    from dataclasses import replace

    table = read_experiment("pt18/table4")
    rows = run_experiment(replace(table, methods=table.methods[:2]))
    assert [row.verdict for row in rows] == ["OK", "OK"]


def test_running_one_method_keeps_the_saved_rows_of_the_others(tiny, monkeypatch, capsys):
    second = (
        TINY[TINY.index("[[methods]]") :].replace('method = "LSI"', 'method = "LSI again"').replace("107.0", "100.0")
    )
    tiny.write_text(TINY + second, encoding="utf-8")
    for extra in ([], ["--only", "LSI again"]):
        monkeypatch.setattr(sys, "argv", ["satchel", "reproduce", str(tiny), "--save", *extra])
        with pytest.raises(SystemExit) as stop:
            main()
        assert [row.method for row in read_results(tiny.with_suffix(".json"))] == 4 * ["LSI"] + 4 * ["LSI again"]
    assert not stop.value.code  # the row that fails was not run


def test_a_method_that_no_experiment_has_is_refused(tiny, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["satchel", "reproduce", str(tiny), "--only", "LDA"])
    with pytest.raises(SystemExit):
        main()
    assert "unknown method 'LDA'; choose from LSI" in capsys.readouterr().err


def test_a_methods_own_tolerance_decides_and_is_said(tiny):
    tiny.write_text(TINY.replace("seeds = [0, 1]", "tolerance = 7.0"), encoding="utf-8")
    experiment = read_experiment(str(tiny))
    rows = run_experiment(experiment)
    assert [row.verdict for row in rows] == ["OK", "OK"]
    assert "OK within ±3, ±7 for LSI; better above" in as_markdown(experiment, rows)


def test_methods_of_one_name_may_differ_by_distance_and_keep_the_files_order(tiny):
    head, body = TINY.split("[methods.published.euclidean]")
    cosine, euclidean = body[body.index("[methods.published.cosine]") :], "[methods.published.euclidean]"
    method = head[head.index("[[methods]]") :]
    text = head + cosine + method + euclidean + '\n"mAP (11-point)" = 100.0\n'
    tiny.write_text(text, encoding="utf-8")
    rows = run_experiment(read_experiment(str(tiny)))
    assert [(row.method, row.distance) for row in rows] == 2 * [("LSI", "cosine")] + 2 * [("LSI", "euclidean")]
