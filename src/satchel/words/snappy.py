"""Snappy's raw block format: literals and copies of what was already written."""

from __future__ import annotations


def decompress_snappy(packed: bytes) -> bytes:
    """The bytes that a Snappy block holds; a ValueError where it is damaged."""
    length, position = _varint(packed)
    out = bytearray()
    while position < len(packed):
        tag = packed[position]
        position += 1
        position = _literal(packed, position, tag >> 2, out) if tag & 3 == 0 else _copy(packed, position, tag, out)
    if len(out) != length:
        raise ValueError(f"a Snappy block holds {len(out)} bytes; expected {length}")
    return bytes(out)


def _literal(packed: bytes, position: int, size: int, out: bytearray) -> int:
    """Bytes as they are; a size from 60 on says in how many bytes the true size stands."""
    if size >= 60:
        width = size - 59
        size = int.from_bytes(packed[position : position + width], "little")
        position += width
    end = position + size + 1
    out += packed[position:end]
    return end


def _copy(packed: bytes, position: int, tag: int, out: bytearray) -> int:
    """Bytes that stand `offset` before the end; they may run into those being written, which repeats them."""
    if tag & 3 == 1:
        size, width, high = (tag >> 2 & 7) + 4, 1, tag >> 5
    else:
        size, width, high = (tag >> 2) + 1, 2 if tag & 3 == 2 else 4, 0
    offset = high << 8 | int.from_bytes(packed[position : position + width], "little")
    start = len(out) - offset
    if offset == 0 or start < 0:
        raise ValueError("a Snappy block points before its beginning")
    piece = out[start : start + size]
    out += piece if offset >= size else (piece * (size // offset + 1))[:size]
    return position + width


def _varint(packed: bytes) -> tuple[int, int]:
    value = 0
    for position, byte in enumerate(packed[:5]):
        value |= (byte & 0x7F) << 7 * position
        if byte < 0x80:
            return value, position + 1
    raise ValueError("a Snappy block without a length")
