"""BibTeX: one document per entry, with the LaTeX in its values as plain text.

Entries are read one by one, so an entry with wrong braces does not affect the next.
"""

import re
import unicodedata
from collections.abc import Iterator

from satchel.errors import DamagedFileError
from satchel.importing.decoding import one_line
from satchel.importing.source import Gathered, SourceFile
from satchel.importing.types import MAX_TEXT, FieldValue, Found, too_long

_ENTRY = re.compile(r"\s*@\s*([A-Za-z]+)\s*([{(])")
_NO_ENTRIES = ("comment", "preamble")
_KEY = re.compile(r"\s*([^\s,{}()\"]*)\s*,?")
_NAME = re.compile(r"[\s,]*([A-Za-z][\w:.+/-]*)\s*=\s*")
_WORD = re.compile(r"[^\s,{}\"#]+")
_JOINT = re.compile(r"\s*#\s*")
_END = re.compile(r"[\s,]*[})]")
_SIGNS = re.compile(r"[{}\"\\]")
_TEXT_FIELDS = ("abstract", "annotation", "annote", "note", "keywords")
_KEPT = {
    "year": "year",
    "doi": "doi",
    "url": "url",
    "journal": "journal",
    "journaltitle": "journal",
    "booktitle": "journal",
}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_YEAR = re.compile(r"\d{4}")
_KEYWORD_ENDS = re.compile(r"[;,]")

Values = dict[str, str]
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
    r"(?:\{\s*(\\[ij]|[^\W\d_]?)\s*\}|(\\[ij]|[^\W\d_]))"  # and the letter under it, in braces or not
)
_LETTER = re.compile(r"\\(" + "|".join(sorted(_LETTERS, key=len, reverse=True)) + r")(?![A-Za-z])\s?")
_ESCAPED = re.compile(r"\\([&%$#_{}])")
_COMMAND = re.compile(r"\\[A-Za-z]+\*?\s?")


def read_bibtex(file: SourceFile) -> Iterator[Found]:
    """One document per entry: the key is the id, the abstract the text; authors, year, journal and DOI are fields."""
    macros = {month: month for month in _MONTHS}
    number = 0
    for gathered in _entries(file):
        if gathered.too_long:
            yield file.skipped(str(too_long(MAX_TEXT)), f"line {gathered.begin}")
            continue
        for key, values in _parsed(gathered.text, macros):
            number += 1
            place = f"entry {number} (line {gathered.begin})"
            if isinstance(values, DamagedFileError):
                yield file.skipped(str(values), place)
            else:
                yield _document(file, key, place, values, number)
    if not number:
        raise DamagedFileError("holds no entry such as @article{key, …}")


def _parsed(text: str, macros: Values) -> Iterator[tuple[str, Values | DamagedFileError]]:
    """Key and fields of each entry that begins in the text; definitions by @string are added to `macros`."""
    position = 0
    while head := _ENTRY.search(text, position):
        kind = head[1].lower()
        if kind in _NO_ENTRIES:
            return
        key = None if kind == "string" else _KEY.match(text, head.end())
        try:
            values, position = _values(text, key.end() if key else head.end(), macros)
        except DamagedFileError as error:
            yield "", error
            return
        if key is None:
            macros |= values
        else:
            yield key[1], values


def _entries(file: SourceFile) -> Iterator[Gathered]:
    """The text from each line that begins with an @ to the next such line."""
    entry: Gathered | None = None
    for number, line in file.lines():
        if "@" in line and _ENTRY.match(line.removeprefix("\ufeff")):
            if entry is not None:
                yield entry
            entry = Gathered(number)
            line = line.removeprefix("\ufeff")
        if entry is not None:
            entry.add(line)
    if entry is not None:
        yield entry


def _document(file: SourceFile, key: str, place: str, values: Values, number: int) -> Found:
    body = next((values[name] for name in _TEXT_FIELDS if values.get(name)), "")
    return file.record(key, place, body, values.get("title", ""), _fields(values), number=number)


def _values(text: str, position: int, macros: Values) -> tuple[Values, int]:
    """The fields of an entry by lower-case name, as plain text, and its end; the first field of a name counts."""
    values: Values = {}
    while name := _NAME.match(text, position):
        value, position = _value(text, name.end(), macros)
        values.setdefault(name[1].lower(), plain_text(value).strip())
    end = _END.match(text, position)
    if end is None:
        raise DamagedFileError("is not sound BibTeX: its braces or commas do not match")
    return values, end.end()


def _value(text: str, position: int, macros: Values) -> tuple[str, int]:
    """A value, which may be several parts joined by #, and its end."""
    parts: list[str] = []
    while True:
        part, position = _part(text, position, macros)
        parts.append(part)
        joint = _JOINT.match(text, position)
        if joint is None:
            return "".join(parts), position
        position = joint.end()


def _part(text: str, position: int, macros: Values) -> tuple[str, int]:
    if text[position : position + 1] in ("{", '"'):
        end = _closed(text, position)
        return text[position + 1 : end], end + 1
    word = _WORD.match(text, position)
    if word is None:
        raise DamagedFileError("is not sound BibTeX: a field has no value")
    return macros.get(word[0].lower(), word[0]), word.end()


def _closed(text: str, position: int) -> int:
    """The end of a value that begins with a brace or a quotation mark; braces nest, and a \\ escapes the next sign."""
    quoted, depth, place = text[position] == '"', 0, position + 1
    while found := _SIGNS.search(text, place):
        sign, place = found[0], found.end()
        if sign == "\\":
            place += 1
        elif sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
            if depth < 0:
                break
        elif quoted and depth == 0:
            return found.start()
    if found is not None and not quoted:
        return found.start()
    raise DamagedFileError("is not sound BibTeX: a value does not end")


def _fields(values: Values) -> dict[str, FieldValue]:
    fields: dict[str, FieldValue] = {}
    for source, name in _KEPT.items():
        if values.get(source):
            fields.setdefault(name, one_line(values[source]))
    year = _YEAR.search(str(fields.pop("year", "") or values.get("date", "")))
    if year:
        fields["year"] = int(year[0])
    if values.get("author"):
        fields["authors"] = [one_line(name) for name in re.split(r"\s+and\s+", values["author"]) if name.strip()]
    if values.get("keywords"):
        fields["keywords"] = [one_line(word) for word in _KEYWORD_ENDS.split(values["keywords"]) if word.strip()]
    return fields


def plain_text(latex: str) -> str:
    """A LaTeX value as plain text: accents are joined with their letters, braces and formatting are removed."""
    if "\\" in latex:
        latex = _ACCENT.sub(_accented, latex)
        latex = _LETTER.sub(lambda found: _LETTERS[found[1]], latex)
        latex = _ESCAPED.sub(r"\1", _COMMAND.sub("", latex.replace("\\\\", " ")))
    return latex.replace("{", "").replace("}", "").replace("---", "—").replace("--", "–").replace("~", "\u00a0")


def _accented(found: re.Match[str]) -> str:
    accent, letter = _ACCENTS[found[1] or found[2]], (found[3] or found[4] or "").removeprefix("\\")
    return unicodedata.normalize("NFC", letter + accent) if letter else ""
