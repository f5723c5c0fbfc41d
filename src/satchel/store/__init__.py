"""Where collections are kept: one protocol, a store in one SQLite file, a store in memory."""

from satchel.store.local import one_blas_thread
from satchel.store.memory import MemoryStore
from satchel.store.protocol import Store
from satchel.store.rows import (
    DiaryRow,
    FieldValues,
    Finding,
    Known,
    Leg,
    MarkText,
    Prepared,
    ProjectRow,
    Sample,
    Scanned,
    State,
    StoredDocument,
    TrainingRow,
    ValueCount,
    marks_in_force,
    values_of,
)
from satchel.store.sqlite import SqliteStore
from satchel.store.words import TITLE_WEIGHT

__all__ = [
    "TITLE_WEIGHT",
    "DiaryRow",
    "FieldValues",
    "Finding",
    "Known",
    "Leg",
    "MarkText",
    "MemoryStore",
    "Prepared",
    "ProjectRow",
    "Sample",
    "Scanned",
    "SqliteStore",
    "State",
    "Store",
    "StoredDocument",
    "TrainingRow",
    "ValueCount",
    "marks_in_force",
    "one_blas_thread",
    "values_of",
]
