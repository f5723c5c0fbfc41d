"""Word's .docx to text, as a stream: a zip archive whose XML is read by events, and no more of it than the text needs.

Expat alone reads the XML: it fetches nothing, and a document type, the place of every attack by entities, is refused.
"""

import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import IO
from xml.parsers import expat

from satchel.errors import DamagedFileError
from satchel.importing.limits import MAX_MARKUP, MAX_PACKED, MAX_TEXT, too_long
from satchel.importing.source import SourceFile
from satchel.importing.types import FieldValue, Found

_CHUNK = 1 << 16
_MAIN = "word/document.xml"
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_CORE = "docProps/core.xml"
_BREAKS = {"p": "\n", "br": "\n", "cr": "\n", "tab": "\t", "tc": "\t", "tr": "\n", "noBreakHyphen": "-"}
_ENDS = ("p", "tr")
_FALLBACKS = ("Fallback", "delText", "instrText")  # the same text again, deleted text, and codes of fields


def read_word(file: SourceFile) -> Iterator[Found]:
    """One document: paragraphs and cells in order, then foot and end notes; title and author where it tells them."""
    if file.path.stat().st_size > MAX_PACKED:
        raise too_long(MAX_PACKED)
    try:
        with zipfile.ZipFile(file.path) as archive:
            names = _checked_names(archive)
            text = "\n\n".join(_text(archive, name) for name in (_MAIN, *_NOTES) if name in names)
            about = _about(archive) if _CORE in names else {}
    except (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError) as error:
        raise DamagedFileError(f"is not a sound Word file ({error})") from None
    except expat.ExpatError as error:
        raise DamagedFileError(f"holds XML that is damaged ({error})") from None
    fields: dict[str, FieldValue] = {"author": about["creator"]} if about.get("creator") else {}
    yield file.whole(text, about.get("title", ""), fields)


def _checked_names(archive: zipfile.ZipFile) -> set[str]:
    """The parts that are there; a part that says it unpacks to too much is refused before anything is unpacked."""
    sizes = {info.filename: info.file_size for info in archive.infolist()}
    if _MAIN not in sizes:
        raise DamagedFileError(f"is not a Word file: it holds no {_MAIN}")
    if max(sizes.get(name, 0) for name in (_MAIN, *_NOTES, _CORE)) > MAX_MARKUP:
        raise _too_large()
    return set(sizes)


class _Words:
    """Gathers the text of w:t, with breaks where paragraphs, lines, cells and tabs are."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._length = 0
        self._in_text = 0
        self._unread = 0

    def start(self, name: str, _: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        if tag in _FALLBACKS:
            self._unread += 1
        elif tag == "t":
            self._in_text += 1
        elif tag in _BREAKS and tag not in _ENDS and self.parts:
            self.parts.append(_BREAKS[tag])

    def end(self, name: str) -> None:
        tag = name.rpartition(" ")[2]
        if tag in _FALLBACKS:
            self._unread -= 1
        elif tag == "t":
            self._in_text -= 1
        elif tag in _ENDS:
            self.parts.append("\n")

    def data(self, data: str) -> None:
        if self._in_text and not self._unread:
            self.parts.append(data)
            self._length += len(data)
            if self._length > MAX_TEXT:
                raise too_long(MAX_TEXT)


class _Properties:
    """Gathers the text of each element by its name: the title, the creator."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}
        self._tag = ""

    def start(self, name: str, _: dict[str, str]) -> None:
        self._tag = name.rpartition(" ")[2]

    def end(self, _: str) -> None:
        self._tag = ""

    def data(self, data: str) -> None:
        self.found[self._tag] = self.found.get(self._tag, "") + data[:1000]


def _text(archive: zipfile.ZipFile, name: str) -> str:
    words = _Words()
    with archive.open(name) as stream:
        _parse(stream, words.start, words.end, words.data)
    lines = "".join(words.parts).split("\n")
    return "\n".join(line.strip() for line in lines if line.strip())


def _about(archive: zipfile.ZipFile) -> dict[str, str]:
    properties = _Properties()
    with archive.open(_CORE) as stream:
        _parse(stream, properties.start, properties.end, properties.data)
    return {name: value.strip() for name, value in properties.found.items()}


def _parse(
    stream: IO[bytes],
    start: Callable[[str, dict[str, str]], None],
    end: Callable[[str], None],
    data: Callable[[str], None],
) -> None:
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, data
    parser.StartDoctypeDeclHandler = _refuse_doctype
    done = 0
    while piece := stream.read(_CHUNK):
        done += len(piece)  # counted as it is unpacked, since the archive may lie about sizes
        if done > MAX_MARKUP:
            raise _too_large()
        parser.Parse(piece, False)
    parser.Parse(b"", True)


def _refuse_doctype(*_: object) -> None:
    raise DamagedFileError("declares a document type in its XML, which no Word file needs; it was not read")


def _too_large() -> DamagedFileError:
    return DamagedFileError(f"unpacks to more than {MAX_MARKUP // 1_000_000} MB of XML; it was not read")
