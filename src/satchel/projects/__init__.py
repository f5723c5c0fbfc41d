"""What people do with documents: interests with their marks, and how far a screening has come."""

from satchel.projects.files import import_interests, interests_as_json, read_file
from satchel.projects.interests import (
    Interest,
    catch_up,
    read_interest,
    read_interests,
    remove_interest,
    save_interest,
)
from satchel.projects.marks import Mark, kept_marks, mark_documents, undo_step
from satchel.projects.progress import Screening, screening

__all__ = [
    "Interest",
    "Mark",
    "Screening",
    "catch_up",
    "import_interests",
    "interests_as_json",
    "kept_marks",
    "mark_documents",
    "read_file",
    "read_interest",
    "read_interests",
    "remove_interest",
    "save_interest",
    "screening",
    "undo_step",
]
