"""Every figure in the documentation is held by a committed result."""

import sys
from functools import cache
from pathlib import Path

import pytest

from satchel.cli.app import main
from satchel.errors import InputError
from satchel.experiments import verify
from satchel.experiments.reading import read_experiment
from satchel.experiments.verify import MOST_EXCEPTIONS, verify_documentation

TOP = Path(__file__).parents[2]
HELD = "The best is 9.25 (`benchmarks/mine`) on Python 3.11, with `m = 0.005`, as section 4.2 says.\n"
read_once = cache(read_experiment)


@pytest.fixture(autouse=True)
def _read_once(monkeypatch):
    """Reading all experiments takes two seconds, every verification reads them twice, and no test changes them."""
    monkeypatch.setattr(verify, "read_experiment", read_once)


@pytest.fixture
def top(tmp_path):
    for folder in ("docs/laboratory", "benchmarks"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "benchmarks" / "mine.md").write_text("| ours | 9.25 |\n| theirs | 11.5 |\n")
    (tmp_path / "README.md").write_text(HELD)
    return tmp_path


def faults(top: Path) -> tuple[str, ...]:
    return verify_documentation(top).faults


def test_every_figure_of_the_documentation_is_held_by_a_committed_result():
    found = verify_documentation()
    assert found.faults == ()
    assert found.n_figures > 500
    assert found.n_exceptions <= MOST_EXCEPTIONS


def test_a_wrong_figure_is_told_with_file_line_and_number(top):
    (top / "docs" / "a.md").write_text("# A\n\n<!-- figures: benchmarks/mine -->\n\nIt is 9.2,\nor 9.35 in all.\n")
    assert faults(top) == ("docs/a.md:6: 9.35 (looked for in benchmarks/mine)",)


def test_a_figure_of_a_section_that_names_no_result_is_a_fault(top):
    (top / "docs" / "a.md").write_text("# A\n\n`benchmarks/mine`\n\n## B\n\nIt is 9.25.\n")
    assert faults(top) == ("docs/a.md:7: 9.25 (looked for in no result)",)


def test_code_is_no_figure(top):
    (top / "docs" / "a.md").write_text("```\n1.5\n```\n\n`2.5` and [a page](v3.5.md), idf<sup>1.25</sup>\n")
    assert faults(top) == ()


def test_a_mean_over_seeds_and_a_difference_in_a_comparison_are_held(top):
    table = TOP / "experiments" / "pt18" / "table3.json"
    (top / "experiments" / "pt18").mkdir(parents=True)
    (top / "experiments" / "pt18" / "table3.json").write_bytes(table.read_bytes())
    page = top / "docs" / "a.md"
    page.write_text("# A\n\n`pt18/table3`: LSI has 72.33, which is 5.08 above tf-idf.\n")
    assert faults(top) == ()
    page.write_text("# A\n\n`pt18/table3`: LSI has 72.33 and 5.08.\n")
    assert faults(top) == ("docs/a.md:3: 5.08 (looked for in pt18/table3)",)


def test_an_exception_excuses_a_figure_and_is_a_fault_when_it_is_not_needed(top):
    listed = top / "docs" / "laboratory" / "exceptions.toml"
    listed.write_text('[[exceptions]]\nfile = "docs/a.md"\nnumber = "1.5"\ndate = 2026-11-19\nreason = "theirs"\n')
    (top / "docs" / "a.md").write_text("It is 1.5.\n")
    assert faults(top) == ()
    (top / "docs" / "a.md").write_text("It is.\n")
    assert faults(top) == ("docs/a.md: 1.5 is held now and needs no exception",)


def test_an_exception_without_a_reason_is_refused(top):
    listed = top / "docs" / "laboratory" / "exceptions.toml"
    listed.write_text('[[exceptions]]\nfile = "docs/a.md"\nnumber = "1.5"\n')
    with pytest.raises(InputError, match="an exception has file, number, date and reason, not file, number"):
        verify_documentation(top)


def test_a_folder_without_documentation_is_refused(tmp_path):
    with pytest.raises(InputError, match="holds no docs/"):
        verify_documentation(tmp_path)


def test_the_command_prints_the_faults_and_ends_with_exit_code_1(monkeypatch, capsys):
    from satchel import experiments

    found = verify.Verified(2, 0, ("docs/a.md:1: 1.5 (looked for in no result)",))
    monkeypatch.setattr(experiments, "verify_documentation", lambda: found)
    monkeypatch.setattr(sys, "argv", ["satchel", "reproduce", "--verify"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 1
    shown = capsys.readouterr()
    assert shown.out == "docs/a.md:1: 1.5 (looked for in no result)\n"
    assert shown.err == "2 figures, 0 exceptions, 1 faults\n"
