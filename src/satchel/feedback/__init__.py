"""Relevance feedback: marks on a few documents re-rank all of them at once."""

from satchel.feedback.automatic import ROCCHIO_WEIGHTS
from satchel.feedback.feedback import Feedback, Method, Refined
from satchel.feedback.lessons import Lesson, Lessons, lessons_of, theme_words
from satchel.feedback.marks import MOST_ROWS, Sampled
from satchel.feedback.stored import MarkedNeed, TrainedOnMarks, labels_from_marks, train_on_marks

__all__ = [
    "MOST_ROWS",
    "ROCCHIO_WEIGHTS",
    "Feedback",
    "Lesson",
    "Lessons",
    "MarkedNeed",
    "Method",
    "Refined",
    "Sampled",
    "TrainedOnMarks",
    "labels_from_marks",
    "lessons_of",
    "theme_words",
    "train_on_marks",
]
