"""Judging: rankings, runs, topics and clusters, with values per query, significance and curves."""

from satchel.evaluation.retrieval import evaluate_retrieval
from satchel.evaluation.retrieval_result import PrecisionScope, RetrievalResult

__all__ = ["PrecisionScope", "RetrievalResult", "evaluate_retrieval"]
