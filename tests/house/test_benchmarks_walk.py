"""The way of a request is counted as the docstring of benchmarks/walk.py tells."""

import json
import sqlite3
import subprocess
import sys

import pytest
from benchmarks.walk import main
from benchmarks.walker import Walker

from satchel.text import Tokenizer


@pytest.fixture(scope="module")
def printed():
    """What the command prints, from a process of its own."""
    command = [sys.executable, "-m", "benchmarks.walk", "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def test_each_piece_of_work_has_its_numbers(printed):
    assert {"add", "search", "search_with_marks", "http", "fit", "reproduce"} <= set(printed)
    for walked in printed.values():
        assert {"functions", "modules", "returns", "statements", "analyses"} <= set(walked)
        assert 1 <= walked["modules"] <= walked["functions"] <= walked["calls"]
        assert 0 <= walked["first_returns"] <= walked["functions"]


def test_what_asks_a_file_runs_statements_and_reads_its_query(printed):
    for name in ("search", "search_with_marks", "http"):
        assert printed[name]["statements"] >= 1
        assert printed[name]["analyses"] >= 1
    assert printed["add"]["statements"] >= 10
    assert printed["fit"]["statements"] == printed["reproduce"]["statements"] == 0


def test_marked_documents_are_looked_up_only_where_there_are_marks(printed):
    assert printed["search_with_marks"]["resolutions"] >= 1
    assert printed["search"]["resolutions"] == printed["http"]["resolutions"] == 0


def test_a_server_goes_through_more_modules_than_the_library_that_it_asks(printed):
    assert printed["http"]["modules"] > printed["search"]["modules"]


def test_a_text_that_one_tokenizer_splits_twice_is_two_analyses_and_another_text_none():
    def work():
        Tokenizer().tokens("grid storage")
        Tokenizer().spellings("grid storage")
        Tokenizer().tokens("another text")
        Tokenizer().tokens("grid")

    walker = Walker()
    with walker.installed():
        walked = walker.walk(work, "Grid storage")
    assert (walked.analyses, walked.word_analyses) == (2, 1)


def test_turning_back_to_an_earlier_module_is_a_return():
    def work():
        Tokenizer()  # satchel.text.tokenizer, which calls satchel.errors for each of four arguments

    walker = Walker()
    with walker.installed():
        walked = walker.walk(work)
    assert (walked.modules, walked.statements, walked.first_returns) == (2, 0, 0)
    assert walked.returns == walked.calls - 2  # all but the first of each module


def test_each_statement_counts_and_those_inside_the_index_of_words_do_not():
    def work():
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO kept VALUES (?)", [("a grid",), ("b",)])
        connection.execute("SELECT * FROM kept WHERE kept MATCH ?", ("grid",)).fetchall()
        connection.execute("COMMIT")

    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute("CREATE VIRTUAL TABLE kept USING fts5 (text)")
    walker = Walker()
    with walker.installed():
        walked = walker.walk(work, "grid", marked=["b"])
    connection.close()
    assert (walked.statements, walked.word_analyses, walked.resolutions) == (5, 1, 1)


def test_a_table_for_people_has_a_line_for_each(capsys, printed):
    main([])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(printed)
