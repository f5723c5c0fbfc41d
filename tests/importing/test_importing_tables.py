"""Tables: columns are guessed and can be named, and a damaged row costs no other row."""

import csv
import gzip
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.datasets.beir import write_beir
from satchel.errors import DamagedFileError, InputError
from satchel.importing import ColumnChoice, Document, Skipped, guess_columns, read_documents
from satchel.importing.tables.text_rows import Dialect, dialect_of, split_rows


def written(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


def documents(path: Path, **options: object) -> list[Document]:
    found = list(read_documents(path, **options))
    assert all(isinstance(one, Document) for one in found), found
    return found


def test_columns_of_a_csv_file_are_guessed_and_the_others_are_fields(tmp_path):
    head = "ID,Title,Abstract,year,price,zip,topic,empty\n"
    path = written(tmp_path / "a.csv", head + 'p1,A study,"Two,\nlines",2019,1.50,00123,7,\n')
    assert guess_columns(path) == ColumnChoice(("Abstract",), "ID", "Title", "topic")
    fields = {"year": 2019, "price": 1.5, "zip": "00123", "topic": "7"}
    assert documents(path) == [Document("p1", "Two,\nlines", "A study", fields, f"{path}, line 2")]


def test_named_columns_win_over_the_guess_and_several_texts_are_joined(tmp_path):
    path = written(tmp_path / "a.csv", "id,text,notes,code\n1,first,second,x\n")
    choice = ColumnChoice(text=("notes", "text"), id="code", fields=())
    assert documents(path, columns=choice) == [Document("x", "second\n\nfirst", "", {}, f"{path}, line 2")]
    assert guess_columns(path, columns=choice) == ColumnChoice(("notes", "text"), "code", None, None, ())


def test_a_column_that_is_not_there_is_an_error_that_lists_those_that_are(tmp_path):
    path = written(tmp_path / "a.csv", "id,text\n1,x y\n")
    with pytest.raises(InputError, match="no column 'body'; the columns are id, text"):
        list(read_documents(path, columns=ColumnChoice(text=("body",))))
    with pytest.raises(InputError, match="expected a tuple"):
        read_documents(path, columns=ColumnChoice(text="body"))


def test_in_a_folder_a_table_without_the_column_is_skipped_and_the_others_are_read(tmp_path):
    written(tmp_path / "a.csv", "id,text\n1,x y\n")
    written(tmp_path / "b.csv", "id,body\n1,x y\n")
    first, second = read_documents(tmp_path, columns=ColumnChoice(text=("body",)))
    assert "no column 'body'" in first.reason
    assert (second.id, second.text) == ("b.csv#1", "x y")


def test_the_longest_column_is_the_text_where_no_name_tells_it(tmp_path):
    path = written(tmp_path / "a.csv", "nr,who,says\n1,Ann,a long enough remark\n2,Bob,another long remark\n")
    assert guess_columns(path).text == ("says",)
    assert [one.id for one in documents(path)] == ["a.csv#1", "a.csv#2"]


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_the_sign_between_cells_is_found(tmp_path, sign):
    path = written(tmp_path / "a.csv", f"id{sign}text\n1{sign}some - words: more\n2{sign}other words\n")
    assert [(one.id, one.text) for one in documents(path)] == [("1", "some - words: more"), ("2", "other words")]


def test_a_tsv_file_without_head_is_label_and_text_as_elsewhere(tmp_path):
    path = written(tmp_path / "a.tsv", 'earn\tchampion products "approves" stock split\nacq\t"computer terminal\n')
    first, second = documents(path)
    assert (first.text, first.fields) == ('champion products "approves" stock split', {"label": "earn"})
    assert second.text == '"computer terminal'


def test_a_quoted_tsv_file_loses_its_quotation_marks(tmp_path):
    path = written(tmp_path / "a.tsv", 'id\ttext\n1\t"with a ""word"" and\ta tab"\n2\t"x y"\n')
    assert [one.text for one in documents(path)] == ['with a "word" and\ta tab', "x y"]


def test_rows_with_broken_quotes_are_reported_one_by_one_and_the_rest_is_read(tmp_path):
    rows = [
        "id,text",
        '1,"fine, text"',
        '2,"never closed',
        '3,"two\nlines"',
        '4,"in "the" middle"',
        "5,a,b,c",
        "6,last",
    ]
    found = list(read_documents(written(tmp_path / "a.csv", "\n".join(rows) + "\n")))
    assert [(one.id, one.text) for one in found if isinstance(one, Document)] == [
        ("1", "fine, text"),
        ("3", "two\nlines"),
        ("6", "last"),
    ]
    skipped = [one for one in found if isinstance(one, Skipped)]
    assert [one.source.rpartition(", ")[2] for one in skipped] == ["line 3", "line 6", "line 7"]
    assert skipped[2].reason == "has 4 cells, expected 2"


@pytest.mark.parametrize("line", ['1,"never closed', 'closed",1,"and opened', '"",""",'])
def test_a_file_of_broken_rows_is_read_in_passes_that_the_size_bounds(monkeypatch, line):
    monkeypatch.setattr("satchel.importing.tables.text_rows.MAX_ROW", 10_000)
    seen = 0

    class Counted(str):
        def replace(self, *signs: str) -> str:
            nonlocal seen
            seen += 1
            return str.replace(self, *signs)

    lines = ((number, Counted(line)) for number in range(20_000))
    rows = list(split_rows(lines, Dialect(",", True), 2))
    given_up = sum("lines were skipped" in row.problem for row in rows)
    assert len(rows) > 1000 or given_up
    assert seen < 5 * 20_000  # a quadratic reading takes hundreds of passes


cells = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=8) | st.sampled_from(
    ['"', "a\nb", ","]
)


@given(st.lists(st.lists(cells, min_size=3, max_size=3).filter(lambda row: any(map(str.strip, row))), max_size=8))
def test_what_the_csv_module_writes_is_read_back(rows):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(rows)
    lines = out.getvalue().removesuffix("\n").split("\n") if rows else []
    assert [row.cells for row in split_rows(iter(enumerate(lines)), Dialect(",", True), 3)] == rows


def test_the_usual_sign_of_an_ending_is_taken_where_it_may_be():
    assert dialect_of(["a,b\tc,d", "e,f\tg,h"], ".tsv").delimiter == "\t"
    assert dialect_of(["a,b\tc,d", "e,f\tg,h"], ".csv").delimiter == ","
    assert dialect_of(["just words", "more, words", "words"], ".csv").delimiter == ","


def test_json_lines_open_inner_objects_and_report_what_is_no_object(tmp_path):
    row = {"_id": 7, "text": "some words", "title": "T", "metadata": {"year": 2019, "tags": ["a", 1], "none": None}}
    path = written(tmp_path / "a.jsonl", f"{json.dumps(row)}\n\n[1]\n{{broken\n" + '{"text": "\\ud800 half"}\n')
    first, second, third, fourth = read_documents(path)
    assert first == Document(
        "7", "some words", "T", {"metadata.year": 2019, "metadata.tags": ["a", "1"]}, f"{path}, line 1"
    )
    assert (second.source, second.reason) == (f"{path}, line 3", "is not a JSON object in braces")
    assert third.reason.startswith("is not JSON (")
    assert (fourth.id, fourth.text) == ("a.jsonl#4", "\ufffd half")


@pytest.mark.parametrize("indent", [None, 2])
def test_an_array_of_json_is_read_object_by_object(tmp_path, indent):
    rows = [{"id": str(number), "text": f"text {number} " * (5000 if number == 3 else 1)} for number in range(2000)]
    found = documents(written(tmp_path / "a.json", json.dumps(rows, indent=indent)))
    assert [(one.id, one.text) for one in found] == [(row["id"], row["text"].strip()) for row in rows]


def test_what_stands_before_the_damage_of_an_array_is_read(tmp_path):
    first, second = read_documents(written(tmp_path / "a.json", '[{"id": "1", "text": "x y"}, {"id": "2", "te'))
    assert first.id == "1"
    assert "after row 1" in second.reason


def test_a_json_file_of_lines_or_of_one_object_is_read_too(tmp_path):
    lines = documents(written(tmp_path / "a.json", '{"id": "1", "text": "x y"}\n{"id": "2", "text": "z"}\n'))
    assert [one.id for one in lines] == ["1", "2"]
    assert documents(written(tmp_path / "b.json", '{\n "id": "1",\n "text": "x y"\n}\n'))[0].text == "x y"


def test_numbers_that_no_database_keeps_are_made_safe(tmp_path):
    path = written(tmp_path / "a.jsonl", '{"text": "x y", "big": ' + "9" * 30 + ', "nan": NaN, "flag": true}\n')
    assert documents(path)[0].fields == {"big": "9" * 30, "flag": True}


def test_a_folder_in_beirs_form_gives_its_corpus_alone(tmp_path):
    rows = [("d1", "First", "some words"), ("d2", "", "more words")]
    write_beir(tmp_path / "set", rows, [("q", "a query")], {"q": {"d1": 1}})
    found = documents(tmp_path / "set")
    assert [(one.id, one.title, one.text) for one in found] == rows
    assert guess_columns(tmp_path / "set") == ColumnChoice(("text",), "_id", "title", None)
    assert [one.id for one in documents(tmp_path)] == ["set/corpus.jsonl.gz#d1", "set/corpus.jsonl.gz#d2"]


def test_a_packed_table_in_western_encoding_is_read(tmp_path):
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress("id;text\n1;Größe und Maß\n".encode("cp1252")))
    assert documents(tmp_path / "a.csv.gz")[0].text == "Größe und Maß"


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.jsonl", "a.json", "b.json", "a.tab.gz"])
def test_columns_are_guessed_for_every_form_of_table(tmp_path, name):
    cells = {"id": "1", "body": "some words", "topic": "x"}
    tabs, commas = ("\n".join(sign.join(row) for row in (cells, cells.values())) for sign in "\t,")
    json_text = json.dumps([cells] if name.startswith("b") else cells)
    text = {"csv": commas, "tsv": tabs, "tab": tabs}.get(name.split(".")[1], json_text)
    (tmp_path / name).write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    assert guess_columns(tmp_path / name) == ColumnChoice(("body",), "id", None, "topic")
    assert guess_columns(tmp_path / name, columns=ColumnChoice(("topic",))).text == ("topic",)


def test_only_tables_have_columns(tmp_path):
    with pytest.raises(InputError, match="read as text, which has no columns"):
        guess_columns(written(tmp_path / "a.txt", "words"))
    with pytest.raises(InputError, match="is a folder"):
        guess_columns(tmp_path)
    with pytest.raises(DamagedFileError, match=r"a\.csv holds no row that can be read"):
        guess_columns(written(tmp_path / "a.csv", ""))


def test_head_without_names_or_with_one_name_twice_still_tells_columns_apart(tmp_path):
    path = written(tmp_path / "a.csv", "text,,note,note\nwords,1,2,3\n")
    assert documents(path)[0].fields == {"column 2": 1, "note": 2, "note (2)": 3}


def test_remarks_above_the_head_are_reported_and_the_table_is_read(tmp_path):
    path = written(tmp_path / "a.csv", "# by a program\ncode,says,sum\na1,a long remark here,7\na2,another remark,8\n")
    remark, first, second = read_documents(path)
    assert remark.reason == "has 1 cell, expected 3"
    assert (first.text, first.fields, second.fields["sum"]) == ("a long remark here", {"code": "a1", "sum": 7}, 8)


def test_rows_of_another_width_than_a_head_of_usual_names_are_the_broken_ones(tmp_path):
    path = written(tmp_path / "a.csv", "id,text\n1,a,b\n2,c,d\n3,fine\n")
    found = list(read_documents(path))
    assert [one.reason for one in found[:2]] == ["has 3 cells, expected 2"] * 2
    assert (found[2].id, found[2].text) == ("3", "fine")
