"""Rankings: the exact index over document vectors, and retrievers that take texts."""

from satchel.ranking.checks import Metric, check_metric
from satchel.ranking.compact import compress
from satchel.ranking.index import ExactIndex, Scorer
from satchel.ranking.retriever import EncoderRetriever, Retriever

__all__ = ["EncoderRetriever", "ExactIndex", "Metric", "Retriever", "Scorer", "check_metric", "compress"]
