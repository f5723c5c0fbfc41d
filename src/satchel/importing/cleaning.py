"""Texts and ids that are safe to store and to show: no control characters, no halves of characters."""

import re

_LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ufeff]+")
_HALVES = re.compile(r"[\ud800-\udfff]")
_UNSAFE_IN_IDS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_SHORT_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_BLANK_LINES = re.compile(r"\n{3,}")
_SOFT_HYPHEN = "\u00ad"


def clean_text(text: str) -> str:
    """The text with lines ended by a newline alone and no control character but TAB.

    Soft hyphens go, since they part a word from itself; half a character (a lone surrogate), which no file can hold,
    becomes the replacement character. A text that is clean already is searched once and given back as it is.
    """
    if text.isascii() and text.isprintable():
        return text.strip()
    text = _LINE_ENDS.sub("\n", text)
    text = _CONTROLS.sub(" ", text)
    if not text.isascii():
        text = _HALVES.sub("\ufffd", text.replace(_SOFT_HYPHEN, ""))
    return text.strip()


def one_line(text: str) -> str:
    """A clean text on one line, its white space made single: titles, names, keywords."""
    return " ".join(clean_text(text).split())


def joined_paragraphs(text: str) -> str:
    """At most one blank line between paragraphs, and no space at the ends of lines."""
    return _BLANK_LINES.sub("\n\n", "\n".join(line.strip() for line in text.split("\n"))).strip()


def safe_id(id_: str) -> str:
    """An id that stands on one line and can be typed: control characters as escapes such as \\n, all else kept.

    Emoji stay whole, their joiners too. What has no such character is its own safe id.
    """
    return id_ if id_.isprintable() else _UNSAFE_IN_IDS.sub(_escaped, id_)


def _escaped(found: re.Match[str]) -> str:
    sign = found[0]
    if sign in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[sign]
    if "\udc80" <= sign <= "\udcff":  # how Python keeps a byte of a file name that is not UTF-8
        return f"\\x{ord(sign) - 0xDC00:02x}"
    return f"\\x{ord(sign):02x}" if ord(sign) < 0x100 else f"\\u{ord(sign):04x}"
