"""SQL statements for conditions, and for rows, files and notes: marks and projects, the model and the map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from satchel.query import Between, Contains, Is, Leaf, Since
from satchel.store.amounts import COLUMNS, forms_of, span_of
from satchel.store.rows import TABLES, DiaryRow, Row
from satchel.store.sqlite.connection import SqliteFile

_DATES = "value GLOB '[0-9][0-9][0-9][0-9]-*'"


def question_of(leaf: Leaf) -> tuple[str, list[object]]:
    """The SQL statement for a condition, and its values."""
    if isinstance(leaf, Since):
        return "SELECT number FROM documents WHERE change > ?", [leaf.change]
    if isinstance(leaf, Is):
        return _is(leaf)
    if isinstance(leaf, Between):
        return _between(leaf)
    if isinstance(leaf, Contains):
        if leaf.field in COLUMNS:
            return _holds_text(leaf.field), [leaf.text.casefold()]
        found = "SELECT number FROM fields WHERE name = ? AND instr(casefold(value), ?)"
        return found, [leaf.field, leaf.text.casefold()]
    raise TypeError(f"{type(leaf).__name__} is not a condition on fields")


def _holds_text(column: str) -> str:
    """Where a column contains a text: SQLite's own `lower`, which is fast, does for values of ASCII characters."""
    is_ascii = f"length({column}) = length(CAST({column} AS BLOB))"
    return (
        f"SELECT number FROM documents WHERE CASE WHEN {is_ascii} THEN instr(lower({column}), ?1) "
        f"ELSE instr(casefold({column}), ?1) END"
    )


def _is(leaf: Is) -> tuple[str, list[object]]:
    values = list(dict.fromkeys(form for one in leaf.values for form in forms_of(one)))
    marks = ", ".join("?" for _ in values)
    if leaf.field in COLUMNS:
        return f"SELECT number FROM documents WHERE {leaf.field} IN ({marks})", list(map(str, values))
    return f"SELECT number FROM fields WHERE name = ? AND value IN ({marks})", [leaf.field, *values]


def _between(leaf: Between) -> tuple[str, list[object]]:
    if leaf.field in COLUMNS:
        tests, values = _ends(leaf.field, (leaf.least, leaf.most))
        return f"SELECT number FROM documents WHERE {tests}", list(map(str, values))
    span = span_of(leaf.least, leaf.most)
    conditions, every = list[str](), list[object]()
    if span.amounts is not None:
        tests, values = _ends("amount", span.amounts)
        conditions.append(tests)
        every += values
    if span.texts is not None:
        tests, values = _ends("value", span.texts)
        conditions.append(f"typeof(value) = 'text' AND {_DATES if span.are_dates else '1'} AND {tests}")
        every += values
    return f"SELECT number FROM fields WHERE name = ? AND ({' OR '.join(conditions)})", [leaf.field, *every]


def _ends(column: str, ends: tuple[object, object]) -> tuple[str, list[object]]:
    given = [(sign, end) for sign, end in zip((">=", "<="), ends, strict=True) if end is not None]
    return " AND ".join(f"{column} {sign} ?" for sign, _ in given) or "1", [end for _, end in given]


PART_BYTES = 1 << 24
"""The bytes of one part of a stored file: SQLite cannot hold a value of 1,000,000,000 bytes."""
_KEY = {"marks": "mark", "projects": "name", "mark_texts": "id", "trainings": "model"}
AnyRow = TypeVar("AnyRow", bound=Row)


class KeepsRows:
    """The part of a store that keeps rows, files and notes."""

    _file: SqliteFile

    def note(self, name: str, default: Any) -> Any:
        found = self._file.value("SELECT value FROM meta WHERE name = ?", name)
        return default if found is None else found

    def write_note(self, name: str, value: object) -> None:
        self._file.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", name, value)

    def _fields_there(self) -> tuple[str, ...]:
        """The names of the fields that documents have, each looked up once in the index."""
        question = (
            "WITH RECURSIVE names (name) AS (SELECT min(name) FROM fields UNION ALL "
            "SELECT (SELECT min(name) FROM fields WHERE name > names.name) FROM names WHERE name IS NOT NULL) "
            "SELECT name FROM names WHERE name IS NOT NULL"
        )
        return tuple(name for (name,) in self._file.rows(question))

    def rows(self, kind: type[AnyRow], **equal: object) -> list[AnyRow]:
        question, values = _rows_of(kind, equal)
        return [kind(*row) for row in self._file.rows(question, *values)]

    def last_row(self, kind: type[AnyRow], **equal: object) -> AnyRow | None:
        question, values = _rows_of(kind, equal)
        rows = self._file.rows(f"{question} DESC LIMIT 1", *values)
        return kind(*rows[0]) if rows else None

    def write_rows(self, rows: Iterable[Row]) -> None:
        for row in rows:
            values: list[object] = list(row)
            if isinstance(row, DiaryRow) and not row.number:
                values[0] = None  # SQLite gives the next number
            marks = ", ".join("?" for _ in values)
            self._file.run(f"INSERT OR REPLACE INTO {TABLES[type(row)]} VALUES ({marks})", *values)

    def delete_rows(self, kind: type[Row], **equal: object) -> None:
        tests, values = _tests(kind, equal)
        self._file.run(f"DELETE FROM {TABLES[kind]} WHERE {tests}", *values)

    def files(self, folder: str, name: str | None = None) -> dict[str, bytes]:
        among, values = ("", ()) if name is None else (" AND name = ?", (name,))
        question = f"SELECT name, content FROM stored_files WHERE folder = ?{among} ORDER BY name, part"
        found: dict[str, list[bytes]] = {}
        for own, content in self._file.run(question, folder, *values):
            found.setdefault(own, []).append(content)
        return {own: b"".join(parts) for own, parts in found.items()}

    def write_files(self, folder: str, files: Mapping[str, bytes]) -> None:
        self._file.run("DELETE FROM stored_files WHERE folder = ?", folder)
        self._file.run_many(
            "INSERT INTO stored_files VALUES (?, ?, ?, ?)",
            (
                (folder, name, part, content[start : start + PART_BYTES])
                for name, content in files.items()
                for part, start in enumerate(range(0, max(1, len(content)), PART_BYTES))
            ),
        )


def _rows_of(kind: type[Any], equal: Mapping[str, object]) -> tuple[str, list[object]]:
    table, (tests, values) = TABLES[kind], _tests(kind, equal)
    return f"SELECT * FROM {table} WHERE {tests} ORDER BY {_KEY[table]}", values


def _tests(kind: type[Any], equal: Mapping[str, object]) -> tuple[str, list[object]]:
    """The SQL condition and its values. Column names come from the row's fields only, never from a caller."""
    key, own = kind._fields[0], _KEY[TABLES[kind]]
    columns = [own if name == key else kind._fields[kind._fields.index(name)] for name in equal]
    return " AND ".join(f"{column} IS ?" for column in columns) or "1", list(equal.values())
