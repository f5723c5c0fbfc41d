"""Files of the world to documents."""

from satchel.importing.types import Document, Fields, FieldValue, Skipped

__all__ = ["Document", "FieldValue", "Fields", "Skipped"]
