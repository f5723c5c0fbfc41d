"""Collections: the class that joins store, search, projects and training."""

from satchel.collection.add import AddReport
from satchel.collection.collection import Collection
from satchel.collection.export import FORMS, parquet_bytes
from satchel.collection.forms import TIMES, MapForm, ReadingForm, as_json
from satchel.collection.info import Info, TrainingRecord
from satchel.collection.map import CollectionMap, Projection, plane_points
from satchel.collection.retriever import FusedRetriever
from satchel.collection.settings import read_stop_words, read_synonyms
from satchel.collection.train import TrainingReport
from satchel.importing import Document, Skipped
from satchel.progress import Progress
from satchel.projects import Mark, Project
from satchel.query import Filters, Mode, Request, read_filters
from satchel.search import Facet, FacetValue, Hit, Hits, Reasons, Snippet
from satchel.store import FieldValues, SearchSettings, StoredDocument
from satchel.types import MarkValue

__all__ = [
    "FORMS",
    "TIMES",
    "AddReport",
    "Collection",
    "CollectionMap",
    "Document",
    "Facet",
    "FacetValue",
    "FieldValues",
    "Filters",
    "FusedRetriever",
    "Hit",
    "Hits",
    "Info",
    "MapForm",
    "Mark",
    "MarkValue",
    "Mode",
    "Progress",
    "Project",
    "Projection",
    "ReadingForm",
    "Reasons",
    "Request",
    "SearchSettings",
    "Skipped",
    "Snippet",
    "StoredDocument",
    "TrainingRecord",
    "TrainingReport",
    "as_json",
    "parquet_bytes",
    "plane_points",
    "read_filters",
    "read_stop_words",
    "read_synonyms",
]
