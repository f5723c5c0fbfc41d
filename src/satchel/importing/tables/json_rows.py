"""Rows of JSON: one object per line, an array of objects, or one object; only one row is held in memory."""

import json
import re
from collections.abc import Iterable, Iterator

from satchel.errors import DamagedFileError
from satchel.importing.decoding import SAMPLE, text_of, text_pieces
from satchel.importing.limits import MAX_TEXT, too_long
from satchel.importing.source import SourceFile
from satchel.importing.tables.columns import Row

_BETWEEN = re.compile(r"[\s,]*")
_DECODER = json.JSONDecoder()


def json_line_rows(lines: Iterable[tuple[int, str]]) -> Iterator[Row]:
    """One row per line; a line that is not a JSON object is reported and skipped."""
    filled = ((place, line) for place, line in lines if line and not line.isspace())
    for number, (place, line) in enumerate(filled, start=1):
        yield _row(number, place, line)


def json_rows(file: SourceFile) -> Iterator[Row]:
    """The rows of a .json file: of an array, of lines, or one row if the file is one object."""
    with file.opened() as stream:
        begin = next(text_pieces(stream, file.encoding), "").lstrip("\ufeff \t\r\n")
    if begin.startswith("["):
        yield from _array_rows(file)
    elif len(lines := begin.splitlines()) > 1 and _row(1, 1, lines[0]).cells is not None:
        yield from json_line_rows(file.lines())
    else:
        yield _row(1, 0, text_of(file.content(), file.encoding).removeprefix("\ufeff"), unit="")


def _row(number: int, line: int, text: str, unit: str = "line") -> Row:
    if len(text) > MAX_TEXT:
        return Row(number, line, None, str(too_long(MAX_TEXT)), unit)
    try:
        value = json.loads(text)
    except RecursionError:
        return Row(number, line, None, "is nested too deep", unit)
    except ValueError as error:
        return Row(number, line, None, f"is not JSON ({' '.join(str(error).split())[:100]})", unit)
    return _checked(number, line, value, unit)


def _checked(number: int, line: int, value: object, unit: str) -> Row:
    if not isinstance(value, dict):
        return Row(number, line, None, "is not a JSON object in braces", unit)
    return Row(number, line, value, "", unit)


def _array_rows(file: SourceFile) -> Iterator[Row]:
    """The objects of an array one by one, from a buffer that grows if one does not fit; damage ends the reading."""
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
            yield _checked(number, number, value, "row")


def _up_to(pieces: Iterator[str], size: int) -> str:
    """The next pieces, until they have `size` characters or end."""
    taken, length = list[str](), 0
    while length < size and (piece := next(pieces, "")):
        taken.append(piece)
        length += len(piece)
    return "".join(taken)
