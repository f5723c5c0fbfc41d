"""Mail: one message (.eml) or a box of them (mbox). Attachments are named, never opened."""

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.utils import parsedate_to_datetime

from satchel.errors import DamagedFileError
from satchel.importing.decoding import joined_paragraphs, one_line, text_of
from satchel.importing.readers.web import outline_of
from satchel.importing.source import SourceFile
from satchel.importing.types import MAX_TEXT, FieldValue, Found, too_long

_LONGEST_HEADER = 10_000  # characters kept of one header, because a list of recipients may be very long
_MOST_PARTS = 1_000
_KEPT = {"From": "from", "To": "to"}
_QUOTED_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)
_HEADER = re.compile(rb"[!-9;-~]+[ \t]*:")


def read_message(file: SourceFile) -> Iterator[Found]:
    """One document: the subject is the title and the body the text; sender, recipient and date are fields."""
    data = file.content()
    if not _HEADER.match(data.removeprefix(b"\xef\xbb\xbf").lstrip()):
        raise DamagedFileError("is not a message: it does not begin with a header such as From:")
    _, text, title, fields = _parts_of(data)
    if not text and not title:
        raise DamagedFileError("holds no text")
    yield file.whole(text or title, title, fields)


def read_mailbox(file: SourceFile) -> Iterator[Found]:
    """One document per message, with the Message-ID as its id. A message that cannot be read is skipped."""
    number = 0
    for number, data in enumerate(_messages(file), start=1):
        place = f"message {number}"
        if data is None:
            yield file.skipped(str(too_long(MAX_TEXT)), place)
            continue
        try:
            id_, text, title, fields = _parts_of(data)
        except Exception as error:  # the email package fails in many ways on damaged headers
            yield file.skipped(f"cannot be read as a message ({type(error).__name__})", place)
            continue
        yield file.record(id_, place, text, title, fields, number=number)
    if not number:
        raise DamagedFileError("is not a mailbox: no line begins with 'From '")


def _messages(file: SourceFile) -> Iterator[bytes | None]:
    """The bytes of each message; None for one that is too long. A line "From " after a blank line begins the next."""
    lines: list[bytes] = []
    size, inside, blank = 0, False, True
    with file.opened() as stream:
        while line := stream.readline(MAX_TEXT):
            if blank and line.startswith(b"From "):
                if inside:
                    yield _message(lines, size)
                lines, size, inside = [], 0, True
            elif inside:
                size += len(line)
                if size <= MAX_TEXT:
                    lines.append(line)
            blank = line in (b"\n", b"\r\n")
    if inside:
        yield _message(lines, size)


def _message(lines: list[bytes], size: int) -> bytes | None:
    return _QUOTED_FROM.sub(rb"\1", b"".join(lines)) if size <= MAX_TEXT else None


def _parts_of(data: bytes) -> tuple[str, str, str, dict[str, FieldValue]]:
    """The Message-ID, the text, the subject and the fields of a message."""
    message = message_from_bytes(data)
    fields: dict[str, FieldValue] = {}
    for header, name in _KEPT.items():
        if value := _header(message, header):
            fields[name] = value
    if date := _date(_header(message, "Date")):
        fields["date"] = date
    text, attachments = _body(message)
    if attachments:
        fields["attachments"] = attachments
    return _header(message, "Message-ID").strip("<> "), text, _header(message, "Subject"), fields


def _body(message: Message) -> tuple[str, list[str]]:
    """The plain text, else the text of the HTML; and the names of attachments."""
    plain, pages, attachments = list[str](), list[str](), list[str]()
    for position, part in enumerate(message.walk()):
        if position >= _MOST_PARTS:
            break
        name = part.get_filename()
        if name is not None or part.get_content_disposition() == "attachment":
            attachments.append(one_line(_decoded(str(name or "unnamed")))[:200])
        elif part.get_content_type() == "text/plain":
            plain.append(_part_text(part))
        elif part.get_content_type() == "text/html":
            pages.append(_part_text(part))
    text = "\n\n".join(plain).strip()
    if not text and pages:
        text = "\n\n".join(outline_of(page).text for page in pages)
    return joined_paragraphs(text), attachments


def _part_text(part: Message) -> str:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return ""
    charset = part.get_content_charset()
    if charset and not charset.startswith(("us-ascii", "unknown")):
        try:
            return data.decode(charset)
        except (LookupError, ValueError):
            pass  # the message names a wrong encoding, so the bytes decide
    try:
        return text_of(data)
    except DamagedFileError:
        return ""


def _date(written: str) -> str:
    """The date with the year first, so that filters can compare it; unchanged if it is not a date."""
    try:
        return parsedate_to_datetime(written).isoformat()
    except (TypeError, ValueError, OverflowError):
        return written


def _header(message: Message, name: str) -> str:
    return one_line(_decoded(str(message.get(name) or "")[:_LONGEST_HEADER]))


def _decoded(value: str) -> str:
    """A header with its encoded words decoded; unchanged if their encoding is unknown."""
    try:
        parts = [
            part.decode(charset or "utf-8", "replace") if isinstance(part, bytes) else part
            for part, charset in decode_header(value)
        ]
    except (LookupError, HeaderParseError, ValueError):
        return value
    return "".join(parts)
