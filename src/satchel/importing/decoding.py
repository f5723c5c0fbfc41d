"""Decodes bytes to clean text: detects the encoding and refuses bytes that are not text.

A byte order mark decides. Without one, UTF-8 is tried first, because other text is almost never valid UTF-8; then
UTF-16, which has many zero bytes; then Windows-1252, unless the bytes are not Western text. Clean text and ids hold no
control characters and no halves of characters, so that they are safe to store and to show.
"""

import codecs
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, TypeAlias, cast

from satchel.errors import DamagedFileError
from satchel.importing.types import MAX_TEXT

SAMPLE = 1 << 16
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, because this mark begins with the one of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_RARE_CONTROLS = bytes({*range(32)} - {*b"\t\n\r\f\b\x1b"})
_MOST_CONTROLS = 0.01  # share of a text's bytes; random bytes have 0.1
_MOST_HIGH = 0.3  # share of letters beyond ASCII; French has 0.04, Cyrillic in eight bits 0.8
_Buffered: TypeAlias = "io.BufferedReader[io.RawIOBase]"
_NOT_UTF8 = re.compile("\ufffd+")
_LINE_ENDS = re.compile(r"\r\n?|[\x0b\x85\u2028\u2029]")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ufeff]+")
_HALVES = re.compile(r"[\ud800-\udfff]")
_UNSAFE_IN_IDS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_SHORT_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_BLANK_LINES = re.compile(r"\n{3,}")
_SOFT_HYPHEN = "\u00ad"


def text_of(data: bytes, encoding: str | None = None) -> str:
    """The text of a file's bytes, in `encoding` if it is known. Bytes that are not text are refused."""
    if encoding is not None:
        return _in_encoding(data, encoding)
    found = encoding_of(data[:SAMPLE])
    if found != "utf-8":
        return _in_encoding(data, found)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _damaged_utf8(data)


def encoding_of(sample: bytes) -> str:
    """The encoding detected from the beginning of a file: "utf-8", or Python's name for another one."""
    for mark, name in _MARKS:
        if sample.startswith(mark):
            return name
    if 0 in sample:
        return _wide(sample)
    if len(sample.translate(None, _RARE_CONTROLS)) < len(sample) * (1 - _MOST_CONTROLS):
        raise DamagedFileError("is not text: it is full of control characters")
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)  # a character cut by the sample's end is no error
    except UnicodeDecodeError:
        return "utf-8" if _mostly_utf8(sample) else _western(sample)
    return "utf-8"


def text_lines(stream: BinaryIO, encoding: str | None = None, longest: int = MAX_TEXT + 1) -> Iterator[str]:
    """The lines of a stream without their ends; only one line is held in memory.

    Each line is read as UTF-8, or as Windows-1252 if it is not valid UTF-8: tables often mix several sources. A line
    longer than `longest` bytes is cut there, one byte beyond what a document may have.
    """
    with _sampled(stream) as (buffered, sample):
        known = encoding or encoding_of(sample)
        old_ends = b"\r" in sample and b"\n" not in sample  # line ends of the Macintosh before 2001
        if old_ends or known.replace("-", "").lower().startswith(("utf16", "utf32")):
            yield from _decoded_lines(buffered, known, "\r" if old_ends else "\n", longest)
            return
        if encoding is None and known == "utf-8-sig":
            buffered.read(len(codecs.BOM_UTF8))
        while raw := _bounded_line(buffered, longest):
            yield _line(raw, encoding).removesuffix("\n").removesuffix("\r")


def text_pieces(stream: BinaryIO, encoding: str | None = None, size: int = SAMPLE) -> Iterator[str]:
    """The text of a stream in pieces of `size` characters, for formats without lines."""
    with _sampled(stream) as (buffered, sample):
        text = io.TextIOWrapper(buffered, encoding or encoding_of(sample), errors="replace", newline="")
        try:
            while piece := text.read(size):
                yield piece
        finally:
            if not buffered.closed:
                text.detach()


@contextmanager
def _sampled(stream: BinaryIO) -> "Iterator[tuple[_Buffered, bytes]]":
    """The stream behind a buffer, and its beginning, which is not yet read; the caller closes the stream."""
    buffered = io.BufferedReader(cast(io.RawIOBase, stream), SAMPLE)
    try:
        yield buffered, buffered.peek(SAMPLE)[:SAMPLE]
    finally:
        if not stream.closed:  # it is closed if the caller stopped reading before the end
            buffered.detach()


def _bounded_line(stream: _Buffered, longest: int) -> bytes:
    raw = rest = stream.readline(longest)
    while len(rest) == longest and not rest.endswith(b"\n"):
        rest = stream.readline(longest)
    return raw


def _line(raw: bytes, encoding: str | None) -> str:
    if encoding is not None:
        return _in_encoding(raw, encoding)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def _decoded_lines(stream: _Buffered, encoding: str, end: str, longest: int) -> Iterator[str]:
    text = io.TextIOWrapper(stream, encoding, errors="replace", newline=end)
    try:
        while line := text.readline(longest):
            yield line.removesuffix("\n").removesuffix("\r")
    finally:
        if not stream.closed:
            text.detach()


def _in_encoding(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding, "replace")
    except LookupError:
        raise DamagedFileError(f"cannot be read in the unknown encoding {encoding!r}") from None


def _wide(sample: bytes) -> str:
    """UTF-16 without a mark: text of any Western script has a zero in nearly every second byte."""
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    name, many, few = ("utf-16-le", odd, even) if odd > even else ("utf-16-be", even, odd)
    if many < len(sample) * 0.2 or few > len(sample) * 0.01:
        raise DamagedFileError("is not text: it contains zero bytes")
    return name


def _western(sample: bytes) -> str:
    high = sum(byte >= 0x80 for byte in sample)
    if high > len(sample) * _MOST_HIGH:
        raise DamagedFileError("is neither UTF-8 nor Western text; convert it to UTF-8, or give its encoding")
    return "cp1252"


def _mostly_utf8(data: bytes) -> bool:
    """Whether valid characters beyond ASCII are ten times as many as the places that are not UTF-8."""
    text = data.decode("utf-8", "replace")
    wrong = len(_NOT_UTF8.findall(text))
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore")) - text.count("\ufffd")
    return beyond_ascii >= 10 * wrong


def _damaged_utf8(data: bytes) -> str:
    return data.decode("utf-8", "replace") if _mostly_utf8(data) else data.decode("cp1252", "replace")


def clean_text(text: str) -> str:
    """The text with "\\n" as its only line end; its only control characters are TAB and "\\f", where a page begins.

    Soft hyphens are removed, because they split words. A lone surrogate, which no file can hold, becomes the
    replacement character. A text that is clean already is returned as it is.
    """
    if text.isascii() and text.isprintable():
        return text.strip()
    text = _LINE_ENDS.sub("\n", text)
    text = _CONTROLS.sub(" ", text)
    if not text.isascii():
        text = _HALVES.sub("\ufffd", text.replace(_SOFT_HYPHEN, ""))
    return text.strip()


def one_line(text: str) -> str:
    """A clean text on one line, with single spaces: titles, names, keywords."""
    return " ".join(clean_text(text).split())


def joined_paragraphs(text: str) -> str:
    """At most one blank line between paragraphs, and no space at the ends of lines."""
    return _BLANK_LINES.sub("\n\n", "\n".join(line.strip() for line in text.split("\n"))).strip()


def safe_id(id_: str) -> str:
    """An id that fits on one line and can be typed: control characters become escapes such as \\n.

    Emoji stay whole, with their joiners. An id without control characters does not change.
    """
    return id_ if id_.isprintable() else _UNSAFE_IN_IDS.sub(_escaped, id_)


def _escaped(found: re.Match[str]) -> str:
    sign = found[0]
    if sign in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[sign]
    if "\udc80" <= sign <= "\udcff":  # how Python keeps a byte of a file name that is not UTF-8
        return f"\\x{ord(sign) - 0xDC00:02x}"
    return f"\\x{ord(sign):02x}" if ord(sign) < 0x100 else f"\\u{ord(sign):04x}"
