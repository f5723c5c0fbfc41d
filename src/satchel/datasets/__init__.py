"""Public data sets by name, the built-in sample collection, and readers for files of one's own."""

from satchel.datasets.beir import read_beir, read_documents, read_queries, write_beir
from satchel.datasets.catalogue import DATASETS, LICENSED, DataSet
from satchel.datasets.judgments import read_judgments, write_judgments
from satchel.datasets.labelled import read_labelled, read_review, write_labelled
from satchel.datasets.labelled_files import (
    Label,
    TrainingTexts,
    is_table,
    labelled_columns,
    read_labelled_texts,
    read_texts,
    read_training_texts,
)
from satchel.datasets.licensed_sets import read_tdt, read_trec_set
from satchel.datasets.loading import fetch, load, place_of, texts_of
from satchel.datasets.trec_topics import TopicPart, read_story_topics, read_topics
from satchel.datasets.types import AdHocSet, Documents, LabelledSet, LabelledTexts, Queries, Review

__all__ = [
    "DATASETS",
    "LICENSED",
    "AdHocSet",
    "DataSet",
    "Documents",
    "Label",
    "LabelledSet",
    "LabelledTexts",
    "Queries",
    "Review",
    "TopicPart",
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
    "read_story_topics",
    "read_tdt",
    "read_texts",
    "read_topics",
    "read_training_texts",
    "read_trec_set",
    "texts_of",
    "write_beir",
    "write_judgments",
    "write_labelled",
]
