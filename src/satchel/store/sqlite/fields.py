"""What the SQLite file holds to choose from: values of fields, beginnings of words, and earlier queries."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

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


def words_beginning(file: SqliteFile, prefix: str, most: int) -> dict[str, str]:
    """Word -> stem of the first words that begin so; accents make no difference."""
    end = f"{prefix}\U0010ffff"
    plain = "SELECT number FROM words WHERE word >= ?1 AND word < ?2 AND folded IS NULL"
    folded = "SELECT number FROM words WHERE folded >= ?1 AND folded < ?2"
    first = f"SELECT number FROM ({plain} UNION ALL {folded}) ORDER BY number LIMIT ?3"
    return dict(file.rows(f"SELECT word, stem FROM words WHERE number IN ({first}) ORDER BY number", prefix, end, most))


def queries(file: SqliteFile) -> list[str]:
    """The queries that marks were made for, each once."""
    return [query for (query,) in file.rows("SELECT DISTINCT query FROM marks WHERE query != '' ORDER BY query")]


def block_sizes(file: SqliteFile, stems: Sequence[str]) -> list[tuple[str, int]]:
    """Stem and bytes of each of its blocks, without reading them."""
    question = (
        "SELECT p.stem, length(p.block) FROM json_each(?) w CROSS JOIN segments s "
        "CROSS JOIN postings p ON p.segment = s.segment AND p.stem = w.value"
    )
    return file.rows(question, json.dumps(stems))
