"""TREC's collections: <DOC> … </DOC>, many in a file, with tags that are not XML and must not be read as such."""

import html
import re
from collections.abc import Iterator

from satchel.errors import DamagedFileError
from satchel.importing.cleaning import joined_paragraphs
from satchel.importing.limits import MAX_TEXT, too_long
from satchel.importing.source import Gathered, SourceFile
from satchel.importing.types import Found

_DOCNO = re.compile(r"<DOCNO>\s*([^<]{0,2000}?)\s*</DOCNO>", re.IGNORECASE)
_TITLE = re.compile(r"<(TITLE|HEADLINE|HEAD|HL|TTL|TI|H3)>([^<]{0,10000})</\1>", re.IGNORECASE)
_BODY = re.compile(r"<(TEXT|LP|LEADPARA|ABSTRACT|BODY)\b[^<>]{0,1000}>", re.IGNORECASE)
_BEGIN = re.compile(r"(?=<DOC>)", re.IGNORECASE)
_END = re.compile(r"</DOC>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,1000}>")


def looks_like_trec(sample: str) -> bool:
    """Whether the beginning of a file is that of a TREC file."""
    return "<DOC>" in sample[:2000].upper() and "<DOCNO>" in sample.upper()


def read_trec(file: SourceFile) -> Iterator[Found]:
    """A document a <DOC>: DOCNO is the id, the text that of <TEXT> and its like; without these, all of it."""
    number = 0
    for number, (gathered, ended) in enumerate(_documents(file), start=1):
        place = f"document {number} (line {gathered.begin})"
        if gathered.too_long:
            yield file.skipped(str(too_long(MAX_TEXT)), place)
        elif not ended:
            yield file.skipped("has no </DOC>: the file is truncated or damaged here", place)
        else:
            yield _document(file, gathered.text, place, number)
    if not number:
        raise DamagedFileError("holds no <DOC>, with which a document of TREC begins")


def _documents(file: SourceFile) -> Iterator[tuple[Gathered, bool]]:
    """The lines of each document, and whether its end was there."""
    document: Gathered | None = None
    for number, whole_line in file.lines():
        for line in _BEGIN.split(whole_line) if "<" in whole_line else (whole_line,):
            if line[:5].upper() == "<DOC>":
                if document is not None:
                    yield document, False
                document, line = Gathered(number), line[5:]
            if document is None:
                continue
            end = _END.search(line) if "<" in line else None
            document.add(line[: end.start()] if end else line)
            if end:
                yield document, True
                document = None
    if document is not None:
        yield document, False


def _document(file: SourceFile, markup: str, place: str, number: int) -> Found:
    docno = _DOCNO.search(markup)
    if docno is None:
        return file.skipped("has no <DOCNO>", place)
    markup = _without_comments(markup.replace(docno[0], " ", 1))
    titles = " ".join(found[2] for found in _TITLE.finditer(markup))
    title = " ".join(html.unescape(titles).split())
    return file.record(docno[1], place, _text(markup), title, number=number)


def _without_comments(markup: str) -> str:
    parts, place = list[str](), 0
    while (begin := markup.find("<!--", place)) >= 0 and (end := markup.find("-->", begin)) >= 0:
        parts.append(markup[place:begin])
        place = end + len("-->")
    return " ".join([*parts, markup[place:]])


def _text(markup: str) -> str:
    parts, position = list[str](), 0
    while begin := _BODY.search(markup, position):
        end = re.compile(rf"</{begin[1]}>", re.IGNORECASE).search(markup, begin.end())
        position = end.end() if end else len(markup)  # what stands inside a part is not a part again
        parts.append(markup[begin.end() : end.start() if end else position])
    text = "\n\n".join(parts) if parts else _TITLE.sub(" ", markup)
    return joined_paragraphs(html.unescape(_TAG.sub(" ", text)))
