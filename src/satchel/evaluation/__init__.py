"""Evaluation: measures rankings, runs, topics and clusters, per query, with significance tests and curves."""

from satchel.evaluation.clustering import ARI, NMI, ClusteringResult, evaluate_clustering, judge_clusters
from satchel.evaluation.feedback import simulate_feedback
from satchel.evaluation.feedback_result import FROZEN, NDCG_10, RESIDUAL, Effect, FeedbackResult, FeedbackRound
from satchel.evaluation.feedback_user import NoFeedback, Refiner, SimulatedUser
from satchel.evaluation.measures import (
    MAP_11,
    MEASURE_NAMES,
    RECALL_POINTS,
    Values,
    interpolated_precision_name,
    precision_name,
    recall_name,
)
from satchel.evaluation.plots import (
    draw_curves,
    draw_feedback,
    draw_screening,
    plot_feedback_rounds,
    plot_map,
    plot_precision_recall,
    plot_precision_scope,
)
from satchel.evaluation.retrieval import DEFAULT_TOP, PrecisionScope, RetrievalResult, evaluate_retrieval, names_at
from satchel.evaluation.runs import DEFAULT_MEASURES, RunResult, evaluate_run, read_run, run_from_ranking, write_run
from satchel.evaluation.screening import ScreeningResult, recall_curve, records_for_recall, simulate_screening
from satchel.evaluation.significance import Significance, compare
from satchel.evaluation.topics import TopicsResult, evaluate_topics, evenness, join_topics, skewness, topic_sizes
from satchel.screening import Remaining, estimate_remaining, stopping_point

__all__ = [
    "ARI",
    "DEFAULT_MEASURES",
    "DEFAULT_TOP",
    "FROZEN",
    "MAP_11",
    "MEASURE_NAMES",
    "NDCG_10",
    "NMI",
    "RECALL_POINTS",
    "RESIDUAL",
    "ClusteringResult",
    "Effect",
    "FeedbackResult",
    "FeedbackRound",
    "NoFeedback",
    "PrecisionScope",
    "Refiner",
    "Remaining",
    "RetrievalResult",
    "RunResult",
    "ScreeningResult",
    "Significance",
    "SimulatedUser",
    "TopicsResult",
    "Values",
    "compare",
    "draw_curves",
    "draw_feedback",
    "draw_screening",
    "estimate_remaining",
    "evaluate_clustering",
    "evaluate_retrieval",
    "evaluate_run",
    "evaluate_topics",
    "evenness",
    "interpolated_precision_name",
    "join_topics",
    "judge_clusters",
    "names_at",
    "plot_feedback_rounds",
    "plot_map",
    "plot_precision_recall",
    "plot_precision_scope",
    "precision_name",
    "read_run",
    "recall_curve",
    "recall_name",
    "records_for_recall",
    "run_from_ranking",
    "simulate_feedback",
    "simulate_screening",
    "skewness",
    "stopping_point",
    "topic_sizes",
    "write_run",
]
