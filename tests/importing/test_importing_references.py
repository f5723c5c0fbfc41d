"""RIS, BibTeX and TREC: records are found, cleaned, and damaged ones reported."""

from pathlib import Path

import pytest

from satchel.importing import Document, Skipped, read_documents
from satchel.importing.readers.bibtex import plain_text

RIS = """TY  - JOUR
AU  - Smith, Ann
AU  - Größe, Bob
TI  - A study of grids
AB  - First line
second line.
PY  - 2019/03/01
JO  - Journal of Grids
KW  - storage
KW  - batteries
DO  - 10.1/abc
ER  -

TY  - CONF
T1  - Without an end
ID  - ref2
TY  - BOOK
TI  - Third
N2  - Abstract of the third
ER  -
"""

BIB = r"""@comment{ignored}
@string{jog = "Journal of Grids"}
@article{smith2019,
  title = {A {Study} of Gr{\"o}{\ss}e and na{\"\i}ve caf\'es},
  author = "Smith, Ann and {M{\"u}ller}, Bob",
  journal = jog # ", Series A",
  abstract = {Nested {braces {deep}} and 5\% \emph{more}.},
  year = 2019, keywords = {storage; grids},
}
@book{broken, title = {never {closed}, year = 2000
@misc{last, title={Last}, note={A note}, doi={10.1/x}} @misc{same-line, title="On \"o line"}
"""

TREC = """<DOC>
<DOCNO> AP-1 </DOCNO>
<HEAD>Grids &amp; storage</HEAD>
<TEXT>
First <P>paragraph</P> here.
</TEXT>
<TEXT>Second part</TEXT>
</DOC>
<DOC><DOCNO>AP-2</DOCNO>No text tag at all</DOC><doc><docno>AP-3</docno><text>small letters</text></doc>
<DOC>
<TEXT>no number</TEXT>
</DOC>
<DOC>
<DOCNO>AP-5</DOCNO>
<TEXT>cut
"""


def found(path: Path, text: str) -> list[Document | Skipped]:
    path.write_text(text, "utf-8")
    return list(read_documents(path))


def test_references_give_title_abstract_and_fields(tmp_path):
    first, second, third = found(tmp_path / "a.ris", RIS)
    assert (first.id, first.title, first.text) == ("10.1/abc", "A study of grids", "First line\nsecond line.")
    assert first.fields == {
        "journal": "Journal of Grids",
        "doi": "10.1/abc",
        "type": "JOUR",
        "year": 2019,
        "authors": ["Smith, Ann", "Größe, Bob"],
        "keywords": ["storage", "batteries"],
    }
    assert (second.id, second.title, second.text) == ("ref2", "Without an end", "")
    assert (third.id, third.text) == ("a.ris#3", "Abstract of the third")


def test_bibtex_entries_are_read_around_a_broken_one(tmp_path):
    first, broken, last, same_line = found(tmp_path / "a.bib", BIB)
    assert (first.id, first.title) == ("smith2019", "A Study of Größe and naïve cafés")
    assert first.text == "Nested braces deep and 5% more."
    assert first.fields == {
        "journal": "Journal of Grids, Series A",
        "year": 2019,
        "authors": ["Smith, Ann", "Müller, Bob"],
        "keywords": ["storage", "grids"],
    }
    assert isinstance(broken, Skipped)
    assert broken.source.endswith("entry 2 (line 10)")
    assert (last.id, last.text, last.fields) == ("last", "A note", {"doi": "10.1/x"})
    assert (same_line.id, same_line.title) == ("same-line", "On ö line")


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\'{e} \`a \^{\i} \~n \c{c} \v{s} \H{o} {\aa} \o", "é à î ñ ç š ő å ø"),
        (r"Erd\H os, {\L}ukasz, G\"odel", "Erdős, Łukasz, Gödel"),
        (r"a \& b -- c \textbf{bold} $x_1$", "a & b – c bold $x_1$"),
        (r"\section{Title} \command", "Title "),
    ],
)
def test_the_latex_of_bibliographies_becomes_plain(latex, text):
    assert plain_text(latex) == text


def test_documents_of_trec_are_read_and_damaged_ones_reported(tmp_path):
    first, second, third, no_number, cut = found(tmp_path / "ap.sgml", TREC)
    assert (first.id, first.title) == ("AP-1", "Grids & storage")
    assert first.text.split() == ["First", "paragraph", "here.", "Second", "part"]
    assert (second.id, second.text, third.id, third.text) == ("AP-2", "No text tag at all", "AP-3", "small letters")
    assert no_number.reason == "has no <DOCNO>"
    assert "has no </DOC>" in cut.reason


TDT = """<DOC>
<DOCNO> CNN19980104.1600.0000 </DOCNO>
<DOCTYPE> NEWS STORY </DOCTYPE>
<TXTTYPE> CAPTION </TXTTYPE>
<TEXT>
Good evening.
<TURN>
Tonight the news.
</TEXT>
</DOC>
"""
CLEF = """<DOC>
<DOCNO>GH950102-000000</DOCNO>
<DOCID>GH950102-000000</DOCID>
<DATE>950102</DATE>
<HEADLINE>Chess: a draw</HEADLINE>
<EDITION>3</EDITION>
<TEXT>
White offered &quot;peace&quot;.
</TEXT>
</DOC>
"""


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("tdt.sgm", TDT, ("CNN19980104.1600.0000", "", "Good evening. Tonight the news.")),
        ("gh950102", CLEF, ("GH950102-000000", "Chess: a draw", 'White offered "peace".')),
    ],
)
def test_stories_of_tdt_and_clef_are_read_as_trecs_are(tmp_path, name, content, expected):
    (story,) = found(tmp_path / name, content)
    assert (story.id, story.title, " ".join(story.text.split())) == expected


@pytest.mark.parametrize("name", ["a.ris", "a.bib", "a.trec", "a.mbox", "a.eml", "a.ipynb"])
def test_a_file_that_is_not_of_its_form_says_so(tmp_path, name):
    (only,) = found(tmp_path / name, "just some words\nand more\n")
    assert isinstance(only, Skipped)
    assert only.reason.startswith(("holds no", "is not a"))
