"""Where collections are kept: one protocol, a store in one SQLite file, a store in memory."""

from satchel.store.amounts import COLUMNS
from satchel.store.fields import OF_DOCUMENT, FieldCodes
from satchel.store.index import TEXT, TITLE
from satchel.store.index.table import TITLE_WEIGHT
from satchel.store.local import one_blas_thread
from satchel.store.memory import MemoryStore
from satchel.store.protocol import Store
from satchel.store.rows import (
    DiaryRow,
    FieldValues,
    Finding,
    Known,
    MarkText,
    Prepared,
    ProjectRow,
    Sample,
    Scanned,
    Scored,
    State,
    StoredDocument,
    TrainingRow,
    ValueCount,
    checksum_of,
    marks_in_force,
    values_of,
)
from satchel.store.settings import (
    NO_SETTINGS,
    SearchSettings,
    checked_stop_words,
    checked_synonyms,
    checked_weights,
    read_settings,
    write_settings,
)
from satchel.store.sqlite import FILE_VERSION, SqliteStore
from satchel.store.stored_files import (
    Places,
    Region,
    forget_words,
    load_model,
    load_words,
    model_fingerprint,
    read_places,
    save_encoder,
    save_words,
    write_places,
)

__all__ = [
    "COLUMNS",
    "FILE_VERSION",
    "NO_SETTINGS",
    "OF_DOCUMENT",
    "TEXT",
    "TITLE",
    "TITLE_WEIGHT",
    "DiaryRow",
    "FieldCodes",
    "FieldValues",
    "Finding",
    "Known",
    "MarkText",
    "MemoryStore",
    "Places",
    "Prepared",
    "ProjectRow",
    "Region",
    "Sample",
    "Scanned",
    "Scored",
    "SearchSettings",
    "SqliteStore",
    "State",
    "Store",
    "StoredDocument",
    "TrainingRow",
    "ValueCount",
    "checked_stop_words",
    "checked_synonyms",
    "checked_weights",
    "checksum_of",
    "forget_words",
    "load_model",
    "load_words",
    "marks_in_force",
    "model_fingerprint",
    "one_blas_thread",
    "read_places",
    "read_settings",
    "save_encoder",
    "save_words",
    "values_of",
    "write_places",
    "write_settings",
]
