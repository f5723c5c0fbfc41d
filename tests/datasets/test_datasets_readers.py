"""Readers for files of one's own: labelled texts, BEIR folders, judgments, reviews, SMART files; and their damage."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.datasets import (
    AdHocSet,
    Documents,
    LabelledTexts,
    Queries,
    Review,
    load,
    read_beir,
    read_judgments,
    read_labelled,
    read_review,
    write_judgments,
)
from satchel.datasets.beir import write_beir
from satchel.datasets.sources import (
    read_blocks,
    read_cacm_judgments,
    read_cranfield_judgments,
    read_npl_judgments,
    read_smart,
)
from satchel.errors import DamagedFileError, InputError, MissingFileError


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


# Labelled texts


def test_labelled_lines_keep_empty_texts_and_further_tabs(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "earn\tprofit up\nacq\t\n\ntrade\ta\tb\n")
    found = read_labelled(path)
    assert found == LabelledTexts(["1", "2", "4"], ["profit up", "", "a\tb"], ["earn", "acq", "trade"])
    assert len(found) == 3


def test_packed_plain_and_windows_files_read_alike(tmp_path: Path) -> None:
    plain = write(tmp_path / "a.tsv", "a\tx\nb\ty")
    packed = write(tmp_path / "b.tsv", gzip.compress(b"a\tx\nb\ty\n"))
    windows = write(tmp_path / "c.tsv", b"\xef\xbb\xbfa\tx\r\nb\ty\r\n")
    assert read_labelled(plain) == read_labelled(packed) == read_labelled(windows)


def test_only_a_newline_ends_a_line(tmp_path: Path) -> None:
    text = "one\x0btwo\x0cthree\x1cfour\x85five\u2028six"
    assert read_labelled(write(tmp_path / "a.tsv", f"a\t{text}\n")).texts == [text]


def test_json_lines_bring_their_own_ids(tmp_path: Path) -> None:
    rows = '{"id": "x/1", "label": "a", "text": "one\\ntwo"}\n{"label": "b", "text": ""}\n'
    found = read_labelled(write(tmp_path / "a.jsonl", rows), prefix="train-")
    assert found == LabelledTexts(["x/1", "train-2"], ["one\ntwo", ""], ["a", "b"])


def test_an_empty_file_holds_no_texts(tmp_path: Path) -> None:
    assert len(read_labelled(write(tmp_path / "a.tsv", ""))) == 0


@pytest.mark.parametrize(
    ("name", "content", "where"),
    [
        ("a.tsv", "earn\tx\nno tab here\n", r"a\.tsv, line 2: expected a label"),
        ("a.tsv", "\tno label\n", r"a\.tsv, line 1: expected a label"),
        ("a.tsv", b"earn\tx\nearn\t\xff\n", r"a\.tsv, line 2: is not UTF-8"),
        ("a.jsonl", '{"label": "a", "text": "x"}\n{"label": \n', r"a\.jsonl, line 2: is not JSON"),
        ("a.jsonl", '["a"]\n', r"line 1: is not a JSON object"),
        ("a.jsonl", '{"label": "a"}\n', r"line 1: the key 'text' is missing"),
        ("a.jsonl", '{"label": "a", "text": null}\n', r"line 1: expected a string under 'text'"),
    ],
)
def test_damage_in_labelled_files_is_named_with_its_line(
    name: str, content: str | bytes, where: str, tmp_path: Path
) -> None:
    with pytest.raises(DamagedFileError, match=where):
        read_labelled(write(tmp_path / name, content))


def test_a_truncated_gzip_file_is_damage(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv.gz", gzip.compress(b"a\tx\n" * 1000)[:-10])
    with pytest.raises(
        DamagedFileError, match=r"a\.tsv\.gz, after line \d+: the gzip data end too early: the file is truncated"
    ):
        read_labelled(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match=r"gone\.tsv does not exist"):
        read_labelled(tmp_path / "gone.tsv")


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(InputError, match="1 ids, 2 texts, 1 labels"):
        LabelledTexts(["1"], ["a", "b"], ["x"])
    with pytest.raises(InputError, match="2 texts"):
        Review("r", ["a", "b"], np.array([True]))


# BEIR folders


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    write(folder / "corpus.jsonl", '{"_id": "d1", "title": "Wings", "text": "They lift."}\n{"_id": "d2", "text": ""}\n')
    write(folder / "queries.jsonl", '{"_id": "q1", "text": "lift?"}\n{"_id": "q2", "text": "drag?"}\n')
    write(folder / "qrels.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t2\n")
    return folder


def test_a_folder_in_beirs_form_is_read(beir: Path) -> None:
    found = read_beir(beir)
    assert found.name == "tiny"
    assert found.documents == Documents(["d1", "d2"], ["Wings\nThey lift.", ""], ["Wings", ""])
    assert found.queries == Queries(["q1", "q2"], ["lift?", "drag?"])
    assert found.judgments == {"q1": {"d1": 2}}
    assert found.judged_queries() == Queries(["q1"], ["lift?"])


def test_splits_are_told_apart_and_test_is_reported_on(beir: Path) -> None:
    write(beir / "qrels" / "train.tsv", "query-id\tcorpus-id\tscore\nq2\td2\t1\n")
    write(beir / "qrels" / "test.tsv.gz", gzip.compress(b"query-id\tcorpus-id\tscore\nq1\td1\t1\n"))
    found = read_beir(beir)
    assert set(found.judgments_by_split) == {"train", "test"}
    assert found.judgments == {"q1": {"d1": 1}}
    assert found.judged_queries(found.judgments_by_split["train"]).ids == ["q2"]


@pytest.mark.parametrize(("splits", "expected"), [(("train", "dev"), "dev"), (("train",), "train")])
def test_without_a_test_split_the_closest_one_is_reported_on(splits: tuple[str, ...], expected: str) -> None:
    by_split = {split: {split: {"d": 1}} for split in splits}
    assert AdHocSet("x", Documents([], [], []), Queries([], []), by_split).judgments == {expected: {"d": 1}}


def test_a_set_without_judgments_is_refused() -> None:
    with pytest.raises(InputError, match="no judgments"):
        AdHocSet("x", Documents([], [], []), Queries([], []), {})


@pytest.mark.parametrize(
    ("file", "content", "where"),
    [
        (
            "corpus.jsonl",
            '{"_id": "d1", "text": "x"}\n{"_id": "d1", "text": "y"}\n',
            "line 2: the id 'd1' appears twice",
        ),
        ("corpus.jsonl", '{"_id": "d1"}\n', "line 1: the key 'text' is missing"),
        ("corpus.jsonl", '{"_id": "d1", "text": "x"\n', "line 1: is not JSON"),
        ("queries.jsonl", '{"text": "x"}\n', "line 1: the key '_id' is missing"),
        ("qrels.tsv", "query-id\tcorpus-id\tscore\nq1\td1\thigh\n", "line 2: the grade is 'high'"),
    ],
)
def test_damage_in_a_beir_folder_is_named_with_its_line(file: str, content: str, where: str, beir: Path) -> None:
    write(beir / file, content)
    with pytest.raises(DamagedFileError, match=where):
        read_beir(beir)


@pytest.mark.parametrize("file", ["corpus.jsonl", "queries.jsonl", "qrels.tsv"])
def test_a_missing_file_of_a_beir_folder_is_named(file: str, beir: Path) -> None:
    (beir / file).unlink()
    with pytest.raises(MissingFileError, match=file):
        read_beir(beir)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="no folder"):
        read_beir(tmp_path / "gone")


def test_texts_of_documents_begin_with_the_title_once(tmp_path: Path) -> None:
    rows = [("1", "on wings .", "on wings . they lift"), ("2", "Car", "Cartoon heroes"), ("3", "T", ""), ("4", "", "x")]
    write_beir(tmp_path / "x", rows, [("q", "?")], {"q": {"1": 1}})
    texts = read_beir(tmp_path / "x").documents.texts
    assert texts == ["on wings . they lift", "Car\nCartoon heroes", "T", "x"]


def test_a_written_beir_folder_is_read_back(tmp_path: Path) -> None:
    write_beir(tmp_path / "x", [("1", "T", "é"), ("2", "", "")], [("q", "?")], {"q": {"1": 3}})
    found = read_beir(tmp_path / "x")
    assert (found.documents.texts, found.queries.texts, found.judgments) == (["T\né", ""], ["?"], {"q": {"1": 3}})


# Judgments


def test_trec_and_beir_judgments_read_alike(tmp_path: Path) -> None:
    trec = write(tmp_path / "a.qrels", "q1 0 d1 2\nq1 0 d2 0\nq2\t0\td1\t-1\n")
    beir = write(tmp_path / "b.tsv", "query-id\tcorpus-id\tscore\r\nq1\td1\t2\r\nq1\td2\t0\r\nq2\td1\t-1\r\n")
    bare = write(tmp_path / "c.tsv", "q1\td1\t2\nq1\td2\t0\nq2\td1\t-1\n")
    expected = {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": -1}}
    assert read_judgments(trec) == read_judgments(beir) == read_judgments(bare) == expected


@pytest.mark.parametrize(
    ("content", "where"),
    [
        ("q1 0 d1 2\nq1 d2 0\n", "line 2: has 3 columns, expected 4"),
        ("q1 d1\n", r"line 1: has 2 columns, expected 3 \(BEIR\) or 4 \(TREC\)"),
        ("q1 0 d1 1.5\n", "line 1: the grade is '1.5'"),
        ("q1 0 d1 1\nq1 0 d1 2\n", "line 2: judges query 'q1', document 'd1' again, differently"),
    ],
)
def test_damaged_judgments_are_named_with_their_line(content: str, where: str, tmp_path: Path) -> None:
    with pytest.raises(DamagedFileError, match=where):
        read_judgments(write(tmp_path / "a.qrels", content))


names = st.text(st.characters(codec="utf-8", categories=["L", "N", "P"]), min_size=1, max_size=8)
graded = st.dictionaries(names, st.dictionaries(names, st.integers(-2, 9), min_size=1, max_size=4), max_size=4)


@given(judgments=graded, form=st.sampled_from(["trec", "beir"]), ending=st.sampled_from(["", ".gz"]))
def test_written_judgments_are_read_back(
    judgments: dict[str, dict[str, int]], form: str, ending: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("judgments") / f"qrels{ending}"
    write_judgments(path, judgments, form=form)  # type: ignore[arg-type]
    assert read_judgments(path) == judgments
    assert (path.read_bytes()[:2] == b"\x1f\x8b") == bool(ending)


def test_ids_that_would_break_the_columns_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'two words'"):
        write_judgments(tmp_path / "a", {"two words": {"d": 1}})
    write_judgments(tmp_path / "a", {"two words": {"d": 1}}, form="beir")
    assert read_judgments(tmp_path / "a") == {"two words": {"d": 1}}
    with pytest.raises(InputError, match=r"a\\tb"):
        write_judgments(tmp_path / "b", {"q": {"a\tb": 1}}, form="beir")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_an_unknown_form_lists_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="choose from beir, trec"):
        write_judgments(tmp_path / "a", {}, form="xml")  # type: ignore[arg-type]


# Reviews


def test_review_lines_are_read(tmp_path: Path) -> None:
    found = read_review(write(tmp_path / "mine.tsv", "1\tkept\n0\t\n"))
    assert (found.name, found.texts, found.included.tolist()) == ("mine", ["kept", ""], [True, False])
    assert found.included.dtype == np.bool_


@pytest.mark.parametrize("label", ["label_included", "included"])
def test_a_review_in_asreviews_csv_form_is_read(label: str, tmp_path: Path) -> None:
    content = f'record_id,title,abstract,{label}\n1,"A ""b"", c","two\n lines ",1\n2,T,,0.0\n'
    found = read_review(write(tmp_path / "mine.csv", content))
    assert (found.texts, found.included.tolist()) == (['A "b", c two lines', "T"], [True, False])


@pytest.mark.parametrize(
    ("name", "content", "where"),
    [
        ("a.tsv", "1\tx\n2\ty\n", "line 2: expected 0 or 1"),
        ("a.csv", "title,abstract,included\nx,y,\n", "line 2: the label is ''"),
        (
            "a.csv",
            "title,summary,included\nx,y,1\n",
            "has the columns title, summary, included; expected one of abstract",
        ),
        ("a.csv", "", "has the columns none"),
        ("a.csv", b"title,abstract,included\n\xff,y,1\n", "line 2: is not UTF-8 text"),
    ],
)
def test_damaged_reviews_are_named_with_their_line(name: str, content: str | bytes, where: str, tmp_path: Path) -> None:
    with pytest.raises(DamagedFileError, match=where):
        read_review(write(tmp_path / name, content))


# The source forms of the Glasgow collections


def test_smart_records_are_read(tmp_path: Path) -> None:
    content = (
        ".I 1\n.T\nwings in\na  slipstream .\n.A\nm. x\n.B\n.W\nwings in\na slipstream . they\nlift .\n.I 2\n.T\n.W\n"
    )
    assert read_smart(write(tmp_path / "x", content)) == [
        {"I": "1", "T": "wings in a slipstream .", "A": "m. x", "W": "wings in a slipstream . they lift ."},
        {"I": "2"},
    ]


def test_text_before_the_first_smart_record_is_damage(tmp_path: Path) -> None:
    with pytest.raises(DamagedFileError, match=r"line 1: expected '\.I"):
        read_smart(write(tmp_path / "x", "hello\n.I 1\n"))


def test_npl_blocks_are_read(tmp_path: Path) -> None:
    path = write(tmp_path / "doc-text", "1\ncompact memories\nhave capacities\n   /\n2\nan analogue\n   /\n   /\n")
    assert list(read_blocks(path)) == [("1", ["compact memories", "have capacities"]), ("2", ["an analogue"])]


@pytest.mark.parametrize("content", ["1\ntext\n", "text\n/\n"])
def test_damaged_npl_blocks_are_named(content: str, tmp_path: Path) -> None:
    with pytest.raises(DamagedFileError, match="block"):
        list(read_blocks(write(tmp_path / "x", content)))


def test_the_three_forms_of_glasgows_judgments_are_read(tmp_path: Path) -> None:
    cranfield = write(tmp_path / "cranqrel", "1 184 2\n1 29 1\n1 31 -1\n2 12 4\n")
    assert read_cranfield_judgments(cranfield) == {"1": {"184": 3, "29": 4, "31": 1}, "2": {"12": 1}}
    cacm = write(tmp_path / "qrels.text", "01 1410  0 0\n01 0572  0 0\n12 9  0 0\n")
    assert read_cacm_judgments(cacm) == {"1": {"1410": 1, "572": 1}, "12": {"9": 1}}
    npl = write(tmp_path / "rlv-ass", "1\n 1239 1502\n 4462\n   /\n2\n 7\n   /\n")
    assert read_npl_judgments(npl) == {"1": {"1239": 1, "1502": 1, "4462": 1}, "2": {"7": 1}}


def test_damaged_glasgow_judgments_are_named(tmp_path: Path) -> None:
    path = write(tmp_path / "x", "1 184 2\n1 29 9\n")
    with pytest.raises(DamagedFileError, match="line 2: expected a query"):
        read_cranfield_judgments(path)
    with pytest.raises(DamagedFileError, match="line 1: expected the numbers"):
        read_cacm_judgments(write(tmp_path / "y", "one two\n"))


def test_json_of_a_written_corpus_is_one_object_a_line(tmp_path: Path) -> None:
    write_beir(tmp_path, [("1", "", "a\nb")], [], {})
    lines = gzip.decompress((tmp_path / "corpus.jsonl.gz").read_bytes()).decode().split("\n")
    assert json.loads(lines[0]) == {"_id": "1", "title": "", "text": "a\nb"}
    assert lines[1:] == [""]


@pytest.mark.parametrize(
    ("judgments", "message"),
    [
        ({1: {"d": 1}}, "the id 1 is of type int; ids are strings"),
        ({"q": {2: 1}}, "the id 2 is of type int; ids are strings"),
        ({"q": {"d": 1.5}}, "the grade of query 'q', document 'd' is 1.5; expected a whole number"),
    ],
)
def test_judgments_of_another_kind_are_refused(tmp_path: Path, judgments: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        write_judgments(tmp_path / "qrels", judgments)
    assert not list(tmp_path.iterdir())


def test_other_arguments_of_another_kind_are_refused() -> None:
    with pytest.raises(InputError, match="included is of type list; expected an array of booleans"):
        Review("mine", ["a"], [True])  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"unknown data set \['r8'\]; choose from"):
        load(["r8"])  # type: ignore[call-overload]
