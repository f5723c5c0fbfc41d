"""Judging: rankings, runs, topics and clusters, with values per query, significance and curves."""

from satchel.evaluation.clustering import ClusteringResult, evaluate_clustering
from satchel.evaluation.feedback_plots import draw_feedback, draw_screening, plot_feedback_rounds
from satchel.evaluation.feedback_result import Effect, FeedbackResult, FeedbackRound
from satchel.evaluation.feedback_search import NoFeedback
from satchel.evaluation.feedback_simulation import simulate_feedback
from satchel.evaluation.maps import plane_points, plot_map
from satchel.evaluation.measures import MEASURE_NAMES
from satchel.evaluation.plots import draw_curves, plot_precision_recall, plot_precision_scope
from satchel.evaluation.retrieval import evaluate_retrieval
from satchel.evaluation.retrieval_result import PrecisionScope, RetrievalResult
from satchel.evaluation.run_files import read_run, run_from_ranking, write_run
from satchel.evaluation.runs import RunResult, evaluate_run
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
    "plane_points",
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
