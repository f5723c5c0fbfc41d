"""Rankings: the exact index over document vectors, and retrievers that take texts."""

from satchel.ranking.index import ExactIndex, Metric, check_metric

__all__ = ["ExactIndex", "Metric", "check_metric"]
