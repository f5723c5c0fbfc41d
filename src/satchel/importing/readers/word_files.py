"""Office documents to text: Word's, PowerPoint's, and those of LibreOffice, all archives of XML."""

import re
from collections.abc import Iterator

from satchel.errors import DamagedFileError
from satchel.importing.packed_xml import Archive, Paragraphs, opened_archive
from satchel.importing.source import SourceFile
from satchel.importing.types import FieldValue, Found

_MAIN = "word/document.xml"
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_CORE = "docProps/core.xml"
_SLIDE = re.compile(r"ppt/(slides|notesSlides)/[A-Za-z]+(\d{1,6})\.xml")
_OPEN_MAIN, _OPEN_ABOUT = "content.xml", "meta.xml"


def _office_text() -> Paragraphs:
    """Without the same text again, deleted text, codes of fields, and the numbers of slides."""
    breaks = {"br": "\n", "cr": "\n", "tab": "\t", "tc": "\t", "noBreakHyphen": "-"}
    unread = frozenset(("Fallback", "delText", "instrText", "fld"))
    return Paragraphs(frozenset(("t",)), breaks, {"p": "\n", "tr": "\n"}, unread)


def _open_text() -> Paragraphs:
    """Without deleted text, comments, and the signs that point to notes."""
    unread = frozenset(("tracked-changes", "annotation", "note-citation"))
    ends = {"p": "\n", "h": "\n", "table-row": "\n"}
    return Paragraphs(frozenset(("p", "h")), {"line-break": "\n", "tab": "\t", "s": " "}, ends, unread)


def read_word(file: SourceFile) -> Iterator[Found]:
    """One document: paragraphs and cells in order, then foot and end notes; title and author where it tells them."""
    with opened_archive(file, "Word file", _MAIN) as archive:
        text = "\n\n".join(_text(archive, name, _office_text()) for name in (_MAIN, *_NOTES) if name in archive.names)
        about = archive.properties(_CORE)
    yield file.whole(text, about.get("title", ""), _author(about))


def read_slides(file: SourceFile) -> Iterator[Found]:
    """One document: the slides in order, then what the speaker notes; title and author where the file tells them."""
    with opened_archive(file, "PowerPoint file") as archive:
        found = (_SLIDE.fullmatch(name) for name in archive.names)
        slides = sorted((part[1] != "slides", int(part[2]), part[0]) for part in found if part)
        if not slides:
            raise DamagedFileError("is not a PowerPoint file: it holds no slide")
        text = "\n\n".join(_text(archive, name, _office_text()) for _, _, name in slides)
        about = archive.properties(_CORE)
    yield file.whole(text, about.get("title", ""), _author(about))


def read_open_document(file: SourceFile) -> Iterator[Found]:
    """One document: paragraphs, headings and cells in order; title and author where the file tells them."""
    with opened_archive(file, "OpenDocument file", _OPEN_MAIN) as archive:
        text, about = _text(archive, _OPEN_MAIN, _open_text()), archive.properties(_OPEN_ABOUT)
    yield file.whole(text, about.get("title", ""), _author(about))


def _text(archive: Archive, name: str, paragraphs: Paragraphs) -> str:
    archive.tell(name, paragraphs)
    return paragraphs.text


def _author(about: dict[str, str]) -> dict[str, FieldValue]:
    """Who wrote it first, where the file tells it; who changed it last otherwise."""
    author = about.get("initial-creator") or about.get("creator")
    return {"author": author} if author else {}
