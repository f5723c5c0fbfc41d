"""The little LaTeX that stands in bibliographies, as plain text: accents, letters, braces."""

import re
import unicodedata

_ACCENTS = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    '"': "\u0308",
    "=": "\u0304",
    ".": "\u0307",
    "u": "\u0306",
    "v": "\u030c",
    "H": "\u030b",
    "c": "\u0327",
    "k": "\u0328",
    "r": "\u030a",
    "d": "\u0323",
    "b": "\u0331",
}
_LETTERS = {
    "ss": "ß",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "aa": "å",
    "AA": "Å",
    "i": "ı",
    "j": "ȷ",
    "dh": "ð",
    "DH": "Ð",
    "th": "þ",
    "TH": "Þ",
    "textendash": "–",
    "textemdash": "—",
    "ldots": "…",
    "dots": "…",
    "textasciitilde": "~",
    "textbackslash": "\\",
    "copyright": "©",
    "S": "§",
}
_ACCENT = re.compile(
    r"\\(?:([`'^~\"=.])|([uvHckrdb])(?=[\s{\\]))\s*"  # the accent, as a sign or as a letter that ends there
    r"(?:\{\s*(\\[ij]|[^\W\d_]?)\s*\}|(\\[ij]|[^\W\d_]))"  # and what stands under it, in braces or not
)
_LETTER = re.compile(r"\\(" + "|".join(sorted(_LETTERS, key=len, reverse=True)) + r")(?![A-Za-z])\s?")
_ESCAPED = re.compile(r"\\([&%$#_{}])")
_COMMAND = re.compile(r"\\[A-Za-z]+\*?\s?")


def plain_text(latex: str) -> str:
    """A value of a bibliography without its commands: accents put on their letters, braces and formatting gone."""
    if "\\" in latex:
        latex = _ACCENT.sub(_accented, latex)
        latex = _LETTER.sub(lambda found: _LETTERS[found[1]], latex)
        latex = _ESCAPED.sub(r"\1", _COMMAND.sub("", latex.replace("\\\\", " ")))
    return latex.replace("{", "").replace("}", "").replace("---", "—").replace("--", "–").replace("~", "\u00a0")


def _accented(found: re.Match[str]) -> str:
    accent, letter = _ACCENTS[found[1] or found[2]], (found[3] or found[4] or "").removeprefix("\\")
    return unicodedata.normalize("NFC", letter + accent) if letter else ""
