"""The store in one SQLite file."""

from satchel.store.sqlite.schema import VERSION as FILE_VERSION
from satchel.store.sqlite.store import SqliteStore

__all__ = ["FILE_VERSION", "SqliteStore"]
