"""Rows of JSON: an object a line, one array of objects, or one object; held in memory one row at a time."""

import json
import math
import re
from collections.abc import Iterator, Mapping

from satchel.errors import DamagedFileError
from satchel.importing.decoding import SAMPLE, text_of, text_pieces
from satchel.importing.limits import MAX_TEXT, too_long
from satchel.importing.records import Row, numbered_lines
from satchel.importing.source import SourceFile
from satchel.importing.types import FieldValue

_BETWEEN = re.compile(r"[\s,]*")
_DECODER = json.JSONDecoder()
_LARGEST = 2**63 - 1  # what a database keeps as a whole number
_DEEPEST = 5
_EXPORTED = {"id", "title", "text", "source", "fields"}  # the keys of a document as a collection writes it


def json_line_rows(file: SourceFile) -> Iterator[Row]:
    """A row a line; a line that is not a JSON object is reported and passed over."""
    number = 0
    for line_number, line in numbered_lines(file):
        if not line or line.isspace():
            continue
        number += 1
        yield _row(number, f"line {line_number}", line)


def json_rows(file: SourceFile) -> Iterator[Row]:
    """The rows of a .json file: of an array, of lines, or one row where the file is one object."""
    with file.opened() as stream:
        begin = next(text_pieces(stream, file.encoding), "").lstrip("\ufeff \t\r\n")
    if begin.startswith("["):
        yield from _array_rows(file)
    elif len(lines := begin.splitlines()) > 1 and _row(1, "", lines[0]).cells is not None:
        yield from json_line_rows(file)
    else:
        yield _row(1, "", text_of(file.content(), file.encoding).removeprefix("\ufeff"))


def flat_row(row: Mapping[str, object], prefix: str = "", depth: int = 0) -> dict[str, object]:
    """The row with objects inside it opened: {"about": {"year": 1}} has the column "about.year"."""
    flat: dict[str, object] = {}
    for name, value in row.items():
        if isinstance(value, dict) and depth < _DEEPEST:
            flat |= flat_row(value, f"{prefix}{name}.", depth + 1)
        else:
            flat[f"{prefix}{name}"] = value
    return flat


def field_value(value: object) -> FieldValue | None:
    """A JSON value as that of a field: lists become lists of texts, what is no number is None."""
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if abs(value) <= _LARGEST else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [entry if isinstance(entry, str) else json.dumps(entry, ensure_ascii=False) for entry in value]
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else None


def _row(number: int, place: str, text: str) -> Row:
    if len(text) > MAX_TEXT:
        return Row(number, place, None, str(too_long(MAX_TEXT)))
    try:
        value = json.loads(text)
    except RecursionError:
        return Row(number, place, None, "is nested too deep")
    except ValueError as error:
        return Row(number, place, None, f"is not JSON ({' '.join(str(error).split())[:100]})")
    return _checked(number, place, value)


def _checked(number: int, place: str, value: object) -> Row:
    if not isinstance(value, dict):
        return Row(number, place, None, "is not a JSON object in braces")
    is_exported = value.keys() == _EXPORTED and isinstance(value["fields"], dict)
    return Row(number, place, flat_row(value), exported=value if is_exported else None)


def _array_rows(file: SourceFile) -> Iterator[Row]:
    """The objects of an array one by one, from a buffer that grows where one does not fit; damage ends the file."""
    number, place, wanted = 0, 0, SAMPLE
    with file.opened() as stream:
        pieces = text_pieces(stream, file.encoding)
        buffer = next(pieces).lstrip("\ufeff \t\r\n")[1:]
        while True:
            place = _BETWEEN.match(buffer, place).end()  # type: ignore[union-attr]  # it matches nothing, too
            if buffer.startswith("]", place):
                return
            try:
                value, place = _DECODER.raw_decode(buffer, place)
            except (ValueError, RecursionError) as error:
                more = _up_to(pieces, wanted) if len(buffer) - place <= MAX_TEXT else ""
                if not more or isinstance(error, RecursionError):
                    raise DamagedFileError(f"is not JSON after row {number}: the rest was not read") from None
                buffer, place, wanted = buffer[place:] + more, 0, 2 * wanted  # a long object is not tried too often
                continue
            number, wanted = number + 1, SAMPLE
            yield _checked(number, f"row {number}", value)


def _up_to(pieces: Iterator[str], size: int) -> str:
    """The next pieces, until they have `size` characters or end."""
    taken, length = list[str](), 0
    while length < size and (piece := next(pieces, "")):
        taken.append(piece)
        length += len(piece)
    return "".join(taken)
