"""RIS, the export format of reference managers and databases."""

import re
from collections.abc import Iterator

from satchel.errors import DamagedFileError
from satchel.importing.decoding import clean_text, one_line
from satchel.importing.source import Gathered, SourceFile
from satchel.importing.types import MAX_TEXT, FieldValue, Found, too_long

_TAG = re.compile(r"\s{0,3}([A-Z][A-Z0-9])  ?-(?: (.*)|$)")
_TITLES = ("TI", "T1", "CT", "BT", "ST")
_ABSTRACTS = ("AB", "N2")
_IDS = ("DO", "AN", "ID")
_ONE = {
    "year": ("PY", "Y1", "DA"),
    "journal": ("JO", "JF", "T2", "JA"),
    "doi": ("DO",),
    "url": ("UR",),
    "type": ("TY",),
}
_MANY = {"authors": ("AU", "A1"), "keywords": ("KW",)}
_YEAR = re.compile(r"\d{4}")

Tags = dict[str, list[str]]


def read_ris(file: SourceFile) -> Iterator[Found]:
    """One document per reference: the abstract is the text; authors, year, journal, DOI and keywords are fields.

    The id is the DOI, else the accession number or the reference's own; a reference whose end is missing ends where the
    next begins.
    """
    number = 0
    for number, gathered in enumerate(_records(file), start=1):
        place = f"reference {number} (line {gathered.begin})"
        if gathered.too_long:
            yield file.skipped(str(too_long(MAX_TEXT)), place)
            continue
        tags = _tags(gathered.lines)
        yield file.record(_first(tags, _IDS), place, _text(tags), _first(tags, _TITLES), _fields(tags), number=number)
    if not number:
        raise DamagedFileError("holds no reference: no line begins with 'TY  -'")


def _records(file: SourceFile) -> Iterator[Gathered]:
    record: Gathered | None = None
    for number, line in file.lines():
        tag = _TAG.match(line.removeprefix("\ufeff"))
        name = tag[1] if tag else ""
        if name in ("TY", "ER") and record is not None:
            yield record
            record = None
        if name == "TY":
            record = Gathered(number)
        if record is not None:
            record.add(line)
    if record is not None:
        yield record


def _tags(lines: list[str]) -> Tags:
    """The values of each tag; a line without a tag continues the last one."""
    tags: dict[str, list[list[str]]] = {}
    values: list[list[str]] = []
    for line in lines:
        tag = _TAG.match(line)
        if tag:
            values = tags.setdefault(tag[1], [])
            values.append([(tag[2] or "").strip()])
        elif values and line.strip():
            values[-1].append(line.strip())
    return {name: ["\n".join(parts) for parts in values] for name, values in tags.items()}


def _first(tags: Tags, names: tuple[str, ...]) -> str:
    values = (value for name in names for value in tags.get(name, ()) if value.strip())
    return one_line(next(values, ""))


def _text(tags: Tags) -> str:
    """The abstract; if there is none, notes and keywords."""
    for name in (*_ABSTRACTS, "N1", "KW"):
        if value := "\n".join(tags.get(name, ())).strip():
            return value
    return ""


def _fields(tags: Tags) -> dict[str, FieldValue]:
    fields: dict[str, FieldValue] = {}
    for name, sources in _ONE.items():
        if value := _first(tags, sources):
            fields[name] = value
    year = _YEAR.search(str(fields.pop("year", "")))
    if year:
        fields["year"] = int(year[0])
    for name, sources in _MANY.items():
        values = [clean_text(value) for source in sources for value in tags.get(source, ()) if value.strip()]
        if values:
            fields[name] = values
    return fields
