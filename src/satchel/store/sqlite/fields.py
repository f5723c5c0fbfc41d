"""The values of fields in the SQLite file."""

from __future__ import annotations

from collections.abc import Iterator

from satchel.query import Value
from satchel.store.fields import OF_DOCUMENT
from satchel.store.indexed import of_documents
from satchel.store.sqlite.connection import SqliteFile


def rows_of_field(file: SqliteFile, name: str) -> Iterator[tuple[int, Value]]:
    """Document and value of a field, or of what every document has; a document's values follow each other."""
    if name in OF_DOCUMENT:
        column = "source" if name == "file" else name
        return of_documents(name, file.rows(f"SELECT number, {column} FROM documents ORDER BY number"))
    rows = file.rows("SELECT number, value, rowid FROM fields WHERE name = ?", name)  # from the index alone
    rows.sort(key=lambda row: (row[0], row[2]))
    return ((number, value) for number, value, _ in rows)
