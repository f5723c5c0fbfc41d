"""Tables of texts of one's own: TSV, JSON lines and CSV, with guessed or named columns."""

import csv
import gzip
import json

import pytest

from satchel.cli.texts import LabelledSource, labelled_texts_from
from satchel.datasets import (
    is_table,
    labelled_columns,
    read_labelled,
    read_labelled_texts,
    read_texts,
    read_training_texts,
)
from satchel.errors import DamagedFileError, InputError, MissingFileError
from satchel.importing import guess_columns

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


def test_a_row_of_blank_cells_is_a_row_so_that_texts_and_rows_stay_beside_each_other(tmp_path):
    assert read_texts(as_csv([("body", "x"), ("one", ""), ("", ""), ("three", "")], tmp_path)) == ["one", "", "three"]


def test_columns_are_guessed_as_for_documents(tmp_path):
    path = as_csv([("name", "Categories", "summary"), ("n", "c", "s")], tmp_path)
    of_documents = guess_columns(path)
    assert labelled_columns(path) == (*of_documents.text, of_documents.label) == ("summary", "Categories")


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
        ("a.csv", "label,text\nx,one,more\n", "line 2: has 3 cells, expected 2"),
        ("a.csv", 'label,text\nx,one\ny,"never closed\nz,two\n', "line 3: is not sound CSV"),
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


def json_lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_where_every_text_has_one_label_both_readers_agree(tmp_path, write):
    for path in (as_csv([("Category", "Body"), *ROWS], tmp_path), write("mine.tsv", "a\tx\ty\r\n\nb\t\n")):
        strict, free = read_labelled_texts(path), read_training_texts(path)
        assert (free.texts, free.labels, free.columns) == (strict.texts, strict.labels, labelled_columns(path))


def test_a_blank_cell_is_no_label(tmp_path, write):
    rows = [("label", "text"), ("", "one"), (" ", "two"), ("x", "three")]
    for path in (as_csv(rows, tmp_path), write("a.tsv", "".join("\t".join(row) + "\n" for row in rows[1:]))):
        read = read_training_texts(path)
        assert (read.texts, read.labels) == (["one", "two", "three"], [None, None, "x"])


def test_in_json_null_nan_an_empty_list_and_a_missing_key_are_no_label(write):
    rows = [{"text": "t"}, {"text": "t", "label": None}, {"text": "t", "label": []}, {"text": "t", "label": "x"}]
    path = write("a.jsonl", json_lines([*rows, {"text": "t", "label": float("nan")}, {"text": "t", "label": " "}]))
    assert read_training_texts(path).labels == [None, None, None, "x", None, None]


def test_a_json_list_is_several_labels_and_one_label_is_itself(write):
    labels = [["b", "a"], ["a"], ["a", " a "], ["x, y", 3, True], 7]
    path = write("a.jsonl", json_lines({"label": label, "text": "t"} for label in labels))
    assert read_training_texts(path).labels == [["b", "a"], "a", "a", ["x, y", "3", "true"], "7"]


def test_a_cell_is_several_labels_only_where_a_separator_is_named(tmp_path, write):
    rows = [("label", "text"), ("a, b", "t"), ("b ;a;b; ", "t"), (";", "t"), ("a", "t")]
    table, tabs = as_csv(rows, tmp_path), write("a.tsv", "".join("\t".join(row) + "\n" for row in rows[1:]))
    for path in (table, tabs):
        assert read_training_texts(path).labels == ["a, b", "b ;a;b;", ";", "a"]
        assert read_training_texts(path, labels_separated_by=";").labels == ["a, b", ["b", "a"], None, "a"]
        assert read_training_texts(path, labels_separated_by=", ").labels == [["a", "b"], "b ;a;b;", ";", "a"]


def test_a_separator_parts_strings_in_json_but_not_what_a_list_holds(write):
    path = write("a.jsonl", json_lines([{"label": "a|b", "text": "t"}, {"label": ["a|b", "c"], "text": "t"}]))
    assert read_training_texts(path, labels_separated_by="|").labels == [["a", "b"], ["a|b", "c"]]
    with pytest.raises(InputError, match="the separator of labels is empty"):
        read_training_texts(path, labels_separated_by="")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tsv", "x\tone\nno tab here\n", "line 2: expected a label, a TAB and a text"),
        ("a.csv", "label,text\n,one\nx\n", "line 3: has 1 cell, expected 2"),
        ("a.jsonl", '{"label": {"a": 1}, "text": "t"}\n', r"line 1: expected a label or a list .* found \{\"a\": 1\}"),
        ("a.jsonl", '{"text": "t"}\n{"label": ["x", null], "text": "t"}\n', r"line 2: .* found \[\"x\", null\]"),
        ("a.jsonl", '{"label": ["x", " "], "text": "t"}\n', "line 1: expected a label or a list of labels"),
        ("a.jsonl", '{"label": [["x"]], "text": "t"}\n', "line 1: expected a label or a list of labels"),
        (
            "a.jsonl",
            '{"label": "x"}\n{"label": "x", "text": "t"}\n',
            "line 1: expected a text under 'text', found none",
        ),
        ("a.csv", "label,text\n", "holds no rows"),
        ("a.jsonl", "", "holds no rows"),
    ],
)
def test_damage_in_texts_to_learn_from_is_named_by_its_line(write, name, content, message):
    with pytest.raises(DamagedFileError, match=message):
        read_training_texts(write(name, content))


def test_a_file_to_learn_from_without_any_label_points_to_learning_without(write):
    for name, content in (("a.tsv", "\tone\n \ttwo\n"), ("b.jsonl", '{"text": "t"}\n{"text": "t", "label": []}\n')):
        with pytest.raises(InputError, match=rf"no row of .*{name} has a label under 'label'; .* by --unlabelled"):
            labelled_texts_from(str(write(name, content)))
    for name, content in (("c.jsonl", '{"text": "t"}\n'), ("d.csv", "text,stars\none,5\n")):
        with pytest.raises(InputError, match=r"none of them named label, .*name that of the labels, or .*--unlabelled"):
            labelled_texts_from(str(write(name, content)))


def test_a_source_knows_its_classes_and_how_many_texts_have_one(write):
    path = write("a.csv", "label,text\nb;a,one\n,two\na,three\nc,four\n")
    source = labelled_texts_from(str(path), separator=";")
    assert source == LabelledSource(
        ["one", "two", "three", "four"], [["b", "a"], None, "a", "c"], {"text": "text", "label": "label"}
    )
    assert (source.classes, source.n_labelled) == (["b", "a", "c"], 3)


def test_a_data_set_has_neither_columns_nor_a_separator():
    for option in ("text", "label", "separator"):
        with pytest.raises(InputError, match="there is no file webkb; leave them out"):
            labelled_texts_from("webkb", **{option: "x"})
