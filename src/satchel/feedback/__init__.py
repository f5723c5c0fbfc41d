"""Relevance feedback: marks on a few documents re-rank all of them at once."""

from satchel.feedback.learner import Feedback, Method
from satchel.feedback.refined import Refined
from satchel.feedback.rocchio import ROCCHIO_WEIGHTS

__all__ = ["ROCCHIO_WEIGHTS", "Feedback", "Method", "Refined"]
