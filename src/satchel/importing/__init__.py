"""Files of the world to documents: folders, texts, PDF, Word, mail, tables, references."""

from satchel.importing.cleaning import clean_text, safe_id
from satchel.importing.columns import ColumnChoice
from satchel.importing.forms import IMPORT_FORMS, ImportForm
from satchel.importing.licensed_sets import read_tdt, read_trec_set
from satchel.importing.reading import guess_columns, paths_in, prefixed, read_documents, tables_of
from satchel.importing.tables import CORPUS_NAMES
from satchel.importing.types import SOURCE_NAME, Document, FieldValue, Found, Skipped, file_of

__all__ = [
    "CORPUS_NAMES",
    "IMPORT_FORMS",
    "SOURCE_NAME",
    "ColumnChoice",
    "Document",
    "FieldValue",
    "Found",
    "ImportForm",
    "Skipped",
    "clean_text",
    "file_of",
    "guess_columns",
    "paths_in",
    "prefixed",
    "read_documents",
    "read_tdt",
    "read_trec_set",
    "safe_id",
    "tables_of",
]
