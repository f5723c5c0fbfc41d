"""Public data sets by name, the built-in sample collection, and readers for your own files."""

from satchel.datasets.beir import read_beir, read_documents, read_judgments, read_queries, write_beir, write_judgments
from satchel.datasets.catalogue import DATASETS, DataSet
from satchel.datasets.labelled import (
    Label,
    TrainingTexts,
    is_table,
    labelled_columns,
    read_labelled,
    read_labelled_texts,
    read_review,
    read_texts,
    read_training_texts,
    write_labelled,
)
from satchel.datasets.loading import fetch, load, place_of, texts_of
from satchel.datasets.types import AdHocSet, Documents, LabelledSet, LabelledTexts, Queries, Review

__all__ = [
    "DATASETS",
    "AdHocSet",
    "DataSet",
    "Documents",
    "Label",
    "LabelledSet",
    "LabelledTexts",
    "Queries",
    "Review",
    "TrainingTexts",
    "fetch",
    "is_table",
    "labelled_columns",
    "load",
    "place_of",
    "read_beir",
    "read_documents",
    "read_judgments",
    "read_labelled",
    "read_labelled_texts",
    "read_queries",
    "read_review",
    "read_texts",
    "read_training_texts",
    "texts_of",
    "write_beir",
    "write_judgments",
    "write_labelled",
]
