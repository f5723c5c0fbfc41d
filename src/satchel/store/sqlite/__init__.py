"""The store in one SQLite file."""

from satchel.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
