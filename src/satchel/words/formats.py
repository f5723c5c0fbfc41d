"""The formats of word vectors: a table of their readers, and detection from a file's content."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Literal

from satchel.errors import DamagedFileError
from satchel.words.binary_formats import load_folder, parse_binary
from satchel.words.table import Header, VectorTable, VocabularyLike, first_bytes, header_of
from satchel.words.text_formats import parse_text

Format = Literal["folder", "glove", "word2vec-text", "word2vec-binary"]
FORMATS: dict[Format, Callable[[Path, VocabularyLike | None], VectorTable]] = {
    "folder": load_folder,
    "glove": partial(parse_text, has_header=False),
    "word2vec-text": partial(parse_text, has_header=True),
    "word2vec-binary": parse_binary,
}
"""The formats and their readers; fastText's .vec is word2vec's text format."""

_PRINTABLE = bytes([9, 10, 13, *range(32, 127)])


def parse_any(path: Path, vocabulary: VocabularyLike | None) -> VectorTable:
    """The words of a file or folder of any format with their vectors."""
    return FORMATS[detect_format(path)](path, vocabulary)


def detect_format(path: Path) -> Format:
    """The format of a file or folder, detected from its first 64 KB."""
    if path.is_dir():
        return "folder"
    sample = first_bytes(path, 1 << 16)
    if not sample:
        raise DamagedFileError(f"{path} holds no word vectors: it is empty")
    line, _, rest = sample.partition(b"\n")
    header = header_of(line)
    if header is None:
        return "glove"
    return "word2vec-binary" if _is_binary(rest, header) else "word2vec-text"


def _is_binary(rest: bytes, header: Header) -> bool:
    """Whether float32 bytes follow the first word. In text they are printable: 2·dim bytes of values."""
    _, _, values = rest.partition(b" ")
    return bool(values[: 2 * header.dim].translate(None, _PRINTABLE))
