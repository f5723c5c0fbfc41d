"""PDF to text with pypdf, page by page."""

import logging
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from satchel.errors import DamagedFileError, missing_extra
from satchel.importing.decoding import joined_paragraphs, one_line
from satchel.importing.source import SourceFile
from satchel.importing.types import MAX_PACKED, MAX_TEXT, FieldValue, Found, too_long
from satchel.text import PAGE_BREAK

if TYPE_CHECKING:
    from pypdf import PdfReader

MAX_SECONDS = 120.0  # a thousand pages take half of it; a malicious page might never end
_HYPHEN_AT_LINE_END = re.compile(r"(?<=[^\W\d_])[-\u2010]\n(?=[^\W\d_A-Z])")
_LIGATURES = str.maketrans(
    {"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\ufb05": "st", "\ufb06": "st"}
)
_TITLE_OF_A_PROGRAM = re.compile(r"untitled.*|microsoft word.*|.*\.(docx?|dvi|tex|pdf|indd|qxd|rtf)", re.IGNORECASE)


def read_pdf(file: SourceFile) -> Iterator[Found]:
    """One document: the text of all pages in order, title and author if the file has them.

    Words split at the end of a line are joined, and ligatures are replaced by letters. A file without text (usually
    scanned pages) is refused, and so is one with a password.
    """
    try:
        import pypdf
    except ImportError:
        raise missing_extra("reading PDF", "import") from None
    if file.path.stat().st_size > MAX_PACKED:
        raise too_long(MAX_PACKED)
    with file.path.open("rb") as stream, _quiet():
        reader = pypdf.PdfReader(stream)
        if reader.is_encrypted and not reader.decrypt(""):
            raise DamagedFileError("is protected by a password; save it without one")
        text = _text(reader)
        title, fields = _about(reader)
    if not text:
        raise DamagedFileError("holds no text, perhaps only scanned pages; run OCR on it first")
    yield file.whole(text, title, fields)


def _text(reader: "PdfReader") -> str:
    pages: list[str] = []
    length, begin = 0, time.monotonic()
    for page in reader.pages:
        pages.append(page.extract_text())
        length += len(pages[-1])
        if length > MAX_TEXT:
            raise too_long(MAX_TEXT)
        if time.monotonic() - begin > MAX_SECONDS:
            raise DamagedFileError(f"takes more than {MAX_SECONDS:.0f} seconds to read; save it again or split it")
    text = _HYPHEN_AT_LINE_END.sub("", PAGE_BREAK.join(pages).translate(_LIGATURES))
    return PAGE_BREAK.join(map(joined_paragraphs, text.split(PAGE_BREAK)))


def _about(reader: "PdfReader") -> tuple[str, dict[str, FieldValue]]:
    """The title, unless a program made it up, and the fields; if their list is damaged, only the text is kept."""
    try:
        found = reader.metadata
        title, author = (one_line(str(found.title or "")), one_line(str(found.author or ""))) if found else ("", "")
    except Exception:  # pypdf documents no error for this
        return "", {}
    return "" if _TITLE_OF_A_PROGRAM.fullmatch(title) else title, {"author": author} if author else {}


@contextmanager
def _quiet() -> Iterator[None]:
    """Silences pypdf's warnings about files that it can read anyway."""
    log = logging.getLogger("pypdf")
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(level)
