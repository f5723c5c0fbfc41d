"""Archives of XML: LibreOffice's texts, slides and e-books give their words in order, and bombs of each are refused."""

import zipfile
from pathlib import Path

import pytest

from satchel.importing import ColumnChoice, Document, Skipped, guess_columns, read_documents

OPEN_NAMES = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"'
)
OPEN_TEXT = f"""<?xml version="1.0" encoding="UTF-8"?>
<office:document-content {OPEN_NAMES}><office:automatic-styles>not this</office:automatic-styles>
<office:body><office:text>
<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>
<text:h>Storage</text:h>
<text:p>Batt<text:span>eries</text:span> store<text:s/>wind<text:tab/>and<text:line-break/>sun.<text:note>
<text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note>
<office:annotation><dc:creator>Someone</dc:creator><text:p>a remark</text:p></office:annotation></text:p>
<table:table><table:table-row><table:table-cell><text:p>left</text:p></table:table-cell>
<table:table-cell><text:p>right</text:p></table:table-cell></table:table-row></table:table>
</office:text></office:body></office:document-content>"""
OPEN_ABOUT = f"""<office:document-meta {OPEN_NAMES}><office:meta><dc:title>A report</dc:title>
<meta:initial-creator>A. Writer</meta:initial-creator><dc:creator>B. Editor</dc:creator></office:meta>
</office:document-meta>"""
SLIDE = (
    '<p:sld xmlns:p="http://p" xmlns:a="http://a"><p:txBody><a:p><a:r><a:t>{}</a:t></a:r></a:p>'
    '<a:p><a:fld type="slidenum"><a:t>99</a:t></a:fld></a:p></p:txBody></p:sld>'
)
CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
)
PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">
<metadata><dc:title>Wind and sun</dc:title><dc:creator>Ann Ant</dc:creator><dc:creator>Bo Bee</dc:creator>
<dc:language>en</dc:language><dc:date>2019-05-01</dc:date></metadata>
<manifest><item id="one" href="text/one.xhtml"/><item id="two" href="text/two%20b.xhtml"/>
<item id="style" href="s.css"/><item id="gone" href="../../../etc/passwd"/></manifest>
<spine><itemref idref="two"/><itemref idref="one"/><itemref idref="two"/>
<itemref idref="gone"/><itemref idref="x"/></spine>
</package>"""
PAGE = (
    '<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head>'
    "<body><h1>{}</h1><p>of the book</p></body></html>"
)


def packed(path: Path, parts: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def only(path: Path) -> Document:
    (found,) = read_documents(path)
    assert isinstance(found, Document), found
    return found


def reason(path: Path) -> str:
    (found,) = read_documents(path)
    assert isinstance(found, Skipped)
    return found.reason


def test_a_text_of_libreoffice_gives_paragraphs_cells_and_notes_but_no_deleted_text(tmp_path):
    found = only(packed(tmp_path / "a.odt", {"content.xml": OPEN_TEXT, "meta.xml": OPEN_ABOUT}))
    assert (found.title, dict(found.fields)) == ("A report", {"author": "A. Writer"})
    assert " ".join(found.text.split()) == "Storage Batteries store wind and sun. A note. left right"
    assert found.text.startswith("Storage\nBatteries store wind\tand\nsun.")


def test_slides_are_read_in_their_order_and_notes_after_them(tmp_path):
    slides = {f"ppt/slides/slide{number}.xml": SLIDE.format(f"slide {number}") for number in (10, 2, 1)}
    notes = {"ppt/notesSlides/notesSlide1.xml": SLIDE.format("say this")}
    found = only(packed(tmp_path / "a.pptx", {**notes, **slides, "ppt/slides/_rels/slide1.xml.rels": "<r/>"}))
    assert found.text == "slide 1\n\nslide 2\n\nslide 10\n\nsay this"
    assert "holds no slide" in reason(packed(tmp_path / "b.pptx", {"ppt/x.xml": "<x/>"}))


def test_a_book_gives_its_chapters_in_the_order_of_reading_each_once(tmp_path):
    parts = {
        "META-INF/container.xml": CONTAINER,
        "OEBPS/book.opf": PACKAGE,
        "OEBPS/text/one.xhtml": PAGE.format("First"),
        "OEBPS/text/two b.xhtml": PAGE.format("Second"),
        "etc/passwd": "never read",
    }
    found = only(packed(tmp_path / "a.epub", parts))
    assert " ".join(found.text.split()) == "Second of the book First of the book"
    assert found.title == "Wind and sun"
    assert dict(found.fields) == {"author": "Ann Ant; Bo Bee", "date": "2019-05-01", "lang": "en"}
    parts["META-INF/container.xml"] = CONTAINER.replace("book.opf", "other.opf")
    assert "has no list of its parts" in reason(packed(tmp_path / "b.epub", parts))


def test_an_empty_chapter_does_not_lose_the_book(tmp_path):
    parts = {"META-INF/container.xml": CONTAINER, "OEBPS/book.opf": PACKAGE, "OEBPS/text/one.xhtml": ""}
    assert only(packed(tmp_path / "a.epub", {**parts, "OEBPS/text/two b.xhtml": PAGE.format("Second")})).text
    assert "holds no text" in reason(packed(tmp_path / "b.epub", parts))


SHEET_NAMES = 'xmlns="http://s" xmlns:r="http://r"'
WORKBOOK = {
    "xl/workbook.xml": f'<workbook {SHEET_NAMES}><sheets><sheet name="Later" r:id="r2"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://s">'
    '<Relationship Id="r2" Target="worksheets/sheet7.xml"/>'
    '<Relationship Id="r1" Target="/xl/worksheets/sheet1.xml"/></Relationships>',
    "xl/sharedStrings.xml": '<sst xmlns="http://s"><si><t>Abstract</t></si>'
    "<si><r><t>Bat</t></r><r><t>teries</t></r><rPh><t>spoken</t></rPh></si></sst>",
    "xl/styles.xml": """<styleSheet xmlns="http://s"><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/>
<numFmt numFmtId="165" formatCode="0.00&quot; days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="22"/></cellXfs></styleSheet>""",
    "xl/worksheets/sheet7.xml": """<worksheet xmlns="http://s"><sheetData>
<row r="1"><c r="A1" t="inlineStr"><is><t>Papers of 2020</t></is></c></row>
<row r="3"><c t="inlineStr"><is><t>ID</t></is></c><c t="s"><v>0</v></c><c t="str"><v>day</v></c>
<c r="E3" t="str"><v>cost</v></c></row>
<row r="4"><c r="A4"><v>7</v></c><c r="B4" t="s"><v>1</v></c><c r="C4" s="1"><v>43831</v></c>
<c r="E4" s="2"><v>1.5</v></c>
<c r="AB4" t="str"><v>beyond</v></c></row>
<row r="5"><c r="A5" t="e"><v>#N/A</v></c><c r="B5" t="str"><v>Wind &amp; sun</v></c><c r="C5" s="3"><v>43831.5</v></c>
<c r="D5" t="b"><v>1</v></c></row>
<row r="6"><c r="B6" t="s"><v>99</v></c></row></sheetData></worksheet>""",
}


def test_a_workbook_gives_a_document_a_row_with_its_dates(tmp_path):
    both = '<sheet name="Later" r:id="r2"/><sheet name="Earlier" r:id="r1"/>'
    book = WORKBOOK["xl/workbook.xml"].replace('<sheet name="Later" r:id="r2"/>', both)
    parts = {**WORKBOOK, "xl/workbook.xml": book, "xl/worksheets/sheet1.xml": '<worksheet xmlns="http://s"/>'}
    remark, *found, other = read_documents(packed(tmp_path / "a.xlsx", parts))
    assert [(one.id, one.text, dict(one.fields)) for one in found if isinstance(one, Document)] == [
        ("7", "Batteries", {"day": "2020-01-01", "cost": 1.5, "column 28": "beyond"}),
        ("a.xlsx#2", "Wind & sun", {"day": "2020-01-01T12:00:00", "column 4": "true"}),
    ]
    assert found[0].source.endswith("a.xlsx, row 4")
    assert isinstance(remark, Skipped)
    assert remark.reason == "is above the table and not part of it"
    assert isinstance(other, Skipped)
    assert other.source.endswith("a.xlsx, sheet Earlier")


def test_columns_of_a_workbook_are_guessed_and_can_be_named(tmp_path):
    path = packed(tmp_path / "a.xlsx", WORKBOOK)
    assert guess_columns(path) == ColumnChoice(("Abstract",), "ID")
    (_, found, *_) = read_documents(path, columns=ColumnChoice(("day",), fields=("cost",)))
    assert isinstance(found, Document)
    assert (found.text, dict(found.fields)) == ("2020-01-01", {"cost": 1.5})


def test_a_workbook_that_means_harm_is_refused(tmp_path, monkeypatch):
    sheet = '<worksheet xmlns="http://s"><sheetData>{}</sheetData></worksheet>'
    far = sheet.format('<row><c r="ZZZ1" t="str"><v>x</v></c></row>')
    assert "where no column is" in reason(packed(tmp_path / "a.xlsx", {**WORKBOOK, "xl/worksheets/sheet7.xml": far}))
    many = sheet.format('<row><c t="s"><v>0</v></c></row>' * 2_000)
    long = '<sst xmlns="http://s"><si><t>' + "x" * 100_000 + "</t></si></sst>"
    monkeypatch.setattr("satchel.importing.tables.workbook.MAX_MARKUP", 1_000_000)
    parts = {**WORKBOOK, "xl/worksheets/sheet7.xml": many, "xl/sharedStrings.xml": long}
    found = list(read_documents(packed(tmp_path / "b.xlsx", parts)))
    assert len(found) < 12
    assert "more than 1 MB of text" in found[-1].reason


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("m.odt", "content.xml"),
        ("m.pptx", "ppt/slides/slide1.xml"),
        ("m.epub", "META-INF/container.xml"),
        ("m.xlsx", "xl/workbook.xml"),
    ],
)
def test_bombs_and_entities_are_refused_whatever_the_archive(tmp_path, monkeypatch, name, part):
    entities = '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]><x>&x;</x>'
    assert "declares a document type" in reason(packed(tmp_path / name, {part: entities}))
    monkeypatch.setattr("satchel.importing.packed_xml.MAX_MARKUP", 1_000_000)
    assert "unpacks to more than" in reason(packed(tmp_path / name, {part: "<x>" + " " * 1_100_000}))
    assert "holds XML that is damaged" in reason(packed(tmp_path / name, {part: "<x>"}))
    assert "is not a sound" in reason(write(tmp_path / name, b"PK\x03\x04 no archive"))
    assert reason(packed(tmp_path / name, {"x": ""})).startswith(("is not a PowerPoint", "is not an "))


def test_a_chapter_longer_than_a_text_may_be_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("satchel.importing.packed_xml.MAX_TEXT", 1_000_000)
    parts = {"META-INF/container.xml": CONTAINER, "OEBPS/book.opf": PACKAGE}
    book = packed(tmp_path / "m.epub", {**parts, "OEBPS/text/one.xhtml": "<p>" + "x " * 600_000})
    assert "longer than 1 MB" in reason(book)


def test_many_parts_that_are_each_small_enough_are_refused_together(tmp_path, monkeypatch):
    monkeypatch.setattr("satchel.importing.packed_xml.MAX_MARKUP", 1_000_000)
    slides = {f"ppt/slides/slide{number}.xml": SLIDE.format("x" * 300_000) for number in range(5)}
    assert "unpacks to more than" in reason(packed(tmp_path / "m.pptx", slides))


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path
