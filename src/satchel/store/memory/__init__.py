"""The store in memory."""

from satchel.store.memory.store import MemoryStore

__all__ = ["MemoryStore"]
