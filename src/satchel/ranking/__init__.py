"""Rankings: the exact index over document vectors, and retrievers that take texts."""

from satchel.ranking.index import ExactIndex, Metric, check_metric
from satchel.ranking.retriever import EncoderRetriever, Retriever

__all__ = ["EncoderRetriever", "ExactIndex", "Metric", "Retriever", "check_metric"]
