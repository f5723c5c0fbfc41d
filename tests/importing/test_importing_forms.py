"""Each form is read from a small real file: texts, pages, PDF, Word, notebooks, mail."""

import gzip
import json
import sys
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest

from satchel.importing import IMPORT_FORMS, Document, Skipped, read_documents
from satchel.importing.readers.web import Outline, outline_of, parse_by_standard_library
from satchel.importing.tables.columns import USUAL_IDS, USUAL_TEXTS, USUAL_TITLES

PAGE = """<!doctype html><html><head><title>Storage &amp; grids</title><meta name="author" content="A. Writer">
<meta name="keywords" content="grid, storage"><style>p {color: red}</style></head><body><nav><a>Menu</a></nav>
<h1>Batteries</h1><p>Cheap <b>bat</b>teries &eacute; &lt;now&gt;.</p><script>if (a < b) alert("no")</script>
<table><tr><td>one</td><td>two</td></tr></table><ul><li>first</li><li>second</li></ul><br>end<footer>legal</footer>"""


def only(path: Path, **options: object) -> Document:
    found = list(read_documents(path, **options))
    assert len(found) == 1
    assert isinstance(found[0], Document), found
    return found[0]


def reason(path: Path, **options: object) -> str:
    found = list(read_documents(path, **options))
    assert len(found) == 1
    assert isinstance(found[0], Skipped), found
    return found[0].reason


def written(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def pdf_bytes(*pages: str, info: str = "") -> bytes:
    """A PDF written by hand: a catalogue, pages, one font, one stream of text a page."""
    kids = " ".join(f"{4 + 2 * place} 0 R" for place in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for place, text in enumerate(pages):
        lines = " ".join(f"({line}) Tj T*" for line in text.split("\n"))
        stream = f"BT /F1 12 Tf 14 TL 72 720 Td {lines} ET" if text else ""
        font = "/Resources << /Font << /F1 3 0 R >> >>"
        page = f"/Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * place} 0 R {font}"
        objects += [f"<< /Type /Page {page} >>", f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream"]
    objects.append(f"<< {info} >>")
    data, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{content}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    trailer = f"trailer\n<< /Size {size} /Root 1 0 R /Info {size - 1} 0 R >>\nstartxref\n{len(data)}\n%%EOF\n"
    return data + f"xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}".encode()


def test_a_text_file_is_one_document_named_after_its_file(tmp_path):
    found = only(written(tmp_path / "grid_storage-notes.txt", "One text.\r\nTwo lines.\n"))
    path = str(tmp_path / "grid_storage-notes.txt")
    assert found == Document("grid_storage-notes.txt", "One text.\nTwo lines.", "grid storage notes", {}, path)


def test_markdown_has_its_title_from_the_front_matter_or_the_first_heading(tmp_path):
    plain = only(written(tmp_path / "a.md", "intro\n\n# The *title* #\n\nSee [the page](http://x.org/a) here.\n"))
    assert plain.title == "The *title*"
    assert "See the page here." in plain.text
    front = only(written(tmp_path / "b.md", "---\ntitle: 'Front'\ntags: [a, \"b c\"]\n---\n# Other\ntext\n"))
    assert (front.title, front.fields) == ("Front", {"tags": ["a", "b c"]})
    assert front.text == "# Other\ntext"


def test_a_comment_in_code_is_not_the_title_of_a_markdown_file(tmp_path):
    assert only(written(tmp_path / "my_page.md", "text\n```\n# not a title\n```\n")).title == "my page"


def test_restructured_text_has_the_underlined_line_as_title(tmp_path):
    assert only(written(tmp_path / "a.rst", "=====\nTitle\n=====\n\nBody text\n")).title == "Title"
    assert only(written(tmp_path / "b.rst", "Lead\n\nSection\n-------\nBody\n")).title == "Section"


def test_source_code_is_read_as_it_stands(tmp_path):
    assert only(written(tmp_path / "bag_math.py", "def f(x):\n    return x\n")).text == "def f(x):\n    return x"


def test_a_page_gives_its_text_without_menus_and_scripts(tmp_path):
    found = only(written(tmp_path / "a.html", PAGE))
    assert found.title == "Storage & grids"
    assert found.fields == {"author": "A. Writer", "keywords": ["grid", "storage"]}
    assert found.text == "Batteries\n\nCheap batteries é <now>.\none\ttwo\nfirst\nsecond\nend"


def test_pages_read_the_same_without_lxml():
    pytest.importorskip("lxml")
    plain = Outline()
    parse_by_standard_library(PAGE, plain)
    assert (plain.text, plain.title, plain.fields) == ((page := outline_of(PAGE)).text, page.title, page.fields)


def test_pages_are_read_without_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "lxml", None)
    assert "batteries é <now>" in only(written(tmp_path / "a.html", PAGE)).text


def test_of_a_page_with_a_main_part_that_alone_is_read(tmp_path):
    text = "<body>around<main><p>" + "word " * 60 + "</p></main>around</body>"
    assert only(written(tmp_path / "a.html", text)).text == ("word " * 60).strip()
    short = only(written(tmp_path / "b.html", "<body>around<main></main>more</body>"))
    assert short.text.split() == ["around", "more"]


def test_a_page_is_read_in_the_encoding_that_it_declares(tmp_path):
    path = tmp_path / "a.html"
    path.write_bytes('<meta charset="windows-1251"><p>тихий дон'.encode("cp1251"))
    assert only(path).text == "тихий дон"


def test_external_entities_of_a_page_are_not_read(tmp_path):
    secret = written(tmp_path / "secret.txt", "the secret")
    text = f'<!DOCTYPE html [<!ENTITY x SYSTEM "file://{secret}">]><p>before &x; after</p>'
    assert "the secret" not in only(written(tmp_path / "a.html", text)).text


def test_pdf_pages_are_joined_and_cut_words_made_whole(tmp_path):
    pytest.importorskip("pypdf")
    path = tmp_path / "paper.pdf"
    path.write_bytes(pdf_bytes("An inter-\nnational word", "Second page", info="/Title (A study) /Author (A. Writer)"))
    found = only(path)
    assert (found.title, found.fields) == ("A study", {"author": "A. Writer"})
    assert found.text == "An international word\fSecond page"


def test_a_pdf_title_that_a_program_made_is_not_believed(tmp_path):
    pytest.importorskip("pypdf")
    path = tmp_path / "grid_study.pdf"
    path.write_bytes(pdf_bytes("Text", info="/Title (Microsoft Word - x.doc)"))
    assert only(path).title == "grid study"


def test_a_pdf_without_text_says_so(tmp_path):
    pytest.importorskip("pypdf")
    (tmp_path / "scan.pdf").write_bytes(pdf_bytes(""))
    assert "scanned pages" in reason(tmp_path / "scan.pdf")


def test_a_pdf_with_a_password_is_refused_and_with_an_empty_one_is_read(tmp_path):
    pypdf = pytest.importorskip("pypdf")
    for name, password in (("closed.pdf", "secret"), ("open.pdf", "")):
        (tmp_path / "plain.pdf").write_bytes(pdf_bytes("Some text"))
        writer = pypdf.PdfWriter(clone_from=tmp_path / "plain.pdf")
        writer.encrypt(password, "owner", algorithm="RC4-128")
        writer.write(tmp_path / name)
    assert "password" in reason(tmp_path / "closed.pdf")
    assert only(tmp_path / "open.pdf").text == "Some text"


def test_without_the_extra_each_pdf_is_skipped_with_the_pip_line(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pypdf", None)
    (tmp_path / "a.pdf").write_bytes(pdf_bytes("x"))
    assert "pip install 'satchel[import]'" in reason(tmp_path / "a.pdf")


def test_a_word_file_by_another_library_gives_paragraphs_tables_title_and_author(tmp_path):
    docx = pytest.importorskip("docx")
    made = docx.Document()
    made.core_properties.title, made.core_properties.author = "A report", "A. Writer"
    made.add_heading("Beginning", 1)
    made.add_paragraph("Some ").add_run("bold").bold = True
    made.add_table(1, 2).rows[0].cells[1].text = "cell"
    made.add_paragraph("after\tthe table")
    made.save(tmp_path / "a.docx")
    found = only(tmp_path / "a.docx")
    assert (found.title, found.fields) == ("A report", {"author": "A. Writer"})
    assert found.text.split() == ["Beginning", "Some", "bold", "cell", "after", "the", "table"]
    assert found.text.startswith("Beginning\nSome bold\n")


def word_file(path: Path, xml: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", xml)
    return path


def test_deleted_text_and_codes_of_fields_are_not_read_from_a_word_file(tmp_path):
    runs = "<w:r><w:t>kept</w:t></w:r><w:r><w:delText>gone</w:delText></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>"
    xml = f'<w:document xmlns:w="http://w"><w:body><w:p>{runs}</w:p></w:body></w:document>'
    assert only(word_file(tmp_path / "a.docx", xml)).text == "kept"


@pytest.mark.parametrize("entity", ['SYSTEM "file:///etc/passwd"', '"a"'])
def test_a_word_file_that_declares_entities_is_refused(tmp_path, entity):
    xml = f'<!DOCTYPE d [<!ENTITY x {entity}>]><w:document xmlns:w="http://w"><w:t>&x;</w:t></w:document>'
    assert "declares a document type" in reason(word_file(tmp_path / "a.docx", xml))


def test_a_notebook_gives_words_and_code_but_no_output(tmp_path):
    cells = [
        {"cell_type": "markdown", "source": ["# A study\n", "of grids"]},
        {"cell_type": "code", "source": "x = 1", "outputs": [{"text": "printed"}]},
    ]
    found = only(written(tmp_path / "a.ipynb", json.dumps({"cells": cells, "nbformat": 4})))
    assert (found.title, found.text) == ("A study", "# A study\nof grids\n\nx = 1")
    old = {"worksheets": [{"cells": [{"cell_type": "code", "input": ["y = 2"]}]}], "nbformat": 3}
    assert only(written(tmp_path / "b.ipynb", json.dumps(old))).text == "y = 2"


def a_message(subject: str = "Zähler für März", text: str = "Hallo Welt é", page: str = "") -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Jörg <j@x.org>", "b@x.org", subject
    message["Date"], message["Message-ID"] = "Mon, 16 Nov 2026 10:00:00 +0000", "<1@x.org>"
    if text:
        message.set_content(text, cte="base64")
    if page:
        message.add_alternative(page, subtype="html")
    return message


def test_a_message_has_its_subject_as_title_and_names_its_attachments(tmp_path):
    message = a_message(page="<p>the same</p>")
    message.add_attachment(b"\x00\x01", maintype="application", subtype="pdf", filename="Größe.pdf")
    (tmp_path / "a.eml").write_bytes(bytes(message))
    found = only(tmp_path / "a.eml")
    assert (found.id, found.title, found.text) == ("a.eml", "Zähler für März", "Hallo Welt é")
    assert found.fields["from"] == "Jörg <j@x.org>"
    assert found.fields["attachments"] == ["Größe.pdf"]


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Mon, 4 Mar 2019 08:15:00 +0100", "2019-03-04T08:15:00+01:00"),
        ("Mon, 04 Mar 2019 08:15:00 -0000 (UTC)", "2019-03-04T08:15:00"),
        ("yesterday", "yesterday"),
    ],
)
def test_the_date_of_a_message_has_the_year_first_where_it_is_one(tmp_path, written, kept):
    (tmp_path / "a.eml").write_text(f"Subject: s\nDate: {written}\n\nwords")
    assert only(tmp_path / "a.eml").fields["date"] == kept


def test_a_message_of_html_alone_is_read_as_a_page(tmp_path):
    (tmp_path / "a.eml").write_bytes(bytes(a_message(text="", page="<script>x</script><p>Only <b>HTML</b></p>")))
    assert only(tmp_path / "a.eml").text == "Only HTML"


def test_a_mailbox_gives_a_document_a_message(tmp_path):
    second = a_message("second", "body\n>From here on\n")
    second.replace_header("Message-ID", "<2@x.org>")
    parts = [b"From a Mon Nov 16\n" + bytes(a_message()) + b"\n", b"From b\n" + bytes(second)]
    (tmp_path / "box.mbox").write_bytes(b"".join(parts) + b"\nFrom c\nSubject: no id\n\n>From the start\n")
    found = list(read_documents(tmp_path / "box.mbox"))
    assert [one.id for one in found] == ["1@x.org", "2@x.org", "box.mbox#3"]
    assert [one.title for one in found] == ["Zähler für März", "second", "no id"]
    assert found[2].text == "From the start"


def test_packed_text_is_read_and_named_by_the_ending_inside(tmp_path):
    (tmp_path / "a.md.gz").write_bytes(gzip.compress(b"# Packed\n\ntext"))
    assert only(tmp_path / "a.md.gz").title == "Packed"


@pytest.mark.parametrize(
    ("name", "content", "form"),
    [
        ("README", b"plain words", "text"),
        ("export", b"TY  - JOUR\nTI  - Title\nER  - \n", "ris"),
        ("ap890101", b"<DOC>\n<DOCNO> 1 </DOCNO>\n<TEXT>\nwords\n</TEXT>\n</DOC>\n", "trec"),
        ("inbox", b"From a\nSubject: s\n\nbody\n", "mbox"),
        ("page.xml", b"<?xml version='1.0'?><a>words</a>", "html"),
    ],
)
def test_a_name_that_tells_no_form_is_read_by_its_content(tmp_path, name, content, form):
    (tmp_path / name).write_bytes(content)
    assert list(read_documents(tmp_path / name)) == list(read_documents(tmp_path / name, form=form))
    assert isinstance(only(tmp_path / name), Document)


def test_no_ending_means_two_forms():
    endings = [ending for form in IMPORT_FORMS.values() for ending in form.endings]
    assert len(endings) == len(set(endings))
    assert all(ending == ending.lower() and ending.startswith(".") for ending in endings)


PAGE_OF_FORMS = (Path(__file__).parents[2] / "docs" / "how-to" / "importing.md").read_text("utf-8")


@pytest.mark.parametrize("name", IMPORT_FORMS)
def test_every_form_and_its_endings_stand_on_the_page(name):
    (row,) = (
        line for line in PAGE_OF_FORMS.splitlines() if line.startswith("| `") and f"`{name}`" in line.split("|")[1]
    )
    endings = () if name == "code" else IMPORT_FORMS[name].endings
    assert [ending for ending in endings if f"`{ending}`" not in row] == []


@pytest.mark.parametrize(("part", "usual"), [("text", USUAL_TEXTS), ("id", USUAL_IDS), ("title", USUAL_TITLES)])
def test_every_usual_name_of_a_column_stands_on_the_page_in_order(part, usual):
    assert f"| {part} | {', '.join(usual)}" in PAGE_OF_FORMS
