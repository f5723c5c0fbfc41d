"""Rows, files and notes in the SQLite file: marks and projects, the model and the map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from satchel.store.rows import TABLES, DiaryRow, Row
from satchel.store.sqlite.connection import SqliteFile

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
