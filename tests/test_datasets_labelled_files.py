"""Tables of texts of one's own: TSV, JSON lines and CSV, with guessed or named columns."""

import csv
import gzip
import json

import pytest

from satchel.datasets import is_table, labelled_columns, read_labelled, read_labelled_texts, read_texts
from satchel.errors import DamagedFileError, InputError, MissingFileError

ROWS = [("pets", 'a "big" cat, a dog'), ("money", "a bank\nand a bond"), ("pets", "")]


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_bytes(gzip.compress(content.encode()) if name.endswith(".gz") else content.encode())
        return path

    return write


def as_csv(rows, tmp_path):
    path = tmp_path / "mine.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


@pytest.mark.parametrize("packed", ["", ".gz"])
def test_a_tab_file_is_read_as_read_labelled_reads_it(write, packed):
    path = write(f"mine.tsv{packed}", "a\tx\ty\r\n\nb\t\n")
    ours, theirs = read_labelled_texts(path), read_labelled(path)
    assert (ours.texts, ours.labels) == (theirs.texts, theirs.labels) == (["x\ty", ""], ["a", "b"])
    assert ours.ids == ["1", "3"]


def test_csv_keeps_quotes_commas_and_line_breaks(tmp_path):
    path = as_csv([("Category", "Body"), *ROWS], tmp_path)
    read = read_labelled_texts(path)
    assert list(zip(read.labels, read.texts, strict=True)) == ROWS
    assert read.ids == ["2", "3", "5"]
    assert labelled_columns(path) == ("Body", "Category")


def test_json_lines_take_numbers_and_truth_values_as_labels(write):
    labels = ["x", 3, 0.5, True]
    path = write("mine.jsonl.gz", "".join(json.dumps({"label": value, "text": "t"}) + "\n" for value in labels))
    assert read_labelled_texts(path).labels == ["x", "3", "0.5", "true"]


def test_named_columns_win_over_guessed_ones(tmp_path):
    path = as_csv([("label", "text", "verdict", "notes"), ("a", "b", "c", "d")], tmp_path)
    read = read_labelled_texts(path, text="notes", label="verdict")
    assert (read.texts, read.labels) == (["d"], ["c"])


def test_a_tab_file_may_have_a_head(write):
    read = read_labelled_texts(write("a.tsv", "id\tText\tLabel\n7\thello\tx\n"))
    assert (read.texts, read.labels) == (["hello"], ["x"])
    read = read_labelled_texts(write("b.tsv", "verdict\tnotes\nx\thello\n"), text="notes", label="verdict")
    assert (read.texts, read.labels) == (["hello"], ["x"])


def test_texts_are_read_without_labels(tmp_path, write):
    assert read_texts(as_csv([("body",), ("one",), ("two",)], tmp_path)) == ["one", "two"]
    assert read_texts(write("mine.jsonl", '{"abstract": "one"}\n')) == ["one"]
    assert read_texts(write("mine.tsv", "x\tone\n")) == ["one"]


def test_a_text_longer_than_the_csv_modules_limit_is_read_and_the_limit_stays(tmp_path):
    before, long = csv.field_size_limit(), "word " * 60_000
    assert read_labelled_texts(as_csv([("label", "text"), ("a", long)], tmp_path)).texts == [long]
    assert csv.field_size_limit() == before


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tsv", "x\tone\nno tab here\n", "line 2: expected a label, a TAB and a text"),
        ("a.tsv", "x\tone\n\ttwo\n", "line 2: expected a label under 'label', found none"),
        ("a.csv", 'label,text\nx,one\n,"two\nlines"\n', "line 3: expected a label under 'label', found none"),
        ("a.csv", 'label,text\nx,"two\nlines"\n ,three\n', "line 4: expected a label"),
        ("a.csv", "label,text\nx,one,more\n", "line 2: has 3 cells where the first line names 2 columns"),
        ("a.csv", 'label,text\nx,one\ny,"never closed\nz,two\n', "line 3: is not CSV"),
        ("a.jsonl", '{"label": "x", "text": "one"}\n{"text": "two"}\n', "line 2: expected a label"),
        ("a.jsonl", '{"label": "x", "text": "one"}\n{"label": NaN, "text": "two"}\n', "line 2: expected a label"),
        ("a.jsonl", '{"label": ["x"], "text": "one"}\n', r"line 1: expected a label under 'label', found \[\"x\"\]"),
        ("a.jsonl", '{"label": "x", "text": 7}\n', "line 1: expected a text under 'text', found 7"),
        ("a.jsonl", '{"label": "x", "text": "one"}\nrubbish\n', "line 2: is not JSON"),
        ("a.tsv", "", "holds no rows"),
        ("a.csv", "label,text\n", "holds no rows"),
    ],
)
def test_damage_is_named_by_its_line(write, name, content, message):
    with pytest.raises(DamagedFileError, match=message):
        read_labelled_texts(write(name, content))


def test_a_missing_column_is_told_with_those_there_are(write):
    with pytest.raises(
        InputError, match=r"has the columns body, stars, none of them named label, .*; name that of the labels"
    ):
        read_labelled_texts(write("a.csv", "body,stars\none,5\n"))
    with pytest.raises(InputError, match="no column 'rating' for the labels; its columns are body, stars"):
        read_labelled_texts(write("a.csv", "body,stars\none,5\n"), label="rating")


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(MissingFileError, match=r"nothing\.csv does not exist"):
        read_labelled_texts(tmp_path / "nothing.csv")


def test_the_name_of_a_file_says_whether_it_is_a_table(tmp_path):
    assert all(is_table(tmp_path / name) for name in ("a.tsv", "a.CSV", "a.jsonl.gz", "b.c.csv"))
    assert not any(is_table(tmp_path / name) for name in ("a.txt", "csv", "a.txt.gz", "a.csv.txt"))
