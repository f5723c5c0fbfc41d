"""E-books (EPUB) to text: an archive of web pages, and a list of the order in which they are read."""

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote

from satchel.errors import DamagedFileError
from satchel.importing.decoding import text_of
from satchel.importing.packed_xml import Archive, Attributes, opened_archive
from satchel.importing.readers.web_pages import outline_of
from satchel.importing.source import SourceFile
from satchel.importing.types import FieldValue, Found

_CONTAINER = "META-INF/container.xml"
_KEPT = {"creator": "author", "date": "date", "language": "lang"}


def read_ebook(file: SourceFile) -> Iterator[Found]:
    """One document: the chapters in the order of reading; title, author, date and language where it tells them."""
    with opened_archive(file, "EPUB book", _CONTAINER) as archive:
        package = _package(archive)
        about = archive.properties(package)
        chapters = [outline_of(text_of(archive.content(name))).text for name in _chapters(archive, package)]
    fields: dict[str, FieldValue] = {name: about[tag] for tag, name in _KEPT.items() if about.get(tag)}
    yield file.whole("\n\n".join(chapters), about.get("title", ""), fields)


def _package(archive: Archive) -> str:
    """The part that says what the book is made of."""
    container = Attributes("rootfile")
    archive.tell(_CONTAINER, container)
    package = next((one.get("full-path", "") for one in container.found["rootfile"]), "")
    if package not in archive.names:
        raise DamagedFileError("is not an EPUB book: it does not say what it is made of")
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
