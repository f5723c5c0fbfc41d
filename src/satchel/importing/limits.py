"""Limits for reading: useful documents stay below them, and they bound the memory that a file can use."""

from satchel.errors import DamagedFileError

MAX_TEXT = 50_000_000  # bytes of a text file, characters of a document: a shelf of eighty books
MAX_PACKED = 500_000_000  # bytes of a file that is mostly not text, as PDF and Word
MAX_MARKUP = 200_000_000  # bytes of XML or JSON around one text: four times the text
MAX_ROW = 10_000_000  # characters of a row of CSV: a quotation mark that is never closed stops here
MAX_ID = 1_000  # characters


def too_long(limit: int) -> DamagedFileError:
    """The error for a file or record that is longer than the limit."""
    return DamagedFileError(f"is longer than {limit // 1_000_000} MB, the limit for one document; split it")
