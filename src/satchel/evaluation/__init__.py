"""Judging: rankings, runs, topics and clusters, with values per query, significance and curves."""

from satchel.evaluation.clustering import ClusteringResult, evaluate_clustering
from satchel.evaluation.feedback import simulate_feedback
from satchel.evaluation.feedback_result import Effect, FeedbackResult, FeedbackRound
from satchel.evaluation.feedback_search import NoFeedback
from satchel.evaluation.measures import MEASURE_NAMES
from satchel.evaluation.plots import (
    draw_curves,
    draw_feedback,
    draw_screening,
    plot_feedback_rounds,
    plot_map,
    plot_precision_recall,
    plot_precision_scope,
)
from satchel.evaluation.retrieval import PrecisionScope, RetrievalResult, evaluate_retrieval
from satchel.evaluation.runs import RunResult, evaluate_run, read_run, run_from_ranking, write_run
from satchel.evaluation.screening import ScreeningResult, simulate_screening
from satchel.evaluation.significance import Comparison, compare
from satchel.evaluation.topics import TopicsResult, evaluate_topics
from satchel.screening import Remaining, estimate_remaining, stopping_point

__all__ = [
    "MEASURE_NAMES",
    "ClusteringResult",
    "Comparison",
    "Effect",
    "FeedbackResult",
    "FeedbackRound",
    "NoFeedback",
    "PrecisionScope",
    "Remaining",
    "RetrievalResult",
    "RunResult",
    "ScreeningResult",
    "TopicsResult",
    "compare",
    "draw_curves",
    "draw_feedback",
    "draw_screening",
    "estimate_remaining",
    "evaluate_clustering",
    "evaluate_retrieval",
    "evaluate_run",
    "evaluate_topics",
    "plot_feedback_rounds",
    "plot_map",
    "plot_precision_recall",
    "plot_precision_scope",
    "read_run",
    "run_from_ranking",
    "simulate_feedback",
    "simulate_screening",
    "stopping_point",
    "write_run",
]
