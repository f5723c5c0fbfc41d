"""Reads files as documents: folders, texts, PDF, Word, mail, tables, references."""

from satchel.importing.decoding import clean_text, safe_id
from satchel.importing.formats import IMPORT_FORMS, ImportForm
from satchel.importing.read import guess_columns, paths_in, prefixed, read_documents, tables_of
from satchel.importing.source import ending_of
from satchel.importing.tables import (
    CORPUS_NAMES,
    USUAL_LABELS,
    USUAL_TEXTS,
    ColumnChoice,
    SoundForm,
    sound_rows,
    usual_column,
)
from satchel.importing.types import SOURCE_NAME, Document, Fields, FieldValue, Found, Skipped, file_of

__all__ = [
    "CORPUS_NAMES",
    "IMPORT_FORMS",
    "SOURCE_NAME",
    "USUAL_LABELS",
    "USUAL_TEXTS",
    "ColumnChoice",
    "Document",
    "FieldValue",
    "Fields",
    "Found",
    "ImportForm",
    "Skipped",
    "SoundForm",
    "clean_text",
    "ending_of",
    "file_of",
    "guess_columns",
    "paths_in",
    "prefixed",
    "read_documents",
    "safe_id",
    "sound_rows",
    "tables_of",
    "usual_column",
]
