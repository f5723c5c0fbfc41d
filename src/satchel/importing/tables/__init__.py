"""Tables: rows of CSV, TSV, JSON and Excel, the choice of columns, and one document per row."""

from satchel.importing.tables.columns import USUAL_LABELS, USUAL_TEXTS, ColumnChoice, usual_column
from satchel.importing.tables.rows import (
    CORPUS_NAMES,
    SoundForm,
    check_choice,
    corpus_of,
    read_csv,
    read_json,
    read_json_lines,
    read_workbook,
    sound_rows,
    table_columns,
)

__all__ = [
    "CORPUS_NAMES",
    "USUAL_LABELS",
    "USUAL_TEXTS",
    "ColumnChoice",
    "SoundForm",
    "check_choice",
    "corpus_of",
    "read_csv",
    "read_json",
    "read_json_lines",
    "read_workbook",
    "sound_rows",
    "table_columns",
    "usual_column",
]
