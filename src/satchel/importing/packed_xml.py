"""Archives of XML, as Word, LibreOffice and makers of e-books pack them: read as a stream, no more than the text needs.

Expat alone reads the XML. It fetches nothing, and a document type is refused, because attacks by entities need one.
"""

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol
from xml.parsers import expat

from satchel.errors import DamagedFileError
from satchel.importing.source import SourceFile
from satchel.importing.types import MAX_MARKUP, MAX_PACKED, MAX_TEXT, too_long

_CHUNK = 1 << 16


class Elements(Protocol):
    """The receiver of parsed XML; a name is the namespace, a space and the tag."""

    def start(self, name: str, attributes: dict[str, str], /) -> None: ...
    def end(self, name: str, /) -> None: ...
    def data(self, data: str, /) -> None: ...


class Archive:
    """The parts of an archive by name. The total of unpacked bytes is bounded."""

    def __init__(self, archive: zipfile.ZipFile, kind: str) -> None:
        self._archive = archive
        self._sizes = {info.filename: info.file_size for info in archive.infolist()}
        self._kind = kind
        self._done = 0

    @property
    def names(self) -> list[str]:
        return list(self._sizes)

    def pieces(self, name: str) -> Iterator[bytes]:
        """The bytes of a part. A part whose stated size is too large is refused before it is unpacked."""
        if self._sizes[name] > MAX_MARKUP:
            raise _too_large()
        with self._archive.open(name) as stream:
            while piece := stream.read(_CHUNK):
                self._done += len(piece)  # counted as it is unpacked, since the archive may lie about sizes
                if self._done > MAX_MARKUP:
                    raise _too_large()
                yield piece

    def content(self, name: str) -> bytes:
        """All bytes of a part; a part longer than the limit of a text is refused."""
        if self._sizes[name] > MAX_TEXT:  # if the stated size is too small, no more than that is unpacked
            raise too_long(MAX_TEXT)
        return b"".join(self.pieces(name))

    def tell(self, name: str, elements: Elements) -> None:
        """Parses the XML of a part and passes its starts, texts and ends to `elements`."""
        for _ in self.telling(name, elements):
            pass

    def telling(self, name: str, elements: Elements) -> Iterator[None]:
        """Like `tell`, but piece by piece, so that the caller can take what was gathered after each piece."""
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = elements.start, elements.end
        parser.CharacterDataHandler = elements.data
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        for piece in self.pieces(name):
            parser.Parse(piece, False)
            yield
        parser.Parse(b"", True)
        yield

    def properties(self, name: str) -> dict[str, str]:
        """The text of each element by its tag, such as title and creator; empty if there is no such part."""
        found = _Properties()
        if name in self._sizes:
            self.tell(name, found)
        return {tag: text.strip() for tag, text in found.found.items()}

    def _refuse_doctype(self, *_: object) -> None:
        raise DamagedFileError(f"declares a document type in its XML, which no {self._kind} needs; it was not read")


@contextmanager
def opened_archive(file: SourceFile, kind: str, main: str = "") -> Iterator[Archive]:
    """Opens the file as an archive; any fault in it becomes a DamagedFileError. main: a part that it must have."""
    if file.path.stat().st_size > MAX_PACKED:
        raise too_long(MAX_PACKED)
    try:
        with zipfile.ZipFile(file.path) as packed:
            archive = Archive(packed, kind)
            if main and main not in archive.names:
                article = "an" if kind[0] in "AEIOU" else "a"
                raise DamagedFileError(f"is not {article} {kind}: it holds no {main}")
            yield archive
    except (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError) as error:
        raise DamagedFileError(f"is not a sound {kind} ({error})") from None
    except expat.ExpatError as error:
        raise DamagedFileError(f"holds XML that is damaged ({error})") from None


class Paragraphs:
    """Gathers text, with breaks at paragraphs, lines, cells and tabs, up to the limit of a text.

    texts: the tags whose text is read. breaks: the break before a tag; ends: the break after a tag. unread: tags whose
    text is left out.
    """

    def __init__(
        self, texts: frozenset[str], breaks: dict[str, str], ends: dict[str, str], unread: frozenset[str]
    ) -> None:
        self._texts, self._breaks, self._ends, self._unread = texts, breaks, ends, unread
        self._parts: list[str] = []
        self._length = self._in_text = self._in_unread = 0

    @property
    def text(self) -> str:
        """The lines that are not blank."""
        lines = (line.strip() for line in "".join(self._parts).split("\n"))
        return "\n".join(line for line in lines if line)

    def start(self, name: str, _: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        self._in_unread += tag in self._unread
        self._in_text += tag in self._texts
        if tag in self._breaks and not self._in_unread:
            self._parts.append(self._breaks[tag])

    def end(self, name: str) -> None:
        tag = name.rpartition(" ")[2]
        self._in_unread -= tag in self._unread
        self._in_text -= tag in self._texts
        if tag in self._ends and not self._in_unread:
            self._parts.append(self._ends[tag])

    def data(self, data: str) -> None:
        if self._in_text and not self._in_unread:
            self._parts.append(data)
            self._length += len(data)
            if self._length > MAX_TEXT:
                raise too_long(MAX_TEXT)


class Attributes:
    """Keeps the attributes of the elements with certain tags, in order."""

    def __init__(self, *tags: str) -> None:
        self.found: dict[str, list[dict[str, str]]] = {tag: [] for tag in tags}

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        if tag in self.found:
            self.found[tag].append(attributes)

    def end(self, _: str) -> None:
        pass

    def data(self, _: str) -> None:
        pass


class _Properties:
    def __init__(self) -> None:
        self.found: dict[str, str] = {}
        self._tag = ""

    def start(self, name: str, _: dict[str, str]) -> None:
        self._tag = name.rpartition(" ")[2]
        if self.found.get(self._tag, "").strip():
            self.found[self._tag] += "; "  # each of several authors has an element of its own

    def end(self, _: str) -> None:
        self._tag = ""

    def data(self, data: str) -> None:
        self.found[self._tag] = self.found.get(self._tag, "") + data[:1000]


def _too_large() -> DamagedFileError:
    return DamagedFileError(f"unpacks to more than {MAX_MARKUP // 1_000_000} MB of XML; it was not read")
