"""Files that mean harm, or were harmed: each costs a reason, none stops the rest or fills the memory."""

import gc
import gzip
import io
import json
import subprocess
import sys
import tracemalloc
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pytest
from test_importing_forms import pdf_bytes

from satchel.importing import Document, Skipped, read_documents

XML = '<w:document xmlns:w="http://w"><w:body><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:body></w:document>'


def in_company(folder: Path) -> tuple[list[str], dict[str, str]]:
    """The ids read and the reasons by file name, with a sound file before and one after."""
    (folder / "a.txt").write_text("first")
    (folder / "z.txt").write_text("last")
    found = list(read_documents(folder))
    told = {Path(one.source).name: one.reason for one in found if isinstance(one, Skipped)}
    return [one.id for one in found if isinstance(one, Document)], told


def peak_of(path: Path) -> tuple[list[Document | Skipped], float]:
    """What is found, and the most megabytes that it took."""
    tracemalloc.start()
    try:
        found = list(read_documents(path))
        return found, tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def test_a_text_of_200_megabytes_is_refused_without_being_read_whole(tmp_path):
    with (tmp_path / "m.txt").open("wb") as file:
        file.write(b"some words\n")
        file.truncate(200_000_000)
    ids, told = in_company(tmp_path)
    assert ids == ["a.txt", "z.txt"]
    assert "longer than 50 MB" in told["m.txt"]
    assert peak_of(tmp_path / "m.txt")[1] < 120


def test_gzip_that_unpacks_to_200_megabytes_is_refused_at_the_bound(tmp_path):
    with gzip.open(tmp_path / "m.txt.gz", "wb", compresslevel=1) as file:
        for _ in range(200):
            file.write(b"a word or two " * 71_500)
    found, megabytes = peak_of(tmp_path / "m.txt.gz")
    assert "longer than 50 MB" in found[0].reason
    assert megabytes < 120


def test_a_zip_bomb_of_a_word_file_is_refused_before_it_is_unpacked(tmp_path):
    bomb = zipfile.ZipFile(tmp_path / "m.docx", "w", zipfile.ZIP_DEFLATED, compresslevel=1)
    with bomb, bomb.open("word/document.xml", "w") as part:
        for _ in range(230):
            part.write(b" " * 1_000_000)
    ids, told = in_company(tmp_path)
    assert ids == ["a.txt", "z.txt"]
    assert told["m.docx"] == "unpacks to more than 200 MB of XML; it was not read"
    assert peak_of(tmp_path / "m.docx")[1] < 5


def test_a_word_file_that_lies_about_its_size_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr("satchel.importing.packed_xml.MAX_MARKUP", 100_000)
    with zipfile.ZipFile(tmp_path / "m.docx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", XML.format("x" * 1_000_000))
    data = (tmp_path / "m.docx").read_bytes()
    real = len(XML.format("x" * 1_000_000)).to_bytes(4, "little")
    (tmp_path / "m.docx").write_bytes(data.replace(real, (99).to_bytes(4, "little")))
    (found,) = read_documents(tmp_path / "m.docx")
    assert isinstance(found, Skipped)


def test_entities_that_grow_without_bound_are_refused(tmp_path):
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    xml = f'<!DOCTYPE l [<!ENTITY l0 "lol">{laughs}]>' + XML.format("&l9;")
    with zipfile.ZipFile(tmp_path / "m.docx", "w") as archive:
        archive.writestr("word/document.xml", xml)
    found, megabytes = peak_of(tmp_path / "m.docx")
    assert "declares a document type" in found[0].reason
    assert megabytes < 5


@pytest.mark.parametrize("content", [b"", b"%PDF-1.4\n%%EOF", b"%PDF-1.7\n" + bytes(2000), b"not a pdf at all"])
def test_a_pdf_that_cannot_be_parsed_stops_nothing(tmp_path, content):
    pytest.importorskip("pypdf")
    (tmp_path / "m.pdf").write_bytes(content)
    ids, told = in_company(tmp_path)
    assert ids == ["a.txt", "z.txt"]
    assert told["m.pdf"]


def test_a_pdf_whose_page_unpacks_without_end_is_refused(tmp_path):
    pytest.importorskip("pypdf")
    packer = zlib.compressobj(1)
    packed = b"".join(packer.compress(b"0 0 m\n" * 170_000) for _ in range(100)) + packer.flush()
    sound = pdf_bytes("words")
    begin, end = sound.index(b"<< /Length"), sound.index(b"endstream")
    head = f"<< /Length {len(packed)} /Filter /FlateDecode >>\nstream\n".encode()
    (tmp_path / "m.pdf").write_bytes(sound[:begin] + head + packed + b"\n" + sound[end:])
    found, megabytes = peak_of(tmp_path / "m.pdf")
    assert isinstance(found[0], Skipped)
    assert megabytes < 250


def test_a_pdf_cut_or_changed_anywhere_gives_a_document_or_a_reason(tmp_path):
    pytest.importorskip("pypdf")
    sound, random = pdf_bytes("Some words", "on two pages"), np.random.default_rng(0)
    for number in range(60):
        data = bytearray(sound)
        if number % 2:
            data[int(random.integers(len(data)))] ^= 1 << int(random.integers(8))
        else:
            data = data[: int(random.integers(len(data)))]
        (tmp_path / f"{number}.pdf").write_bytes(data)
    assert len(list(read_documents(tmp_path))) == 60


FORMS = [
    "docx",
    "pptx",
    "odt",
    "epub",
    "xlsx",
    "pdf",
    "html",
    "eml",
    "mbox",
    "ipynb",
    "json",
    "jsonl",
    "csv",
    "tsv",
    "ris",
    "bib",
    "sgml",
    "md",
    "rst",
]


@pytest.mark.parametrize("ending", ["txt", *FORMS])
def test_binary_rubbish_under_any_name_becomes_a_reason(tmp_path, ending):
    (tmp_path / f"m.{ending}").write_bytes(np.random.default_rng(0).bytes(5000))
    ids, told = in_company(tmp_path)
    assert ids == ["a.txt", "z.txt"]
    assert told


@pytest.mark.parametrize("ending", FORMS)
def test_random_text_under_any_name_never_raises(tmp_path, ending):
    random = np.random.default_rng(0)
    signs = [*"ab \n\n\"',;{}[]<>@=-#\\\t&:0", "From ", "TY  - ", "<DOC>", "</DOC>", "@article{", '{"a":', "é"]
    for number in range(20):
        (tmp_path / f"{number}.{ending}").write_text("".join(random.choice(signs, 400)), "utf-8")
    assert len(list(read_documents(tmp_path))) >= 20


def test_ten_thousand_empty_files_are_each_reported(tmp_path):
    for number in range(10_000):
        (tmp_path / f"{number}.txt").touch()
    found = list(read_documents(tmp_path))
    assert len(found) == 10_000
    assert {one.reason for one in found} == {"is empty"}


def test_names_with_newlines_and_emoji_become_ids_of_one_line(tmp_path):
    for name in ("two\nlines.txt", "👩‍👩‍👧 family.txt", "\x1b[31mred.txt"):
        (tmp_path / name).write_text("some words")
    found = list(read_documents(tmp_path))
    assert [one.id for one in found] == ["\\x1b[31mred.txt", "two\\nlines.txt", "👩‍👩‍👧 family.txt"]
    assert all(one.source.isprintable() or "👩" in one.source for one in found)
    assert not any(sign in one.source + one.title for one in found for sign in "\n\x1b")


def test_ids_of_rows_with_newlines_and_emoji_are_kept_on_one_line(tmp_path):
    rows = [{"id": "a\nb", "text": "x y"}, {"id": "🎒", "text": "x y"}, {"id": "n" * 2000, "text": "x y"}]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    first, second, third = read_documents(tmp_path / "a.jsonl")
    assert (first.id, second.id) == ("a\\nb", "🎒")
    assert third.reason == "has an id of 2000 characters; an id may have 1000"


def test_a_name_that_is_not_utf8_becomes_an_id_that_is(tmp_path):
    try:
        (tmp_path / "caf\udce9.txt").write_text("some words")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    (found,) = read_documents(tmp_path)
    assert found.id == "caf\\xe9.txt"
    assert (found.source + found.title).encode("utf-8")


def test_of_two_documents_with_one_id_the_first_is_kept_and_the_second_reported(tmp_path):
    (tmp_path / "a.csv").write_text("id,text\n1,first words\n1,second words\n2,third words\n")
    first, second, third = read_documents(tmp_path / "a.csv")
    assert (first.text, third.id) == ("first words", "2")
    assert second == Skipped(
        f"{tmp_path / 'a.csv'}, line 3", "has the same id '1' as an earlier document, which was kept"
    )


def test_two_tables_of_a_folder_may_both_count_from_one(tmp_path):
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("id,text\n1,some words\n")
    assert [one.id for one in read_documents(tmp_path)] == ["a.csv#1", "b.csv#1"]


def test_json_nested_too_deep_is_a_row_that_is_reported(tmp_path):
    deep = f'{{"a": {"[" * 100_000}{"]" * 100_000}}}'
    (tmp_path / "a.jsonl").write_text(f'{{"text": "x y"}}\n{deep}\n{{"text": "z"}}\n')
    first, second, third = read_documents(tmp_path / "a.jsonl")
    assert (first.text, third.text) == ("x y", "z")
    assert isinstance(second, Skipped)


def test_a_page_nested_a_hundred_thousand_deep_is_read(tmp_path):
    (tmp_path / "a.html").write_text("<div>" * 100_000 + "words" + "</div>" * 100_000)
    (found,) = read_documents(tmp_path / "a.html")
    assert isinstance(found, Skipped) or found.text == "words"


def test_a_table_larger_than_the_memory_it_takes_is_read_row_by_row(tmp_path):
    with gzip.open(tmp_path / "a.jsonl.gz", "wt", compresslevel=1) as file:
        file.writelines(f'{{"id": "{number}", "text": "{"some words " * 100}"}}\n' for number in range(20_000))
    tracemalloc.start()
    count = sum(1 for _ in read_documents(tmp_path / "a.jsonl.gz"))
    megabytes = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    assert count == 20_000
    assert megabytes < 8  # of 22 unpacked: most are the ids, which are kept to find the second of one


def test_packed_data_that_end_too_early_give_what_came_before(tmp_path):
    rows = "".join(f'{{"id": "{number}", "text": "words {number * 7919}"}}\n' for number in range(5000))
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(rows.encode())[:-3000])
    *documents, last = read_documents(tmp_path / "a.jsonl.gz")
    assert 0 < len(documents) < 5000
    assert "truncated" in last.reason


def test_a_quotation_that_never_ends_holds_a_bounded_piece_of_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr("satchel.importing.tables.text_rows.MAX_ROW", 10_000)
    lines = ["id,text", '0,"never closed', *(f"{number},words" for number in range(1, 5000))]
    (tmp_path / "a.csv").write_text("\n".join(lines))
    found = list(read_documents(tmp_path / "a.csv"))
    assert "is not sound CSV" in found[0].reason
    assert [one.id for one in found[1:]] == [str(number) for number in range(1, 5000)]


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv", "a.ris", "a.trec", "utf16.csv"])
def test_a_reading_that_is_left_before_its_end_closes_its_file(tmp_path, name):
    text = {
        "a.jsonl": '{"text": "x y"}\n' * 500,
        "a.json": json.dumps([{"text": "x y"}] * 500),
        "a.ris": "TY  - A\nTI  - words\nER  - \n" * 500,
        "a.trec": "<DOC><DOCNO>1</DOCNO>words</DOC>\n" * 500,
    }.get(name, "text\n" + "x y\n" * 500)
    (tmp_path / name).write_text(text, "utf-16" if name == "utf16.csv" else "utf-8")
    found = read_documents(tmp_path / name)
    assert isinstance(next(found), Document)
    del found
    gc.collect()  # an open file would be a warning here, and warnings are errors
    assert not any(str(tmp_path) in path for path in _open_files())


def _open_files() -> list[str]:
    folder = Path("/proc/self/fd")
    links = list(folder.iterdir()) if folder.is_dir() else []
    return [str(link.readlink()) for link in links if link.is_symlink()]


def test_reading_writes_nothing(tmp_path):
    (tmp_path / "a.mbox").write_bytes(b"From a\nSubject: s\n\nbody\n")
    (tmp_path / "a.docx").write_bytes(_a_word_file())
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in tmp_path.iterdir()}
    assert len(list(read_documents(tmp_path))) == 2
    assert {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in tmp_path.iterdir()} == before


def _a_word_file() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("word/document.xml", XML.format("words"))
    return out.getvalue()


def test_importing_loads_no_parser_before_a_file_needs_it():
    code = "import sys, satchel.importing; print([m for m in ('lxml', 'pypdf', 'docx', 'scipy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
