"""One durable file per collection: documents, lexical index, vectors, model, marks and interests."""

from satchel.collection.adding import AddReport
from satchel.collection.collection import Collection
from satchel.collection.documents import StoredDocument
from satchel.collection.exporting import FORMS
from satchel.collection.field_values import FieldValues
from satchel.collection.filters import Filters, read_filters
from satchel.collection.hits import Hit, Hits, Mode, Reasons, Verdict
from satchel.collection.info import Info, Training
from satchel.collection.interests import Interest
from satchel.collection.marks import Mark
from satchel.collection.snippets import Snippet
from satchel.collection.training import TrainingReport
from satchel.collection.vectors import Progress
from satchel.importing.types import Document, Skipped

__all__ = [
    "FORMS",
    "AddReport",
    "Collection",
    "Document",
    "FieldValues",
    "Filters",
    "Hit",
    "Hits",
    "Info",
    "Interest",
    "Mark",
    "Mode",
    "Progress",
    "Reasons",
    "Skipped",
    "Snippet",
    "StoredDocument",
    "Training",
    "TrainingReport",
    "Verdict",
    "read_filters",
]
