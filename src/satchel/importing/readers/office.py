"""Office files and e-books to text: Word, PowerPoint, LibreOffice and EPUB, all archives of XML."""

import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote

from satchel.errors import DamagedFileError
from satchel.importing.decoding import text_of
from satchel.importing.packed_xml import Archive, Attributes, Paragraphs, opened_archive
from satchel.importing.readers.web import outline_of
from satchel.importing.source import SourceFile
from satchel.importing.types import FieldValue, Found

_MAIN = "word/document.xml"
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_CORE = "docProps/core.xml"
_SLIDE = re.compile(r"ppt/(slides|notesSlides)/[A-Za-z]+(\d{1,6})\.xml")
_OPEN_MAIN, _OPEN_ABOUT = "content.xml", "meta.xml"
_CONTAINER = "META-INF/container.xml"
_KEPT_OF_BOOKS = {"creator": "author", "date": "date", "language": "lang"}


def _office_text() -> Paragraphs:
    """Leaves out repeated text, deleted text, codes of fields, and the numbers of slides."""
    breaks = {"br": "\n", "cr": "\n", "tab": "\t", "tc": "\t", "noBreakHyphen": "-"}
    unread = frozenset(("Fallback", "delText", "instrText", "fld"))
    return Paragraphs(frozenset(("t",)), breaks, {"p": "\n", "tr": "\n"}, unread)


def _open_text() -> Paragraphs:
    """Leaves out deleted text, comments, and the marks of notes."""
    unread = frozenset(("tracked-changes", "annotation", "note-citation"))
    ends = {"p": "\n", "h": "\n", "table-row": "\n"}
    return Paragraphs(frozenset(("p", "h")), {"line-break": "\n", "tab": "\t", "s": " "}, ends, unread)


def read_word(file: SourceFile) -> Iterator[Found]:
    """One document: paragraphs and cells in order, then foot and end notes; title and author if the file has them."""
    with opened_archive(file, "Word file", _MAIN) as archive:
        text = "\n\n".join(_text(archive, name, _office_text()) for name in (_MAIN, *_NOTES) if name in archive.names)
        about = archive.properties(_CORE)
    yield file.whole(text, about.get("title", ""), _author(about))


def read_slides(file: SourceFile) -> Iterator[Found]:
    """One document: the slides in order, then the speaker's notes; title and author if the file has them."""
    with opened_archive(file, "PowerPoint file") as archive:
        found = (_SLIDE.fullmatch(name) for name in archive.names)
        slides = sorted((part[1] != "slides", int(part[2]), part[0]) for part in found if part)
        if not slides:
            raise DamagedFileError("is not a PowerPoint file: it holds no slide")
        text = "\n\n".join(_text(archive, name, _office_text()) for _, _, name in slides)
        about = archive.properties(_CORE)
    yield file.whole(text, about.get("title", ""), _author(about))


def read_open_document(file: SourceFile) -> Iterator[Found]:
    """One document: paragraphs, headings and cells in order; title and author if the file has them."""
    with opened_archive(file, "OpenDocument file", _OPEN_MAIN) as archive:
        text, about = _text(archive, _OPEN_MAIN, _open_text()), archive.properties(_OPEN_ABOUT)
    yield file.whole(text, about.get("title", ""), _author(about))


def _text(archive: Archive, name: str, paragraphs: Paragraphs) -> str:
    archive.tell(name, paragraphs)
    return paragraphs.text


def _author(about: dict[str, str]) -> dict[str, FieldValue]:
    """The first author if the file names one; otherwise the person who changed it last."""
    author = about.get("initial-creator") or about.get("creator")
    return {"author": author} if author else {}


def read_ebook(file: SourceFile) -> Iterator[Found]:
    """One document: the chapters in the order of reading; title, author, date and language if the file has them."""
    with opened_archive(file, "EPUB book", _CONTAINER) as archive:
        package = _package(archive)
        about = archive.properties(package)
        chapters = [outline_of(text_of(archive.content(name))).text for name in _chapters(archive, package)]
    fields: dict[str, FieldValue] = {name: about[tag] for tag, name in _KEPT_OF_BOOKS.items() if about.get(tag)}
    yield file.whole("\n\n".join(chapters), about.get("title", ""), fields)


def _package(archive: Archive) -> str:
    """The part that lists the book's chapters."""
    container = Attributes("rootfile")
    archive.tell(_CONTAINER, container)
    package = next((one.get("full-path", "") for one in container.found["rootfile"]), "")
    if package not in archive.names:
        raise DamagedFileError("is not an EPUB book: it has no list of its parts")
    return package


def _chapters(archive: Archive, package: str) -> list[str]:
    """The pages in the order of reading, each once."""
    parts = Attributes("item", "itemref")
    archive.tell(package, parts)
    places = {one.get("id", ""): one.get("href", "") for one in parts.found["item"]}
    order = dict.fromkeys(one.get("idref", "") for one in parts.found["itemref"])
    folder, names = posixpath.dirname(package), set(archive.names)
    paths = (posixpath.normpath(posixpath.join(folder, unquote(places.get(one, "")))) for one in order)
    return [path for path in dict.fromkeys(paths) if path in names]
